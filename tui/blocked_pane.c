#include "tui/blocked_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/call_cells.h"
#include "widgets/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum blocked_column { COLUMN_AGE, COLUMN_WHO, COLUMN_BLOCKED, COLUMN_SINCE, COLUMN_CALL,
		      COLUMN_COUNT };

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_AGE] = { .id = COLUMN_AGE, .title = "AGE", .min_cols = 8, .align = ALIGN_RIGHT,
			 .descending = true },
	[COLUMN_WHO] = { .id = COLUMN_WHO, .title = "COMM/TID", .min_cols = 16 },
	[COLUMN_BLOCKED] = { .id = COLUMN_BLOCKED, .title = "BLOCKED", .min_cols = 7,
			     .align = ALIGN_RIGHT, .descending = true, .drop = 1 },
	[COLUMN_SINCE] = { .id = COLUMN_SINCE, .title = "SINCE", .min_cols = 12,
			   .align = ALIGN_RIGHT, .drop = 2 },
	[COLUMN_CALL] = { .id = COLUMN_CALL, .title = "CALL", .min_cols = 16, .flex = 1 },
};

struct blocked_pane {
	struct table table;
	struct call_cells cells;
	struct session *session; /* of the last refresh */
	const struct call **order; /* into the session's calls in flight */
	size_t count, capacity;
	struct str empty_text;
};

static size_t row_count(void *data)
{
	return ((struct blocked_pane *)data)->count;
}

/* A thread is in one call at a time; its next one is another row. */
static uint64_t row_id(void *data, size_t row)
{
	const struct call *call = ((struct blocked_pane *)data)->order[row];

	return (uint64_t)call->tid << 32 ^ call->enter_ns;
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct blocked_pane *pane = data;
	struct session *session = pane->session;
	const struct call *call = pane->order[row];
	char text[UNITS_TEXT_BYTES];

	switch ((enum blocked_column)column_id) {
	case COLUMN_AGE:
		call_cells_cell(&pane->cells, session, call, CALL_COLUMN_DURATION, out);
		break;
	case COLUMN_WHO:
		call_cells_cell(&pane->cells, session, call, CALL_COLUMN_WHO, out);
		break;
	case COLUMN_BLOCKED:
		str_add(&out->text, call->blocked_ns ? units_format_ns(text, call->blocked_ns)
						     : "-");
		out->role = ROLE_NUMBER;
		break;
	case COLUMN_SINCE:
		if (call->flags & CALL_SEEDED)
			str_add(&out->text, "the start");
		else
			call_cells_cell(&pane->cells, session, call, CALL_COLUMN_TIME, out);
		out->role = ROLE_DIM;
		break;
	case COLUMN_CALL:
		call_cells_cell(&pane->cells, session, call, CALL_COLUMN_CALL, out);
		break;
	case COLUMN_COUNT:
		break;
	}
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The call's number: the same calls beside each other, whatever they were given. */
static int compare_column(struct blocked_pane *pane, const struct call *a, const struct call *b)
{
	switch ((enum blocked_column)pane->table.sort_column) {
	case COLUMN_AGE:
		return compare_u64(call_age_ns(pane->session, a), call_age_ns(pane->session, b));
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

static int compare(const void *a, const void *b, void *data)
{
	const struct call *left = *(const struct call *const *)a;
	const struct call *right = *(const struct call *const *)b;
	struct blocked_pane *pane = data;
	int order = compare_column(pane, left, right);

	if (pane->table.sort_descending)
		order = -order;
	/* Equal rows keep their places: those found at the start have one age. */
	return order ? order : compare_u64(left->tid, right->tid);
}

static void sort(struct blocked_pane *pane)
{
	if (pane->count)
		qsort_r(pane->order, pane->count, sizeof(*pane->order), compare, pane);
}

static void say_why_empty(struct blocked_pane *pane, const struct session *session)
{
	str_clear(&pane->empty_text);
	if (session->phase == SESSION_STARTING)
		str_add(&pane->empty_text, "starting…");
	else if (narrowing_filter(&session->narrowing))
		str_addf(&pane->empty_text, "no call in flight matches %s",
			 narrowing_text(&session->narrowing));
	else
		str_add(&pane->empty_text, "no call is in flight");
	pane->table.empty_text = pane->empty_text.data;
}

static void refresh(void *self, struct session *session)
{
	struct blocked_pane *pane = self;

	pane->session = session;
	pane->table.match = session->search.len ? session->search.data : NULL;
	say_why_empty(pane, session);
	pane->count = session->in_flight_count;
	pane->order = mem_grow(pane->order, &pane->capacity, pane->count + 1,
			       sizeof(*pane->order));
	for (size_t i = 0; i < pane->count; i++)
		pane->order[i] = &session->in_flight[i];
	sort(pane);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct blocked_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str title = STR_INIT, right = STR_INIT;

	str_addf(&title, "In flight %zu%s", pane->count,
		 pane->count == SESSION_IN_FLIGHT_MAX ? "+" : "");
	if (session->paused)
		str_add(&right, "paused, ");
	str_addf(&right, "by %s %s", columns[pane->table.sort_column].title,
		 pane->table.sort_descending ? "▼" : "▲");
	title_draw(canvas, 0, title.data, right.data, focused);
	table_draw(&pane->table, &body, focused);
	str_release(&title);
	str_release(&right);
}

static void sort_by(void *self, struct session *session, int column_id)
{
	struct blocked_pane *pane = self;

	if (pane->table.sort_column == column_id) {
		pane->table.sort_descending = !pane->table.sort_descending;
	} else {
		pane->table.sort_column = column_id;
		pane->table.sort_descending = columns[column_id].descending;
	}
	sort(pane);
	session->dirty = true;
}

static bool act(void *self, struct session *session, enum action action)
{
	struct blocked_pane *pane = self;
	enum move move;

	if (pane_move(action, &move)) {
		table_move(&pane->table, move);
		return true;
	}
	switch (action) {
	case ACTION_SORT_NEXT:
	case ACTION_SORT_PREVIOUS:
		sort_by(pane, session, table_column_step(&pane->table, pane->table.sort_column,
							 action == ACTION_SORT_NEXT ? 1 : -1));
		return true;
	case ACTION_SORT_INVERT:
		sort_by(pane, session, pane->table.sort_column);
		return true;
	default:
		return false;
	}
}

static void click(void *self, struct session *session, int row, int col)
{
	struct blocked_pane *pane = self;
	struct table_hit hit = table_click(&pane->table, row - 1, col);

	if (row > 0 && hit.kind == TABLE_HIT_HEADER && hit.column_id >= 0)
		sort_by(pane, session, hit.column_id);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct blocked_pane *)self)->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	(void)session;
	return table_search(&((struct blocked_pane *)self)->table, text, step, from_here);
}

/* NULL: none. */
static const struct call *selected(struct blocked_pane *pane)
{
	table_sync(&pane->table);
	if (!pane->table.has_selection || pane->table.selected_row >= pane->count)
		return NULL;
	return pane->order[pane->table.selected_row];
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct blocked_pane *pane = self;
	struct table_cell one = { .text = STR_INIT };

	(void)session;
	if (!selected(pane))
		return;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		str_clear(&one.text);
		cell(pane, pane->table.selected_row, i, &one);
		str_addf(out, "%s%s", i ? "\t" : "", one.text.data);
	}
	str_release(&one.text);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *picked,
		 bool *has_call)
{
	struct blocked_pane *pane = self;
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

static const struct table *sortable(void *self)
{
	return &((struct blocked_pane *)self)->table;
}

static void pane_free(void *self)
{
	struct blocked_pane *pane = self;

	call_cells_release(&pane->cells);
	str_release(&pane->empty_text);
	free(pane->order);
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
	.sortable = sortable,
	.sort_by = sort_by,
	.free = pane_free,
};

struct pane blocked_pane_new(void)
{
	struct blocked_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_init(&pane->table, &table_ops, pane, columns, COLUMN_COUNT);
	pane->table.sort_column = COLUMN_AGE;
	pane->table.sort_descending = true;
	call_cells_init(&pane->cells);
	str_init(&pane->empty_text);
	return (struct pane){ &ops, pane };
}
