#include "widgets/spectrogram.h"

#include "widgets/canvas/glyph.h"
#include "widgets/canvas/theme.h"

#include <math.h>

static const struct {
	uint32_t code;
	enum role role;
} levels[SPECTROGRAM_LEVELS + 1] = {
	{ ' ', ROLE_TEXT },
	{ GLYPH_SHADE_1, ROLE_HEAT_1 },
	{ GLYPH_SHADE_1, ROLE_HEAT_2 },
	{ GLYPH_SHADE_2, ROLE_HEAT_3 },
	{ GLYPH_SHADE_2, ROLE_HEAT_4 },
	{ GLYPH_SHADE_3, ROLE_HEAT_5 },
	{ GLYPH_BLOCK_8, ROLE_HEAT_6 },
};

int spectrogram_level(uint64_t count, uint64_t max)
{
	if (!count)
		return 0;
	if (count >= max)
		return SPECTROGRAM_LEVELS;
	return 1 + (int)(log2((double)count) * (SPECTROGRAM_LEVELS - 1) / log2((double)max));
}

static uint64_t count_at(const struct spectrogram *spectrogram, int col, int row)
{
	return spectrogram->counts[(size_t)col * (size_t)spectrogram->rows + (size_t)row];
}

static uint64_t greatest(const struct spectrogram *spectrogram)
{
	uint64_t max = 0;

	for (int col = 0; col < spectrogram->cols; col++)
		for (int row = 0; row < spectrogram->rows; row++)
			if (count_at(spectrogram, col, row) > max)
				max = count_at(spectrogram, col, row);
	return max;
}

static struct rect rect_of(const struct spectrogram *spectrogram, const struct canvas *canvas,
			   const struct spectrogram_area *area)
{
	return (struct rect){
		.row = canvas->rows - 1 - area->high_row,
		.col = canvas->cols - spectrogram->cols + area->first_col,
		.rows = area->high_row - area->low_row + 1,
		.cols = area->last_col - area->first_col + 1,
	};
}

/* Mark only the cells at the edge, so that the area inside stays visible. */
static void draw_area(const struct spectrogram *spectrogram, struct canvas *canvas)
{
	struct rect all = rect_of(spectrogram, canvas, &spectrogram->area);
	struct rect top = { all.row, all.col, 1, all.cols };
	struct rect bottom = { all.row + all.rows - 1, all.col, 1, all.cols };
	struct rect left = { all.row, all.col, all.rows, 1 };
	struct rect right = { all.row, all.col + all.cols - 1, all.rows, 1 };

	canvas_paint(canvas, top, ROLE_SELECTED);
	canvas_paint(canvas, bottom, ROLE_SELECTED);
	canvas_paint(canvas, left, ROLE_SELECTED);
	canvas_paint(canvas, right, ROLE_SELECTED);
}

void spectrogram_draw(const struct spectrogram *spectrogram, struct canvas *canvas)
{
	uint64_t max = spectrogram->max ? spectrogram->max : greatest(spectrogram);
	struct spectrogram_area cursor = { spectrogram->cursor_col, spectrogram->cursor_col,
					   spectrogram->cursor_row, spectrogram->cursor_row };
	int left = canvas->cols - spectrogram->cols;

	for (int col = 0; col < spectrogram->cols; col++) {
		for (int row = 0; row < spectrogram->rows; row++) {
			int level = spectrogram_level(count_at(spectrogram, col, row), max);

			canvas_char(canvas, canvas->rows - 1 - row, left + col, levels[level].code,
				    levels[level].role);
		}
	}
	if (spectrogram->has_area)
		draw_area(spectrogram, canvas);
	if (spectrogram->has_cursor)
		canvas_paint(canvas, rect_of(spectrogram, canvas, &cursor), ROLE_SELECTED);
}

bool spectrogram_at(const struct spectrogram *spectrogram, int canvas_rows, int canvas_cols,
		    int row, int col, int *cell_col, int *cell_row)
{
	*cell_col = col - (canvas_cols - spectrogram->cols);
	*cell_row = canvas_rows - 1 - row;
	return *cell_col >= 0 && *cell_col < spectrogram->cols && *cell_row >= 0 &&
	       *cell_row < spectrogram->rows;
}
