#include "tui/compare/changes_columns.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "tui/compare/comparison_words.h"

#include <math.h>
#include <stdio.h>

#define SIDE_COLS 6 /* width of one figure */
#define PAIR_COLS 19 /* width of both figures, an arrow, and their ratio */
#define SAME 1.05 /* a smaller ratio is not shown */
#define TIMES_MAX 999

#define PAIR .min_cols = PAIR_COLS, .descending = true

/* clang-format off */
const struct table_column changes_columns[CHANGES_COLUMN_COUNT] = {
	[CHANGES_NAME] = { .id = CHANGES_NAME, .name = "name", .title = "NAME",
			   .help = "system call or process name", .min_cols = 14,
			   .flex = 1, .flex_cols = 24 },
	[CHANGES_WHAT] = { .id = CHANGES_WHAT, .name = "what", .title = "WHAT CHANGED",
			   .help = "slower, faster, more or fewer calls, new, gone, newly failing: "
				   "statistically significant changes with their factors; the "
				   "surest and largest first",
			   .min_cols = 20, .flex = 3, .descending = true },
	[CHANGES_TIME] = { .id = CHANGES_TIME, .name = "time", .title = "TIME/s",
			   .help = "time in these calls per second; sorted by its change",
			   PAIR, .drop = 2 },
	[CHANGES_CALLS] = { .id = CHANGES_CALLS, .name = "calls", .title = "CALLS",
			    .help = "number of calls", PAIR, .drop = 8 },
	[CHANGES_RATE] = { .id = CHANGES_RATE, .name = "rate", .title = "CALLS/s",
			   .help = "calls per second", PAIR, .drop = 3 },
	[CHANGES_MEAN] = { .id = CHANGES_MEAN, .name = "mean", .title = "MEAN",
			   .help = "mean duration", PAIR, .drop = 7 },
	[CHANGES_P50] = { .id = CHANGES_P50, .name = "p50", .title = "P50",
			  .help = "median duration", PAIR, .drop = 4 },
	[CHANGES_P95] = { .id = CHANGES_P95, .name = "p95", .title = "P95",
			  .help = "95 % of the calls took at most this long", PAIR, .drop = 6 },
	[CHANGES_P99] = { .id = CHANGES_P99, .name = "p99", .title = "P99",
			  .help = "99 % of the calls took at most this long", PAIR, .drop = 1 },
	[CHANGES_ERRORS] = { .id = CHANGES_ERRORS, .name = "errors", .title = "FAILED %",
			     .help = "percentage of failed calls", PAIR, .drop = 5 },
};
/* clang-format on */

/* ---- figures ---- */

/* NONE: the side has no calls. UNKNOWN: none of its calls has a known duration. */
enum { NONE = -1, UNKNOWN = -2 };

static bool is_duration(enum changes_column column)
{
	return column == CHANGES_TIME || column == CHANGES_MEAN || column == CHANGES_P50 ||
	       column == CHANGES_P95 || column == CHANGES_P99;
}

/* Return the figure of a side, NONE or UNKNOWN. */
static double value_of(const struct comparison *comparison, const struct comparison_row *row,
		       int which, enum changes_column column)
{
	const struct engine_row *side = row->sides[which];

	if (!side)
		return NONE;
	if (is_duration(column) && comparison_timed(side) < 1)
		return UNKNOWN;
	switch (column) {
	case CHANGES_TIME:
		return comparison_per_s(comparison, which, side->total_ns);
	case CHANGES_CALLS:
		return (double)side->calls;
	case CHANGES_RATE:
		return comparison_per_s(comparison, which, side->calls);
	case CHANGES_MEAN:
		return (double)side->total_ns / comparison_timed(side);
	case CHANGES_P50:
		return (double)side->p50_ns;
	case CHANGES_P95:
		return (double)side->p95_ns;
	case CHANGES_P99:
		return (double)side->p99_ns;
	case CHANGES_ERRORS:
		return (double)side->errors / (double)side->calls;
	default:
		return NONE;
	}
}

static void format_value(char out[UNITS_TEXT_BYTES], const struct comparison_row *row, int which,
			 enum changes_column column, double value)
{
	if (value < 0)
		snprintf(out, UNITS_TEXT_BYTES, "%s", value > UNKNOWN ? "-" : "?");
	else if (column == CHANGES_ERRORS)
		units_format_percent(out, row->sides[which]->errors, row->sides[which]->calls);
	else if (column == CHANGES_RATE && value > 0 && value < 10)
		snprintf(out, UNITS_TEXT_BYTES, "%.1f", value);
	else if (column == CHANGES_RATE || column == CHANGES_CALLS)
		units_format_count(out, (uint64_t)(value + 0.5));
	else if (column == CHANGES_TIME && row->sides[which]->untimed)
		units_format_at_least_ns(out, (uint64_t)(value + 0.5));
	else
		units_format_ns(out, (uint64_t)(value + 0.5));
}

/* Return the colour of a ratio; the words of the row state the same change. */
static enum role role_of(unsigned int changes, enum changes_column column)
{
	switch (column) {
	case CHANGES_TIME:
	case CHANGES_MEAN:
	case CHANGES_P50:
	case CHANGES_P95:
	case CHANGES_P99:
		return changes & CHANGE_SLOWER   ? ROLE_SLOW
		       : changes & CHANGE_FASTER ? ROLE_GOOD
						 : ROLE_DIM;
	case CHANGES_CALLS:
	case CHANGES_RATE:
		return changes & (CHANGE_MORE | CHANGE_FEWER) ? ROLE_STRONG : ROLE_DIM;
	case CHANGES_ERRORS:
		return changes & (CHANGE_FAILS | CHANGE_FAILS_MORE) ? ROLE_ERROR : ROLE_DIM;
	default:
		return ROLE_TEXT;
	}
}

static void add_ratio(struct str *out, double ratio)
{
	if (ratio <= 0 || (ratio < SAME && ratio > 1 / SAME))
		return;
	if (ratio > TIMES_MAX)
		str_addf(out, ">%dx", TIMES_MAX);
	else if (ratio >= 10)
		str_addf(out, "%.0fx", ratio);
	else
		str_addf(out, ratio >= 0.095 ? "%.1fx" : "%.2fx", ratio);
}

static void pair_cell(const struct comparison *comparison, const struct comparison_row *row,
		      enum changes_column column, struct table_cell *out)
{
	double a = value_of(comparison, row, COMPARISON_A, column);
	double b = value_of(comparison, row, COMPARISON_B, column);
	char was[UNITS_TEXT_BYTES], is[UNITS_TEXT_BYTES];
	size_t from;

	format_value(was, row, COMPARISON_A, column, a);
	format_value(is, row, COMPARISON_B, column, b);
	str_addf(&out->text, "%*s→%-*s ", SIDE_COLS, was, SIDE_COLS, is);
	from = out->text.len;
	add_ratio(&out->text, comparison_ratio(a, b));
	out->spans[0] = (struct table_span){ from, out->text.len, role_of(row->changes, column) };
	out->span_count = out->text.len > from;
	out->role = ROLE_NUMBER;
}

static enum role role_of_words(unsigned int changes)
{
	if (changes & (CHANGE_FAILS | CHANGE_FAILS_MORE))
		return ROLE_ERROR;
	if (changes & CHANGE_SLOWER)
		return ROLE_SLOW;
	return changes & CHANGE_FASTER ? ROLE_GOOD : ROLE_STRONG;
}

void changes_cell(const struct comparison *comparison, const struct comparison_row *row,
		  const char *name, enum changes_column column, struct table_cell *out)
{
	switch (column) {
	case CHANGES_NAME:
		str_add(&out->text, name);
		out->role = ROLE_NAME;
		break;
	case CHANGES_WHAT:
		comparison_add_changes(&out->text, comparison, row);
		out->role = role_of_words(row->changes);
		break;
	default:
		pair_cell(comparison, row, column, out);
		break;
	}
}

/* ---- order ---- */

static int compare_values(double a, double b)
{
	return (a > b) - (a < b);
}

/* Return the size of a change; INFINITY for a figure that appeared or vanished. */
static double size_of(const struct comparison *comparison, const struct comparison_row *row,
		      enum changes_column column)
{
	double a = value_of(comparison, row, COMPARISON_A, column);
	double b = value_of(comparison, row, COMPARISON_B, column);

	if ((a <= 0 && b <= 0) || a <= UNKNOWN || b <= UNKNOWN)
		return 0;
	return a <= 0 || b <= 0 ? INFINITY : fabs(log(b / a));
}

int changes_compare(const struct comparison *comparison, const struct comparison_row *a,
		    const struct comparison_row *b, enum changes_column column)
{
	int order = 0;

	if (column == CHANGES_WHAT)
		order = compare_values(a->rank, b->rank);
	else if (column > CHANGES_TIME)
		order = compare_values(size_of(comparison, a, column),
				       size_of(comparison, b, column));
	return order ? order : compare_values(a->impact, b->impact);
}

/* ---- export ---- */

static void add_pair(struct fields *fields, const char *a_name, const char *b_name,
		     const struct comparison *comparison, const struct comparison_row *row,
		     enum changes_column column)
{
	const char *names[COMPARISON_SIDES] = { a_name, b_name };

	for (int i = 0; i < COMPARISON_SIDES; i++) {
		double value = value_of(comparison, row, i, column);

		if (value < 0)
			fields_none(fields, names[i]);
		else if (column == CHANGES_RATE)
			fields_real(fields, names[i], value);
		else
			fields_whole(fields, names[i], (uint64_t)(value + 0.5));
	}
}

static void add_side(struct fields *fields, const char *errors, const char *histogram,
		     const struct engine_row *row)
{
	if (!row) {
		fields_none(fields, errors);
		fields_none(fields, histogram);
		return;
	}
	fields_whole(fields, errors, row->errors);
	fields_counts(fields, histogram, row->histogram, ENGINE_HISTOGRAM_CELLS);
}

static void add_timed(struct fields *fields, const char *name, const struct engine_row *row)
{
	if (row)
		fields_whole(fields, name, row->calls - row->untimed);
	else
		fields_none(fields, name);
}

void changes_add_fields(struct fields *fields, const struct comparison *comparison,
			const struct comparison_row *row)
{
	struct str words = STR_INIT;

	comparison_add_changes(&words, comparison, row);
	fields_text(fields, "comm", row->comm);
	fields_text(fields, "syscall", row->name);
	fields_text(fields, "changes", words.data);
	add_pair(fields, "a_time_ns_per_s", "b_time_ns_per_s", comparison, row, CHANGES_TIME);
	add_pair(fields, "a_calls", "b_calls", comparison, row, CHANGES_CALLS);
	add_pair(fields, "a_calls_per_s", "b_calls_per_s", comparison, row, CHANGES_RATE);
	add_pair(fields, "a_mean_ns", "b_mean_ns", comparison, row, CHANGES_MEAN);
	add_pair(fields, "a_p50_ns", "b_p50_ns", comparison, row, CHANGES_P50);
	add_pair(fields, "a_p95_ns", "b_p95_ns", comparison, row, CHANGES_P95);
	add_pair(fields, "a_p99_ns", "b_p99_ns", comparison, row, CHANGES_P99);
	add_side(fields, "a_errors", "a_histogram", row->sides[COMPARISON_A]);
	add_side(fields, "b_errors", "b_histogram", row->sides[COMPARISON_B]);
	add_timed(fields, "a_timed", row->sides[COMPARISON_A]);
	add_timed(fields, "b_timed", row->sides[COMPARISON_B]);
	str_release(&words);
}
