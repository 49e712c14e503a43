/*
 * skip - ends a test that cannot run here and counts it as skipped.
 *
 *	if (geteuid() != 0)
 *		test_skip("ring_maps_locked_memory: needs root");
 *
 * Valid reasons: the kernel or the machine lacks a feature, or the test a permission; never a bug.
 * Only inside a libcheck test.
 */
#ifndef UNIT_SKIP_H
#define UNIT_SKIP_H

/* "NAME: REASON", one line. Does not return. */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Skip the test of that name if a sandbox forbids reading even the memory of this process. */
void need_own_memory(const char *name);

/* Exit status of a skipped test; its reason is in the list. */
#define SKIP_STATUS 77

/*
 * For the runner: open the list before tests fork, then read the reasons in the order in which
 * the tests ended. A word before the first ": " is not part of a reason. skip_next(): 0 at the end.
 */
void skip_open(void);
void skip_rewind(void);
int skip_next(char *reason, int size);
void skip_close(void);

#endif
