/* fbar - the bottom line that names the function keys; clicking one is pressing it. */
#ifndef WIDGETS_FBAR_H
#define WIDGETS_FBAR_H

#include "widgets/canvas/canvas.h"

struct fbar_item {
	const char *key; /* "F1" */
	const char *label; /* "Help" */
	int action; /* the caller's number, >= 0 */
};

/* Items that do not fit are left out from the end. */
void fbar_draw(struct canvas *canvas, int row, const struct fbar_item *items, size_t count);
/* The action at column col of a bar of cols columns, or -1. */
int fbar_at(int cols, const struct fbar_item *items, size_t count, int col);

#endif
