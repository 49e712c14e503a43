/* fbar - the bottom line with the function keys; a click on an item acts as its key. */
#ifndef WIDGETS_FBAR_H
#define WIDGETS_FBAR_H

#include "widgets/canvas/canvas.h"

struct fbar_item {
	const char *key; /* "F1" */
	const char *label; /* "Help" */
	int action; /* chosen by the caller, >= 0 */
};

/* Draw the items from the left. Items at the end that do not fit are omitted. */
void fbar_draw(struct canvas *canvas, int row, const struct fbar_item *items, size_t count);
/* Return the action at column col of a bar of cols columns, -1 if none. */
int fbar_at(int cols, const struct fbar_item *items, size_t count, int col);

#endif
