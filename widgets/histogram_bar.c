#include "widgets/histogram_bar.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/glyph.h"

#define STEPS 8

/*
 * Return log2(value) * 256, interpolated linearly between powers of two: accurate enough for steps.
 */
static unsigned int log2_256(uint64_t value)
{
	unsigned int whole = 63 - (unsigned int)__builtin_clzll(value);
	uint64_t rest = whole >= 8 ? value >> (whole - 8) : value << (8 - whole);

	return whole * 256 + (unsigned int)(rest & 255);
}

int histogram_bar_step(uint64_t count, uint64_t max, enum histogram_scale scale)
{
	if (!count || !max)
		return 0;
	if (count >= max)
		return STEPS;
	if (scale == HISTOGRAM_BAR_LOG) /* a count of 1 gives the lowest step, max the highest */
		return 1 + (int)(log2_256(count) * (STEPS - 1) / log2_256(max));
	return 1 + (int)((double)count * STEPS / (double)max - 0.5);
}

void histogram_bar_add_step(struct str *out, int step)
{
	char bytes[4];

	if (step <= 0)
		str_addc(out, ' ');
	else
		str_addn(out, bytes,
			 utf8_encode(GLYPH_BLOCK_1 + (uint32_t)(step < STEPS ? step : STEPS) - 1,
				     bytes));
}

static uint64_t column_count(const uint64_t *counts, size_t count, size_t cols, size_t col)
{
	size_t first = col * count / cols, end = (col + 1) * count / cols;
	uint64_t sum = 0;

	if (end == first)
		end = first + 1;
	for (size_t i = first; i < end; i++)
		sum = sum + counts[i] < sum ? UINT64_MAX : sum + counts[i];
	return sum;
}

void histogram_bar_format(struct str *out, const uint64_t *counts, size_t count, int cols,
			  enum histogram_scale scale)
{
	uint64_t max = 0;

	if (cols <= 0)
		return;
	if (!count) {
		str_repeat(out, ' ', (size_t)cols);
		return;
	}
	for (int i = 0; i < cols; i++) {
		uint64_t sum = column_count(counts, count, (size_t)cols, (size_t)i);

		max = sum > max ? sum : max;
	}
	for (int i = 0; i < cols; i++)
		histogram_bar_add_step(
			out,
			histogram_bar_step(column_count(counts, count, (size_t)cols, (size_t)i),
					   max, scale));
}
