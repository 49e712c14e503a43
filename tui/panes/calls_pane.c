#include "tui/panes/calls_pane.h"

#include "engine/base/mem.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_reselect.h"
#include "tui/calls/call_rows.h"
#include "tui/calls/call_search.h"
#include "tui/calls/call_seek.h"
#include "tui/session/empty_reason.h"
#include "tui/view/table_pane.h"

#include <stdio.h>
#include <stdlib.h>

/* Maximum number of rows to drop on one side when rows are loaded on the other side. */
#define SCROLL_CHUNK 1024

struct calls_pane {
	struct table_pane base;
	struct call_cells cells;
	struct call_rows rows;
	struct call_search search;
	struct call_seek place; /* finds the selected call after a filter change */
	struct call_reselect recall; /* finds the selected call after a re-read */
	uint64_t filter_version;
	uint32_t restarts;
	size_t pending_match; /* calls with a pending match, at the last refresh */
	/* A search for matches to fill the visible rows is running; scanned part in percent. */
	bool searching;
	unsigned searched_percent;
	uint64_t followed_ns; /* time at which the pane last reached the end of the history */
};

static size_t row_count(void *data)
{
	return call_rows_count(&((struct calls_pane *)data)->rows);
}

static uint64_t row_id(void *data, size_t row)
{
	return call_rows_id(&((struct calls_pane *)data)->rows, row);
}

static bool find_row(void *data, uint64_t id, size_t *row)
{
	return call_rows_find(&((struct calls_pane *)data)->rows, id, row);
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct calls_pane *pane = data;

	call_cells_cell(&pane->cells, pane->base.session, call_rows_at(&pane->rows, row),
			(enum call_column)column_id, out);
}

static void prepare(void *data, size_t first, size_t count)
{
	const struct call *calls[CALL_TEXTS_MAX / 2];
	struct calls_pane *pane = data;

	if (count > CALL_TEXTS_MAX / 2)
		count = CALL_TEXTS_MAX / 2;
	for (size_t i = 0; i < count; i++)
		calls[i] = call_rows_at(&pane->rows, first + i);
	call_cells_prepare(&pane->cells, pane->base.session, calls, count);
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct calls_pane *pane = (const struct calls_pane *)base;

	str_add(title, "Calls");
	if (base->session->status.source.tracepoints)
		str_addf(title, " and %u tracepoint%s", base->session->status.source.tracepoints,
			 base->session->status.source.tracepoints == 1 ? "" : "s");
	if (pane->rows.in_flight_all)
		str_addf(right, "%zu%s in flight, ", pane->rows.in_flight_all,
			 pane->rows.in_flight_all == SESSION_IN_FLIGHT_MAX ? "+" : "");
	if (pane->searching)
		str_addf(right, "searching… %u %%, ", pane->searched_percent);
	str_add(right, base->session->moving   ? "moving"
		       : base->session->paused ? "paused"
		       : base->table.follow    ? "following"
					       : "not following");
}

static const struct table_ops row_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.find_row = find_row,
	.prepare = prepare,
};

static const struct table_pane_ops table_ops = {
	.name = "calls",
	.say_title = say_title,
	.table = &row_ops,
};

/* If the selected call in flight has returned, select its row in the history. */
static void store_selection(struct calls_pane *pane, uint64_t id, uint64_t enter_ns)
{
	uint64_t now = 0;

	if (call_rows_is_in_flight(id) && !pane->base.table.follow)
		now = call_rows_returned(&pane->rows, id, enter_ns);
	if (now)
		table_select(&pane->base.table, now);
}

static void follow_end(struct calls_pane *pane, struct session *session, bool on)
{
	pane->base.table.follow = on;
	pane->recall.noted = false;
	if (!on || session->paused || session->phase != SESSION_RUNNING)
		return;
	call_window_follow(&pane->rows.window, session->engine,
			   filter_stack_filter(&session->filter_stack));
}

/* Request more work soon: the next matches for the visible rows are far away. */
static void go_on_searching(struct calls_pane *pane, struct session *session)
{
	pane->searching = true;
	pane->searched_percent = call_seek_percent(&pane->place, &pane->rows.window,
						   session->engine);
	session->busy = session->hurry = true;
}

/* Continue the search for the place to select. True while it is unfinished. */
static bool find_place(struct calls_pane *pane, struct session *session,
		       const struct filter *filter)
{
	bool oldest = pane->place.oldest, noted;
	struct table *table = &pane->base.table;
	uint64_t seq;

	if (!pane->place.running)
		return false;
	switch (call_seek_step(&pane->place, &pane->rows.window, session->engine, filter, &seq)) {
	case PLACE_GOES_ON:
		go_on_searching(pane, session);
		return true;
	case PLACE_FOUND:
		table->follow = false;
		table_select(table, call_rows_id_of(seq));
		break;
	case PLACE_NOWHERE:
		if (oldest && call_rows_count(&pane->rows)) {
			table->follow = false;
			table_select(table, call_rows_id(&pane->rows, 0));
			break;
		}
		noted = pane->recall.noted;
		follow_end(pane, session, true);
		pane->recall.noted = noted; /* the user did not choose to follow: keep the call */
		break;
	}
	session->dirty = true;
	return false;
}

/* True if the pause began before the pane had read up to the end of the history. */
static bool is_behind(const struct calls_pane *pane, const struct session *session)
{
	return session->paused && !session->moving &&
	       (!pane->rows.window.placed || session_is_late(session, pane->followed_ns));
}

/* Read new calls at the end, then older matches, perhaps from far back, until a page is full. */
static void take_end(struct calls_pane *pane, struct session *session, const struct filter *filter)
{
	struct call_window *window = &pane->rows.window;
	size_t page = (size_t)pane->base.table.page_rows;
	bool wanted = !session->paused || is_behind(pane, session);
	uint64_t first, end;

	engine_calls_range(session->engine, &first, &end);
	if (wanted && (session->tick || session->work)) {
		call_window_follow(window, session->engine, filter);
		if (window->newer_seq >= end)
			pane->followed_ns = session->clock_ns;
	}
	if (session->work && window->count < page && window->older_seq > first)
		call_window_grow_older(window, session->engine, filter, page - window->count, 0);
	if ((window->count < page && window->older_seq > first) ||
	    (!session->paused && end - window->newer_seq > CALL_WINDOW_MAX) ||
	    (window->placed && is_behind(pane, session)))
		go_on_searching(pane, session);
}

/* Read calls above and below the visible rows. */
static void take_around(struct calls_pane *pane, struct session *session,
			const struct filter *filter)
{
	struct call_window *window = &pane->rows.window;
	size_t page = (size_t)pane->base.table.page_rows, top = pane->base.table.top_row;
	bool at_top = top < page, at_end = top + 3 * page >= window->count;
	size_t before = window->count;
	uint64_t first, end;

	if (at_top)
		call_window_grow_older(window, session->engine, filter, SCROLL_CHUNK / 4,
				       SCROLL_CHUNK);
	call_window_grow_newer(window, session->engine, filter, at_end ? SCROLL_CHUNK : 0);
	if (window->count >= before + page)
		return;
	engine_calls_range(session->engine, &first, &end);
	if ((at_top && window->older_seq > first) ||
	    (top + page >= before && end > window->newer_seq + CALL_WINDOW_MAX))
		go_on_searching(pane, session);
}

static void take_calls(struct calls_pane *pane, struct session *session)
{
	const struct filter *filter = filter_stack_filter(&session->filter_stack);

	pane->searching = false;
	if (find_place(pane, session, filter))
		return;
	if (pane->base.table.follow)
		take_end(pane, session, filter);
	else
		take_around(pane, session, filter);
}

/* ---- searching ---- */

static void go(struct calls_pane *pane, struct session *session, uint64_t place)
{
	const struct filter *filter = filter_stack_filter(&session->filter_stack);
	size_t index;

	pane->base.table.follow = false;
	pane->recall.noted = false;
	if (!call_rows_is_in_flight(place) &&
	    !call_window_find(&pane->rows.window, place - 1, &index)) {
		call_window_seek(&pane->rows.window, place - 1);
		call_window_grow_newer(&pane->rows.window, session->engine, filter, 0);
		call_window_grow_older(&pane->rows.window, session->engine, filter,
				       SCROLL_CHUNK / 4, SCROLL_CHUNK);
	}
	table_select(&pane->base.table, place);
	session->dirty = true;
}

/* Search the shown calls in flight, starting at index `from`. True: a match was selected. */
static bool search_in_flight(struct calls_pane *pane, struct session *session, size_t from,
			     int step)
{
	size_t count = pane->rows.in_flight_count;
	size_t found = call_search_among(&pane->search, session, &pane->cells, pane->rows.in_flight,
					 count, from, step);

	if (found == count)
		return false;
	pane->search.running = false;
	go(pane, session, call_rows_id(&pane->rows, pane->rows.window.count + found));
	return true;
}

static void search_on(struct calls_pane *pane, struct session *session)
{
	bool forward = pane->search.walk.forward;

	switch (call_search_step(&pane->search, session, &pane->cells)) {
	case SEARCH_GOES_ON:
	case SEARCH_FAILED:
		break;
	case SEARCH_FOUND:
		go(pane, session, pane->search.found + 1);
		break;
	case SEARCH_TURNED:
		if (!search_in_flight(pane, session, forward ? 0 : pane->rows.in_flight_count - 1,
				      forward ? 1 : -1))
			search_on(pane, session); /* a search wraps around only once */
		break;
	}
}

/*
 * Return the sequence number at which a search starts: that of the first call to examine or, for a
 * search backwards, of the call after it.
 */
static uint64_t search_from(const struct calls_pane *pane, size_t row, bool selected, int step,
			    bool from_here)
{
	if (!selected || row >= pane->rows.window.count)
		return UINT64_MAX;
	return call_window_at(&pane->rows.window, row)->seq + (step > 0 && !from_here);
}

static bool search(void *self, struct session *session, const char *text, int step, bool from_here)
{
	struct calls_pane *pane = self;
	size_t row, count = pane->rows.window.count;
	bool selected;

	if (session->phase != SESSION_RUNNING)
		return false;
	selected = table_pane_selected(&pane->base, &row);
	call_search_text(&pane->search, session, search_from(pane, row, selected, step, from_here),
			 step, text);
	if (selected && row >= count &&
	    search_in_flight(pane, session, row - count + (from_here ? 0 : (size_t)step), step))
		return true;
	search_on(pane, session);
	return true; /* the result is reported when it is known */
}

static void search_object(struct calls_pane *pane, struct session *session, int step)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);
	size_t row, count = pane->rows.window.count;
	struct call_object object;

	if (session->phase != SESSION_RUNNING || !table_pane_selected(&pane->base, &row)) {
		session_say(session, ROLE_WARN, "No call selected: go to one with the arrows");
		return;
	}
	object = call_object(syscalls, call_rows_at(&pane->rows, row));
	if (object.kind == OBJECT_NONE) {
		session_say(session, ROLE_WARN, "This call has no futex and no file descriptor");
		return;
	}
	call_search_object(&pane->search, session, search_from(pane, row, true, step, false), step,
			   &object);
	if (row >= count && search_in_flight(pane, session, row - count + (size_t)step, step))
		return;
	search_on(pane, session);
}

static bool stop(void *self, struct session *session)
{
	struct calls_pane *pane = self;

	if (!pane->place.running)
		return call_search_stop(&pane->search, session);
	pane->place.running = false;
	session_say(session, ROLE_WARN, "Search cancelled after %u %% of the history",
		    call_seek_percent(&pane->place, &pane->rows.window, session->engine));
	return true;
}

/* Read the matches of a new filter: those around the selected call, or the newest ones. */
static void refilter(struct calls_pane *pane, struct session *session, uint64_t id)
{
	if (pane->place.running && pane->place.oldest) {
		/* Rows of the old filter need not match the new one. */
		call_window_clear(&pane->rows.window);
		call_seek_begin_oldest(&pane->place);
		return;
	}
	if (pane->place.running)
		id = call_rows_id_of(pane->place.seq); /* the selection is older than that search */
	if (id && !pane->base.table.follow && !call_rows_is_in_flight(id)) {
		call_seek_begin(&pane->place, &pane->rows.window, id - 1);
		return;
	}
	pane->place.running = false;
	call_window_clear(&pane->rows.window);
	call_window_follow(&pane->rows.window, session->engine,
			   filter_stack_filter(&session->filter_stack));
}

/* When a re-read recording stands still, select the noted call again if it has been read. */
static void recall(struct calls_pane *pane, const struct session *session)
{
	const struct play_status *play = &session->play;
	const struct call_rows *rows = &pane->rows;
	uint64_t seq;

	if (!pane->recall.noted || session->moving || session->arrives ||
	    !(play->paused || play->at_end))
		return;
	for (size_t i = 0; i < rows->in_flight_count; i++)
		if (call_reselect_is(&pane->recall, &rows->in_flight[i])) {
			pane->recall.noted = pane->base.table.follow = false;
			table_select(&pane->base.table, call_rows_id(rows, rows->window.count + i));
			return;
		}
	if (!call_reselect_find(&pane->recall, session->engine, &seq))
		return;
	pane->base.table.follow = false;
	call_seek_begin(&pane->place, &pane->rows.window, seq);
}

/* True after a filter change, or if new symbols decided pending matches. */
static bool is_stale(struct calls_pane *pane, const struct session *session)
{
	size_t pending_match = session->status.model.pending_match;
	bool stale = pane->filter_version != session->filter_version ||
		     pending_match < pane->pending_match;

	pane->pending_match = pending_match;
	return stale;
}

static void refresh(void *self, struct session *session)
{
	struct calls_pane *pane = self;
	uint64_t id = pane->base.table.has_selection ? pane->base.table.selected_id : 0;
	uint64_t enter_ns = 0;
	size_t row;

	table_pane_refresh(&pane->base, session);
	empty_reason_say(session, EMPTY_CALLS, &pane->base.empty_text);
	if (session->phase != SESSION_RUNNING)
		return;
	if (id && call_rows_find(&pane->rows, id, &row))
		enter_ns = call_rows_at(&pane->rows, row)->enter_ns; /* before the rows change */
	if (pane->restarts != session->restarts) {
		pane->restarts = session->restarts;
		if (enter_ns && !pane->base.table.follow && !pane->recall.noted)
			call_reselect_note(&pane->recall, call_rows_at(&pane->rows, row));
		pane->base.table.follow = true;
		id = enter_ns = 0;
	}
	if (is_stale(pane, session)) {
		pane->filter_version = session->filter_version;
		pane->search.running = false;
		refilter(pane, session, id);
	}
	take_calls(pane, session);
	if (pane->searching) {
		str_clear(&pane->base.empty_text);
		str_addf(&pane->base.empty_text, "searching… %u %% of the history",
			 pane->searched_percent);
	}
	call_rows_take_in_flight(&pane->rows, session, (size_t)pane->base.table.page_rows);
	store_selection(pane, id, enter_ns);
	recall(pane, session);
	if (pane->search.running && session->work)
		search_on(pane, session);
	table_sync(&pane->base.table);
}

static void go_home(struct calls_pane *pane, struct session *session)
{
	if (session->phase != SESSION_RUNNING)
		return;
	call_seek_begin_oldest(&pane->place);
	find_place(pane, session, filter_stack_filter(&session->filter_stack));
}

static bool act_move(struct calls_pane *pane, struct session *session, enum action action)
{
	enum move move;

	if (!pane_move(action, &move))
		return false;
	/* After a move by the user, a pending search must not move the selection. */
	call_search_stop(&pane->search, session);
	pane->place.running = pane->recall.noted = false;
	if (move == MOVE_HOME)
		go_home(pane, session);
	else if (move == MOVE_END && !session->paused)
		follow_end(pane, session, true);
	else
		table_move(&pane->base.table, move);
	return true;
}

static bool act(void *self, struct session *session, enum action action)
{
	struct calls_pane *pane = self;

	switch (action) {
	case ACTION_FOLLOW:
		follow_end(pane, session, !pane->base.table.follow);
		return true;
	case ACTION_SAME_PREVIOUS:
	case ACTION_SAME_NEXT:
		search_object(pane, session, action == ACTION_SAME_NEXT ? 1 : -1);
		return true;
	default:
		return act_move(pane, session, action);
	}
}

static const struct call *selected(struct calls_pane *pane)
{
	size_t row;

	return table_pane_selected(&pane->base, &row) ? call_rows_at(&pane->rows, row) : NULL;
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct calls_pane *pane = self;
	const struct call *call = selected(pane);
	struct table_cell one = { .text = STR_INIT };
	size_t shown[TABLE_COLUMNS_MAX], count = table_columns_shown(&pane->base.table, shown);

	if (!call)
		return;
	for (size_t i = 0; i < count; i++) {
		str_clear(&one.text);
		call_cells_cell(&pane->cells, session, call,
				(enum call_column)call_columns[shown[i]].id, &one);
		str_addf(out, "%s%s", i ? " " : "", one.text.data);
	}
	str_release(&one.text);
}

static bool selection(void *self, struct session *session, struct selection *out,
		      struct call *picked, bool *has_call)
{
	struct calls_pane *pane = self;
	const struct call *call = selected(pane);
	size_t row = pane->base.table.selected_row;

	*has_call = false;
	if (!call || call->state == CALL_GAP)
		return false;
	call_cells_selection(&pane->cells, session, call, out);
	out->has_seq = call_rows_seq(&pane->rows, row, &out->seq);
	/* While following, the list selects its last row by itself. */
	out->chosen = !pane->base.table.follow || session_stands(session);
	*has_call = true;
	*picked = *call;
	return true;
}

/* The rows do not change while paused, so newer calls are not exported. */
static void exports(void *self, struct session *session, struct export_subject *subject)
{
	struct calls_pane *pane = self;

	subject->name = "calls";
	subject->row_type = "call";
	subject->table = &pane->base.table;
	subject->is_calls = subject->has_calls = subject->folded = true;
	subject->filter = filter_stack_filter(&session->filter_stack);
	if (session->phase != SESSION_RUNNING)
		return;
	engine_calls_range(session->engine, &subject->from, &subject->end);
	if (session->paused && pane->rows.window.newer_seq < subject->end)
		subject->end = pane->rows.window.newer_seq;
	if (subject->from > subject->end)
		subject->from = subject->end;
	subject->list = mem_zalloc(session->in_flight_count + 1, sizeof(*subject->list));
	subject->list_count = session->in_flight_count;
	for (size_t i = 0; i < session->in_flight_count; i++)
		subject->list[i] = session->in_flight[i];
}

static void pane_free(void *self)
{
	struct calls_pane *pane = self;

	call_rows_release(&pane->rows);
	call_cells_release(&pane->cells);
	call_search_release(&pane->search);
	table_pane_release(&pane->base);
	free(pane);
}

static const struct pane_ops ops = {
	.refresh = refresh,
	.draw = table_pane_draw,
	.act = act,
	.click = table_pane_click,
	.drag = table_pane_drag,
	.wheel = table_pane_wheel,
	.search = search,
	.stop = stop,
	.row_text = row_text,
	.table = table_pane_table,
	.exports = exports,
	.selection = selection,
	.free = pane_free,
};

uint64_t calls_pane_place_of(uint64_t seq)
{
	return call_rows_id_of(seq);
}

uint64_t calls_pane_place(const struct pane *self)
{
	const struct calls_pane *pane = self->self;

	return pane->base.table.has_selection ? pane->base.table.selected_id : 0;
}

void calls_pane_go(struct pane *self, struct session *session, uint64_t place)
{
	if (place)
		go(self->self, session, place);
}

struct pane calls_pane_new(void)
{
	struct calls_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_pane_init(&pane->base, &table_ops, call_columns, CALL_COLUMN_COUNT);
	pane->base.table.follow = true;
	call_rows_init(&pane->rows);
	call_cells_init(&pane->cells);
	call_search_init(&pane->search);
	return (struct pane){ &ops, pane };
}

void calls_pane_follow(const struct pane *self, bool on)
{
	if (self->ops == &ops)
		((struct calls_pane *)self->self)->base.table.follow = on;
}
