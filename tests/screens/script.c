#include "tests/screens/script.h"

#include "tests/screens/config_copy.h"
#include "tests/screens/key_bytes.h"
#include "tests/screens/loops.h"
#include "tests/screens/picture.h"
#include "tests/screens/terminal.h"

#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define WAIT_MS 20000
#define WORDS_MAX 64
/* A screen is saved after this time without output. */
#define SETTLED_MS 700
/* Matches a stack frame whose symbol is pending, or whose text is cut after the address. */
#define NAME_IS_COMING "0x[0-9a-f]+ (…|~)( |$)"
#define NAMES_MS 5000

struct run {
	const struct script_options *options;
	struct str *report;
	struct terminal *terminal;
	char *environment[WORDS_MAX];
	int environment_count;
	int rows, cols;
	bool failed;
	const char *path;
	char *config; /* XDG_CONFIG_HOME */
	char *config_from; /* the folder that `config` is a copy of */
	bool store_settings; /* keep changed settings for the next run */
	struct loops loops;
};

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

__attribute__((format(printf, 2, 3))) static void fail(struct run *run, const char *format, ...)
{
	va_list args;

	str_addf(run->report, "%s:%d: ", run->path, loops_line(&run->loops));
	loops_values(&run->loops, run->report);
	va_start(args, format);
	str_vaddf(run->report, format, args);
	va_end(args);
	str_addc(run->report, '\n');
	if (run->terminal)
		picture_text(run->terminal, run->report);
	run->failed = true;
}

typedef bool condition_fn(struct run *run, const char *text);

/* Process output until condition() is true; false after the limit. */
static bool until(struct run *run, condition_fn *condition, const char *text, int limit_ms)
{
	long long end = now_ms() + limit_ms;

	for (;;) {
		if (condition(run, text))
			return true;
		if (now_ms() >= end)
			return false;
		if (!terminal_pump(run->terminal, 20))
			return condition(run, text);
	}
}

static bool shows(struct run *run, const char *text)
{
	struct str screen = STR_INIT;

	picture_text(run->terminal, &screen);
	bool found = strstr(screen.data, text) != NULL;
	str_release(&screen);
	return found;
}

static bool hides(struct run *run, const char *text)
{
	return !shows(run, text);
}

static bool equals(struct run *run, const char *wanted)
{
	struct str screen = STR_INIT;

	picture_whole(run->terminal, &screen);
	bool same = strcmp(screen.data, wanted) == 0;
	str_release(&screen);
	return same;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &room, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

static FILE *create_file(const char *path)
{
	FILE *file = fopen(path, "w");
	const char *slash = strrchr(path, '/');

	if (file || errno != ENOENT || !slash)
		return file;
	char *folder = strndup(path, (size_t)(slash - path));
	mkdir(folder, 0777);
	free(folder);
	return fopen(path, "w");
}

static bool write_file(const char *path, const struct str *text)
{
	FILE *file = create_file(path);

	if (!file)
		return false;
	bool ok = fwrite(text->data, 1, text->len, file) == text->len;
	return fclose(file) == 0 && ok;
}

/* Store the whole screen in `screen` once there was no output for SETTLED_MS. */
static void take_settled(struct run *run, struct str *screen)
{
	uint64_t seen;

	do {
		seen = terminal_changes(run->terminal);
		long long end = now_ms() + SETTLED_MS;
		while (now_ms() < end && terminal_pump(run->terminal, 50))
			;
	} while (seen != terminal_changes(run->terminal));
	str_clear(screen);
	picture_whole(run->terminal, screen);
}

static void accept_screen(struct run *run, const char *path)
{
	long long end = now_ms() + NAMES_MS;
	struct str screen = STR_INIT;
	regex_t coming;

	if (regcomp(&coming, NAME_IS_COMING, REG_EXTENDED | REG_NEWLINE | REG_NOSUB)) {
		fail(run, "cannot compile the pattern NAME_IS_COMING");
		return;
	}
	do
		take_settled(run, &screen);
	while (!regexec(&coming, screen.data, 0, NULL, 0) && now_ms() < end);
	regfree(&coming);
	char *old = read_file(path);
	if (!old || strcmp(old, screen.data) != 0) {
		printf("%s\n", path);
		struct str difference = STR_INIT;
		picture_difference(old ? old : "", screen.data, &difference);
		fputs(difference.data, stdout);
		str_release(&difference);
		if (!write_file(path, &screen))
			fail(run, "cannot write %s: %s", path, strerror(errno));
	}
	free(old);
	str_release(&screen);
}

static void step_expect(struct run *run, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", run->options->saved, name);
	if (run->options->accept) {
		accept_screen(run, path);
		return;
	}
	char *wanted = read_file(path);
	if (!wanted) {
		fail(run, "no saved screen %s; `make accept` writes it", path);
		return;
	}
	if (!until(run, equals, wanted, WAIT_MS)) {
		struct str screen = STR_INIT;
		fail(run, "the screen did not become %s:", name);
		picture_whole(run->terminal, &screen);
		picture_difference(wanted, screen.data, run->report);
		str_release(&screen);
	}
	free(wanted);
}

static void type_word(struct run *run, const char *word)
{
	struct str bytes = STR_INIT;

	if (key_bytes(word, &bytes))
		terminal_type(run->terminal, bytes.data, bytes.len);
	else
		fail(run, "no such key: %s", word);
	str_release(&bytes);
}

/* Split at blanks; a "quoted" word keeps its quotes and its blanks. */
static int split(char *text, char *words[WORDS_MAX])
{
	int count = 0;

	while (count < WORDS_MAX - 1) {
		text += strspn(text, " \t");
		if (!*text)
			break;
		words[count++] = text;
		if (*text == '"') {
			text++;
			text += strcspn(text, "\"");
			text += *text == '"';
		} else {
			text += strcspn(text, " \t");
		}
		if (*text)
			*text++ = '\0';
	}
	words[count] = NULL;
	return count;
}

static char *expand(const struct run *run, const char *word)
{
	struct str out = STR_INIT;
	size_t len = strlen(word);

	if (len > 1 && word[0] == '"' && word[len - 1] == '"') {
		word++;
		len -= 2;
	}
	for (size_t i = 0; i < len; i++) {
		if (!strncmp(word + i, "$DATA", 5)) {
			str_add(&out, run->options->data);
			i += 4;
		} else if (!strncmp(word + i, "$OUT", 4)) {
			str_add(&out, run->options->output);
			i += 3;
		} else if (!strncmp(word + i, "$STXTOP", 7)) {
			str_add(&out, run->options->program);
			i += 6;
		} else {
			str_addc(&out, word[i]);
		}
	}
	return str_steal(&out);
}

static void step_start(struct run *run, char *rest, const char *program)
{
	char *words[WORDS_MAX], *argv[WORDS_MAX + 1];
	int count = split(rest, words), argc = 0;

	if (program)
		argv[argc++] = strdup(program);
	for (int i = 0; i < count; i++)
		argv[argc++] = expand(run, words[i]);
	argv[argc] = NULL;
	terminal_free(run->terminal);
	if (!run->store_settings)
		config_copy_forget(run->config, run->config_from);
	run->terminal = terminal_start(argv, run->environment, run->rows, run->cols);
	if (!run->terminal)
		fail(run, "cannot start %s: %s", argv[0], strerror(errno));
	while (argc)
		free(argv[--argc]);
}

static void step_ends(struct run *run, const char *rest)
{
	int status, wanted = atoi(rest);

	if (!terminal_wait_end(run->terminal, WAIT_MS, &status)) {
		fail(run, "the program still runs");
		return;
	}
	int found = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (found != wanted)
		fail(run, "exit status %d, not %d", found, wanted);
}

static void step_signal(struct run *run, const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = { { "HUP", SIGHUP },
			{ "TERM", SIGTERM },
			{ "INT", SIGINT },
			{ "WINCH", SIGWINCH },
			{ "SEGV", SIGSEGV } };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!strcmp(name, signals[i].name)) {
			terminal_signal(run->terminal, signals[i].number);
			return;
		}
	fail(run, "no such signal: %s", name);
}

static void step_shot(struct run *run, const char *rest)
{
	struct str svg = STR_INIT;
	char *path = expand(run, rest);

	picture_svg(run->terminal, &svg);
	if (!write_file(path, &svg))
		fail(run, "cannot write %s: %s", path, strerror(errno));
	free(path);
	str_release(&svg);
}

static void step_restored(struct run *run)
{
	int row, col;
	bool visible;

	terminal_cursor(run->terminal, &row, &col, &visible);
	if (terminal_alternate(run->terminal))
		fail(run, "the full screen is still up");
	else if (!visible)
		fail(run, "the cursor is still hidden");
}

/* For screenshots of a live workload: process output for `rest` seconds. */
static void step_rest(struct run *run, const char *rest)
{
	long long end = now_ms() + atoi(rest) * 1000LL;

	while (now_ms() < end && terminal_pump(run->terminal, 20))
		;
}

static bool read_size(const char *text, int *cols, int *rows)
{
	return sscanf(text, "%d%*1[x ]%d", cols, rows) == 2;
}

static void step(struct run *run, char *line)
{
	size_t len = strcspn(line, " \t");
	char *rest = line + len;

	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!strcmp(line, "size")) {
		if (!read_size(rest, &run->cols, &run->rows))
			fail(run, "size 80x24");
	} else if (!strcmp(line, "env")) {
		if (run->environment_count < WORDS_MAX - 1)
			run->environment[run->environment_count++] = expand(run, rest);
	} else if (!strcmp(line, "keep-settings")) {
		run->store_settings = true;
	} else if (!strcmp(line, "run")) {
		step_start(run, rest, run->options->program);
	} else if (!strcmp(line, "start")) {
		step_start(run, rest, NULL);
	} else if (!run->terminal) {
		fail(run, "%s before run", line);
	} else if (!strcmp(line, "type")) {
		char *words[WORDS_MAX];
		int count = split(rest, words);
		for (int i = 0; i < count && !run->failed; i++)
			type_word(run, words[i]);
	} else if (!strcmp(line, "wait")) {
		if (!until(run, shows, rest, WAIT_MS))
			fail(run, "never shown: %s", rest);
	} else if (!strcmp(line, "gone")) {
		if (!until(run, hides, rest, WAIT_MS))
			fail(run, "still shown: %s", rest);
	} else if (!strcmp(line, "resize")) {
		int cols, rows;
		if (read_size(rest, &cols, &rows))
			terminal_resize(run->terminal, rows, cols);
		else
			fail(run, "resize 80x24");
	} else if (!strcmp(line, "expect")) {
		step_expect(run, rest);
	} else if (!strcmp(line, "shot")) {
		step_shot(run, rest);
	} else if (!strcmp(line, "rest")) {
		step_rest(run, rest);
	} else if (!strcmp(line, "signal")) {
		step_signal(run, rest);
	} else if (!strcmp(line, "hang-up")) {
		terminal_hang_up(run->terminal);
	} else if (!strcmp(line, "ends")) {
		step_ends(run, rest);
	} else if (!strcmp(line, "restored")) {
		step_restored(run);
	} else {
		fail(run, "no such step: %s", line);
	}
}

bool script_run(const char *path, const struct script_options *options, struct str *report)
{
	struct run run = {
		.options = options, .report = report, .rows = 40, .cols = 120, .path = path
	};
	struct str line = STR_INIT;
	char *text = read_file(path);
	const char *wrong;

	if (!text) {
		str_addf(report, "%s: %s\n", path, strerror(errno));
		return false;
	}
	str_addf(&line, "%s/../screens/config", options->data);
	run.config_from = strdup(line.data);
	run.config = config_copy_new(run.config_from);
	if (!run.config)
		fail(&run, "no copy of %s: %s", line.data, strerror(errno));
	loops_init(&run.loops, text);
	while (!run.failed && loops_next(&run.loops, &line, &wrong))
		step(&run, line.data);
	if (!run.failed && wrong)
		fail(&run, "%s", wrong);
	terminal_free(run.terminal);
	while (run.environment_count)
		free(run.environment[--run.environment_count]);
	config_copy_free(run.config);
	free(run.config_from);
	loops_release(&run.loops);
	str_release(&line);
	free(text);
	return !run.failed;
}
