#include "tests/unit/runner.h"

#include "tests/unit/skip.h"
#include "tests/unit/workers.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct suites {
	suite_fn *const *suites;
	struct counts {
		atomic_int run, failed;
	} *counts;
};

static void run_suite(void *ctx, int at)
{
	struct suites *all = ctx;
	SRunner *runner = srunner_create(all->suites[at]());
	TestResult **failures;
	int failed;

	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	failures = srunner_failures(runner);
	for (int i = 0; i < failed; i++)
		printf("failed: %s:%d: %s: %s\n", tr_lfile(failures[i]), tr_lno(failures[i]),
		       tr_tcname(failures[i]), tr_msg(failures[i]));
	atomic_fetch_add(&all->counts->run, srunner_ntests_run(runner));
	atomic_fetch_add(&all->counts->failed, failed);
	free(failures);
	srunner_free(runner);
}

/* As a debugger wants it. */
static bool in_one_process(void)
{
	const char *forks = getenv("CK_FORK");

	return forks && !strcmp(forks, "no");
}

int run_suites(suite_fn *const *suites)
{
	struct suites all = { suites, workers_shared(sizeof(*all.counts)) };
	unsigned int skipped;
	int count = 0, died, run, failed;

	/* Widths of characters are the locale's business: the same one everywhere. */
	if (!setlocale(LC_ALL, "C.UTF-8"))
		printf("note: no C.UTF-8 locale here\n");
	while (suites[count])
		count++;
	skip_open();
	died = workers_run(count, run_suite, &all, in_one_process());
	if (died)
		printf("failed: runner: %d processes that run suites died\n", died);
	skipped = skip_report();
	run = all.counts->run;
	failed = all.counts->failed + died;
	printf("%d passed, %d failed, %u skipped\n", run + died - failed - (int)skipped, failed,
	       skipped);
	return failed || run == 0;
}
