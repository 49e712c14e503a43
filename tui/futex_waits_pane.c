#include "tui/futex_waits_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/call_cells.h"
#include "tui/call_window.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

#define WAITERS_MAX 256
/* So many past waits are looked for; nobody reads on. */
#define PAST_WANTED 500
#define WAITER_ID (1ULL << 63)

enum wait_column {
	COLUMN_BLOCKED = CALL_COLUMN_COUNT,
	COLUMN_WAKER,
};

static const struct table_column columns[] = {
	{ .id = CALL_COLUMN_TIME, .title = "TIME", .min_cols = 12, .align = ALIGN_RIGHT,
	  .drop = 3 },
	{ .id = CALL_COLUMN_DURATION, .title = "TOOK", .min_cols = 7, .align = ALIGN_RIGHT },
	{ .id = COLUMN_BLOCKED, .title = "BLOCKED", .min_cols = 7, .align = ALIGN_RIGHT,
	  .drop = 2 },
	{ .id = CALL_COLUMN_WHO, .title = "COMM/TID", .min_cols = 16 },
	{ .id = COLUMN_WAKER, .title = "WOKEN BY", .min_cols = 16, .drop = 1 },
	{ .id = CALL_COLUMN_CALL, .title = "CALL", .min_cols = 16, .flex = 1 },
	{ .id = CALL_COLUMN_RESULT, .title = "RESULT", .min_cols = 11, .drop = 4 },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

struct futex_waits_pane {
	struct futexes_pane *futexes;
	struct table table;
	struct call_cells cells;
	struct call_window window;
	struct session *session; /* of the last refresh */
	struct filter *filter;   /* the past waits on it */
	uint64_t futex_id, uaddr;
	bool has_futex;
	bool has_waits; /* the source tells who blocks: known soon after the start */
	struct call waiters[WAITERS_MAX]; /* now */
	size_t waiter_count;
};

static size_t row_count(void *data)
{
	struct futex_waits_pane *pane = data;

	return pane->waiter_count + pane->window.count;
}

static const struct call_window_row *past(struct futex_waits_pane *pane, size_t row)
{
	return call_window_at(&pane->window, pane->window.count - 1 - (row - pane->waiter_count));
}

static const struct call *call_at(struct futex_waits_pane *pane, size_t row)
{
	return row < pane->waiter_count ? &pane->waiters[row] : &past(pane, row)->call;
}

static uint64_t row_id(void *data, size_t row)
{
	struct futex_waits_pane *pane = data;

	return row < pane->waiter_count ? WAITER_ID | pane->waiters[row].tid
					: past(pane, row)->seq + 1;
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct futex_waits_pane *pane = data;
	const struct call *call = call_at(pane, row);
	char text[UNITS_TEXT_BYTES];

	switch (column_id) {
	case COLUMN_BLOCKED:
		str_add(&out->text, call->blocked_ns ? units_format_ns(text, call->blocked_ns)
						     : "-");
		out->role = ROLE_NUMBER;
		break;
	case COLUMN_WAKER:
		call_add_waker(pane->session, call, &out->text);
		out->role = call->flags & CALL_WAKER_INFERRED ? ROLE_LATE : ROLE_NAME;
		break;
	default:
		call_cells_cell(&pane->cells, pane->session, call, (enum call_column)column_id,
				out);
		break;
	}
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
};

/* A waitv's addresses are in memory and no longer known when it has returned. */
static void begin(struct futex_waits_pane *pane, const struct engine_futex *futex)
{
	struct session *session = pane->session;
	struct filter_error error;
	struct str term = STR_INIT;

	filter_free(pane->filter);
	pane->filter = NULL;
	pane->futex_id = futex->id;
	pane->uaddr = futex->uaddr;
	pane->has_futex = true;
	pane->has_waits = session->status.source.has_waits;
	call_window_clear(&pane->window);
	table_deselect(&pane->table);
	if (!futex->uaddr)
		return;
	str_addf(&term, "pid == %u && syscall == futex && arg0 == %llu", futex->pid,
		 (unsigned long long)futex->uaddr);
	/* Who wakes does not wait; without the scheduler's records nobody seems to. */
	if (pane->has_waits)
		str_add(&term, " && blocked > 0ns");
	if (filter_parse(&pane->filter, term.data, engine_filter_names(session->engine), &error))
		pane->filter = NULL;
	str_release(&term);
	if (pane->filter)
		call_window_follow(&pane->window, session->engine, pane->filter);
}

static void say_why_empty(struct futex_waits_pane *pane)
{
	pane->table.empty_text = !pane->has_futex ? "no futex is selected" :
		!pane->uaddr ? "calls of an address that was not seen" :
		"no wait on it is in the history, or goes on";
}

static void refresh(void *self, struct session *session)
{
	struct futex_waits_pane *pane = self;
	const struct engine_futex *futex;

	pane->session = session;
	pane->table.match = session->search.len ? session->search.data : NULL;
	if (session->phase == SESSION_RUNNING) {
		bool other;

		futex = futexes_pane_selected(pane->futexes);
		other = futex && (!pane->has_futex || pane->futex_id != futex->id ||
				   pane->has_waits != session->status.source.has_waits);
		if (other)
			begin(pane, futex);
		if (futex && (other || (session->tick && !session->paused)))
			pane->waiter_count = engine_futex_waiters(session->engine, futex,
								  pane->waiters, WAITERS_MAX);
		if (pane->filter && session->tick && !session->paused)
			call_window_follow(&pane->window, session->engine, pane->filter);
		if (pane->filter && (session->tick || other) && pane->window.count < PAST_WANTED)
			call_window_grow_older(&pane->window, session->engine, pane->filter,
					       PAST_WANTED, 0);
	}
	say_why_empty(pane);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct futex_waits_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str title = STR_INIT, right = STR_INIT;

	(void)session;
	str_add(&title, "Waits on ");
	if (pane->has_futex && pane->uaddr)
		str_addx(&title, pane->uaddr);
	else
		str_add(&title, "a futex");
	str_addf(&right, "%zu%s now, %zu%s in the history", pane->waiter_count,
		 pane->waiter_count == WAITERS_MAX ? "+" : "", pane->window.count,
		 pane->window.count >= PAST_WANTED ? "+" : "");
	title_draw(canvas, 0, title.data, right.data, focused);
	table_draw(&pane->table, &body, focused);
	str_release(&title);
	str_release(&right);
}

static bool act(void *self, struct session *session, enum action action)
{
	enum move move;

	(void)session;
	if (!pane_move(action, &move))
		return false;
	table_move(&((struct futex_waits_pane *)self)->table, move);
	return true;
}

static void click(void *self, struct session *session, int row, int col)
{
	(void)session;
	if (row > 0)
		table_click(&((struct futex_waits_pane *)self)->table, row - 1, col);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct futex_waits_pane *)self)->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	(void)session;
	return table_search(&((struct futex_waits_pane *)self)->table, text, step, from_here);
}

static const struct call *selected(struct futex_waits_pane *pane)
{
	table_sync(&pane->table);
	if (!pane->table.has_selection || pane->table.selected_row >= row_count(pane))
		return NULL;
	return call_at(pane, pane->table.selected_row);
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct futex_waits_pane *pane = self;
	struct table_cell one = { .text = STR_INIT };

	(void)session;
	if (!selected(pane))
		return;
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		str_clear(&one.text);
		cell(pane, pane->table.selected_row, columns[i].id, &one);
		str_addf(out, "%s%s", i ? "\t" : "", one.text.data);
	}
	str_release(&one.text);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *picked,
		 bool *has_call)
{
	struct futex_waits_pane *pane = self;
	const struct call *call = selected(pane);

	*has_call = false;
	if (!call)
		return false;
	call_cells_pick(&pane->cells, session, call, out);
	out->chosen = true;
	*has_call = true;
	*picked = *call;
	return true;
}

static void pane_free(void *self)
{
	struct futex_waits_pane *pane = self;

	filter_free(pane->filter);
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

struct pane futex_waits_pane_new(struct futexes_pane *futexes)
{
	struct futex_waits_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->futexes = futexes;
	table_init(&pane->table, &table_ops, pane, columns, COLUMN_COUNT);
	pane->table.sort_column = -1;
	call_window_init(&pane->window);
	call_cells_init(&pane->cells);
	return (struct pane){ &ops, pane };
}
