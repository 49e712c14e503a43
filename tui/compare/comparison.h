/*
 * comparison - changes of the system calls between two recordings.
 *
 * A side holds the counts of one engine. Rows are matched by process name and call name, so that
 * the same program with another pid is the same row. A matched comparison is immutable.
 *
 * A comparison lives on the stack of one thread (comparison_release), or on the heap with
 * references. The thread that makes it hands over the whole comparison; then only the UI thread
 * takes and drops references. Rows and their names are valid while a reference is held.
 *
 *	comparison_take(&comparison, COMPARISON_A, engine, "before.data", 0);
 *	comparison_take(&comparison, COMPARISON_B, other, "after.data", 0);
 *	comparison_match(&comparison);
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "tui/compare/comparison_types.h"

/*
 * Copy the current counts of the engine into a side. since_ns: start of the counts; 0: start of the
 * recording or its span.
 */
void comparison_take(struct comparison *comparison, int side, struct engine *engine,
		     const char *file, uint64_t since_ns);
void comparison_match(struct comparison *comparison);
void comparison_release(struct comparison *comparison);

/* Return an empty comparison on the heap with one reference, owned by the caller. */
struct comparison *comparison_new(void);
struct comparison *comparison_ref(struct comparison *comparison);
/* Free the comparison with its last reference. NULL is allowed. */
void comparison_unref(struct comparison *comparison);

/* Return b / a; 0 unless both are positive. */
double comparison_ratio(double a, double b);
/* Return the ratio of the rates of all calls, B to A. */
double comparison_rate_ratio(const struct comparison *comparison);
/* Return `count` per second of this side; 0 if its duration is unknown. */
double comparison_per_s(const struct comparison *comparison, int side, uint64_t count);

#endif
