/*
 * runner - runs libcheck suites, each test in a process of its own, and counts.
 *
 * Failures and skips are printed by name; the last line on standard output is
 * always "N passed, N failed, N skipped".
 */
#ifndef UNIT_RUNNER_H
#define UNIT_RUNNER_H

#include <check.h>

typedef Suite *suite_fn(void);

/* Runs them all (the table ends with NULL); the exit status of the program. */
int run_suites(suite_fn *const *suites);

#endif
