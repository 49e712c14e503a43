#include "tui/compare/change_shapes.h"

#include "engine/base/units.h"
#include "widgets/canvas/glyph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL_COLS 8 /* width of a duration or an errno */
#define COUNT_COLS 6
#define SHARE_COLS 5
#define BAR_COLS_MIN 3 /* a shorter bar is useless */
#define ERRNOS_MAX (COMPARISON_SIDES * ENGINE_ERRNOS)
#define EIGHTHS 8

/* Histogram steps merged into one line, and number of lines. */
struct lines {
	int joined, count;
};

static uint64_t count_of(const struct engine_row *side, const struct lines *lines, int line)
{
	uint64_t sum = 0;

	for (int i = line * lines->joined;
	     side && i < (line + 1) * lines->joined && i < ENGINE_HISTOGRAM_CELLS; i++)
		sum += side->histogram[i];
	return sum;
}

static uint64_t sum_of(const struct engine_row *side)
{
	const struct lines all = { ENGINE_HISTOGRAM_CELLS, 1 };

	return count_of(side, &all, 0);
}

static double share_of(const struct engine_row *side, const struct lines *lines, int line)
{
	uint64_t sum = sum_of(side);

	return sum ? (double)count_of(side, lines, line) / (double)sum : 0;
}

/* Return the longest bar of both sides, for a common scale. */
static double longest(const struct comparison_row *row, const struct lines *lines)
{
	double most = 0;

	for (int line = 0; line < lines->count; line++)
		for (int i = 0; i < COMPARISON_SIDES; i++)
			most = fmax(most, share_of(row->sides[i], lines, line));
	return most;
}

/*
 * Format the lower bound of a step. The first step includes all shorter durations, the last one all
 * longer ones.
 */
static void label_of(char out[LABEL_COLS + 1], int cell)
{
	double span = log((double)ENGINE_HISTOGRAM_HIGH_NS / (double)ENGINE_HISTOGRAM_LOW_NS);
	double ns = (double)ENGINE_HISTOGRAM_LOW_NS * exp(span * cell / ENGINE_HISTOGRAM_CELLS);
	char text[UNITS_TEXT_BYTES];

	units_format_ns(text, (uint64_t)(ns + 0.5));
	if (cell)
		snprintf(out, LABEL_COLS + 1, "%6.6s+", text);
	else
		snprintf(out, LABEL_COLS + 1, "%7s", "0+");
}

/* ---- errors ---- */

struct failure {
	uint32_t number;
	uint64_t counts[COMPARISON_SIDES];
};

static struct failure *failure_of(struct failure *failures, int *count, uint32_t number)
{
	for (int i = 0; i < *count; i++)
		if (failures[i].number == number)
			return &failures[i];
	failures[*count] = (struct failure){ .number = number };
	return &failures[(*count)++];
}

/* Collect the errnos of both sides, those of B first. */
static int find_failures(const struct comparison_row *row, struct failure failures[ERRNOS_MAX])
{
	int count = 0;

	for (int which = COMPARISON_B; which >= COMPARISON_A; which--) {
		const struct engine_row *side = row->sides[which];

		for (uint32_t i = 0; side && i < side->errno_count; i++)
			failure_of(failures, &count, side->errnos[i].number)->counts[which] =
				side->errnos[i].count;
	}
	return count;
}

static const char *failure_name(const struct failure *failure)
{
	const char *name = errno_name((int)failure->number);

	return name ? name : "failed";
}

/* ---- drawing ---- */

/* Draw in eighths of a column; a bar that is not 0 has at least one eighth. */
static void draw_bar(struct canvas *canvas, int line, int col, int cols, double part,
		     enum role role)
{
	int eighths = (int)(part * cols * EIGHTHS + 0.5);

	if (part > 0 && !eighths)
		eighths = 1;
	for (; eighths >= EIGHTHS; eighths -= EIGHTHS)
		canvas_char(canvas, line, col++, GLYPH_BLOCK_8, role);
	if (eighths) /* U+258F is one eighth, U+2588 the full block */
		canvas_char(canvas, line, col, GLYPH_BLOCK_8 + EIGHTHS - (uint32_t)eighths, role);
}

static int half_cols(const struct canvas *canvas)
{
	return (canvas->cols - LABEL_COLS) / COMPARISON_SIDES;
}

static int half_col(const struct canvas *canvas, int which)
{
	return LABEL_COLS + which * half_cols(canvas);
}

/* Draw the count and share next to a bar or an errno. Return the columns used. */
static int draw_figures(struct canvas *canvas, int line, int which, uint64_t count, uint64_t of)
{
	int right = half_col(canvas, which) + half_cols(canvas) - 1;
	bool has_share = half_cols(canvas) >= COUNT_COLS + SHARE_COLS + BAR_COLS_MIN;
	int cols = COUNT_COLS + (has_share ? SHARE_COLS : 0);
	char text[UNITS_TEXT_BYTES];

	if (!count)
		return cols;
	if (has_share) {
		units_format_percent(text, count, of);
		canvas_textf(canvas, line, right - SHARE_COLS, ROLE_DIM, "%*s%%", SHARE_COLS - 1,
			     text);
		right -= SHARE_COLS;
	}
	canvas_textf(canvas, line, right - COUNT_COLS, ROLE_NUMBER, "%*s", COUNT_COLS,
		     units_format_count(text, count));
	return cols;
}

static void draw_step(const struct comparison_row *row, const struct lines *lines, int line,
		      double most, struct canvas *canvas, int at)
{
	static const enum role roles[COMPARISON_SIDES] = { ROLE_BAR, ROLE_BAR_OTHER };
	char label[LABEL_COLS + 1];

	label_of(label, line * lines->joined);
	canvas_text(canvas, at, 0, ROLE_DIM, label);
	for (int i = 0; i < COMPARISON_SIDES; i++) {
		const struct engine_row *side = row->sides[i];
		int cols = half_cols(canvas) - 2 -
			   draw_figures(canvas, at, i, count_of(side, lines, line), sum_of(side));

		if (cols >= BAR_COLS_MIN && most > 0)
			draw_bar(canvas, at, half_col(canvas, i), cols,
				 share_of(side, lines, line) / most, roles[i]);
	}
}

static void draw_head(const struct comparison_row *row, struct canvas *canvas)
{
	for (int i = 0; i < COMPARISON_SIDES; i++) {
		const struct engine_row *side = row->sides[i];
		char p50[UNITS_TEXT_BYTES], p99[UNITS_TEXT_BYTES];
		struct str text = STR_INIT;

		str_addf(&text, "%c ", 'A' + i);
		if (side)
			str_addf(&text, "p50 %s, p99 %s", units_format_ns(p50, side->p50_ns),
				 units_format_ns(p99, side->p99_ns));
		else
			str_add(&text, "no calls");
		canvas_field(canvas, 0, half_col(canvas, i), half_cols(canvas) - 1, ALIGN_LEFT,
			     ROLE_HEADER, text.data, text.len);
		str_release(&text);
	}
}

static void draw_failure(const struct comparison_row *row, const struct failure *failure,
			 struct canvas *canvas, int at)
{
	const char *name = failure_name(failure);

	canvas_field(canvas, at, 0, LABEL_COLS - 1, ALIGN_LEFT, ROLE_ERROR, name, strlen(name));
	for (int i = 0; i < COMPARISON_SIDES; i++)
		if (row->sides[i])
			draw_figures(canvas, at, i, failure->counts[i], row->sides[i]->calls);
}

/* Errors get at most a third of the lines, histogram steps the remaining ones. */
static struct lines divide(int rows, int failures)
{
	struct lines lines = { 1, ENGINE_HISTOGRAM_CELLS };
	int room = rows - 1 - (failures < rows / 3 ? failures : rows / 3);

	while (lines.joined < ENGINE_HISTOGRAM_CELLS && lines.count > room) {
		lines.joined++;
		lines.count = (ENGINE_HISTOGRAM_CELLS + lines.joined - 1) / lines.joined;
	}
	return lines;
}

void change_shapes_draw(const struct comparison_row *row, struct canvas *canvas)
{
	struct failure failures[ERRNOS_MAX];
	int failure_count = find_failures(row, failures), at = 1;
	struct lines lines = divide(canvas->rows, failure_count);
	double most = longest(row, &lines);

	draw_head(row, canvas);
	for (int line = 0; line < lines.count; line++)
		draw_step(row, &lines, line, most, canvas, at++);
	for (int i = 0; i < failure_count; i++)
		draw_failure(row, &failures[i], canvas, at++);
}

/* ---- text ---- */

static void add_line(struct str *out, const char *label, uint64_t a, uint64_t b)
{
	str_addf(out, "%s\t%llu\t%llu\n", label, (unsigned long long)a, (unsigned long long)b);
}

void change_shapes_text(const struct comparison_row *row, struct str *out)
{
	const struct lines lines = { 1, ENGINE_HISTOGRAM_CELLS };
	struct failure failures[ERRNOS_MAX];
	int failure_count = find_failures(row, failures);
	char label[LABEL_COLS + 1];

	str_add(out, "\tA\tB\n");
	for (int line = 0; line < lines.count; line++) {
		label_of(label, line);
		add_line(out, label + strspn(label, " "),
			 count_of(row->sides[COMPARISON_A], &lines, line),
			 count_of(row->sides[COMPARISON_B], &lines, line));
	}
	for (int i = 0; i < failure_count; i++)
		add_line(out, failure_name(&failures[i]), failures[i].counts[COMPARISON_A],
			 failures[i].counts[COMPARISON_B]);
}
