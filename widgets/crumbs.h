/*
 * crumbs - a row of clickable words: tabs, the breadcrumb, the parts of the header line.
 * The row remembers where its words were drawn. UI thread only.
 */
#ifndef WIDGETS_CRUMBS_H
#define WIDGETS_CRUMBS_H

#include "widgets/canvas/canvas.h"

#define CRUMBS_MAX 32

struct crumbs {
	struct {
		int id;
		int col, cols;
	} spots[CRUMBS_MAX];
	int count;
	int col; /* where the next word goes */
	int gap_cols;
};

/* Begins a row at col; then words from left to right with so many blanks' room between. */
void crumbs_start(struct crumbs *crumbs, int col, int gap_cols);
/* Draws text; id -1: not clickable. False: no room, not drawn. */
bool crumbs_add(struct crumbs *crumbs, struct canvas *canvas, int row, int id, enum role role,
		const char *text);
int crumbs_at(const struct crumbs *crumbs, int col); /* id, or -1 */

#endif
