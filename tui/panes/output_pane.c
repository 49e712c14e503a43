#include "tui/panes/output_pane.h"

#include "engine/base/mem.h"
#include "widgets/title.h"

#include <stdlib.h>

struct output_pane {
	struct table table;
	const struct command_output *output;
};

static const struct table_column columns[] = {
	{ .id = 0, .title = "", .min_cols = 1, .flex = 1 },
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .weight = 1, .min_rows = 2, .min_cols = 1 },
};

static const enum action keys[] = { ACTION_FOLLOW, ACTION_SEARCH, ACTION_COPY_ROW };

static const struct view_def view_def = {
	.action = ACTION_VIEW_OUTPUT,
	.title = "Output",
	.help = "Standard output and standard error of the command that stxtop started.",
	VIEW_KEYS(keys),
	.wide = layout,
	.wide_count = 1,
};

static size_t row_count(void *data)
{
	return command_output_lines(((struct output_pane *)data)->output);
}

/* Line numbers stay the same when the oldest lines are dropped. */
static uint64_t row_id(void *data, size_t row)
{
	return ((struct output_pane *)data)->output->dropped + row + 1;
}

static bool find_row(void *data, uint64_t id, size_t *row)
{
	const struct command_output *output = ((struct output_pane *)data)->output;

	if (id <= output->dropped || id - output->dropped > command_output_lines(output))
		return false;
	*row = (size_t)(id - output->dropped - 1);
	return true;
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	(void)column_id;
	command_output_shown(((struct output_pane *)data)->output, row, &out->text);
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.find_row = find_row,
};

/* True if no process can write any more: the command's descendants have ended, too. */
static bool is_ended(const struct output_pane *pane, const struct session *session)
{
	return session->command_ended && pane->output->fd < 0;
}

static void refresh(void *self, struct session *session)
{
	struct output_pane *pane = self;

	pane->table.match = session->search.len ? session->search.data : NULL;
	if (!session->command)
		pane->table.empty_text = "no command was started: stxtop COMMAND [ARG...] starts "
					 "one and shows its output";
	else if (session->options->command_output)
		pane->table.empty_text = "the command's output goes to the file of "
					 "--command-output";
	else
		pane->table.empty_text = is_ended(pane, session)
						 ? "the command wrote nothing"
						 : "the command has written nothing yet";
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct output_pane *pane = self;
	struct canvas body = canvas_sub(canvas,
					(struct rect){ 1, 0, canvas->rows - 1, canvas->cols });
	struct str title = STR_INIT;

	str_addf(&title, "Output, %zu lines", command_output_lines(pane->output));
	if (pane->output->dropped)
		str_addf(&title, " (%llu older ones dropped)",
			 (unsigned long long)pane->output->dropped);
	title_draw(canvas, 0, title.data,
		   is_ended(pane, session)  ? "ended"
		   : session->command_ended ? "command ended, descendants can still write"
		   : pane->table.follow     ? "following"
					    : "not following",
		   focused);
	table_draw(&pane->table, &body, focused);
	str_release(&title);
}

static bool act(void *self, struct session *session, enum action action)
{
	struct output_pane *pane = self;
	enum move move;

	(void)session;
	if (action == ACTION_FOLLOW) {
		pane->table.follow = !pane->table.follow;
		return true;
	}
	if (!pane_move(action, &move))
		return false;
	if (move == MOVE_END)
		pane->table.follow = true;
	else
		table_move(&pane->table, move);
	return true;
}

static void click(void *self, struct session *session, int row, int col)
{
	(void)session;
	if (row > 0)
		table_click(&((struct output_pane *)self)->table, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct output_pane *)self)->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step, bool from_here)
{
	(void)session;
	return table_search(&((struct output_pane *)self)->table, text, step, from_here);
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct output_pane *pane = self;

	(void)session;
	table_sync(&pane->table);
	if (pane->table.has_selection)
		command_output_line(pane->output, pane->table.selected_row, out);
}

static void exports(void *self, struct session *session, struct export_subject *subject)
{
	(void)session;
	subject->name = "output";
	subject->row_type = "line";
	subject->table = &((struct output_pane *)self)->table;
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
	.free = free,
};

void output_view_init(struct view *view, const struct command_output *output)
{
	struct output_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	pane->output = output;
	table_init(&pane->table, &table_ops, pane, columns, 1);
	pane->table.no_header = true;
	pane->table.follow = true;
	view_init(view, &view_def, panes, 1);
}
