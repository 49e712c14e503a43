#include "tui/compare/comparison_words.h"

#include <inttypes.h>

#define SAME_RATE 1.25 /* rate of all calls: a smaller change is not mentioned */

static const struct {
	enum comparison_change change;
	const char *word;
} words[] = {
	{ CHANGE_SLOWER, "slower" },
	{ CHANGE_FASTER, "faster" },
	{ CHANGE_MORE, "more calls" },
	{ CHANGE_FEWER, "fewer calls" },
	{ CHANGE_NEW, "new" },
	{ CHANGE_GONE, "gone" },
	{ CHANGE_FAILS, "newly failing" },
	{ CHANGE_FAILS_MORE, "failing more often" },
};

#define WORD_COUNT (sizeof(words) / sizeof(*words))

const char *comparison_word(size_t index, enum comparison_change *change)
{
	if (index >= WORD_COUNT)
		return NULL;
	*change = words[index].change;
	return words[index].word;
}

static void add_times(struct str *out, const char *word, double ratio)
{
	if (ratio >= 10)
		str_addf(out, "%s %.0fx", word, ratio);
	else
		str_addf(out, "%s %.1fx", word, ratio);
}

/* Return the ratio of a change; for times, the larger one of median and p99. 0: no ratio. */
static double ratio_of(const struct comparison *comparison, const struct comparison_row *row,
		       enum comparison_change change)
{
	const struct engine_row *a = row->sides[COMPARISON_A], *b = row->sides[COMPARISON_B];
	double ratio = 0, tail;

	switch (change) {
	case CHANGE_SLOWER:
	case CHANGE_FASTER:
		ratio = comparison_ratio((double)a->p50_ns, (double)b->p50_ns);
		tail = comparison_ratio((double)a->p99_ns, (double)b->p99_ns);
		if (change == CHANGE_SLOWER)
			return ratio > tail ? ratio : tail;
		ratio = ratio < tail ? ratio : tail;
		return ratio > 0 ? 1 / ratio : 0;
	case CHANGE_MORE:
	case CHANGE_FEWER:
		ratio = comparison_ratio(comparison_per_s(comparison, COMPARISON_A, a->calls),
					 comparison_per_s(comparison, COMPARISON_B, b->calls));
		return change == CHANGE_FEWER && ratio > 0 ? 1 / ratio : ratio;
	default:
		return 0;
	}
}

void comparison_add_changes(struct str *out, const struct comparison *comparison,
			    const struct comparison_row *row)
{
	bool any = false;

	for (size_t i = 0; i < WORD_COUNT; i++) {
		enum comparison_change change = words[i].change;
		double ratio;

		if (!(row->changes & change))
			continue;
		str_add(out, any ? ", " : "");
		any = true;
		ratio = ratio_of(comparison, row, change);
		if (ratio > 0)
			add_times(out, words[i].word, ratio);
		else
			str_add(out, words[i].word);
		for (uint32_t j = 0; change == CHANGE_FAILS && j < row->errno_count; j++) {
			const char *name = errno_name((int)row->errnos[j].number);

			str_addf(out, "%s %s %" PRIu64, j ? "," : "", name ? name : "?",
				 row->errnos[j].count);
		}
	}
}

bool comparison_add_rate(struct str *out, const struct comparison *comparison)
{
	double rate = comparison_rate_ratio(comparison);

	if (rate < SAME_RATE && (rate <= 0 || rate > 1 / SAME_RATE))
		return false;
	add_times(out,
		  rate > 1 ? "B made more calls per second, all processes:"
			   : "B made fewer calls per second, all processes:",
		  rate > 1 ? rate : 1 / rate);
	return true;
}
