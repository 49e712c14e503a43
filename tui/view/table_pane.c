#include "tui/view/table_pane.h"

#include "engine/base/mem.h"
#include "widgets/title.h"

#include <stdlib.h>

/* ---- rows that are pointers ---- */

static size_t row_count(void *data)
{
	return ((struct table_pane *)data)->count;
}

static uint64_t row_id(void *data, size_t row)
{
	struct table_pane *pane = data;

	return pane->ops->id(pane, pane->rows[row]);
}

static void cell(void *data, size_t row, int column_id, struct table_cell *out)
{
	struct table_pane *pane = data;

	pane->ops->cell(pane, pane->rows[row], column_id, out);
}

static void prepare(void *data, size_t first, size_t count)
{
	struct table_pane *pane = data;

	if (pane->ops->prepare)
		pane->ops->prepare(pane, pane->rows + first, count);
}

static size_t start_row(void *data)
{
	struct table_pane *pane = data;
	size_t row = 0;

	while (pane->ops->is_past && row < pane->count && pane->ops->is_past(pane, pane->rows[row]))
		row++;
	return row < pane->count ? row : 0;
}

static void search_text(void *data, size_t row, struct str *out)
{
	struct table_pane *pane = data;

	pane->ops->search_text(pane, pane->rows[row], out);
}

static const struct table_ops by_cells = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.prepare = prepare,
	.start_row = start_row,
};

static const struct table_ops by_text = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.prepare = prepare,
	.start_row = start_row,
	.search_text = search_text,
};

void table_pane_init(struct table_pane *pane, const struct table_pane_ops *ops,
		     const struct table_column *columns, size_t column_count)
{
	const struct table_ops *table = ops->table         ? ops->table
					: ops->search_text ? &by_text
							   : &by_cells;

	*pane = (struct table_pane){ .ops = ops, .above_rows = 1 };
	table_init(&pane->table, table, pane, columns, column_count);
	pane->table.name = ops->name;
	str_init(&pane->empty_text);
}

void table_pane_release(struct table_pane *pane)
{
	str_release(&pane->empty_text);
	free(pane->rows);
}

void table_pane_refresh(struct table_pane *pane, struct session *session)
{
	pane->session = session;
	pane->table.match = session->search.len ? session->search.data : NULL;
	str_clear(&pane->empty_text);
}

void table_pane_resize(struct table_pane *pane, size_t count)
{
	pane->rows = mem_grow(pane->rows, &pane->capacity, count + 1, sizeof(*pane->rows));
	pane->count = count;
}

bool table_pane_selected(struct table_pane *pane, size_t *row)
{
	struct table *table = &pane->table;

	table_sync(table);
	*row = table->selected_row;
	return table->has_selection && *row < table->ops->row_count(table->data);
}

const void *table_pane_selected_row(struct table_pane *pane)
{
	size_t row;

	return table_pane_selected(pane, &row) ? pane->rows[row] : NULL;
}

/* ---- order ---- */

static int compare(const void *a, const void *b, void *data)
{
	const struct table_pane *pane = data;
	const void *left = *(const void *const *)a, *right = *(const void *const *)b;
	int order = pane->ops->compare(pane, left, right, pane->table.sort_column);

	if (pane->table.sort_descending)
		order = -order;
	/* Sort equal rows by id, so that they keep their order from one draw to the next. */
	return order ? order : compare_u64(pane->ops->id(pane, left), pane->ops->id(pane, right));
}

void table_pane_sort(struct table_pane *pane)
{
	if (pane->ops->arrange)
		pane->ops->arrange(pane);
	else if (pane->count && pane->ops->compare)
		qsort_r(pane->rows, pane->count, sizeof(*pane->rows), compare, pane);
}

static const struct table_column *find_column(const struct table *table, int column_id)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].id == column_id)
			return &table->columns[i];
	return NULL;
}

void table_pane_sort_by(void *self, struct session *session, int column_id)
{
	struct table_pane *pane = self;
	struct table *table = &pane->table;
	const struct table_column *column = find_column(table, column_id);

	if (!column || !pane->ops->compare)
		return;
	table->sort_descending = table->sort_column == column_id ? !table->sort_descending
								 : column->descending;
	table->sort_column = column_id;
	table_pane_sort(pane);
	session->dirty = true;
}

void table_pane_say_order(const struct table_pane *pane, const char *name, struct str *out)
{
	const struct table_column *column = find_column(&pane->table, pane->table.sort_column);

	if (column)
		str_addf(out, "by %s %s", name ? name : column->title,
			 pane->table.sort_descending ? "▼" : "▲");
}

/* ---- operations ---- */

void table_pane_draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct table_pane *pane = self;
	struct str title = STR_INIT, right = STR_INIT;
	struct canvas body;
	int top = 1;

	(void)session;
	if (pane->ops->draw_above)
		top += pane->ops->draw_above(pane, canvas);
	pane->above_rows = top;
	body = canvas_sub(canvas, (struct rect){ top, 0, canvas->rows - top, canvas->cols });
	pane->ops->say_title(pane, &title, &right);
	title_draw(canvas, 0, title.data, right.data, focused);
	pane->table.empty_text = pane->empty_text.data;
	table_draw(&pane->table, &body, focused);
	str_release(&title);
	str_release(&right);
}

bool table_pane_act(void *self, struct session *session, enum action action)
{
	struct table_pane *pane = self;
	struct table *table = &pane->table;
	enum move move;

	if (pane_move(action, &move)) {
		table_move(table, move);
		return true;
	}
	if (!pane->ops->compare)
		return false;
	switch (action) {
	case ACTION_SORT_NEXT:
	case ACTION_SORT_PREVIOUS:
		table_pane_sort_by(pane, session,
				   table_column_step(table, table->sort_column,
						     action == ACTION_SORT_NEXT ? 1 : -1));
		return true;
	case ACTION_SORT_INVERT:
		table_pane_sort_by(pane, session, table->sort_column);
		return true;
	default:
		return false;
	}
}

void table_pane_click(void *self, struct session *session, int row, int col)
{
	struct table_pane *pane = self;
	struct table_hit hit;

	if (row < pane->above_rows)
		return;
	hit = table_click(&pane->table, row - pane->above_rows, col);
	if (hit.kind == TABLE_HIT_HEADER && hit.column_id >= 0)
		table_pane_sort_by(pane, session, hit.column_id);
}

void table_pane_drag(void *self, struct session *session, int row, int col)
{
	(void)row;
	if (table_drag(&((struct table_pane *)self)->table, col))
		session->dirty = true;
}

void table_pane_wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct table_pane *)self)->table, rows);
}

bool table_pane_search(void *self, struct session *session, const char *text, int step,
		       bool from_here)
{
	(void)session;
	return table_search(&((struct table_pane *)self)->table, text, step, from_here);
}

void table_pane_row_text(void *self, struct session *session, struct str *out)
{
	struct table_pane *pane = self;
	struct table *table = &pane->table;
	struct table_cell one = { .text = STR_INIT };
	size_t shown[TABLE_COLUMNS_MAX], count = table_columns_shown(table, shown), row;

	(void)session;
	if (!table_pane_selected(pane, &row))
		return;
	for (size_t i = 0; i < count; i++) {
		str_clear(&one.text);
		table->ops->cell(table->data, row, table->columns[shown[i]].id, &one);
		str_addf(out, "%s%s", i ? "\t" : "", one.text.data);
	}
	str_release(&one.text);
}

struct table *table_pane_table(void *self)
{
	return &((struct table_pane *)self)->table;
}

/* ---- export ---- */

static void add_row(void *self, size_t row, struct fields *fields)
{
	const struct table_pane *pane = self;

	pane->ops->fields(pane, pane->rows[row], fields);
}

void table_pane_exports(void *self, struct session *session, struct export_subject *subject)
{
	struct table_pane *pane = self;

	(void)session;
	subject->name = pane->table.name;
	subject->row_type = pane->ops->row_type;
	subject->table = &pane->table;
	subject->pane = pane;
	if (pane->ops->fields) {
		subject->row_count = pane->count;
		subject->add_row = add_row;
	}
	if (!pane->ops->rows_are_calls)
		return;
	subject->has_calls = subject->folded = true;
	subject->list = mem_zalloc(pane->count + 1, sizeof(*subject->list));
	subject->list_count = pane->count;
	for (size_t i = 0; i < pane->count; i++)
		subject->list[i] = *(const struct call *)pane->rows[i];
}
