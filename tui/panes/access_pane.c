#include "tui/panes/access_pane.h"

#include "engine/base/background.h"
#include "engine/base/mem.h"
#include "tui/panes/access_lines.h"
#include "widgets/title.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum check_state { CHECK_WANTED, CHECK_RUNNING, CHECK_DONE, CHECK_TAKEN };

struct access_pane {
	struct table table;
	struct access_lines lines;
	struct access known;
	bool has_known;
	int cols, filled_cols; /* width of the last draw; width that `lines` are wrapped to */
	/* Owned by the background thread while the check runs. */
	_Atomic enum check_state state;
	struct access found;
};

static const struct table_column columns[] = {
	{ .id = 0, .title = "", .min_cols = 1, .flex = 1 },
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .weight = 1, .min_rows = 2, .min_cols = 1 },
};

static const enum action keys[] = { ACTION_COPY_ROW, ACTION_CHECK_ACCESS, ACTION_SEARCH };

static const struct view_def view_def = {
	.action = ACTION_VIEW_ACCESS,
	.title = "Access",
	.help = "What you may watch on this machine, checked by trying it. For each check that "
		"fails: the reason and the commands that grant it, each complete by itself: one "
		"for all users until reboot, one for the stxtop executable only, which then has "
		"to be restarted.",
	VIEW_KEYS(keys),
	.wide = layout,
	.wide_count = 1,
};

/* Background thread. */
static void check(void *ctx)
{
	struct access_pane *pane = ctx;

	access_check(&pane->found);
	pane->state = CHECK_DONE;
}

static size_t row_count(void *data)
{
	return ((struct access_pane *)data)->lines.count;
}

static uint64_t row_id(void *data, size_t row)
{
	(void)data;
	return row + 1;
}

static bool find_row(void *data, uint64_t id, size_t *row)
{
	*row = (size_t)id - 1;
	return id && id <= row_count(data);
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	const struct access_line *line = &((struct access_pane *)data)->lines.items[row];

	(void)column_id;
	str_addn(&out->text, line->text.data, line->text.len);
	out->role = line->role;
	/* The label is not part of the command. */
	if (line->label_bytes)
		out->spans[out->span_count++] = (struct table_span){ 0, line->label_bytes,
								     ROLE_DIM };
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.find_row = find_row,
};

static void fill(struct access_pane *pane, const struct session *session)
{
	pane->filled_cols = pane->cols;
	access_lines_fill(&pane->lines, &pane->known,
			  session->phase == SESSION_REFUSED ? session->refusal : NULL, pane->cols);
}

static void refresh(void *self, struct session *session)
{
	struct access_pane *pane = self;

	if (pane->state == CHECK_WANTED) {
		pane->state = CHECK_RUNNING;
		/* The background thread can be busy: retry at the next tick. */
		if (!background_look(session->background, check, pane))
			pane->state = CHECK_WANTED;
	}
	if (pane->state == CHECK_DONE) {
		pane->state = CHECK_TAKEN;
		pane->known = pane->found;
		pane->has_known = true;
		pane->filled_cols = 0;
		session->dirty = true;
	}
	if (pane->has_known && pane->filled_cols != pane->cols)
		fill(pane, session);
	pane->table.match = session->search.len ? session->search.data : NULL;
	pane->table.empty_text = "checking…";
}

static const char *state_text(const struct access_pane *pane)
{
	if (pane->state != CHECK_TAKEN)
		return "checking…";
	return access_is_enough(&pane->known) ? "the whole system can be watched"
					      : "no permission for the whole system";
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct access_pane *pane = self;
	struct canvas body = canvas_sub(canvas,
					(struct rect){ 1, 0, canvas->rows - 1, canvas->cols });

	pane->cols = canvas->cols;
	if (pane->has_known && pane->filled_cols != pane->cols)
		fill(pane, session);
	title_draw(canvas, 0, "Access", state_text(pane), focused);
	table_draw(&pane->table, &body, focused);
}

static bool act(void *self, struct session *session, enum action action)
{
	struct access_pane *pane = self;
	enum move move;

	if (action == ACTION_CHECK_ACCESS) {
		if (pane->state == CHECK_TAKEN)
			pane->state = CHECK_WANTED;
		refresh(pane, session);
		return true;
	}
	if (!pane_move(action, &move))
		return false;
	table_move(&pane->table, move);
	return true;
}

static void click(void *self, struct session *session, int row, int col)
{
	(void)session;
	if (row > 0)
		table_click(&((struct access_pane *)self)->table, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct access_pane *)self)->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step, bool from_here)
{
	(void)session;
	return table_search(&((struct access_pane *)self)->table, text, step, from_here);
}

/* A command line is copied whole and without its label. */
static void row_text(void *self, struct session *session, struct str *out)
{
	struct access_pane *pane = self;
	const struct access_line *line;

	(void)session;
	table_sync(&pane->table);
	if (!pane->table.has_selection)
		return;
	line = &pane->lines.items[pane->table.selected_row];
	str_add(out,
		line->copy.len ? line->copy.data : line->text.data + strspn(line->text.data, " "));
}

static void release(void *self)
{
	struct access_pane *pane = self;

	access_lines_release(&pane->lines);
	free(pane);
}

static void exports(void *self, struct session *session, struct export_subject *subject)
{
	(void)session;
	subject->name = "access";
	subject->row_type = "line";
	subject->table = &((struct access_pane *)self)->table;
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = draw,
	.act = act,
	.click = click,
	.wheel = wheel,
	.search = search,
	.row_text = row_text,
	.exports = exports,
	.free = release,
};

void access_view_init(struct view *view)
{
	struct access_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	access_lines_init(&pane->lines);
	table_init(&pane->table, &table_ops, pane, columns, 1);
	pane->table.no_header = true;
	view_init(view, &view_def, panes, 1);
}
