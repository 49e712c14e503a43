/*
 * runner - runs libcheck tests, each in a process of its own, and says how each ended.
 *
 *	unit [--list] [NAME...]
 *
 * A test is called MODULE.TEST, with [NUMBER] behind it where it runs for several numbers;
 * NAME is one of these or a module. tests/check.py has the form of the output, whose last
 * line is always "N passed, N failed, N skipped".
 */
#ifndef UNIT_RUNNER_H
#define UNIT_RUNNER_H

#include <check.h>

struct test_module {
	const char *name;
	Suite *(*suite)(void);
};

/* Runs them all (the table ends with a NULL suite); the exit status of the program. */
int run_tests(const struct test_module *modules, int argc, char **argv);

#endif
