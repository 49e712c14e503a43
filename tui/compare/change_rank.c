#include "tui/compare/change_rank.h"

#include "engine/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Added to counts, so that a side without calls has a finite log rate. */
#define HALF 0.5
#define IMPACT_PER_S 1e6 /* 1 us of calls per second doubles the rank ... */
#define IMPACT_POWER 0.25 /* ... and 10,000 times the impact weighs 10 times as much */

static double counts_rank(double a, double a_of, double b, double b_of)
{
	double off;

	if (a_of <= 0 || b_of <= 0)
		return 0;
	a += HALF;
	b += HALF;
	off = fabs(log(b / b_of) - log(a / a_of)) - sqrt(1 / a + 1 / b);
	return off > 0 ? off : 0;
}

/* Return the squared relative standard error of the mean. */
static double squared_part(const struct engine_row *row)
{
	double timed = comparison_timed(row);
	double part = (double)row->deviation_ns * timed / (double)row->total_ns;

	return part * part / timed;
}

static double times_rank(const struct engine_row *a, const struct engine_row *b)
{
	double off;

	if (!a->total_ns || !b->total_ns || comparison_timed(a) < 1 || comparison_timed(b) < 1)
		return 0;
	off = fabs(log(((double)b->total_ns / comparison_timed(b)) /
		       ((double)a->total_ns / comparison_timed(a)))) -
	      sqrt(squared_part(a) + squared_part(b));
	return off > 0 ? off : 0;
}

double change_rank(const struct comparison *comparison, const struct comparison_row *row)
{
	static const struct engine_row none;
	const struct engine_row *a = row->sides[COMPARISON_A], *b = row->sides[COMPARISON_B];
	double rank;

	rank = counts_rank(a ? (double)a->calls : 0, comparison->sides[COMPARISON_A].seconds,
			   b ? (double)b->calls : 0, comparison->sides[COMPARISON_B].seconds);
	a = a ? a : &none;
	b = b ? b : &none;
	rank = fmax(rank, times_rank(a, b));
	rank = fmax(rank, counts_rank((double)a->errors, (double)a->calls, (double)b->errors,
				      (double)b->calls));
	return rank * (1 + pow(row->impact * IMPACT_PER_S, IMPACT_POWER));
}

static int compare_doubles(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

static const struct engine_row *find_name(const struct comparison_side *side, const char *name)
{
	for (size_t i = 0; i < side->total_count; i++)
		if (!strcmp(side->totals[i].name, name))
			return &side->totals[i];
	return NULL;
}

double change_usual_ratio(const struct comparison *comparison, uint64_t least)
{
	const struct comparison_side *a = &comparison->sides[COMPARISON_A];
	const struct comparison_side *b = &comparison->sides[COMPARISON_B];
	double *ratios = mem_alloc((a->total_count + 1) * sizeof(*ratios)), median = 0;
	size_t count = 0;

	for (size_t i = 0; i < a->total_count; i++) {
		const struct engine_row *other = find_name(b, a->totals[i].name);

		if (other && other->calls >= least && a->totals[i].calls >= least)
			ratios[count++] = (double)other->calls / (double)a->totals[i].calls;
	}
	if (count) {
		qsort(ratios, count, sizeof(*ratios), compare_doubles);
		median = ratios[count / 2];
	}
	free(ratios);
	return a->seconds > 0 && b->seconds > 0 ? median * a->seconds / b->seconds : 0;
}
