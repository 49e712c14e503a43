#include "tui/panes/futex_waits_pane.h"

#include "engine/base/mem.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_window.h"
#include "tui/view/table_pane.h"

#include <stddef.h>
#include <stdlib.h>

#define WAITERS_MAX 256
/* Number of past waits to search for; users do not scroll further. */
#define PAST_WANTED 500
#define WAITER_ID (1ULL << 63)
/* Maximum number of processes that share the futex and are in the filter. */
#define MEMBERS_MAX 32

enum wait_column {
	COLUMN_BLOCKED = CALL_COLUMN_COUNT,
	COLUMN_WAKER,
};

/* clang-format off */
static const struct table_column columns[] = {
	{ .id = CALL_COLUMN_TIME, .name = "time", .title = "TIME",
	  .help = "start time, in seconds",
	  .min_cols = 12, .align = ALIGN_RIGHT,
	  .descending = true, .drop = 3 },
	{ .id = CALL_COLUMN_DURATION, .name = "took", .title = "TOOK",
	  .help = "duration of the call",
	  .min_cols = 7, .align = ALIGN_RIGHT,
	  .descending = true },
	{ .id = COLUMN_BLOCKED, .name = "blocked", .title = "BLOCKED",
	  .help = "time asleep in this call",
	  .min_cols = 8, .align = ALIGN_RIGHT,
	  .descending = true, .drop = 2 },
	{ .id = CALL_COLUMN_WHO, .name = "who", .title = "COMM/TID",
	  .help = "the thread that waited",
	  CALL_WHO_ROOM },
	{ .id = COLUMN_WAKER, .name = "woken-by", .title = "WOKEN BY",
	  .help = "what ended the wait; inferred: a thread that woke the same futex just then",
	  .min_cols = 16, .flex = 1, .flex_cols = 34, .drop = 1 },
	{ .id = CALL_COLUMN_CALL, .name = "call", .title = "CALL",
	  .help = "the call and its arguments",
	  CALL_TEXT_ROOM, CALL_LENDS },
	{ .id = CALL_COLUMN_RESULT, .name = "result", .title = "RESULT",
	  .help = "return value or error",
	  CALL_RESULT_ROOM, .drop = 4 },
};
/* clang-format on */

#define COLUMN_COUNT (sizeof(columns) / sizeof(columns[0]))

struct futex_waits_pane {
	struct table_pane base; /* rows: waits in flight, then past waits */
	struct futexes_pane *futexes;
	struct call_cells cells;
	struct call_window window;
	struct filter *filter; /* matches the past waits on the futex */
	uint64_t futex_id, uaddr;
	uint32_t processes; /* number of processes that shared the futex when the filter was made */
	bool has_futex;
	bool has_waits; /* the source reports waits: known soon after the start */
	struct call waiters[WAITERS_MAX]; /* waits in flight */
	size_t waiter_count;
	uint32_t restarts; /* session->restarts when the filter was made */
	uint64_t read_ns; /* time of the last read */
};

static bool goes_on(const struct futex_waits_pane *pane, const void *row)
{
	const struct call *call = row;

	return call >= pane->waiters && call < pane->waiters + WAITERS_MAX;
}

static uint64_t row_id(const struct table_pane *base, const void *row)
{
	const struct call *call = row;
	const char *at = row;

	if (goes_on((const struct futex_waits_pane *)base, row))
		return WAITER_ID | call->tid;
	at -= offsetof(struct call_window_row, call);
	return ((const struct call_window_row *)at)->seq + 1;
}

static void cell(struct table_pane *base, const void *row, int column_id, struct table_cell *out)
{
	struct futex_waits_pane *pane = (struct futex_waits_pane *)base;
	const struct call *call = row;

	switch (column_id) {
	case COLUMN_BLOCKED:
		call_cells_blocked(call, out);
		break;
	case COLUMN_WAKER:
		call_add_waker(base->session, call, &out->text);
		out->role = call->flags & CALL_WAKER_INFERRED ? ROLE_LATE : ROLE_NAME;
		break;
	default:
		call_cells_cell(&pane->cells, base->session, call, (enum call_column)column_id,
				out);
		break;
	}
}

static int compare_column(const struct session *session, const struct call *a, const struct call *b,
			  int column_id)
{
	switch (column_id) {
	case CALL_COLUMN_TIME:
		return compare_u64(a->enter_ns, b->enter_ns);
	case CALL_COLUMN_DURATION:
		return compare_u64(call_age_ns(session, a), call_age_ns(session, b));
	case COLUMN_BLOCKED:
		return compare_u64(a->blocked_ns, b->blocked_ns);
	case CALL_COLUMN_WHO:
		return compare_u64(a->tid, b->tid);
	case COLUMN_WAKER:
		return compare_u64((uint64_t)a->waker_kind << 32 | a->waker_tid,
				   (uint64_t)b->waker_kind << 32 | b->waker_tid);
	case CALL_COLUMN_RESULT:
		return (a->ret > b->ret) - (a->ret < b->ret);
	default:
		return compare_u64(a->args[1], b->args[1]); /* the operation */
	}
}

/* Waits in flight come first in any sort order. */
static int compare(const struct table_pane *base, const void *left, const void *right,
		   int column_id)
{
	const struct futex_waits_pane *pane = (const struct futex_waits_pane *)base;
	bool left_now = goes_on(pane, left), right_now = goes_on(pane, right);

	if (left_now != right_now)
		return left_now == base->table.sort_descending ? 1 : -1;
	return compare_column(base->session, left, right, column_id);
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	struct futex_waits_pane *pane = (struct futex_waits_pane *)base;

	str_add(title, "Waits on ");
	if (pane->has_futex && pane->uaddr)
		str_addx(title, pane->uaddr);
	else
		str_add(title, "a futex");
	str_addf(right, "%zu%s now, %zu%s in the history, ", pane->waiter_count,
		 pane->waiter_count == WAITERS_MAX ? "+" : "", pane->window.count,
		 pane->window.count >= PAST_WANTED ? "+" : "");
	table_pane_say_order(base, NULL, right);
}

static void prepare(struct table_pane *base, const void *const *rows, size_t count)
{
	struct futex_waits_pane *pane = (struct futex_waits_pane *)base;

	call_cells_prepare(&pane->cells, base->session, (const struct call *const *)rows, count);
}

static const struct table_pane_ops table_ops = {
	.name = "waits",
	.row_type = "call",
	.rows_are_calls = true,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.prepare = prepare,
	.compare = compare,
};

/*
 * Show the waits on another futex. The row of futex_waitv has no address and gets no filter: its
 * addresses are in memory, and are unknown after the call returned.
 */
static void begin(struct futex_waits_pane *pane, const struct engine_futex *futex)
{
	struct session *session = pane->base.session;
	struct engine_futex_member members[MEMBERS_MAX];
	struct filter_error error;
	struct str term = STR_INIT;
	size_t count;

	filter_free(pane->filter);
	pane->filter = NULL;
	pane->futex_id = futex->id;
	pane->uaddr = futex->uaddr;
	pane->processes = futex->processes;
	pane->has_futex = true;
	pane->has_waits = session->status.source.has_waits;
	call_window_clear(&pane->window);
	table_deselect(&pane->base.table);
	if (!futex->uaddr)
		return;
	count = engine_futex_members(session->engine, futex, members, MEMBERS_MAX);
	str_add(&term, "syscall == futex && (");
	for (size_t i = 0; i < count; i++)
		str_addf(&term, "%spid == %u && arg0 == %llu", i ? " || " : "", members[i].pid,
			 (unsigned long long)members[i].uaddr);
	str_addc(&term, ')');
	/*
	 * Match only calls with blocked time, because calls that only wake do not wait. Without
	 * scheduler records, no call has blocked time, so match all calls.
	 */
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
	const struct session *session = pane->base.session;
	struct str *out = &pane->base.empty_text;

	if (session->phase != SESSION_RUNNING)
		str_add(out, session_not_running(session));
	else if (!pane->has_futex)
		str_add(out, "select a futex above");
	else if (!pane->uaddr)
		str_add(out, "these waits are on several futexes, whose addresses are in memory: "
			     "see futex_waitv in the Calls view");
	else if (!pane->has_waits)
		str_add(out, "no call on it in the history; waits are unknown without scheduler "
			     "records");
	else
		str_add(out, "no wait on it left in the history, and no thread waits now");
}

static void take_rows(struct futex_waits_pane *pane)
{
	size_t now = pane->waiter_count, past = pane->window.count;

	table_pane_resize(&pane->base, now + past);
	for (size_t i = 0; i < now; i++)
		pane->base.rows[i] = &pane->waiters[i];
	for (size_t i = 0; i < past; i++)
		pane->base.rows[now + i] = &call_window_at(&pane->window, past - 1 - i)->call;
	table_pane_sort(&pane->base);
}

static void refresh(void *self, struct session *session)
{
	struct futex_waits_pane *pane = self;
	const struct engine_futex *futex;

	table_pane_refresh(&pane->base, session);
	if (session->phase == SESSION_RUNNING) {
		bool other, moves;

		futex = futexes_pane_selected(pane->futexes);
		other = futex && (!pane->has_futex || pane->futex_id != futex->id ||
				  pane->processes != futex->processes ||
				  pane->has_waits != session->status.source.has_waits ||
				  pane->restarts != session->restarts);
		pane->restarts = session->restarts;
		if (other)
			begin(pane, futex);
		moves = (session->tick && !session->paused) ||
			session_is_late(session, pane->read_ns);
		if (futex && (other || moves))
			pane->waiter_count = engine_futex_waiters(session->engine, futex,
								  pane->waiters, WAITERS_MAX);
		if (pane->filter && moves)
			call_window_follow(&pane->window, session->engine, pane->filter);
		if (other || moves)
			pane->read_ns = session->clock_ns;
		if (pane->filter && (session->tick || other) && pane->window.count < PAST_WANTED)
			call_window_grow_older(&pane->window, session->engine, pane->filter,
					       PAST_WANTED, 0);
	}
	take_rows(pane);
	say_why_empty(pane);
}

static bool selection(void *self, struct session *session, struct selection *out,
		      struct call *picked, bool *has_call)
{
	struct futex_waits_pane *pane = self;
	const struct call *call = table_pane_selected_row(&pane->base);

	*has_call = call != NULL;
	if (!call)
		return false;
	call_cells_selection(&pane->cells, session, call, out);
	out->has_seq = !goes_on(pane, call);
	if (out->has_seq)
		out->seq = row_id(&pane->base, call) - 1;
	out->chosen = true;
	*picked = *call;
	return true;
}

/* Every row is a call on the same futex, so "same" means the neighbouring row. */
static bool act(void *self, struct session *session, enum action action)
{
	struct table *table = &((struct table_pane *)self)->table;

	switch (action) {
	case ACTION_SAME_PREVIOUS:
		table_move(table, MOVE_UP);
		return true;
	case ACTION_SAME_NEXT:
		table_move(table, MOVE_DOWN);
		return true;
	default:
		return table_pane_act(self, session, action);
	}
}

static void pane_free(void *self)
{
	struct futex_waits_pane *pane = self;

	filter_free(pane->filter);
	call_window_release(&pane->window);
	call_cells_release(&pane->cells);
	table_pane_release(&pane->base);
	free(pane);
}

static const struct pane_ops ops = {
	TABLE_PANE_VERBS,
	.act = act,
	.sort_by = table_pane_sort_by,
	.refresh = refresh,
	.selection = selection,
	.free = pane_free,
};

struct pane futex_waits_pane_new(struct futexes_pane *futexes)
{
	struct futex_waits_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->futexes = futexes;
	table_pane_init(&pane->base, &table_ops, columns, COLUMN_COUNT);
	pane->base.table.sort_column = CALL_COLUMN_TIME;
	pane->base.table.sort_descending = true;
	call_window_init(&pane->window);
	call_cells_init(&pane->cells);
	return (struct pane){ &ops, pane };
}
