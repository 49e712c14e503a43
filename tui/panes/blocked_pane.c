#include "tui/panes/blocked_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_object.h"
#include "tui/session/empty_reason.h"
#include "tui/view/table_pane.h"

#include <stdlib.h>

enum blocked_column {
	COLUMN_AGE,
	COLUMN_STATE,
	COLUMN_WHO,
	COLUMN_BLOCKED,
	COLUMN_SINCE,
	COLUMN_CALL,
	COLUMN_COUNT
};

/* clang-format off */
static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_AGE] = { .id = COLUMN_AGE, .name = "age", .title = "AGE",
			 .help = "age of the call; > longer than that",
			 .min_cols = 8, .align = ALIGN_RIGHT, .descending = true },
	[COLUMN_STATE] = { .id = COLUMN_STATE, .name = "state", .title = "S",
			   .help = "thread state, as in ps(1): S sleep, D uninterruptible sleep, "
				   "T stopped, R running or runnable, ? unknown",
			   .min_cols = 1 },
	[COLUMN_WHO] = { .id = COLUMN_WHO, .name = "who", .title = "COMM/TID",
			 .help = "the calling thread", CALL_WHO_ROOM },
	[COLUMN_BLOCKED] = { .id = COLUMN_BLOCKED, .name = "blocked", .title = "BLOCKED",
			     .help = "time asleep in this call", .min_cols = 8,
			     .align = ALIGN_RIGHT, .descending = true, .drop = 1 },
	[COLUMN_SINCE] = { .id = COLUMN_SINCE, .name = "since", .title = "SINCE",
			   .help = "start time, in seconds", .min_cols = 12,
			   .align = ALIGN_RIGHT, .drop = 2 },
	[COLUMN_CALL] = { .id = COLUMN_CALL, .name = "call", .title = "CALL",
			  .help = "the call and its arguments", CALL_TEXT_ROOM },
};
/* clang-format on */

struct blocked_pane {
	struct table_pane base; /* rows: calls in flight of the session */
	struct call_cells cells;
	size_t hidden; /* idle waits that are not shown */
};

/* A thread is in one call at a time; its next call is a new row. */
static uint64_t row_id(const struct table_pane *base, const void *row)
{
	const struct call *call = row;

	(void)base;
	return (uint64_t)call->tid << 32 | (uint32_t)call->enter_ns;
}

static void cell(struct table_pane *base, const void *row, int column_id, struct table_cell *out)
{
	struct blocked_pane *pane = (struct blocked_pane *)base;
	const struct call *call = row;

	switch ((enum blocked_column)column_id) {
	case COLUMN_AGE:
		call_cells_cell(&pane->cells, base->session, call, CALL_COLUMN_DURATION, out);
		break;
	case COLUMN_STATE:
		str_addc(&out->text, call_thread_letter(call));
		out->role = call_thread_letter(call) == 'D' ? ROLE_UNINTERRUPTIBLE : ROLE_TEXT;
		break;
	case COLUMN_WHO:
		call_cells_cell(&pane->cells, base->session, call, CALL_COLUMN_WHO, out);
		break;
	case COLUMN_BLOCKED:
		call_cells_blocked(call, out);
		break;
	case COLUMN_SINCE:
		if ((call->flags & (CALL_SEEDED | CALL_UNENTERED)) == CALL_SEEDED)
			str_add(&out->text, "before start");
		else
			call_cells_cell(&pane->cells, base->session, call, CALL_COLUMN_TIME, out);
		out->role = ROLE_DIM;
		break;
	case COLUMN_CALL:
		call_cells_cell(&pane->cells, base->session, call, CALL_COLUMN_CALL, out);
		break;
	case COLUMN_COUNT:
		break;
	}
}

/* The call column sorts by system call number, whatever the arguments. */
static int compare(const struct table_pane *base, const void *left, const void *right,
		   int column_id)
{
	const struct call *a = left, *b = right;

	switch ((enum blocked_column)column_id) {
	case COLUMN_AGE:
		return compare_u64(call_age_ns(base->session, a), call_age_ns(base->session, b));
	case COLUMN_STATE:
		return compare_u64(a->thread_state, b->thread_state);
	case COLUMN_WHO:
		return compare_u64((uint64_t)a->pid << 32 | a->tid,
				   (uint64_t)b->pid << 32 | b->tid);
	case COLUMN_BLOCKED:
		return compare_u64(a->blocked_ns, b->blocked_ns);
	case COLUMN_SINCE:
		return compare_u64(a->enter_ns, b->enter_ns);
	case COLUMN_CALL:
		return compare_u64(a->nr, b->nr);
	case COLUMN_COUNT:
		break;
	}
	return 0;
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	str_addf(title, "In flight %zu%s", base->count,
		 base->session->in_flight_count == SESSION_IN_FLIGHT_MAX ? "+" : "");
	if (((struct blocked_pane *)base)->hidden)
		str_addf(title, ", idle waits hidden: %zu", ((struct blocked_pane *)base)->hidden);
	if (base->session->status.source.denied)
		str_addf(title, ", %llu threads unreadable (no permission)",
			 (unsigned long long)base->session->status.source.denied);
	if (base->session->paused)
		str_add(right, "paused, ");
	table_pane_say_order(base, NULL, right);
}

static void prepare(struct table_pane *base, const void *const *rows, size_t count)
{
	struct blocked_pane *pane = (struct blocked_pane *)base;

	call_cells_prepare(&pane->cells, base->session, (const struct call *const *)rows, count);
}

static const struct table_pane_ops table_ops = {
	.name = "calls",
	.row_type = "call",
	.rows_are_calls = true,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.prepare = prepare,
	.compare = compare,
};

static void refresh(void *self, struct session *session)
{
	struct table_pane *base = self;
	size_t shown = 0;

	table_pane_refresh(base, session);
	empty_reason_say(session, EMPTY_IN_FLIGHT, &base->empty_text);
	table_pane_resize(base, session->in_flight_count);
	for (size_t i = 0; i < session->in_flight_count; i++)
		if (!session->hides_idle || !(session->in_flight[i].flags & CALL_IDLE))
			base->rows[shown++] = &session->in_flight[i];
	((struct blocked_pane *)base)->hidden = session->in_flight_count - shown;
	table_pane_resize(base, shown);
	table_pane_sort(base);
}

static bool selection(void *self, struct session *session, struct selection *out,
		      struct call *picked, bool *has_call)
{
	struct blocked_pane *pane = self;
	const struct call *call = table_pane_selected_row(&pane->base);

	*has_call = call != NULL;
	if (!call)
		return false;
	call_cells_selection(&pane->cells, session, call, out);
	out->chosen = true;
	*picked = *call;
	return true;
}

/* Select the next thread in a call on the same futex or descriptor. */
static void go_to_same(struct table_pane *base, struct session *session, int step)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);
	const struct call *call = table_pane_selected_row(base);
	struct call_object object;

	if (!call) {
		session_say(session, ROLE_WARN, "No call selected: go to one with the arrows");
		return;
	}
	object = call_object(syscalls, call);
	if (object.kind == OBJECT_NONE) {
		session_say(session, ROLE_WARN, "This call has no futex and no file descriptor");
		return;
	}
	for (size_t i = base->table.selected_row + (size_t)step; i < base->count;
	     i += (size_t)step) {
		if (!call_object_is(&object, syscalls, base->rows[i]))
			continue;
		table_select(&base->table, row_id(base, base->rows[i]));
		return;
	}
	session_say(session, ROLE_WARN, "No other call in flight %s the same %s",
		    step > 0 ? "below uses" : "above uses",
		    object.kind == OBJECT_FUTEX ? "futex" : "file descriptor");
}

static bool act(void *self, struct session *session, enum action action)
{
	switch (action) {
	case ACTION_SAME_PREVIOUS:
	case ACTION_SAME_NEXT:
		go_to_same(self, session, action == ACTION_SAME_NEXT ? 1 : -1);
		return true;
	default:
		return table_pane_act(self, session, action);
	}
}

static void pane_free(void *self)
{
	struct blocked_pane *pane = self;

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

struct pane blocked_pane_new(void)
{
	struct blocked_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_pane_init(&pane->base, &table_ops, columns, COLUMN_COUNT);
	pane->base.table.sort_column = COLUMN_AGE;
	pane->base.table.sort_descending = true;
	call_cells_init(&pane->cells);
	return (struct pane){ &ops, pane };
}
