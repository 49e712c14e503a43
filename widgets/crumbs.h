/*
 * crumbs - a row of clickable words: tabs, the breadcrumb, the parts of the header line.
 * Stores the position of each drawn word for crumbs_at(). UI thread only.
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
	int col; /* column of the next word */
	int gap_cols;
};

/* Start a row at col. Words follow from left to right, separated by gap_cols blanks. */
void crumbs_start(struct crumbs *crumbs, int col, int gap_cols);
/* Draw text; id -1: not clickable. False: no room, nothing is drawn. */
bool crumbs_add(struct crumbs *crumbs, struct canvas *canvas, int row, int id, enum role role,
		const char *text);
int crumbs_at(const struct crumbs *crumbs, int col); /* id of the word at col, -1: none */

#endif
