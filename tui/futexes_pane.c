#include "tui/futexes_pane.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "widgets/histogram_bar.h"
#include "widgets/title.h"

#include <stdlib.h>
#include <string.h>

#define READ_NS (NS_PER_S / 2)
#define READ_COST_SHARE 20

enum futex_column {
	COLUMN_WHO,
	COLUMN_ADDRESS,
	COLUMN_WAITS,
	COLUMN_TOTAL,
	COLUMN_MAX,
	COLUMN_NOW,
	COLUMN_OWNER,
	COLUMN_WAKERS,
	COLUMN_HISTOGRAM,
	COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_WHO] = { .id = COLUMN_WHO, .title = "COMM/PID", .min_cols = 16 },
	[COLUMN_ADDRESS] = { .id = COLUMN_ADDRESS, .title = "ADDRESS", .min_cols = 18, .flex = 1 },
	[COLUMN_WAITS] = { .id = COLUMN_WAITS, .title = "WAITS", .min_cols = 6,
			   .align = ALIGN_RIGHT, .descending = true, .drop = 2 },
	[COLUMN_TOTAL] = { .id = COLUMN_TOTAL, .title = "TOTAL", .min_cols = 7,
			   .align = ALIGN_RIGHT, .descending = true },
	[COLUMN_MAX] = { .id = COLUMN_MAX, .title = "MAX", .min_cols = 7, .align = ALIGN_RIGHT,
			 .descending = true, .drop = 3 },
	[COLUMN_NOW] = { .id = COLUMN_NOW, .title = "NOW", .min_cols = 5, .align = ALIGN_RIGHT,
			 .descending = true },
	[COLUMN_OWNER] = { .id = COLUMN_OWNER, .title = "OWNER?", .min_cols = 14, .drop = 1 },
	[COLUMN_WAKERS] = { .id = COLUMN_WAKERS, .title = "WAKERS", .min_cols = 12, .flex = 1,
			    .drop = 5 },
	[COLUMN_HISTOGRAM] = { .id = COLUMN_HISTOGRAM, .title = "1us  hist 1s",
			       .min_cols = ENGINE_HISTOGRAM_CELLS, .drop = 4 },
};

/* Who holds it is asked for the rows in sight, once after each reading. */
struct futex_owner {
	uint32_t tid;
	bool asked;
};

struct futexes_pane {
	struct table table;
	struct session *session; /* of the last refresh */
	struct engine_futex *rows;
	struct futex_owner *owners; /* as rows */
	size_t count, owners_cap;
	uint64_t read_ns, every_ns;
	bool begun;
};

static size_t row_count(void *data)
{
	return ((struct futexes_pane *)data)->count;
}

static uint64_t row_id(void *data, size_t row)
{
	return ((struct futexes_pane *)data)->rows[row].id;
}

/* What goes on now counts too: a deadlock has no wait that ended. */
static uint64_t total_ns(const struct engine_futex *row)
{
	return row->total_ns + row->oldest_ns;
}

static uint64_t max_ns(const struct engine_futex *row)
{
	return row->max_ns > row->oldest_ns ? row->max_ns : row->oldest_ns;
}

static void add_thread(const struct session *session, uint32_t tid, struct str *out)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	if (engine_thread(session->engine, tid, &pid, name))
		str_addf(out, "%s/", name);
	str_addu(out, tid);
}

static void owner_cell(struct futexes_pane *pane, size_t row, struct table_cell *out)
{
	struct futex_owner *owner = &pane->owners[row];
	struct call waiter;

	out->role = ROLE_LATE;
	if (!owner->asked && pane->rows[row].waiters &&
	    engine_futex_waiters(pane->session->engine, &pane->rows[row], &waiter, 1))
		owner->tid = engine_futex_owner(pane->session->engine, &waiter);
	owner->asked = true;
	if (owner->tid)
		add_thread(pane->session, owner->tid, &out->text);
}

static void address_cell(const struct engine_futex *row, struct table_cell *out)
{
	out->role = ROLE_NAME;
	if (!row->uaddr) {
		str_add(&out->text, "not known");
		out->role = ROLE_DIM;
		return;
	}
	str_addx(&out->text, row->uaddr);
	if (row->has_place)
		str_addf(&out->text, " %llx:%llu+0x%llx", (unsigned long long)row->device,
			 (unsigned long long)row->inode, (unsigned long long)row->offset);
	if (row->processes > 1)
		str_addf(&out->text, " in %u processes", row->processes);
}

static void cell(void *data, size_t index, int column_id, struct table_cell *out)
{
	struct futexes_pane *pane = data;
	const struct engine_futex *row = &pane->rows[index];
	char text[UNITS_TEXT_BYTES];

	out->role = ROLE_NUMBER;
	switch ((enum futex_column)column_id) {
	case COLUMN_WHO:
		str_addf(&out->text, "%s/%u", row->name, row->pid);
		out->role = ROLE_NAME;
		break;
	case COLUMN_ADDRESS:
		address_cell(row, out);
		break;
	case COLUMN_WAITS:
		str_add(&out->text, units_format_count(text, row->waits));
		break;
	case COLUMN_TOTAL:
		str_add(&out->text, units_format_ns(text, total_ns(row)));
		break;
	case COLUMN_MAX:
		str_add(&out->text, units_format_ns(text, max_ns(row)));
		if (row->oldest_ns > row->max_ns)
			out->role = ROLE_IN_FLIGHT;
		break;
	case COLUMN_NOW:
		str_add(&out->text, row->waiters ? units_format_count(text, row->waiters) : "-");
		out->role = row->waiters ? ROLE_IN_FLIGHT : ROLE_DIM;
		break;
	case COLUMN_OWNER:
		owner_cell(pane, index, out);
		break;
	case COLUMN_WAKERS:
		for (uint32_t i = 0; i < row->waker_count; i++)
			str_addf(&out->text, "%s%s/%u×%s", i ? " " : "", row->wakers[i].name,
				 row->wakers[i].tid,
				 units_format_count(text, row->wakers[i].count));
		break;
	case COLUMN_HISTOGRAM:
		histogram_bar_format(&out->text, row->histogram, ENGINE_HISTOGRAM_CELLS,
				     ENGINE_HISTOGRAM_CELLS, HISTOGRAM_BAR_LOG);
		out->role = ROLE_BAR;
		break;
	case COLUMN_COUNT:
		break;
	}
}

/* All but the owner, which would have to be asked for in every row. */
static void search_text(void *data, size_t row, struct str *out)
{
	struct table_cell one = { .text = STR_INIT };

	for (int i = 0; i < COLUMN_HISTOGRAM; i++) {
		if (i == COLUMN_OWNER)
			continue;
		str_clear(&one.text);
		cell(data, row, i, &one);
		str_addf(out, "%s ", one.text.data);
	}
	str_release(&one.text);
}

static const struct table_ops table_ops = {
	.row_count = row_count,
	.row_id = row_id,
	.cell = cell,
	.search_text = search_text,
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_column(const struct engine_futex *a, const struct engine_futex *b, int column)
{
	switch ((enum futex_column)column) {
	case COLUMN_WHO:
		return compare_u64(a->pid, b->pid);
	case COLUMN_ADDRESS:
		return compare_u64(a->uaddr, b->uaddr);
	case COLUMN_WAITS:
	case COLUMN_HISTOGRAM:
		return compare_u64(a->waits, b->waits);
	case COLUMN_TOTAL:
		return compare_u64(total_ns(a), total_ns(b));
	case COLUMN_MAX:
		return compare_u64(max_ns(a), max_ns(b));
	case COLUMN_NOW:
	case COLUMN_OWNER:
		return compare_u64(a->waiters, b->waiters);
	case COLUMN_WAKERS:
		return compare_u64(a->waker_count, b->waker_count);
	case COLUMN_COUNT:
		break;
	}
	return 0;
}

static int compare(const void *a, const void *b, void *data)
{
	const struct engine_futex *left = a, *right = b;
	const struct table *table = data;
	int order = compare_column(left, right, table->sort_column);

	if (table->sort_descending)
		order = -order;
	return order ? order : compare_u64(left->id, right->id);
}

/* Owners are asked for anew: they lie as the rows do. */
static void sort(struct futexes_pane *pane)
{
	if (!pane->count)
		return;
	qsort_r(pane->rows, pane->count, sizeof(*pane->rows), compare, &pane->table);
	pane->owners = mem_grow(pane->owners, &pane->owners_cap, pane->count,
				sizeof(*pane->owners));
	memset(pane->owners, 0, pane->count * sizeof(*pane->owners));
}

static void read_rows(struct futexes_pane *pane, struct session *session)
{
	uint64_t began_ns = clock_now_ns();

	pane->count = engine_futexes(session->engine, &pane->rows);
	sort(pane);
	pane->begun = true;
	pane->read_ns = session->clock_ns;
	pane->every_ns = (clock_now_ns() - began_ns) * READ_COST_SHARE;
	if (pane->every_ns < READ_NS)
		pane->every_ns = READ_NS;
}

static void refresh(void *self, struct session *session)
{
	struct futexes_pane *pane = self;

	pane->session = session;
	pane->table.match = session->search.len ? session->search.data : NULL;
	pane->table.empty_text = session->phase == SESSION_STARTING
				 ? "starting…" : "no futex has been used yet";
	if (session->phase != SESSION_RUNNING)
		return;
	if (!pane->begun ||
	    (!session->paused && session->clock_ns - pane->read_ns >= pane->every_ns))
		read_rows(pane, session);
}

static int draw_deadlocks(const struct session *session, struct canvas *canvas, int row)
{
	for (size_t i = 0; i < session->deadlocks.count && row < canvas->rows - 3; i++, row++) {
		struct str text = STR_INIT;

		str_add(&text, "Deadlock: ");
		deadlock_text(&session->deadlocks.found[i], ENGINE_DEADLOCK_THREADS, &text);
		canvas_field(canvas, row, 1, canvas->cols - 1, ALIGN_LEFT, ROLE_ERROR, text.data,
			     text.len);
		str_release(&text);
	}
	return row;
}

static void draw(void *self, struct session *session, struct canvas *canvas, bool focused)
{
	struct futexes_pane *pane = self;
	struct str title = STR_INIT, right = STR_INIT;
	struct canvas body;
	int row = draw_deadlocks(session, canvas, 1);

	body = canvas_sub(canvas, (struct rect){ row, 0, canvas->rows - row, canvas->cols });
	str_addf(&title, "Futexes %zu", pane->count);
	if (narrowing_filter(&session->narrowing))
		str_add(&right, "whatever the filter, ");
	str_addf(&right, "by %s %s", columns[pane->table.sort_column].title,
		 pane->table.sort_descending ? "▼" : "▲");
	title_draw(canvas, 0, title.data, right.data, focused);
	table_draw(&pane->table, &body, focused);
	str_release(&title);
	str_release(&right);
}

static void sort_by(void *self, struct session *session, int column_id)
{
	struct futexes_pane *pane = self;

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
	struct futexes_pane *pane = self;
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
	struct futexes_pane *pane = self;
	int top = 1 + (int)session->deadlocks.count;
	struct table_hit hit;

	if (row < top)
		return;
	hit = table_click(&pane->table, row - top, col);
	if (hit.kind == TABLE_HIT_HEADER && hit.column_id >= 0)
		sort_by(pane, session, hit.column_id);
}

static void wheel(void *self, struct session *session, int rows)
{
	(void)session;
	table_scroll(&((struct futexes_pane *)self)->table, rows);
}

static bool search(void *self, struct session *session, const char *text, int step,
		   bool from_here)
{
	(void)session;
	return table_search(&((struct futexes_pane *)self)->table, text, step, from_here);
}

const struct engine_futex *futexes_pane_selected(struct futexes_pane *pane)
{
	table_sync(&pane->table);
	if (!pane->table.has_selection || pane->table.selected_row >= pane->count)
		return NULL;
	return &pane->rows[pane->table.selected_row];
}

static void row_text(void *self, struct session *session, struct str *out)
{
	struct futexes_pane *pane = self;
	struct table_cell one = { .text = STR_INIT };

	(void)session;
	if (!futexes_pane_selected(pane))
		return;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		str_clear(&one.text);
		cell(pane, pane->table.selected_row, i, &one);
		str_addf(out, "%s%s", i ? "\t" : "", one.text.data);
	}
	str_release(&one.text);
}

/* Not chosen: the stacks beside it are those of a wait. */
static bool pick(void *self, struct session *session, struct pick *out, struct call *call,
		 bool *has_call)
{
	const struct engine_futex *row = futexes_pane_selected(self);

	(void)session;
	(void)call;
	*has_call = false;
	if (!row)
		return false;
	out->has_pid = out->has_comm = true;
	out->pid = row->pid;
	memcpy(out->comm, row->name, sizeof(out->comm));
	return true;
}

static const struct table *sortable(void *self)
{
	return &((struct futexes_pane *)self)->table;
}

static void pane_free(void *self)
{
	struct futexes_pane *pane = self;

	free(pane->rows);
	free(pane->owners);
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

struct pane futexes_pane_new(void)
{
	struct futexes_pane *pane = mem_zalloc(1, sizeof(*pane));

	table_init(&pane->table, &table_ops, pane, columns, COLUMN_COUNT);
	pane->table.sort_column = COLUMN_TOTAL;
	pane->table.sort_descending = true;
	return (struct pane){ &ops, pane };
}
