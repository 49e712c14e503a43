#include "widgets/fbar.h"

#include "engine/base/utf8.h"

#include <string.h>

static int key_cols(const struct fbar_item *item)
{
	return utf8_text_width(item->key, strlen(item->key));
}

static int label_cols(const struct fbar_item *item)
{
	return utf8_text_width(item->label, strlen(item->label));
}

void fbar_draw(struct canvas *canvas, int row, const struct fbar_item *items, size_t count)
{
	int col = 0;

	for (size_t i = 0; i < count; i++) {
		int key = key_cols(&items[i]), label = label_cols(&items[i]);

		if (col + key + label > canvas->cols)
			break;
		canvas_text(canvas, row, col, ROLE_KEY, items[i].key);
		canvas_text(canvas, row, col + key, ROLE_KEY_LABEL, items[i].label);
		col += key + label + 1;
	}
}

int fbar_at(int cols, const struct fbar_item *items, size_t count, int col)
{
	int start = 0;

	for (size_t i = 0; i < count; i++) {
		int wide = key_cols(&items[i]) + label_cols(&items[i]);

		if (start + wide > cols)
			break;
		if (col >= start && col < start + wide)
			return items[i].action;
		start += wide + 1;
	}
	return -1;
}
