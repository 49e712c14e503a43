#include "widgets/sparkline.h"

#include "widgets/histogram_bar.h"

void sparkline_format(struct str *out, const uint64_t *values, size_t count, int cols, uint64_t max)
{
	size_t shown = cols > 0 && (size_t)cols < count ? (size_t)cols : count;

	if (cols <= 0)
		return;
	values += count - shown;
	if (!max)
		for (size_t i = 0; i < shown; i++)
			max = values[i] > max ? values[i] : max;
	str_repeat(out, ' ', (size_t)cols - shown);
	for (size_t i = 0; i < shown; i++)
		histogram_bar_add_step(out,
				       histogram_bar_step(values[i], max, HISTOGRAM_BAR_LINEAR));
}
