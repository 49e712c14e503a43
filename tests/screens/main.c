/*
 * screens - runs screen tests and prints their results in the format of tests/check.py.
 *
 *	screens [--accept] [--program FILE] [--data DIR] [--saved DIR] [--output DIR] TEST.steps...
 */
#include "tests/screens/script.h"
#include "tests/unit/workers.h"

#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option long_options[] = {
	{ "accept", no_argument, NULL, 'a' },       { "program", required_argument, NULL, 'p' },
	{ "data", required_argument, NULL, 'd' },   { "saved", required_argument, NULL, 's' },
	{ "output", required_argument, NULL, 'o' }, { NULL, 0, NULL, 0 },
};

/* Make language, terminal and colours, which the screens show, the same for every user. */
static void settle_environment(void)
{
	static const char *const remove[] = { "NO_COLOR", "COLORTERM", "LINES",    "COLUMNS",
					      "LC_ALL",   "ESCDELAY",  "COLORFGBG" };

	for (size_t i = 0; i < sizeof(remove) / sizeof(remove[0]); i++)
		unsetenv(remove[i]);
	setenv("LANG", "C.UTF-8", 1);
	setenv("TERM", "xterm-256color", 1);
	setenv("TZ", "UTC0", 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1); /* no keymap or settings of the user */
	setlocale(LC_ALL, "C.UTF-8");
}

struct scripts {
	const struct script_options *options;
	char **paths;
	struct counts {
		atomic_int passed, failed;
	} * counts;
};

/* Return the file name without folder and suffix. */
static const char *name_of(const char *path, int *len)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	*len = (int)strcspn(name, ".");
	return name;
}

static void run_script(void *ctx, int at)
{
	struct scripts *scripts = ctx;
	struct str report = STR_INIT;
	int len = 0;
	const char *name = name_of(scripts->paths[at], &len);

	if (script_run(scripts->paths[at], scripts->options, &report)) {
		atomic_fetch_add(&scripts->counts->passed, 1);
		printf("passed: %.*s\n", len, name);
	} else {
		atomic_fetch_add(&scripts->counts->failed, 1);
		printf("failed: %.*s: %s", len, name, report.data);
	}
	str_release(&report);
}

int main(int argc, char **argv)
{
	struct script_options options = { .program = "build/stxtop",
					  .data = "tests/replay",
					  .saved = "tests/screens/saved",
					  .output = "." };
	struct scripts scripts = { .options = &options };
	int died, option;
	char data[PATH_MAX];

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (option) {
		case 'a':
			options.accept = true;
			break;
		case 'p':
			options.program = optarg;
			break;
		/* Make $DATA absolute, as scripts set XDG_CONFIG_HOME to paths in it. */
		case 'd':
			options.data = realpath(optarg, data) ? data : optarg;
			break;
		case 's':
			options.saved = optarg;
			break;
		case 'o':
			options.output = optarg;
			break;
		default:
			return 2;
		}
	}
	signal(SIGPIPE, SIG_IGN);
	settle_environment();
	scripts.paths = argv + optind;
	scripts.counts = workers_shared(sizeof(*scripts.counts));
	died = workers_run(argc - optind, run_script, &scripts, 0);
	if (died)
		printf("failed: screens: %d script processes died\n", died);
	printf("%d passed, %d failed, 0 skipped\n", scripts.counts->passed,
	       scripts.counts->failed + died);
	return scripts.counts->failed + died ? 1 : 0;
}
