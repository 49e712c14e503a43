#include "tui/report/comparison_text.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "engine/export/json.h"
#include "tui/compare/comparison_words.h"
#include "widgets/histogram_bar.h"

#include <inttypes.h>
#include <string.h>

#define NAME_COLS 18
#define PAIR_COLS 9 /* width of each of the two values */
#define BARS_COLS (2 * (2 + ENGINE_HISTOGRAM_CELLS))
#define CHANGES_COLS 14 /* longer changes get a line of their own */

/* -- Text ---------------------------------------------------------------------------------- */

static uint64_t rounded(double value)
{
	return value > 0 ? (uint64_t)(value + 0.5) : 0;
}

static void add_cell(struct str *out, const char *text)
{
	str_addf(out, "%*s", PAIR_COLS, text);
}

static void add_ns(struct str *out, const struct engine_row *row, double ns, bool sum)
{
	char text[UNITS_TEXT_BYTES];

	if (!row)
		add_cell(out, "-");
	else if (comparison_timed(row) < 1)
		add_cell(out, "?");
	else if (sum && row->untimed)
		add_cell(out, units_format_at_least_ns(text, rounded(ns)));
	else
		add_cell(out, units_format_ns(text, rounded(ns)));
}

static void add_count(struct str *out, const struct engine_row *row, double count)
{
	char text[UNITS_TEXT_BYTES];

	if (!row)
		add_cell(out, "-");
	else if (count > 0 && count < 10)
		str_addf(out, "%*.1f", PAIR_COLS, count);
	else
		add_cell(out, units_format_count(text, rounded(count)));
}

/* Append the histogram as blocks; in ASCII, with the characters of an ASCII canvas. */
static void add_bar(struct str *out, const struct engine_row *row, bool ascii)
{
	static const char signs[] = " .:-=+*#@";
	uint64_t max = 0;

	str_add(out, "  ");
	for (size_t i = 0; row && i < ENGINE_HISTOGRAM_CELLS; i++)
		max = row->histogram[i] > max ? row->histogram[i] : max;
	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++) {
		int step = row ? histogram_bar_step(row->histogram[i], max, HISTOGRAM_BAR_LOG) : 0;

		if (ascii)
			str_addc(out, signs[step]);
		else
			histogram_bar_add_step(out, step);
	}
}

/* ---- fitting the line width ---- */

enum pair { PAIR_TIME, PAIR_CALLS, PAIR_P50, PAIR_P99, PAIR_COUNT };

static const char *const pair_titles[PAIR_COUNT] = {
	[PAIR_TIME] = "time/s",
	[PAIR_CALLS] = "call/s",
	[PAIR_P50] = "p50",
	[PAIR_P99] = "p99",
};

struct shape {
	bool pairs[PAIR_COUNT];
	bool bars;
	bool ascii;
	int cols; /* width of the columns before the changes */
	int width; /* 0: unlimited */
};

/* Drop columns until the line fits. Histograms are worth more than the figures, so they go last. */
static struct shape shape_of(const struct comparison_form *form)
{
	static const enum pair least_first[] = { PAIR_CALLS, PAIR_TIME, PAIR_P99 };
	struct shape shape = {
		.pairs = { true, true, true, true },
		.bars = true,
		.ascii = form->ascii,
		.cols = 2 + NAME_COLS + PAIR_COUNT * 2 * PAIR_COLS + BARS_COLS,
		.width = form->width,
	};

	for (size_t i = 0; i < sizeof(least_first) / sizeof(*least_first); i++) {
		if (!form->width || form->width >= shape.cols + CHANGES_COLS)
			return shape;
		shape.pairs[least_first[i]] = false;
		shape.cols -= 2 * PAIR_COLS;
	}
	if (form->width && form->width < shape.cols) {
		shape.bars = false;
		shape.cols -= BARS_COLS;
	}
	return shape;
}

static void end_line(struct str *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		str_cut(out, out->len - 1);
	str_addc(out, '\n');
}

static void add_pair(struct str *out, const struct comparison *comparison,
		     const struct comparison_row *row, enum pair pair)
{
	for (int i = 0; i < COMPARISON_SIDES; i++) {
		const struct engine_row *side = row->sides[i];
		uint64_t of = !side ? 0 : pair == PAIR_TIME ? side->total_ns : side->calls;

		switch (pair) {
		case PAIR_TIME:
			add_ns(out, side, comparison_per_s(comparison, i, of), true);
			break;
		case PAIR_CALLS:
			add_count(out, side, comparison_per_s(comparison, i, of));
			break;
		case PAIR_P50:
			add_ns(out, side, side ? (double)side->p50_ns : 0, false);
			break;
		default:
			add_ns(out, side, side ? (double)side->p99_ns : 0, false);
			break;
		}
	}
}

static void add_row(struct str *out, const struct comparison *comparison,
		    const struct comparison_row *row, const struct shape *shape)
{
	struct str changes = STR_INIT;

	str_addf(out, "  %-*s", NAME_COLS, row->name);
	for (int pair = 0; pair < PAIR_COUNT; pair++)
		if (shape->pairs[pair])
			add_pair(out, comparison, row, (enum pair)pair);
	for (int i = 0; i < COMPARISON_SIDES && shape->bars; i++)
		add_bar(out, row->sides[i], shape->ascii);
	comparison_add_changes(&changes, comparison, row);
	if (shape->width && shape->cols + 2 + (int)changes.len > shape->width) {
		end_line(out);
		str_repeat(out, ' ', 2);
	}
	str_addf(out, "  %s", changes.len ? changes.data : "");
	end_line(out);
	str_release(&changes);
}

static void add_head(struct str *out, const struct shape *shape)
{
	str_addf(out, "  %-*s", NAME_COLS, "syscall");
	for (int pair = 0; pair < PAIR_COUNT; pair++)
		if (shape->pairs[pair])
			str_addf(out, "%*s A%*s", PAIR_COLS - 2, pair_titles[pair], PAIR_COLS, "B");
	for (int i = 0; i < COMPARISON_SIDES && shape->bars; i++)
		str_addf(out, "  1us %c     1s", 'A' + i);
	str_add(out, "  what changed\n");
}

static void add_side(struct str *out, const struct comparison *comparison, int i)
{
	const struct comparison_side *side = &comparison->sides[i];
	char count[UNITS_TEXT_BYTES];

	str_addf(out, "%c is %s: %s calls in %.3f s", 'A' + i, side->file,
		 units_format_count(count, side->calls), side->seconds);
	if (side->lost)
		str_addf(out, ", %" PRIu64 " record%s lost: its counts are lower bounds",
			 side->lost, side->lost == 1 ? " was" : "s were");
	str_addc(out, '\n');
}

/* True if an earlier row has the same comm and changes. */
static bool is_shown(const struct comparison *comparison, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (comparison->rows[i].comm && comparison->rows[i].changes &&
		    !strcmp(comparison->rows[i].comm, comparison->rows[index].comm))
			return true;
	return false;
}

static void add_process(struct str *out, const struct comparison *comparison, size_t first,
			const struct shape *shape)
{
	const char *comm = comparison->rows[first].comm;

	str_addf(out, "\n%s\n\n", *comm ? comm : "(unknown)");
	add_head(out, shape);
	for (size_t i = first; i < comparison->count; i++)
		if (comparison->rows[i].comm && comparison->rows[i].changes &&
		    !strcmp(comparison->rows[i].comm, comm))
			add_row(out, comparison, &comparison->rows[i], shape);
}

void comparison_add_text(struct str *out, const struct comparison *comparison,
			 const struct comparison_form *form)
{
	const struct shape shape = shape_of(form);
	bool any = false;

	for (int i = 0; i < COMPARISON_SIDES; i++)
		add_side(out, comparison, i);
	if (comparison_add_rate(out, comparison))
		str_add(out, "; changes in the number of calls below are relative to this rate\n");
	str_add(out, "\nall processes, the surest and largest change first\n\n");
	add_head(out, &shape);
	for (size_t i = 0; i < comparison->count && !comparison->rows[i].comm; i++)
		add_row(out, comparison, &comparison->rows[i], &shape);
	for (size_t i = 0; i < comparison->count; i++) {
		if (!comparison->rows[i].comm || !comparison->rows[i].changes)
			continue;
		any = true;
		if (!is_shown(comparison, i))
			add_process(out, comparison, i, &shape);
	}
	if (!any)
		str_add(out, "\nNo changes by process name.\n");
}

/* -- JSON ---------------------------------------------------------------------------------- */

static void add_number(struct str *out, const char *key, uint64_t value)
{
	str_addf(out, "\"%s\":%" PRIu64 ",", key, value);
}

static void add_duration(struct str *out, const char *key, const struct engine_row *row,
			 uint64_t ns)
{
	if (comparison_timed(row) < 1)
		str_addf(out, "\"%s\":null,", key);
	else
		add_number(out, key, ns);
}

static void add_side_json(struct str *out, char side, const struct engine_row *row)
{
	str_addf(out, ",\"%c\":", side);
	if (!row) {
		str_add(out, "null");
		return;
	}
	str_addc(out, '{');
	add_number(out, "calls", row->calls);
	add_number(out, "errors", row->errors);
	if (row->untimed)
		add_number(out, "timed", row->calls - row->untimed);
	add_number(out, "total", row->total_ns);
	add_duration(out, "min", row, row->min_ns);
	add_duration(out, "max", row, row->max_ns);
	add_duration(out, "p50", row, row->p50_ns);
	add_duration(out, "p95", row, row->p95_ns);
	add_duration(out, "p99", row, row->p99_ns);
	str_add(out, "\"histogram\":[");
	for (size_t i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		str_addf(out, "%s%" PRIu64, i ? "," : "", row->histogram[i]);
	str_add(out, "]}");
}

static void add_row_json(struct str *out, const struct comparison_row *row)
{
	enum comparison_change change;
	const char *word;
	bool any = false;

	str_add(out, "{\"type\":\"change\",\"comm\":");
	if (row->comm)
		json_add_string(out, row->comm);
	else
		str_add(out, "null");
	str_addf(out, ",\"nr\":%u,\"name\":", row->nr);
	json_add_string(out, row->name);
	add_side_json(out, 'a', row->sides[COMPARISON_A]);
	add_side_json(out, 'b', row->sides[COMPARISON_B]);
	str_add(out, ",\"changes\":[");
	for (size_t i = 0; (word = comparison_word(i, &change)); i++) {
		if (!(row->changes & change))
			continue;
		str_addf(out, "%s\"%s\"", any ? "," : "", word);
		any = true;
	}
	str_add(out, "],\"new_errnos\":{");
	for (uint32_t i = 0; i < row->errno_count; i++) {
		const char *name = errno_name((int)row->errnos[i].number);

		str_add(out, i ? ",\"" : "\"");
		if (name)
			str_add(out, name);
		else
			str_addu(out, row->errnos[i].number);
		str_addf(out, "\":%" PRIu64, row->errnos[i].count);
	}
	str_add(out, "}}\n");
}

void comparison_add_json(struct str *out, const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++)
		add_row_json(out, &comparison->rows[i]);
	str_add(out, "{\"type\":\"comparison\"");
	for (int i = 0; i < COMPARISON_SIDES; i++) {
		const struct comparison_side *side = &comparison->sides[i];

		str_addf(out, ",\"%c\":{\"file\":", 'a' + i);
		json_add_string(out, side->file);
		str_addf(out, ",\"seconds\":%.9f,\"calls\":%" PRIu64 ",\"lost\":%" PRIu64 "}",
			 side->seconds, side->calls, side->lost);
	}
	str_add(out, "}\n");
}
