#include "tui/compare/change_pane.h"

#include "engine/base/mem.h"
#include "tui/compare/change_shapes.h"
#include "tui/compare/changes_pane.h"
#include "widgets/title.h"

#include <stdlib.h>

struct change_pane {
	struct pane rows, parts;
};

static const struct comparison_row *row_of(const struct change_pane *pane)
{
	return changes_pane_selected(changes_pane_has_focus(pane->parts) ? pane->parts
									 : pane->rows);
}

static void refresh(void *self, struct session *session)
{
	(void)self;
	(void)session;
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	const struct comparison_row *row = row_of(self);
	struct canvas body = canvas_sub(canvas,
					(struct rect){ 1, 0, canvas->rows - 1, canvas->cols });
	struct str title = STR_INIT;

	(void)session;
	str_add(&title, "Durations");
	if (row)
		str_addf(&title, ": %s%s%s", row->comm ? row->comm : "",
			 row->comm && row->name ? " " : "", row->name ? row->name : "");
	title_draw(canvas, 0, title.data, NULL, focused);
	str_release(&title);
	if (row)
		change_shapes_draw(row, &body);
	else
		canvas_text(&body, 0, 1, ROLE_DIM, "nothing selected");
}

static bool act(void *self, struct session *session, enum action action)
{
	(void)self;
	(void)session;
	(void)action;
	return false;
}

static void click(void *self, struct session *session, int row, int col)
{
	(void)self;
	(void)session;
	(void)row;
	(void)col;
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)self;
	(void)session;
	(void)rows;
}

/* The pane always shows its whole content, so search has nothing to move to. */
static bool search(void *self, struct session *session, const char *text, int step, bool from_here)
{
	(void)self;
	(void)session;
	(void)text;
	(void)step;
	(void)from_here;
	return false;
}

static void row_text(void *self, struct session *session, struct str *out)
{
	const struct comparison_row *row = row_of(self);

	(void)session;
	if (row)
		change_shapes_text(row, out);
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = draw,
	.act = act,
	.click = click,
	.wheel = wheel,
	.search = search,
	.row_text = row_text,
	.free = free,
};

struct pane change_pane_new(struct pane rows, struct pane parts)
{
	struct change_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->rows = rows;
	pane->parts = parts;
	return (struct pane){ &ops, pane };
}
