#include "tests/unit/runner.h"

#include "tests/unit/skip.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int run_suites(suite_fn *const *suites)
{
	SRunner *runner = srunner_create(NULL);
	TestResult **failures;
	int run, failed;
	unsigned int skipped;

	/* Widths of characters are the locale's business: the same one everywhere. */
	if (!setlocale(LC_ALL, "C.UTF-8"))
		printf("note: no C.UTF-8 locale here\n");
	for (; *suites; suites++)
		srunner_add_suite(runner, (*suites)());
	skip_open();
	fflush(stdout);
	srunner_run_all(runner, CK_SILENT);
	run = srunner_ntests_run(runner);
	failed = srunner_ntests_failed(runner);
	failures = srunner_failures(runner);
	for (int i = 0; i < failed; i++)
		printf("failed: %s:%d: %s: %s\n", tr_lfile(failures[i]), tr_lno(failures[i]),
		       tr_tcname(failures[i]), tr_msg(failures[i]));
	skipped = skip_report();
	free(failures);
	srunner_free(runner);
	printf("%d passed, %d failed, %u skipped\n", run - failed - (int)skipped, failed, skipped);
	return failed || run == 0;
}
