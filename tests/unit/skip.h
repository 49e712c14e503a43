/*
 * skip - ends a test that cannot run here and counts it as skipped.
 *
 *	if (geteuid() != 0)
 *		test_skip("ring_maps_locked_memory: needs root");
 *
 * Valid reasons: the kernel or machine lacks a feature, or the test lacks a permission; never a
 * bug. Only inside a libcheck test.
 */
#ifndef UNIT_SKIP_H
#define UNIT_SKIP_H

/* "NAME: REASON", one line. Does not return. */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Skip the test of that name if a sandbox forbids reading even the memory of this process. */
void need_own_memory(const char *name);

/* Exit status of a skipped test; skip_next() reads its reason. */
#define SKIP_STATUS 77

/*
 * For the runner: open the list of reasons before tests fork, and read it in the order in which
 * the tests ended. skip_next() removes the word before the first ": "; it returns 0 at the end.
 */
void skip_open(void);
void skip_rewind(void);
int skip_next(char *reason, int size);
void skip_close(void);

#endif
