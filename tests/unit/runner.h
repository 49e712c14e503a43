/*
 * runner - runs libcheck tests, each in its own process, and prints the result of each.
 *
 *	unit [--list] [NAME...]
 *
 * A test is named MODULE.TEST, a loop test MODULE.TEST[NUMBER]. NAME is a test or a module.
 * tests/check.py documents the output; its last line is "N passed, N failed, N skipped".
 */
#ifndef UNIT_RUNNER_H
#define UNIT_RUNNER_H

#include <check.h>

struct test_module {
	const char *name;
	Suite *(*suite)(void);
};

/* Run all modules (the table ends with a NULL suite); return the exit status of the program. */
int run_tests(const struct test_module *modules, int argc, char **argv);

#endif
