#include "tui/calls_pane.h"

#include "engine/base/mem.h"
#include "tui/call_cells.h"
#include "tui/call_window.h"
#include "widgets/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A third of the tallest pane. */
#define IN_FLIGHT_MAX 128
/* Rows of calls in flight that the end of the stream always has room for. */
#define IN_FLIGHT_ROWS_MIN 2
#define IN_FLIGHT_ID (1ULL << 63)
/* How much is loaded, and dropped at the far side, when an edge comes near. */
#define SCROLL_CHUNK 1024

struct calls_pane {
	struct table table;
	struct call_cells cells;
	struct call_window window;
	struct session *session; /* of the last refresh */
	uint64_t filter_version;
	struct call in_flight[IN_FLIGHT_MAX]; /* those that are shown, oldest first */
	size_t in_flight_count;
	size_t in_flight_all;
	char empty_text[160];
};

static size_t row_count(void *data)
{
	struct calls_pane *pane = data;

	return pane->window.count + pane->in_flight_count;
}

static const struct call *call_at(struct calls_pane *pane, size_t row)
{
	if (row < pane->window.count)
		return &call_window_at(&pane->window, row)->call;
	return &pane->in_flight[row - pane->window.count];
}

/* Finished calls are known by their sequence number, those in flight by their thread. */
static uint64_t row_id(void *data, size_t row)
{
	struct calls_pane *pane = data;

	if (row < pane->window.count)
		return call_window_at(&pane->window, row)->seq + 1;
	return IN_FLIGHT_ID | call_at(pane, row)->tid;
}

static bool find_row(void *data, uint64_t id, size_t *row)
{
	struct calls_pane *pane = data;

	if (!(id & IN_FLIGHT_ID))
		return id && call_window_find(&pane->window, id - 1, row);
	for (size_t i = 0; i < pane->in_flight_count; i++) {
		if (pane->in_flight[i].tid == (uint32_t)id) {
			*row = pane->window.count + i;
			return true;
		}
	}
	return false;
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct calls_pane *pane = data;

	call_cells_cell(&pane->cells, pane->session, call_at(pane, row),
			(enum call_column)column_id, out);
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.find_row = find_row,
};

/*
 * Idle daemons sleep by the hundred; the stream would be buried under them. So the
 * latest to enter are shown, a third of the pane at most.
 */
static void take_in_flight(struct calls_pane *pane, const struct session *session)
{
	size_t count = session->in_flight_count;
	size_t room = (size_t)(pane->table.page_rows / 3);

	if (room < IN_FLIGHT_ROWS_MIN)
		room = IN_FLIGHT_ROWS_MIN;
	if (room > IN_FLIGHT_MAX)
		room = IN_FLIGHT_MAX;
	if (room > count)
		room = count;
	memcpy(pane->in_flight, session->in_flight + (count - room),
	       room * sizeof(pane->in_flight[0]));
	pane->in_flight_count = room;
	pane->in_flight_all = count;
}

/* The call in flight that somebody looks at has returned: its row is now one above. */
static void keep_selection(struct calls_pane *pane, uint64_t id, uint64_t enter_ns)
{
	size_t row;

	if (!(id & IN_FLIGHT_ID) || pane->table.follow)
		return;
	if (find_row(pane, id, &row) && call_at(pane, row)->enter_ns == enter_ns)
		return;
	for (size_t i = pane->window.count; i-- > 0; ) {
		const struct call_window_row *at = call_window_at(&pane->window, i);

		if (at->call.tid == (uint32_t)id && at->call.enter_ns == enter_ns) {
			table_select(&pane->table, at->seq + 1);
			return;
		}
	}
}

static void take_calls(struct calls_pane *pane, struct session *session)
{
	const struct filter *filter = narrowing_filter(&session->narrowing);
	size_t page = (size_t)pane->table.page_rows;

	if (pane->table.follow) {
		if (!session->paused && session->tick)
			call_window_follow(&pane->window, session->engine, filter);
		return;
	}
	if (pane->table.top_row < page)
		call_window_grow_older(&pane->window, session->engine, filter,
				       SCROLL_CHUNK / 4, SCROLL_CHUNK);
	if (pane->table.top_row + 3 * page >= pane->window.count)
		call_window_grow_newer(&pane->window, session->engine, filter, SCROLL_CHUNK);
	else
		call_window_grow_newer(&pane->window, session->engine, filter, 0);
}

static void say_why_empty(struct calls_pane *pane, const struct session *session)
{
	const char *why = "no calls yet";

	if (session->phase == SESSION_STARTING)
		why = "starting…";
	else if (narrowing_filter(&session->narrowing) && session->status.model.calls_seen)
		why = "no call in the history matches the filter (Del drops it)";
	else if (session->status.finished)
		why = "no calls were seen";
	snprintf(pane->empty_text, sizeof(pane->empty_text), "%s", why);
}

static void refresh(void *self, struct session *session)
{
	struct calls_pane *pane = self;
	uint64_t id = pane->table.has_selection ? pane->table.selected_id : 0;
	uint64_t enter_ns = 0;
	size_t row;
	bool refiltered = pane->filter_version != session->filter_version;

	pane->session = session;
	pane->table.match = session->search.len ? session->search.data : NULL;
	say_why_empty(pane, session);
	pane->table.empty_text = pane->empty_text;
	if (session->phase != SESSION_RUNNING)
		return;
	if (id && find_row(pane, id, &row))
		enter_ns = call_at(pane, row)->enter_ns; /* while the rows are the old ones */
	if (refiltered) {
		/* A narrowing is a new question: its newest answers come first. */
		pane->filter_version = session->filter_version;
		call_window_clear(&pane->window);
		call_window_follow(&pane->window, session->engine,
				   narrowing_filter(&session->narrowing));
		pane->table.follow = true;
	}
	take_calls(pane, session);
	take_in_flight(pane, session);
	keep_selection(pane, id, enter_ns);
	table_sync(&pane->table);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct calls_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str right = STR_INIT;

	if (pane->in_flight_all)
		str_addf(&right, "%zu%s in flight, ", pane->in_flight_all,
			 pane->in_flight_all == SESSION_IN_FLIGHT_MAX ? "+" : "");
	str_add(&right, session->paused ? "paused" :
		pane->table.follow ? "following" : "not following");
	title_draw(canvas, 0, "Calls", right.data, focused);
	table_draw(&pane->table, &body, focused);
	str_release(&right);
}

static void go_home(struct calls_pane *pane, struct session *session)
{
	uint64_t first = 0, end = 0;

	if (session->phase != SESSION_RUNNING)
		return;
	engine_calls_range(session->engine, &first, &end);
	call_window_seek(&pane->window, first);
	call_window_grow_newer(&pane->window, session->engine,
			       narrowing_filter(&session->narrowing), 0);
	pane->table.follow = false;
	table_move(&pane->table, MOVE_HOME);
	if (row_count(pane))
		table_select(&pane->table, row_id(pane, 0));
}

static void follow(struct calls_pane *pane, struct session *session, bool on)
{
	pane->table.follow = on;
	if (!on || session->paused || session->phase != SESSION_RUNNING)
		return;
	call_window_follow(&pane->window, session->engine,
			   narrowing_filter(&session->narrowing));
}

static bool act(void *self, struct session *session, enum action action)
{
	struct calls_pane *pane = self;
	enum move move;

	if (action == ACTION_FOLLOW) {
		follow(pane, session, !pane->table.follow);
		return true;
	}
	if (!pane_move(action, &move))
		return false;
	if (move == MOVE_HOME)
		go_home(pane, session);
	else if (move == MOVE_END && !session->paused)
		follow(pane, session, true);
	else
		table_move(&pane->table, move);
	return true;
}

static void click(void *self, struct session *session, int row, int col)
{
	struct calls_pane *pane = self;

	(void)session;
	if (row > 0)
		table_click(&pane->table, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	struct calls_pane *pane = self;

	(void)session;
	table_scroll(&pane->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	struct calls_pane *pane = self;
	const struct filter *filter = narrowing_filter(&session->narrowing);

	if (table_search(&pane->table, text, step, from_here))
		return true;
	if (session->phase != SESSION_RUNNING)
		return false;
	/* What is loaded may be a page or two; there is more of the history to look at. */
	while (pane->window.count < CALL_WINDOW_MAX &&
	       call_window_grow_older(&pane->window, session->engine, filter, SCROLL_CHUNK, 0))
		;
	return table_search(&pane->table, text, step, from_here);
}

static const struct call *selected(struct calls_pane *pane)
{
	table_sync(&pane->table);
	if (!pane->table.has_selection || pane->table.selected_row >= row_count(pane))
		return NULL;
	return call_at(pane, pane->table.selected_row);
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct calls_pane *pane = self;
	const struct call *call = selected(pane);
	struct table_cell one = { .text = STR_INIT };

	if (!call)
		return;
	for (int i = 0; i < CALL_COLUMN_COUNT; i++) {
		str_clear(&one.text);
		call_cells_cell(&pane->cells, session, call, (enum call_column)i, &one);
		str_addf(out, "%s%s", i ? " " : "", one.text.data);
	}
	str_release(&one.text);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *picked,
		 bool *has_call)
{
	struct calls_pane *pane = self;
	const struct call *call = selected(pane);

	*has_call = false;
	if (!call || call->state == CALL_GAP)
		return false;
	call_cells_pick(&pane->cells, session, call, out);
	/* While the stream runs, its last row is nobody's choice. */
	out->chosen = !pane->table.follow || session->paused;
	*has_call = true;
	*picked = *call;
	return true;
}

static void pane_free(void *self)
{
	struct calls_pane *pane = self;

	call_window_release(&pane->window);
	call_cells_release(&pane->cells);
	free(pane);
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = draw,
	.act = act,
	.click = click,
	.wheel = wheel,
	.search = search,
	.row_text = row_text,
	.pick = pick,
	.free = pane_free,
};

uint64_t calls_pane_place_of(uint64_t seq)
{
	return seq + 1;
}

uint64_t calls_pane_place(const struct pane *self)
{
	const struct calls_pane *pane = self->self;

	return pane->table.has_selection ? pane->table.selected_id : 0;
}

void calls_pane_go(struct pane *self, struct session *session, uint64_t place)
{
	struct calls_pane *pane = self->self;
	const struct filter *filter = narrowing_filter(&session->narrowing);

	if (!place)
		return;
	pane->table.follow = false;
	if (!(place & IN_FLIGHT_ID)) {
		call_window_seek(&pane->window, place - 1);
		call_window_grow_newer(&pane->window, session->engine, filter, 0);
		call_window_grow_older(&pane->window, session->engine, filter,
				       SCROLL_CHUNK / 4, SCROLL_CHUNK);
	}
	table_select(&pane->table, place);
	session->dirty = true;
}

struct pane calls_pane_new(void)
{
	struct calls_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_init(&pane->table, &table_ops, pane, call_columns, CALL_COLUMN_COUNT);
	pane->table.follow = true;
	call_window_init(&pane->window);
	call_cells_init(&pane->cells);
	return (struct pane){ &ops, pane };
}
