#include "tests/unit/runner.h"

#include "tests/unit/skip.h"
#include "tests/unit/workers.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME_MAX_BYTES 256
#define LOOPS_MAX 128

static struct registration {
	char **wanted; /* names of tests or modules; empty: every test */
	int wanted_count;
	bool list;
	const char *module;
	const char *loops[LOOPS_MAX]; /* loop tests of the module */
	int loop_count;
	int added;
} registration;

struct modules {
	const struct test_module *modules;
	struct counts {
		atomic_int passed, failed, skipped;
	} * counts;
};

static const char *without_prefix(const char *test)
{
	return strncmp(test, "test_", 5) ? test : test + 5;
}

static bool is_loop(const char *test)
{
	for (int i = 0; i < registration.loop_count; i++) {
		if (!strcmp(registration.loops[i], test))
			return true;
	}
	return false;
}

static void name_test(char name[NAME_MAX_BYTES], const char *test, int number)
{
	int len = snprintf(name, NAME_MAX_BYTES, "%s.%s", registration.module,
			   without_prefix(test));

	if (is_loop(test) && len < NAME_MAX_BYTES)
		snprintf(name + len, NAME_MAX_BYTES - (size_t)len, "[%d]", number);
}

static bool is_wanted(const char *name)
{
	for (int i = 0; i < registration.wanted_count; i++) {
		const char *wanted = registration.wanted[i];

		if (!strcmp(wanted, name) || !strcmp(wanted, registration.module))
			return true;
	}
	return registration.wanted_count == 0;
}

/* Macros of check.h call _tcase_add_test(); libcheck itself cannot select single tests. */
void __real__tcase_add_test(TCase *tcase, const TTest *test, int signal, int exit_value, int start,
			    int end);
void __wrap__tcase_add_test(TCase *tcase, const TTest *test, int signal, int exit_value, int start,
			    int end);
void __wrap__tcase_add_test(TCase *tcase, const TTest *test, int signal, int exit_value, int start,
			    int end)
{
	char name[NAME_MAX_BYTES];

	if (end - start != 1 && registration.loop_count < LOOPS_MAX)
		registration.loops[registration.loop_count++] = test->name;
	for (int i = start; i < end; i++) {
		name_test(name, test->name, i);
		if (!is_wanted(name))
			continue;
		registration.added++;
		if (registration.list)
			puts(name);
		else
			__real__tcase_add_test(tcase, test, signal, exit_value, i, i + 1);
	}
}

/* libcheck writes to a pipe for each assertion that holds: skip repeats of the same line. */
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line)
{
	static _Thread_local const char *last_file;
	static _Thread_local int last_line;

	if (file == last_file && line == last_line)
		return;
	last_file = file;
	last_line = line;
	__real__mark_point(file, line);
}

static Suite *register_module(const struct test_module *module)
{
	registration.module = module->name;
	registration.loop_count = 0;
	registration.added = 0;
	return module->suite();
}

/* A line of libcheck's log: FILE:LINE:RESULT:CASE:TEST:NUMBER: MESSAGE. */
struct log_line {
	char file[NAME_MAX_BYTES], test[NAME_MAX_BYTES];
	int line, number;
	char result;
	const char *message;
};

static bool parse_log_line(const char *text, struct log_line *line)
{
	int at = 0;

	if (sscanf(text, "%255[^:\n]:%d:%c:%*[^:\n]:%255[^:\n]:%d:%n", line->file, &line->line,
		   &line->result, line->test, &line->number, &at) != 5 ||
	    at == 0)
		return false;
	line->message = text + at + (text[at] == ' ');
	return strchr("PFES", line->result) != NULL;
}

/* True if the test was skipped. The message can begin with the place of the last assertion. */
static bool is_skip(const struct log_line *line)
{
	static const char exit[] = "Early exit with return value ";
	const char *status = strstr(line->message, exit);

	return status && atoi(status + sizeof(exit) - 1) == SKIP_STATUS;
}

static void report_test(const struct log_line *line, struct counts *counts)
{
	char name[NAME_MAX_BYTES], reason[512];

	name_test(name, line->test, line->number);
	if (line->result == 'P') {
		atomic_fetch_add(&counts->passed, 1);
		printf("passed: %s\n", name);
	} else if (is_skip(line) && skip_next(reason, sizeof(reason))) {
		atomic_fetch_add(&counts->skipped, 1);
		printf("skipped: %s: %s\n", name, reason);
	} else {
		atomic_fetch_add(&counts->failed, 1);
		printf("failed: %s: %s:%d: %s", name, line->file, line->line, line->message);
	}
}

/* Print the results, and each failure message with all its lines. */
static void report(FILE *log, struct counts *counts)
{
	char *text = NULL;
	size_t size = 0;
	bool in_failure = false;
	struct log_line line;

	while (getline(&text, &size, log) > 0) {
		if (!strncmp(text, "Results for ", 12))
			break;
		if (parse_log_line(text, &line)) {
			in_failure = line.result != 'P';
			report_test(&line, counts);
		} else if (in_failure) {
			fputs(text, stdout);
		}
	}
	free(text);
}

static void run_module(void *ctx, int at)
{
	struct modules *all = ctx;
	SRunner *runner = srunner_create(register_module(&all->modules[at]));
	int fd = memfd_create("log of libcheck", MFD_CLOEXEC);
	char path[64];
	FILE *log;

	if (fd < 0 || !(log = fdopen(fd, "r"))) {
		perror("tests: no memory for the log");
		exit(2);
	}
	if (registration.added) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		srunner_set_log(runner, path);
		skip_open();
		srunner_run_all(runner, CK_SILENT);
		skip_rewind();
		report(log, all->counts);
		skip_close();
	}
	fclose(log);
	srunner_free(runner);
}

/* CK_FORK=no runs all tests in this process, for a debugger. */
static bool in_one_process(void)
{
	const char *forks = getenv("CK_FORK");

	return forks && !strcmp(forks, "no");
}

static int list_tests(const struct test_module *modules)
{
	registration.list = true;
	for (; modules->suite; modules++)
		srunner_free(srunner_create(register_module(modules)));
	return 0;
}

int run_tests(const struct test_module *modules, int argc, char **argv)
{
	struct modules all = { modules, workers_shared(sizeof(*all.counts)) };
	int count = 0, died, failed;

	/* Character widths depend on the locale: use the same locale on every machine. */
	if (!setlocale(LC_ALL, "C.UTF-8"))
		printf("note: no C.UTF-8 locale here\n");
	/* Timeouts detect hangs; a slow or busy machine must not exceed them. */
	setenv("CK_TIMEOUT_MULTIPLIER", "8", 0);
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list_tests(modules);
	registration.wanted = argv + 1;
	registration.wanted_count = argc - 1;
	while (modules[count].suite)
		count++;
	died = workers_run(count, run_module, &all, in_one_process());
	if (died)
		printf("failed: runner: %d test processes died\n", died);
	failed = all.counts->failed + died;
	printf("%d passed, %d failed, %d skipped\n", all.counts->passed, failed,
	       all.counts->skipped);
	return failed || all.counts->passed + all.counts->skipped == 0;
}
