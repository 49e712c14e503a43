/*
 * skip - a test that cannot run here says so and is counted as skipped.
 *
 *	if (geteuid() != 0)
 *		test_skip("ring_maps_locked_memory: needs root");
 *
 * Ends the test that calls it. Only what the kernel, the machine or a
 * permission lacks is a reason; never a bug. Only inside a libcheck test.
 */
#ifndef UNIT_SKIP_H
#define UNIT_SKIP_H

/* "NAME: REASON", one line. Does not return. */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Skips the test of that name where a sandbox refuses to read even the memory of this process. */
void need_own_memory(const char *name);

/* How a test ends that was skipped; its reason is in the list. */
#define SKIP_STATUS 77

/*
 * For the runner: opens the list before tests fork, and takes their reasons out of it in the
 * order in which they ended. A word before the first ": " is not part of a reason. 0: no more.
 */
void skip_open(void);
void skip_rewind(void);
int skip_next(char *reason, int size);
void skip_close(void);

#endif
