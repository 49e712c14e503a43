#include "tui/panes/latency_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/panes/latency_plot.h"
#include "tui/session/empty_reason.h"
#include "widgets/canvas/wrap.h"
#include "widgets/title.h"

#include <stdlib.h>

#define PAGE_COLS 10

struct latency_pane {
	struct latency_grid grid;
	uint64_t filter_version, zero_version;
	uint64_t last; /* rightmost column */
	bool follow;
	bool zoomed; /* the user chose the width of a column */
	struct latency_room room; /* room at the last draw */
	size_t *exported; /* cells of the exported rows; owned */
};

static const struct layout_node layout[] = {
	{ .kind = LAYOUT_PANE, .pane = 0, .weight = 1, .min_rows = 3, .min_cols = 1 },
};

static const enum action keys[] = {
	ACTION_MARK,   ACTION_DRILL_IN, ACTION_SPAN_END, ACTION_BACK,
	ACTION_UNFOLD, ACTION_FOLD,     ACTION_FOLLOW,
};

static const struct view_def view_def = {
	.action = ACTION_VIEW_LATENCY,
	.title = "Latency",
	.help = "Calls by end time and duration, on a logarithmic scale: the more calls, the "
		"brighter. Select a cell with the arrows, a rectangle with m and the arrows, or "
		"either with the mouse. Enter adds the selection to the filter and shows its "
		"calls; in a recording, ) makes its time the span. + and - change the time per "
		"column.",
	VIEW_KEYS(keys),
	.wide = layout,
	.wide_count = 1,
};

static uint64_t column_now(const struct latency_pane *pane, const struct session *session)
{
	uint64_t start = session->status.started_ns;

	return session->now_ns <= start
		       ? 0
		       : (session->now_ns - start) / latency_grid_col_ns(&pane->grid);
}

/* Scroll to the newest column while following, else only to keep the cursor visible. */
static void scroll(struct latency_pane *pane, const struct session *session)
{
	uint64_t now = column_now(pane, session), col = pane->grid.cursor.col;
	int cols = pane->room.cols;

	if (pane->follow || pane->last > now)
		pane->last = now;
	if (!pane->grid.has_cursor)
		return;
	if (col > now)
		pane->grid.cursor.col = col = now;
	if (col > pane->last)
		pane->last = col;
	if (cols > 0 && pane->last >= (uint64_t)cols && col <= pane->last - (uint64_t)cols)
		pane->last = col + (uint64_t)cols - 1;
}

/* Choose the finest zoom that shows the whole recording, or the live calls up to a default. */
static void fit(struct latency_pane *pane, const struct session *session)
{
	bool live = !session->options->engine.recording;
	uint64_t from_ns = session->status.started_ns;

	/* In a span, the time before its start is empty. */
	if (session->play.recorded && session->play.from_ns > from_ns)
		from_ns = session->play.from_ns;
	if (pane->zoomed || !pane->follow || pane->room.cols <= 0 || session->now_ns < from_ns)
		return;
	latency_grid_fit(&pane->grid, session->now_ns - from_ns, pane->room.cols, live);
}

static void refresh(void *self, struct session *session)
{
	struct latency_pane *pane = self;

	if (session->phase != SESSION_RUNNING || !session->status.started_ns)
		return;
	if (pane->filter_version != session->filter_version ||
	    pane->zero_version != session->zero_version)
		latency_grid_forget(&pane->grid);
	pane->filter_version = session->filter_version;
	pane->zero_version = session->zero_version;
	fit(pane, session);
	scroll(pane, session);
	latency_grid_read(&pane->grid, session->engine, pane->last, pane->room.cols,
			  pane->room.rows);
}

/* ---- drawing ---- */

static void draw_title(const struct latency_pane *pane, const struct session *session,
		       struct canvas *canvas, bool focused)
{
	char width[UNITS_TEXT_BYTES], most[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];
	char text[LATENCY_SPAN_TEXT_BYTES];
	struct latency_span span;
	struct str left = STR_INIT, right = STR_INIT;

	str_addf(&left, "Latency, %s per column",
		 units_format_ns(width, latency_grid_col_ns(&pane->grid)));
	if (pane->grid.max)
		str_addf(&left, ", at most %s calls in a cell",
			 units_format_count(most, pane->grid.max));
	if (latency_grid_span(&pane->grid, &span)) {
		latency_span_format(text, &span);
		str_addf(&right, "%s: %s calls", text, units_format_count(calls, span.calls));
	} else {
		str_add(&right, session->paused ? "paused"
				: pane->follow  ? "following"
						: "not following");
	}
	title_draw(canvas, 0, left.data, right.data, focused);
	str_release(&left);
	str_release(&right);
}

static void draw_reason(const struct session *session, struct canvas *canvas)
{
	struct str text = STR_INIT;

	empty_reason_say(session, EMPTY_LATENCY, &text);
	wrap_draw(canvas, 0, 1, canvas->cols - 2, ROLE_DIM, text.data);
	str_release(&text);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct latency_pane *pane = self;
	struct latency_grid *grid = &pane->grid;
	struct canvas body = canvas_sub(canvas,
					(struct rect){ 1, 0, canvas->rows - 1, canvas->cols });
	struct latency_room room = { body.rows - LATENCY_TIME_ROWS,
				     body.cols - LATENCY_LABEL_COLS };

	if (pane->room.rows != room.rows || pane->room.cols != room.cols) {
		pane->room = room;
		refresh(pane, session);
	}
	draw_title(pane, session, canvas, focused);
	if (!grid->cols || !grid->calls)
		draw_reason(session, &body);
	latency_picture_draw(grid, &body);
}

/* ---- actions ---- */

/* The first key only shows the cursor: in the newest complete column, in the middle. */
static bool take_cursor(struct latency_pane *pane)
{
	struct latency_grid *grid = &pane->grid;

	if (grid->has_cursor)
		return false;
	if (!grid->cols)
		return true;
	grid->cursor = latency_grid_place(grid, grid->cols > 1 ? grid->cols - 2 : 0,
					  grid->rows / 2);
	grid->has_cursor = true;
	pane->follow = false;
	return true;
}

static void move_cursor(struct latency_pane *pane, enum move move)
{
	int page = pane->grid.rows;

	switch (move) {
	case MOVE_UP:
		latency_grid_step(&pane->grid, 0, 1);
		break;
	case MOVE_DOWN:
		latency_grid_step(&pane->grid, 0, -1);
		break;
	case MOVE_LEFT:
		latency_grid_step(&pane->grid, -1, 0);
		break;
	case MOVE_RIGHT:
		latency_grid_step(&pane->grid, 1, 0);
		break;
	case MOVE_PAGE_UP:
		latency_grid_step(&pane->grid, -PAGE_COLS, 0);
		break;
	case MOVE_PAGE_DOWN:
		latency_grid_step(&pane->grid, PAGE_COLS, 0);
		break;
	case MOVE_HALF_UP:
		latency_grid_step(&pane->grid, 0, page / 2);
		break;
	case MOVE_HALF_DOWN:
		latency_grid_step(&pane->grid, 0, -(page / 2));
		break;
	case MOVE_HOME:
	case MOVE_LINE_START:
		pane->grid.cursor.col = 0;
		break;
	case MOVE_END:
	case MOVE_LINE_END:
		pane->grid.cursor.col = UINT64_MAX / 2; /* refresh() limits it */
		break;
	}
}

/* Change the zoom; the time at the right edge stays. */
static void zoom(struct latency_pane *pane, int finer)
{
	uint64_t end_ns = (pane->last + 1) * latency_grid_col_ns(&pane->grid);

	pane->zoomed = true;
	if (latency_grid_zoom(&pane->grid, finer))
		pane->last = (end_ns - 1) / latency_grid_col_ns(&pane->grid);
}

/* Drop the mark or, if there is none, drop the cursor and follow new calls. */
static bool let_go(void *self, struct session *session)
{
	struct latency_pane *pane = self;
	struct latency_grid *grid = &pane->grid;
	bool had = grid->has_cursor;

	(void)session;
	if (grid->has_mark) {
		grid->has_mark = false;
		return true;
	}
	grid->has_cursor = false;
	pane->follow = true;
	return had;
}

/* Set the span to the selection. False: nothing is selected; the shell then sets the span's end. */
static bool choose_span(struct latency_pane *pane, struct session *session)
{
	uint64_t start_ns = session->status.started_ns;
	struct latency_span span;

	if (!session->play.recorded || !latency_grid_span(&pane->grid, &span))
		return false;
	session->span_from_ns = start_ns + span.from_ns;
	session->span_until_ns = start_ns + span.until_ns;
	pane->grid.has_cursor = pane->grid.has_mark = false;
	pane->follow = true;
	pane->zoomed = false;
	return true;
}

/* Append the end times of the rectangle as a term; add_durations() does so for the durations. */
static void add_times(const struct latency_span *span, struct str *term)
{
	str_addf(term, "ended >= %.2fs and ended < %.2fs", (double)span->from_ns / 1e9,
		 (double)span->until_ns / 1e9);
}

static void add_durations(const struct latency_span *span, struct str *term)
{
	str_addf(term, "dur >= %lluns", (unsigned long long)span->low_ns);
	if (span->high_ns != UINT64_MAX)
		str_addf(term, " and dur < %lluns", (unsigned long long)span->high_ns);
}

static void narrow(struct latency_pane *pane, struct session *session)
{
	struct latency_span span;
	struct filter_error error;
	struct str term = STR_INIT;
	char label[LATENCY_SPAN_TEXT_BYTES];

	if (!latency_grid_span(&pane->grid, &span)) {
		session_say(session, ROLE_WARN,
			    "Select a cell with the arrows first, or a rectangle with m and the "
			    "arrows");
		return;
	}
	latency_span_format(label, &span);
	add_times(&span, &term);
	str_add(&term, " and ");
	add_durations(&span, &term);
	if (filter_stack_add(&session->filter_stack, term.data, label, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	} else {
		pane->grid.has_cursor = pane->grid.has_mark = false;
		pane->follow = true;
		session_apply_filter(session);
		session->to_calls = true;
	}
	str_release(&term);
}

static bool act(void *self, struct session *session, enum action action)
{
	struct latency_pane *pane = self;
	struct latency_grid *grid = &pane->grid;
	enum move move;

	if (session->phase != SESSION_RUNNING)
		return false;
	switch (action) {
	case ACTION_MARK:
		take_cursor(pane);
		grid->has_mark = !grid->has_mark && grid->has_cursor;
		grid->mark = grid->cursor;
		return true;
	case ACTION_DRILL_IN:
		narrow(pane, session);
		return true;
	case ACTION_SPAN_END:
		return choose_span(pane, session);
	case ACTION_FOLLOW:
		grid->has_mark = grid->has_cursor = false;
		pane->follow = !pane->follow;
		return true;
	case ACTION_UNFOLD:
	case ACTION_FOLD:
		zoom(pane, action == ACTION_UNFOLD ? 1 : -1);
		break;
	default:
		if (!pane_move(action, &move))
			return false;
		if (!take_cursor(pane))
			move_cursor(pane, move);
		break;
	}
	refresh(pane, session);
	return true;
}

static void click(void *self, struct session *session, int row, int col)
{
	struct latency_pane *pane = self;
	struct latency_grid *grid = &pane->grid;

	(void)session;
	if (!latency_picture_at(grid, &pane->room, row - 1, col, &grid->cursor))
		return;
	grid->has_cursor = true;
	grid->has_mark = false;
	pane->follow = false;
}

static void drag(void *self, struct session *session, int row, int col)
{
	struct latency_pane *pane = self;
	struct latency_grid *grid = &pane->grid;
	struct latency_place place;

	(void)session;
	if (!grid->has_cursor || !latency_picture_at(grid, &pane->room, row - 1, col, &place))
		return;
	if (!grid->has_mark)
		grid->mark = grid->cursor;
	grid->has_mark = true;
	grid->cursor = place;
}

static void wheel(void *self, struct session *session, int rows)
{
	struct latency_pane *pane = self;

	if (session->phase != SESSION_RUNNING)
		return;
	pane->follow = false;
	if (rows < 0 && pane->last < (uint64_t)-rows)
		pane->last = 0;
	else
		pane->last += (uint64_t)(int64_t)rows;
	refresh(pane, session);
}

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
	const struct latency_pane *pane = self;
	struct latency_span span;
	char text[LATENCY_SPAN_TEXT_BYTES];

	(void)session;
	if (!latency_grid_span(&pane->grid, &span))
		return;
	latency_span_format(text, &span);
	str_addf(out, "%s: %llu calls", text, (unsigned long long)span.calls);
}

static void add_row(void *self, size_t row, struct fields *fields)
{
	const struct latency_pane *pane = self;
	const struct latency_grid *grid = &pane->grid;
	size_t cell = pane->exported[row];
	struct latency_span span;

	latency_grid_cell_span(grid, (int)(cell / (size_t)grid->rows),
			       (int)(cell % (size_t)grid->rows), &span);
	fields_whole(fields, "from_ns", span.from_ns);
	fields_whole(fields, "until_ns", span.until_ns);
	fields_whole(fields, "dur_at_least_ns", span.low_ns);
	if (span.high_ns == UINT64_MAX)
		fields_none(fields, "dur_below_ns");
	else
		fields_whole(fields, "dur_below_ns", span.high_ns);
	fields_whole(fields, "calls", span.calls);
}

/* Export the visible cells that have calls. */
static void exports(void *self, struct session *session, struct export_subject *subject)
{
	struct latency_pane *pane = self;
	size_t cells = (size_t)pane->grid.cols * (size_t)pane->grid.rows;

	(void)session;
	free(pane->exported);
	pane->exported = mem_zalloc(cells + 1, sizeof(*pane->exported));
	subject->name = "latency";
	subject->row_type = "cell";
	subject->add_row = add_row;
	subject->pane = pane;
	for (size_t i = 0; i < cells; i++)
		if (pane->grid.counts[i])
			pane->exported[subject->row_count++] = i;
}

static void add_pair(struct row_terms *terms, const struct str *only)
{
	struct str exclude = STR_INIT;

	str_addf(&exclude, "not (%s)", only->data);
	row_terms_add_pair(terms, only->data, exclude.data);
	str_release(&exclude);
}

/* Add terms for the selected rectangle: for the whole, for its durations and for its times. */
static void terms(void *self, struct session *session, struct row_terms *out)
{
	const struct latency_pane *pane = self;
	struct str when = STR_INIT, how_long = STR_INIT, both = STR_INIT;
	struct latency_span span;

	(void)session;
	if (!latency_grid_span(&pane->grid, &span))
		return;
	add_times(&span, &when);
	add_durations(&span, &how_long);
	str_addf(&both, "%s and %s", when.data, how_long.data);
	add_pair(out, &both);
	add_pair(out, &how_long);
	add_pair(out, &when);
	str_release(&when);
	str_release(&how_long);
	str_release(&both);
}

static void pane_free(void *self)
{
	struct latency_pane *pane = self;

	free(pane->exported);
	latency_grid_release(&pane->grid);
	free(pane);
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = draw,
	.act = act,
	.click = click,
	.drag = drag,
	.wheel = wheel,
	.search = search,
	.stop = let_go,
	.row_text = row_text,
	.terms = terms,
	.exports = exports,
	.free = pane_free,
};

void latency_view_init(struct view *view)
{
	struct latency_pane *pane = mem_zalloc(1, sizeof(*pane));
	struct pane panes[] = { { &ops, pane } };

	latency_grid_init(&pane->grid);
	pane->follow = true;
	view_init(view, &view_def, panes, 1);
}
