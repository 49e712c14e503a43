#include "widgets/key_hints.h"

#include "engine/base/utf8.h"
#include "widgets/title.h"

#include <stdio.h>
#include <string.h>

#define GAP_COLS 2
#define MAX_TEXT_COLS 46

static int width_of(const char *text)
{
	return utf8_text_width(text, strlen(text));
}

static int keys_cols(const struct key_hint *hints, size_t count)
{
	int wide = 0;

	for (size_t i = 0; i < count; i++)
		if (width_of(hints[i].keys) > wide)
			wide = width_of(hints[i].keys);
	return wide;
}

static int text_cols(const struct key_hint *hints, size_t count)
{
	int wide = 0;

	for (size_t i = 0; i < count; i++)
		if (width_of(hints[i].text) > wide)
			wide = width_of(hints[i].text);
	return wide < MAX_TEXT_COLS ? wide : MAX_TEXT_COLS;
}

/* Return the number of columns of hints; *each is the width of one. */
static int columns(const struct key_hint *hints, size_t count, int cols, int *each)
{
	*each = 1 + keys_cols(hints, count) + GAP_COLS + text_cols(hints, count) + GAP_COLS;
	return cols > *each ? cols / *each : 1;
}

int key_hints_rows(const struct key_hint *hints, size_t count, int cols)
{
	int each, beside = columns(hints, count, cols, &each);

	return 1 + ((int)count + beside - 1) / beside;
}

void key_hints_draw(struct canvas *canvas, const char *title, const struct key_hint *hints,
		    size_t count)
{
	int each, beside = columns(hints, count, canvas->cols, &each);
	int keys = keys_cols(hints, count), rows = canvas->rows - 1;
	size_t shown = rows > 0 ? (size_t)(rows * beside) : 0;
	char note[40] = "";

	if (shown < count)
		snprintf(note, sizeof(note), "%zu more", count - shown);
	canvas_fill(canvas, canvas_rect(canvas), ' ', ROLE_TEXT);
	title_draw(canvas, 0, title, note, true);
	/* Fill each column downwards before the next one, as lists are read. */
	for (size_t i = 0; i < count && i < shown; i++) {
		int row = 1 + (int)i % rows, col = (int)i / rows * each;

		canvas_field(canvas, row, col + 1, keys, ALIGN_LEFT, ROLE_KEY, hints[i].keys,
			     strlen(hints[i].keys));
		canvas_field(canvas, row, col + 1 + keys + GAP_COLS, each - keys - 2 * GAP_COLS - 1,
			     ALIGN_LEFT, ROLE_TEXT, hints[i].text, strlen(hints[i].text));
	}
}
