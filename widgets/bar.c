#include "widgets/bar.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/glyph.h"

#include <string.h>

/*
 * Return the end column of part `index`, given the end of the previous part. The running sum is
 * rounded, so that rounding errors do not add up. Every part with a value, including the following
 * ones, gets at least one column.
 */
static int part_end(int cols, const struct bar_part *parts, size_t count, size_t index, int start,
		    double total)
{
	double sum = 0;
	int end, later = 0;

	for (size_t i = 0; i <= index; i++)
		sum += (double)parts[i].value;
	for (size_t i = index + 1; i < count; i++)
		later += parts[i].value > 0;
	end = total > 0 ? (int)(sum * cols / total + 0.5) : 0;
	if (end > cols - later)
		end = cols - later;
	if (end < start + (parts[index].value > 0))
		end = start + (parts[index].value > 0);
	return end < cols ? end : cols;
}

static double sum_of(const struct bar_part *parts, size_t count, uint64_t total)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)parts[i].value;
	return (double)total > sum ? (double)total : sum;
}

void bar_draw(struct canvas *canvas, int row, int col, int cols, const struct bar_part *parts,
	      size_t count, uint64_t total)
{
	double sum = sum_of(parts, count, total);
	int start = 0;

	for (size_t i = 0; i < count; i++) {
		int end = part_end(cols, parts, count, i, start, sum);
		int wide = end - start;
		const char *label = parts[i].label ? parts[i].label : "";
		int label_cols = utf8_text_width(label, strlen(label));

		if (wide <= 0)
			continue;
		canvas_fill(canvas, (struct rect){ row, col + start, 1, wide }, GLYPH_BLOCK_8,
			    parts[i].role);
		/* Draw the label with a blank on either side, in the middle of the part. */
		if (label_cols && label_cols + 2 <= wide)
			canvas_textf(canvas, row, col + start + (wide - label_cols - 2) / 2,
				     parts[i].role, " %s ", label);
		start = end;
	}
}

int bar_at(int cols, const struct bar_part *parts, size_t count, uint64_t total, int col)
{
	double sum = sum_of(parts, count, total);
	int start = 0;

	if (col < 0 || col >= cols)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int end = part_end(cols, parts, count, i, start, sum);

		if (col >= start && col < end)
			return (int)i;
		start = end;
	}
	return -1;
}
