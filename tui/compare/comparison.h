/*
 * comparison - what became of the system calls between two recordings.
 *
 * One side is what one engine counted; rows are matched by the name of the process and that of
 * the call, so that the same program under another pid is the same row. Once matched, it does
 * not change any more. It lives on the stack of one thread (comparison_release), or on the heap
 * with references: the thread that makes it hands it over whole, and from then on only the UI
 * thread takes and drops references. Rows and names in it are good while a reference is held.
 *
 *	comparison_take(&comparison, COMPARISON_A, engine, "before.data", 0);
 *	comparison_take(&comparison, COMPARISON_B, other, "after.data", 0);
 *	comparison_match(&comparison);
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "tui/compare/comparison_types.h"

/*
 * What the engine has counted until now. since_ns: the sums begin then, not with the recording;
 * 0: they do not.
 */
void comparison_take(struct comparison *comparison, int side, struct engine *engine,
		     const char *file, uint64_t since_ns);
void comparison_match(struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/* An empty one on the heap, with the caller's reference. */
struct comparison *comparison_new(void);
struct comparison *comparison_ref(struct comparison *comparison);
/* Frees it with the last reference. NULL is allowed. */
void comparison_unref(struct comparison *comparison);

/* How many times as large; 0 where it cannot be said. */
double comparison_ratio(double a, double b);
/* Of all calls in a second. */
double comparison_rate_ratio(const struct comparison *comparison);
/* In a second of the recording. */
double comparison_per_s(const struct comparison *comparison, int side, uint64_t count);

#endif
