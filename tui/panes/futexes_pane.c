#include "tui/panes/futexes_pane.h"

#include "engine/base/clock.h"
#include "engine/base/job_queue.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/calls/call_cells.h"
#include "tui/panes/futex_owners.h"
#include "tui/session/empty_reason.h"
#include "tui/view/table_pane.h"
#include "widgets/histogram_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_NS (NS_PER_S / 2)
/* filter_version of rows that were read while the filter was still being applied. */
#define NO_FILTER UINT64_MAX

enum futex_column {
	COLUMN_WHO,
	COLUMN_ADDRESS,
	COLUMN_WAITS,
	COLUMN_CONTENDED,
	COLUMN_TOTAL,
	COLUMN_MAX,
	COLUMN_NOW,
	COLUMN_OWNER,
	COLUMN_WAKERS,
	COLUMN_HISTOGRAM,
	COLUMN_COUNT
};

/* clang-format off */
static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_WHO] = { .id = COLUMN_WHO, .name = "who", .title = "COMM/PID",
			 .help = "the process; of shared memory, the first one seen",
			 CALL_WHO_ROOM },
	[COLUMN_ADDRESS] = { .id = COLUMN_ADDRESS, .name = "address", .title = "NAME/ADDRESS",
			     .help = "variable and address; of shared memory device:inode+offset",
			     .min_cols = 18, .flex = 1, .first_cols = 27, .flex_cols = 56 },
	[COLUMN_WAITS] = { .id = COLUMN_WAITS, .name = "waits", .title = "WAITS",
			   .help = "calls that waited on it and returned", .min_cols = 6,
			   .align = ALIGN_RIGHT, .descending = true, .drop = 2 },
	[COLUMN_CONTENDED] = { .id = COLUMN_CONTENDED, .name = "contended", .title = "CONTEND",
			       .help = "time in lock waits, and in other waits under 0.1 s, that "
				       "another thread ended; plus the longest lock wait in "
				       "flight; excludes idle threads",
			       .min_cols = 8, .align = ALIGN_RIGHT, .descending = true },
	[COLUMN_TOTAL] = { .id = COLUMN_TOTAL, .name = "total", .title = "TOTAL",
			   .help = "time in waits, plus the longest wait in flight",
			   .min_cols = 7,
			   .align = ALIGN_RIGHT, .descending = true, .drop = 3 },
	[COLUMN_MAX] = { .id = COLUMN_MAX, .name = "max", .title = "MAX",
			 .help = "longest wait, including waits in flight",
			 .min_cols = 7, .align = ALIGN_RIGHT,
			 .descending = true, .drop = 3 },
	[COLUMN_NOW] = { .id = COLUMN_NOW, .name = "now", .title = "NOW",
			 .help = "threads waiting now", .min_cols = 5, .align = ALIGN_RIGHT,
			 .descending = true },
	[COLUMN_OWNER] = { .id = COLUMN_OWNER, .name = "owner", .title = "OWNER?",
			   .help = "lock owner: a guess, read from its memory",
			   .min_cols = 14, .flex = 1, .flex_cols = 23, .drop = 1 },
	[COLUMN_WAKERS] = { .id = COLUMN_WAKERS, .name = "wakers", .title = "WAKERS",
			    .help = "threads that ended waits, and how many",
			    .min_cols = 12, .flex = 1, .first_cols = 27, .drop = 5 },
	[COLUMN_HISTOGRAM] = { .id = COLUMN_HISTOGRAM, .name = "hist", .title = "1us  hist 1s",
			       .help = "histogram of wait times",
			       .min_cols = ENGINE_HISTOGRAM_CELLS, .drop = 4 },
};
/* clang-format on */

/* Belongs to the job while it is pending. */
struct asked_futexes {
	struct engine *engine;
	struct engine_futex *futexes;
	size_t count, all;
	uint64_t cost_ns;
	uint64_t sent_ns, zero_version; /* session values at submission */
	uint64_t filter_version; /* or NO_FILTER */
};

struct futexes_pane {
	struct table_pane base;
	struct engine_futex *futexes; /* all rows of the last read */
	size_t count; /* number of `futexes` */
	struct futex_owners owners; /* owners for the visible rows */
	size_t all; /* number of futexes without a filter */
	size_t hidden; /* idle rows of the last read that are not shown */
	uint64_t read_ns, every_ns;
	uint64_t filter_version, zero_version; /* versions that the rows belong to */
	bool begun, hides_idle; /* hides_idle: the setting that the rows were filled with */
	struct job job;
	struct asked_futexes asked;
};

static uint64_t row_id(const struct table_pane *base, const void *row)
{
	(void)base;
	return ((const struct engine_futex *)row)->id;
}

/* Include the oldest wait in flight: a deadlock has no finished wait. */
static uint64_t total_ns(const struct engine_futex *row)
{
	return row->total_ns + row->oldest_ns;
}

static uint64_t contended_ns(const struct engine_futex *row)
{
	return row->contended_ns + row->lock_ns;
}

static uint64_t max_ns(const struct engine_futex *row)
{
	return row->max_ns > row->oldest_ns ? row->max_ns : row->oldest_ns;
}

static void owner_cell(struct futexes_pane *pane, const struct engine_futex *row,
		       struct table_cell *out)
{
	uint32_t tid = futex_owners_of(&pane->owners, row), pid;
	char name[ENGINE_NAME_BYTES];

	if (tid && engine_thread(pane->base.session->engine, tid, &pid, name))
		call_cells_caller(name, tid, out);
	else if (tid)
		str_addu(&out->text, tid);
	out->role = ROLE_LATE;
}

static void address_cell(const struct session *session, const struct engine_futex *row,
			 struct table_cell *out)
{
	char name[ENGINE_FUTEX_NAME_BYTES];
	bool named;

	out->role = ROLE_NAME;
	if (!row->uaddr) {
		str_add(&out->text, "several futexes");
		out->role = ROLE_DIM;
		return;
	}
	/* The variable name comes first: a narrow column cuts off the text after it. */
	named = engine_futex_name(session->engine, row, name);
	if (named)
		str_addf(&out->text, "%s ", name);
	str_addx(&out->text, row->uaddr);
	if (!named && row->has_place)
		str_addf(&out->text, " %llx:%llu+0x%llx", (unsigned long long)row->device,
			 (unsigned long long)row->inode, (unsigned long long)row->offset);
	if (row->processes > 1)
		str_addf(&out->text, " in %u processes", row->processes);
}

static void cell(struct table_pane *base, const void *of, int column_id, struct table_cell *out)
{
	const struct engine_futex *row = of;
	char text[UNITS_TEXT_BYTES];

	out->role = ROLE_NUMBER;
	switch ((enum futex_column)column_id) {
	case COLUMN_WHO:
		call_cells_caller(row->name, row->pid, out);
		break;
	case COLUMN_ADDRESS:
		address_cell(base->session, row, out);
		break;
	case COLUMN_WAITS:
		str_add(&out->text, units_format_count(text, row->waits));
		break;
	case COLUMN_CONTENDED:
		str_add(&out->text,
			contended_ns(row) ? units_format_ns(text, contended_ns(row)) : "-");
		break;
	case COLUMN_TOTAL:
		str_add(&out->text, row->untimed ? units_format_at_least_ns(text, total_ns(row))
						 : units_format_ns(text, total_ns(row)));
		break;
	case COLUMN_MAX:
		str_add(&out->text,
			max_ns(row) || !row->untimed ? units_format_ns(text, max_ns(row)) : "?");
		if (row->oldest_ns > row->max_ns)
			out->role = ROLE_IN_FLIGHT;
		break;
	case COLUMN_NOW:
		str_add(&out->text, row->waiters ? units_format_count(text, row->waiters) : "-");
		out->role = row->waiters ? ROLE_IN_FLIGHT : ROLE_DIM;
		break;
	case COLUMN_OWNER:
		owner_cell((struct futexes_pane *)base, row, out);
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

/* Append all cells except the owner, which a job would have to read for every row. */
static void search_text(struct table_pane *base, const void *row, struct str *out)
{
	struct table_cell one = { .text = STR_INIT };

	for (int i = 0; i < COLUMN_HISTOGRAM; i++) {
		if (i == COLUMN_OWNER)
			continue;
		str_clear(&one.text);
		cell(base, row, i, &one);
		str_addf(out, "%s ", one.text.data);
	}
	str_release(&one.text);
}

static int compare(const struct table_pane *base, const void *left, const void *right,
		   int column_id)
{
	const struct engine_futex *a = left, *b = right;

	(void)base;
	switch ((enum futex_column)column_id) {
	case COLUMN_WHO:
		return compare_u64(a->pid, b->pid);
	case COLUMN_ADDRESS:
		return compare_u64(a->uaddr, b->uaddr);
	case COLUMN_WAITS:
	case COLUMN_HISTOGRAM:
		return compare_u64(a->waits, b->waits);
	case COLUMN_CONTENDED:
		if (contended_ns(a) == contended_ns(b))
			return compare_u64(a->total_ns, b->total_ns);
		return compare_u64(contended_ns(a), contended_ns(b));
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

static int draw_deadlocks(struct table_pane *base, struct canvas *canvas)
{
	const struct deadlock_watch *watch = &base->session->deadlocks;
	int row = 1;

	for (size_t i = 0; i < watch->count && row < canvas->rows - 3; i++, row++) {
		struct str text = STR_INIT;

		str_add(&text, "Deadlock: ");
		deadlock_text(&watch->found[i], ENGINE_DEADLOCK_THREADS, &text);
		canvas_field(canvas, row, 1, canvas->cols - 1, ALIGN_LEFT, ROLE_ERROR, text.data,
			     text.len);
		str_release(&text);
	}
	return row - 1;
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct futexes_pane *pane = (const struct futexes_pane *)base;

	str_addf(title, "Futexes %zu", base->count);
	if (filter_stack_filter(&base->session->filter_stack))
		str_addf(title, " of %zu", pane->all);
	if (pane->hidden)
		str_addf(title, ", idle waits hidden: %zu", pane->hidden);
	if (session_is_counting(base->session, NULL)) {
		str_add(title, ", ");
		session_add_counting(base->session, title);
	}
	table_pane_say_order(base, NULL, right);
}

static void add_wakers(const struct engine_futex *row, struct fields *fields)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < row->waker_count; i++)
		str_addf(&text, "%s%s/%u*%llu", i ? " " : "", row->wakers[i].name,
			 row->wakers[i].tid, (unsigned long long)row->wakers[i].count);
	fields_text(fields, "wakers", text.data);
	str_release(&text);
}

static void add_fields(const struct table_pane *base, const void *of, struct fields *fields)
{
	const struct futexes_pane *pane = (const struct futexes_pane *)base;
	const struct engine_futex *row = of;
	uint32_t owner = futex_owners_known(&pane->owners, row);
	char name[ENGINE_FUTEX_NAME_BYTES];

	fields_whole(fields, "pid", row->pid);
	fields_text(fields, "comm", row->name);
	fields_hex(fields, "uaddr", row->uaddr);
	fields_text(fields, "name",
		    engine_futex_name(base->session->engine, row, name) ? name : NULL);
	fields_bool(fields, "shared", row->shared);
	fields_whole(fields, "processes", row->processes);
	fields_whole(fields, "waits", row->waits);
	fields_whole(fields, "total_ns", row->total_ns);
	if (row->untimed < row->waits || !row->waits)
		fields_whole(fields, "max_ns", row->max_ns);
	else
		fields_none(fields, "max_ns");
	fields_whole(fields, "contended_ns", contended_ns(row));
	fields_whole(fields, "errors", row->errors);
	fields_whole(fields, "timeouts", row->timeouts);
	fields_whole(fields, "wakes", row->wakes);
	fields_whole(fields, "waiters", row->waiters);
	fields_whole(fields, "oldest_ns", row->oldest_ns);
	if (owner)
		fields_whole(fields, "owner_tid", owner);
	else
		fields_none(fields, "owner_tid");
	add_wakers(row, fields);
	fields_counts(fields, "histogram", row->histogram, ENGINE_HISTOGRAM_CELLS);
	fields_whole(fields, "timed", row->waits - row->untimed);
}

static const struct table_pane_ops table_ops = {
	.name = "futexes",
	.row_type = "futex",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
	.draw_above = draw_deadlocks,
	.search_text = search_text,
};

/* Job thread. */
static void read_futexes(void *ctx)
{
	struct asked_futexes *asked = ctx;
	uint64_t began_ns = clock_thread_ns();

	asked->count = engine_futexes(asked->engine, &asked->futexes, &asked->all);
	asked->cost_ns = clock_thread_ns() - began_ns;
}

static bool is_idle(const struct engine_futex *row)
{
	return row->waiters && row->idle == row->waiters;
}

static void fill_rows(struct futexes_pane *pane, const struct session *session)
{
	size_t shown = 0;

	table_pane_resize(&pane->base, pane->count);
	for (size_t i = 0; i < pane->count; i++)
		if (!session->hides_idle || !is_idle(&pane->futexes[i]))
			pane->base.rows[shown++] = &pane->futexes[i];
	pane->hidden = pane->count - shown;
	pane->hides_idle = session->hides_idle;
	table_pane_resize(&pane->base, shown);
	table_pane_sort(&pane->base);
}

static void take_futexes(struct futexes_pane *pane, const struct session *session)
{
	struct asked_futexes *asked = &pane->asked;
	size_t count = asked->count;

	free(pane->futexes);
	pane->futexes = asked->futexes;
	asked->futexes = NULL;
	pane->count = count;
	fill_rows(pane, session);
	futex_owners_renew(&pane->owners);
	pane->all = asked->all;
	pane->begun = true;
	pane->read_ns = asked->sent_ns;
	pane->filter_version = asked->filter_version;
	pane->zero_version = asked->zero_version;
	pane->every_ns = job_every_ns(asked->cost_ns, READ_NS);
}

/*
 * True if the rows must be read. A paused display reads only initially, for a new filter, and in a
 * reopened view.
 */
static bool is_due(const struct futexes_pane *pane, const struct session *session)
{
	if (!pane->begun)
		return true;
	if (pane->filter_version != session->filter_version && !session_is_counting(session, NULL))
		return session->tick;
	if (session->paused)
		return session_is_late(session, pane->read_ns);
	return pane->zero_version != session->zero_version ||
	       session->clock_ns - pane->read_ns >= pane->every_ns;
}

static void ask(struct futexes_pane *pane, struct session *session)
{
	struct asked_futexes *asked = &pane->asked;

	asked->engine = session->engine;
	asked->sent_ns = session->clock_ns;
	/* Rows read while the filter is being applied do not belong to it yet. */
	asked->filter_version = session_is_counting(session, NULL) ? NO_FILTER
								   : session->filter_version;
	asked->zero_version = session->zero_version;
	job_submit(&pane->job, session->job_queue);
}

static void refresh(void *self, struct session *session)
{
	struct futexes_pane *pane = self;

	table_pane_refresh(&pane->base, session);
	empty_reason_say(session, EMPTY_FUTEXES, &pane->base.empty_text);
	if (session->phase != SESSION_RUNNING)
		return;
	if (job_is_done(&pane->job))
		take_futexes(pane, session);
	if (is_due(pane, session) && !job_is_pending(&pane->job)) {
		ask(pane, session);
		/* Without a job thread the result is already there. */
		if (job_is_done(&pane->job))
			take_futexes(pane, session);
	}
	session_shows_from(session, pane->read_ns);
	if (pane->hides_idle != session->hides_idle)
		fill_rows(pane, session);
	futex_owners_look(&pane->owners, session->engine, session->job_queue);
}

uint32_t futexes_pane_owner(struct futexes_pane *pane)
{
	const struct engine_futex *row = futexes_pane_selected(pane);

	return row ? futex_owners_known(&pane->owners, row) : 0;
}

const struct engine_futex *futexes_pane_selected(struct futexes_pane *pane)
{
	return table_pane_selected_row(&pane->base);
}

/* Do not set .chosen, because the stack panes beside this one show a wait, not a futex. */
static bool selection(void *self, struct session *session, struct selection *out, struct call *call,
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

static void terms(void *self, struct session *session, struct row_terms *out)
{
	const struct engine_futex *row = futexes_pane_selected(self);
	char address[24];

	(void)session;
	if (!row || !row->uaddr)
		return;
	snprintf(address, sizeof(address), "0x%llx", (unsigned long long)row->uaddr);
	row_terms_add(out, "args.uaddr", "==", address);
}

static void pane_free(void *self)
{
	struct futexes_pane *pane = self;

	job_cancel(&pane->job);
	job_cancel(&pane->owners.job);
	table_pane_release(&pane->base);
	free(pane->futexes);
	free(pane->asked.futexes);
	free(pane);
}

static const struct pane_ops ops = {
	TABLE_PANE_VERBS,   .act = table_pane_act,  .sort_by = table_pane_sort_by,
	.refresh = refresh, .selection = selection, .terms = terms,
	.free = pane_free,
};

struct pane futexes_pane_new(void)
{
	struct futexes_pane *pane = mem_zalloc(1, sizeof(*pane));

	pane->job = (struct job){ .run = read_futexes, .ctx = &pane->asked };
	futex_owners_init(&pane->owners);
	table_pane_init(&pane->base, &table_ops, columns, COLUMN_COUNT);
	pane->base.table.sort_column = COLUMN_CONTENDED;
	pane->base.table.sort_descending = true;
	return (struct pane){ &ops, pane };
}
