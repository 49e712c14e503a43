#include "tui/processes_pane.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/sums_columns.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

struct processes_pane {
	struct table table;
	struct table_column columns[SUMS_COLUMN_COUNT];
	const struct session *session; /* of the last refresh */
	enum session_group group;
	uint64_t rows_version;
	const struct engine_row **order; /* into the session's rows */
	size_t count, capacity;
	struct str empty_text;
};

/* Ids of different groups never meet, so that a selection is not carried across. */
static uint64_t id_of(const struct engine_row *row, enum session_group group)
{
	uint64_t number = group == GROUP_SYSCALL ? row->nr :
			  group == GROUP_THREAD ? row->tid : row->pid;

	return (uint64_t)(group + 1) << 32 | number;
}

static size_t row_count(void *data)
{
	return ((struct processes_pane *)data)->count;
}

static uint64_t row_id(void *data, size_t row)
{
	struct processes_pane *pane = data;

	return id_of(pane->order[row], pane->group);
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct processes_pane *pane = data;

	sums_cell(pane->order[row], pane->group, (enum sums_column)column_id, out);
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
};

struct sort_key {
	enum sums_column column;
	enum session_group group;
	bool descending;
};

static int compare(const void *a, const void *b, void *key_data)
{
	const struct engine_row *left = *(const struct engine_row *const *)a;
	const struct engine_row *right = *(const struct engine_row *const *)b;
	const struct sort_key *key = key_data;
	int order = sums_compare(left, right, key->column);
	uint64_t left_id = id_of(left, key->group), right_id = id_of(right, key->group);

	if (key->descending)
		order = -order;
	/* Equal rows keep their places from one drawing to the next. */
	return order ? order : (left_id > right_id) - (left_id < right_id);
}

static void sort(struct processes_pane *pane)
{
	struct sort_key key = {
		.column = (enum sums_column)pane->table.sort_column,
		.group = pane->group,
		.descending = pane->table.sort_descending,
	};

	if (pane->count)
		qsort_r(pane->order, pane->count, sizeof(*pane->order), compare, &key);
}

static const char *why_empty(struct processes_pane *pane, const struct session *session)
{
	if (session->phase == SESSION_STARTING)
		return "starting…";
	if (narrowing_filter(&session->narrowing)) {
		str_clear(&pane->empty_text);
		str_addf(&pane->empty_text, "nothing matches %s yet",
			 narrowing_text(&session->narrowing));
		return pane->empty_text.data;
	}
	if (session->status.finished)
		return "no calls were seen";
	return "no calls yet";
}

static void refresh(void *self, struct session *session)
{
	struct processes_pane *pane = self;

	pane->session = session;
	pane->table.empty_text = why_empty(pane, session);
	pane->table.match = session->search.len ? session->search.data : NULL;
	if (pane->rows_version == session->rows_version && pane->group == session->group)
		return;
	pane->rows_version = session->rows_version;
	if (pane->group != session->group) {
		pane->group = session->group;
		sums_columns_fill(pane->columns, pane->group);
		table_deselect(&pane->table);
	}
	pane->order = mem_grow(pane->order, &pane->capacity, session->row_count + 1,
			       sizeof(*pane->order));
	pane->count = session->row_count;
	for (size_t i = 0; i < pane->count; i++)
		pane->order[i] = &session->rows[i];
	sort(pane);
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	static const char *const titles[GROUP_COUNT] = {
		[GROUP_PROCESS] = "Processes",
		[GROUP_THREAD] = "Threads",
		[GROUP_SYSCALL] = "System calls",
	};
	struct processes_pane *pane = self;
	struct canvas body = canvas_sub(canvas, (struct rect){ 1, 0, canvas->rows - 1,
							       canvas->cols });
	struct str title = STR_INIT, right = STR_INIT;

	str_addf(&title, "%s %zu", titles[pane->group], pane->count);
	str_addf(&right, "%sby %s %s",
		 session->status.model.records_lost ? "lower bounds, " : "",
		 sums_column_name((enum sums_column)pane->table.sort_column),
		 pane->table.sort_descending ? "▼" : "▲");
	title_draw(canvas, 0, title.data, right.data, focused);
	table_draw(&pane->table, &body, focused);
	str_release(&title);
	str_release(&right);
}

static void sort_by(void *self, struct session *session, int column_id)
{
	struct processes_pane *pane = self;

	if (pane->table.sort_column == column_id) {
		pane->table.sort_descending = !pane->table.sort_descending;
	} else {
		pane->table.sort_column = column_id;
		pane->table.sort_descending = pane->columns[column_id].descending;
	}
	sort(pane);
	session->dirty = true;
}

static bool act(void *self, struct session *session, enum action action)
{
	struct processes_pane *pane = self;
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
	struct processes_pane *pane = self;
	struct table_hit hit = table_click(&pane->table, row - 1, col);

	if (row > 0 && hit.kind == TABLE_HIT_HEADER && hit.column_id >= 0)
		sort_by(pane, session, hit.column_id);
}

static void wheel(void *self, struct session *session, int rows)
{
	struct processes_pane *pane = self;

	(void)session;
	table_scroll(&pane->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	struct processes_pane *pane = self;

	(void)session;
	return table_search(&pane->table, text, step, from_here);
}

/* NULL: none. */
static const struct engine_row *selected(struct processes_pane *pane)
{
	table_sync(&pane->table);
	if (!pane->table.has_selection || pane->table.selected_row >= pane->count)
		return NULL;
	return pane->order[pane->table.selected_row];
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct processes_pane *pane = self;
	const struct engine_row *row = selected(pane);
	struct table_cell one = { .text = STR_INIT };

	(void)session;
	if (!row)
		return;
	for (int i = 0; i < SUMS_COLUMN_COUNT; i++) {
		str_clear(&one.text);
		sums_cell(row, pane->group, (enum sums_column)i, &one);
		str_addf(out, "%s%s", i ? "\t" : "", one.text.data);
	}
	str_release(&one.text);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *call,
		 bool *has_call)
{
	struct processes_pane *pane = self;
	const struct engine_row *row = selected(pane);

	(void)session;
	(void)call;
	*has_call = false;
	if (!row)
		return false;
	out->chosen = true;
	if (pane->group == GROUP_SYSCALL) {
		out->has_nr = true;
		out->nr = row->nr;
		return true;
	}
	out->has_pid = true;
	out->pid = row->pid;
	out->has_tid = pane->group == GROUP_THREAD;
	out->tid = row->tid;
	out->has_comm = true;
	memcpy(out->comm, row->name, sizeof(out->comm));
	return true;
}

static const struct table *sortable(void *self)
{
	return &((struct processes_pane *)self)->table;
}

static void pane_free(void *self)
{
	struct processes_pane *pane = self;

	free(pane->order);
	str_release(&pane->empty_text);
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

struct pane processes_pane_new(void)
{
	struct processes_pane *pane = mem_zalloc(1, sizeof(*pane));

	sums_columns_fill(pane->columns, GROUP_PROCESS);
	table_init(&pane->table, &table_ops, pane, pane->columns, SUMS_COLUMN_COUNT);
	pane->table.sort_column = SUMS_BLOCKED;
	pane->table.sort_descending = true;
	str_init(&pane->empty_text);
	return (struct pane){ &ops, pane };
}
