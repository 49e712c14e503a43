#include "widgets/crumbs.h"

#include "engine/base/utf8.h"

#include <string.h>

void crumbs_start(struct crumbs *crumbs, int col, int gap_cols)
{
	crumbs->count = 0;
	crumbs->col = col;
	crumbs->gap_cols = gap_cols;
}

bool crumbs_add(struct crumbs *crumbs, struct canvas *canvas, int row, int id, enum role role,
		const char *text)
{
	int cols = utf8_text_width(text, strlen(text));

	if (crumbs->col + cols > canvas->cols || crumbs->count == CRUMBS_MAX)
		return false;
	canvas_text(canvas, row, crumbs->col, role, text);
	crumbs->spots[crumbs->count].id = id;
	crumbs->spots[crumbs->count].col = crumbs->col;
	crumbs->spots[crumbs->count].cols = cols;
	crumbs->count++;
	crumbs->col += cols + crumbs->gap_cols;
	return true;
}

int crumbs_at(const struct crumbs *crumbs, int col)
{
	for (int i = 0; i < crumbs->count; i++)
		if (col >= crumbs->spots[i].col &&
		    col < crumbs->spots[i].col + crumbs->spots[i].cols)
			return crumbs->spots[i].id;
	return -1;
}
