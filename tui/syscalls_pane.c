#include "tui/syscalls_pane.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/empty_reason.h"
#include "tui/errands.h"
#include "tui/sums_fields.h"
#include "tui/table_pane.h"
#include "widgets/histogram_bar.h"

#include <stdlib.h>
#include <string.h>

#define READ_NS (NS_PER_S / 4)
#define READ_COST_SHARE 20

enum column {
	COLUMN_NAME,
	COLUMN_CALLS,
	COLUMN_RATE,
	COLUMN_ERRORS,
	COLUMN_TOTAL,
	COLUMN_BLOCKED,
	COLUMN_MEAN,
	COLUMN_P50,
	COLUMN_P95,
	COLUMN_P99,
	COLUMN_MAX,
	COLUMN_HISTOGRAM,
	COLUMN_COUNT
};

#define FIGURE .align = ALIGN_RIGHT, .descending = true

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_NAME] = { .id = COLUMN_NAME, .name = "syscall", .title = "SYSCALL",
			  .help = "its name",
			  .min_cols = 18, .flex = 1, .flex_cols = 32 },
	[COLUMN_CALLS] = { .id = COLUMN_CALLS, .name = "calls", .title = "CALLS",
			   .help = "calls that returned",
			   .min_cols = 7, FIGURE },
	[COLUMN_RATE] = { .id = COLUMN_RATE, .name = "calls/s", .title = "CALLS/s",
			  .help = "calls that returned in the last second", .min_cols = 8,
			  FIGURE, .drop = 4 },
	[COLUMN_ERRORS] = { .id = COLUMN_ERRORS, .name = "err%", .title = "ERR%",
			    .help = "how many of them failed", .min_cols = 5, FIGURE,
			    .drop = 6 },
	[COLUMN_TOTAL] = { .id = COLUMN_TOTAL, .name = "total", .title = "TOTAL",
			   .help = "time in calls that returned", .min_cols = 7, FIGURE },
	[COLUMN_BLOCKED] = { .id = COLUMN_BLOCKED, .name = "blocked", .title = "BLOCKED",
			     .help = "of it, time off the CPU", .min_cols = 8, FIGURE,
			     .drop = 3 },
	[COLUMN_MEAN] = { .id = COLUMN_MEAN, .name = "mean", .title = "MEAN",
			  .help = "time of one, on average",
			  .min_cols = 7, FIGURE, .drop = 8 },
	[COLUMN_P50] = { .id = COLUMN_P50, .name = "p50", .title = "P50",
			 .help = "half of them were faster",
			 .min_cols = 7, FIGURE, .drop = 2 },
	[COLUMN_P95] = { .id = COLUMN_P95, .name = "p95", .title = "P95",
			 .help = "95 of a hundred were faster", .min_cols = 7, FIGURE,
			 .drop = 7 },
	[COLUMN_P99] = { .id = COLUMN_P99, .name = "p99", .title = "P99",
			 .help = "99 of a hundred were faster", .min_cols = 7, FIGURE,
			 .drop = 1 },
	[COLUMN_MAX] = { .id = COLUMN_MAX, .name = "max", .title = "MAX",
			 .help = "the longest, also one that goes on", .min_cols = 7, FIGURE },
	[COLUMN_HISTOGRAM] = { .id = COLUMN_HISTOGRAM, .name = "hist", .title = "1us  hist 1s",
			       .help = "calls by how long they took",
			       .min_cols = ENGINE_HISTOGRAM_CELLS, .descending = true,
			       .drop = 5 },
};

/* The errand's while it is away. */
struct asked_rows {
	struct engine *engine;
	bool by_nr;
	uint32_t nr;
	uint64_t filter_version;
	struct engine_row *rows;
	size_t count;
	uint64_t cost_ns;
};

struct syscalls_pane {
	struct table_pane base; /* rows: of those read */
	struct table_column columns[COLUMN_COUNT];
	struct syscalls_pane *syscalls; /* NULL: it is these itself */
	struct engine_row *read;
	size_t read_count;
	uint32_t nr; /* of which processes are shown */
	bool has_nr;
	uint32_t wanted_nr; /* and are to be, with wants_nr */
	bool wants_nr;
	uint64_t read_ns, every_ns; /* 0: never */
	uint64_t filter_version;
	struct errand errand;
	struct asked_rows asked;
};

static const struct syscalls_pane *pane_of(const struct table_pane *base)
{
	return (const struct syscalls_pane *)base;
}

/* The processes of one call are not those of another. */
static uint64_t row_id(const struct table_pane *base, const void *of)
{
	const struct engine_row *row = of;

	return pane_of(base)->syscalls ? (uint64_t)(row->nr + 1) << 32 | row->pid
				       : (uint64_t)row->nr + 1;
}

static uint64_t mean_ns(const struct engine_row *row)
{
	return row->calls ? row->total_ns / row->calls : 0;
}

/* Who has hung for an hour is not without a wait. */
static uint64_t longest_ns(const struct engine_row *row)
{
	return row->max_ns > row->oldest_ns ? row->max_ns : row->oldest_ns;
}

static uint64_t time_of(const struct engine_row *row, enum column column)
{
	switch (column) {
	case COLUMN_TOTAL:
		return row->total_ns;
	case COLUMN_BLOCKED:
		return row->blocked_ns;
	case COLUMN_MEAN:
		return mean_ns(row);
	case COLUMN_P50:
	case COLUMN_HISTOGRAM:
		return row->p50_ns;
	case COLUMN_P95:
		return row->p95_ns;
	case COLUMN_P99:
		return row->p99_ns;
	case COLUMN_MAX:
		return longest_ns(row);
	default:
		return 0;
	}
}

static void name_cell(const struct table_pane *base, const struct engine_row *row,
		      struct table_cell *out)
{
	char comm[ENGINE_NAME_BYTES];
	uint32_t pid;

	if (!pane_of(base)->syscalls)
		str_add(&out->text, row->name);
	else if (engine_thread(base->session->engine, row->pid, &pid, comm))
		str_addf(&out->text, "%s/%u", comm, row->pid);
	else
		str_addu(&out->text, row->pid);
	out->role = row->ended ? ROLE_DIM : ROLE_NAME;
}

static void cell(struct table_pane *base, const void *of, int column_id,
		 struct table_cell *out)
{
	const struct engine_row *row = of;
	enum column column = (enum column)column_id;
	char text[UNITS_TEXT_BYTES];

	out->role = row->ended ? ROLE_DIM : ROLE_NUMBER;
	switch (column) {
	case COLUMN_NAME:
		name_cell(base, row, out);
		return;
	case COLUMN_CALLS:
		str_add(&out->text, units_format_count(text, row->calls));
		return;
	case COLUMN_RATE:
		str_add(&out->text, units_format_count(text,
						       (uint64_t)(row->calls_per_s + 0.5)));
		if (row->calls_per_s < 0.5)
			out->role = ROLE_DIM;
		return;
	case COLUMN_ERRORS:
		str_add(&out->text, units_format_percent(text, row->errors, row->calls));
		out->role = row->errors ? ROLE_ERROR : ROLE_DIM;
		return;
	case COLUMN_HISTOGRAM:
		histogram_bar_format(&out->text, row->histogram, ENGINE_HISTOGRAM_CELLS,
				     ENGINE_HISTOGRAM_CELLS, HISTOGRAM_BAR_LOG);
		out->role = row->ended ? ROLE_DIM : ROLE_BAR;
		return;
	default:
		break;
	}
	if (column == COLUMN_MAX && row->oldest_ns > row->max_ns)
		out->role = ROLE_IN_FLIGHT;
	if (time_of(row, column))
		str_add(&out->text, units_format_ns(text, time_of(row, column)));
	else
		str_add(&out->text, "-");
}

static int compare(const struct table_pane *base, const void *left, const void *right,
		   int column_id)
{
	const struct engine_row *a = left, *b = right;

	switch ((enum column)column_id) {
	case COLUMN_NAME:
		return pane_of(base)->syscalls ? compare_u64(a->pid, b->pid)
					       : strcmp(a->name, b->name);
	case COLUMN_CALLS:
		return compare_u64(a->calls, b->calls);
	case COLUMN_RATE:
		return (a->calls_per_s > b->calls_per_s) - (a->calls_per_s < b->calls_per_s);
	case COLUMN_ERRORS:
		return compare_u64(a->errors * b->calls, b->errors * a->calls);
	default:
		return compare_u64(time_of(a, (enum column)column_id),
				   time_of(b, (enum column)column_id));
	}
}

static void say_title(struct table_pane *base, struct str *title, struct str *right)
{
	const struct syscalls_pane *pane = pane_of(base);
	const struct session *session = base->session;

	if (!pane->syscalls)
		str_addf(title, "System calls %zu", base->count);
	else if (pane->has_nr)
		str_addf(title, "Who calls %s: %zu",
			 syscalls_info(engine_syscalls(session->engine), pane->nr)->name,
			 base->count);
	else
		str_add(title, "Who calls it");
	if (session->status.model.records_lost || session->status.model.calls_unmatched)
		str_add(right, "lower bounds, ");
	table_pane_say_order(base, NULL, right);
}

static void add_fields(const struct table_pane *base, const void *of, struct fields *fields)
{
	const struct engine_row *row = of;
	char comm[ENGINE_NAME_BYTES];
	uint32_t pid;

	fields_text(fields, "syscall",
		    syscalls_info(engine_syscalls(base->session->engine), row->nr)->name);
	fields_whole(fields, "nr", row->nr);
	if (pane_of(base)->syscalls) {
		bool known = engine_thread(base->session->engine, row->pid, &pid, comm);

		fields_whole(fields, "pid", row->pid);
		fields_text(fields, "comm", known ? comm : NULL);
	}
	sums_fields_add(fields, row);
}

static const struct table_pane_ops table_ops = {
	.name = "syscalls",
	.row_type = "syscall",
	.fields = add_fields,
	.say_title = say_title,
	.id = row_id,
	.cell = cell,
	.compare = compare,
};

static void say_why_empty(const struct syscalls_pane *pane, const struct session *session,
			  struct str *out)
{
	if (session->phase == SESSION_RUNNING && pane->syscalls && !pane->has_nr)
		str_add(out, "no system call is selected in the pane beside this one");
	else
		empty_reason_say(session, EMPTY_SUMS, out);
}

static void show_rows(struct syscalls_pane *pane)
{
	struct table_pane *base = &pane->base;

	table_pane_resize(base, pane->read_count);
	for (size_t i = 0; i < pane->read_count; i++)
		base->rows[i] = &pane->read[i];
	table_pane_sort(base);
}

/* On the errand's thread. */
static void read_rows(void *ctx)
{
	struct asked_rows *asked = ctx;
	uint64_t began_ns = clock_now_ns();

	asked->count = asked->by_nr
		? engine_syscall_processes(asked->engine, asked->nr, &asked->rows)
		: engine_syscall_rows(asked->engine, 0, 0, &asked->rows);
	asked->cost_ns = clock_now_ns() - began_ns;
}

static void take_rows(struct syscalls_pane *pane, const struct session *session)
{
	struct asked_rows *asked = &pane->asked;

	free(pane->read);
	pane->read = asked->rows;
	pane->read_count = asked->count;
	pane->has_nr = asked->by_nr;
	pane->nr = asked->nr;
	pane->filter_version = asked->filter_version;
	asked->rows = NULL;
	asked->count = 0;
	pane->read_ns = session->clock_ns;
	pane->every_ns = asked->cost_ns * READ_COST_SHARE;
	if (pane->every_ns < READ_NS)
		pane->every_ns = READ_NS;
	show_rows(pane);
}

static void ask_rows(struct syscalls_pane *pane, const struct session *session)
{
	pane->asked.engine = session->engine;
	pane->asked.by_nr = pane->wants_nr;
	pane->asked.nr = pane->wanted_nr;
	pane->asked.filter_version = session->filter_version;
	errand_send(&pane->errand, session->errands);
}

/* True if what is shown is of another call than the one that is selected. */
static bool follow_selection(struct syscalls_pane *pane)
{
	const struct engine_row *row;

	if (!pane->syscalls)
		return false;
	row = table_pane_selected_row(&pane->syscalls->base);
	pane->wants_nr = row != NULL;
	pane->wanted_nr = row ? row->nr : 0;
	return pane->wants_nr != pane->has_nr || pane->wanted_nr != pane->nr;
}

/* A display that stands still shows what was asked for on purpose. */
static bool is_wanted(const struct syscalls_pane *pane, const struct session *session, bool other)
{
	if (pane->syscalls && !pane->wants_nr)
		return false;
	return !pane->read_ns || other || pane->filter_version != session->filter_version ||
	       (!session->paused && session->clock_ns - pane->read_ns >= pane->every_ns);
}

static void refresh(void *self, struct session *session)
{
	struct syscalls_pane *pane = self;
	bool other;

	table_pane_refresh(&pane->base, session);
	if (errand_is_back(&pane->errand))
		take_rows(pane, session);
	other = follow_selection(pane);
	say_why_empty(pane, session, &pane->base.empty_text);
	if (session->phase != SESSION_RUNNING)
		return;
	if (other && !pane->wants_nr) {
		pane->has_nr = false;
		pane->read_count = 0;
		show_rows(pane);
	}
	if (!errand_is_away(&pane->errand) && is_wanted(pane, session, other))
		ask_rows(pane, session);
	/* Where nobody runs errands it is back already. */
	if (errand_is_back(&pane->errand))
		take_rows(pane, session);
}

static bool pick(void *self, struct session *session, struct pick *out, struct call *call,
		 bool *has_call)
{
	struct syscalls_pane *pane = self;
	const struct engine_row *row = table_pane_selected_row(&pane->base);
	uint32_t pid;

	(void)call;
	*has_call = false;
	if (!row)
		return false;
	out->chosen = true;
	out->has_nr = true;
	out->nr = row->nr;
	if (!pane->syscalls)
		return true;
	out->has_pid = true;
	out->pid = row->pid;
	out->has_comm = engine_thread(session->engine, row->pid, &pid, out->comm);
	return true;
}

static void pane_free(void *self)
{
	struct syscalls_pane *pane = self;

	errand_recall(&pane->errand);
	table_pane_release(&pane->base);
	free(pane->read);
	free(pane->asked.rows);
	free(pane);
}

static const struct pane_ops ops = {
	TABLE_PANE_VERBS,
	.act = table_pane_act,
	.sort_by = table_pane_sort_by,
	.refresh = refresh,
	.pick = pick,
	.free = pane_free,
};

static struct pane pane_new(struct syscalls_pane *syscalls)
{
	struct syscalls_pane *pane = mem_zalloc(1, sizeof(*pane));

	memcpy(pane->columns, columns, sizeof(columns));
	if (syscalls) {
		pane->columns[COLUMN_NAME].title = "COMM/PID";
		pane->columns[COLUMN_NAME].help = "the process";
	}
	pane->syscalls = syscalls;
	pane->errand = (struct errand){ .run = read_rows, .ctx = &pane->asked };
	table_pane_init(&pane->base, &table_ops, pane->columns, COLUMN_COUNT);
	if (syscalls)
		pane->base.table.name = "users";
	pane->base.table.sort_column = COLUMN_TOTAL;
	pane->base.table.sort_descending = true;
	return (struct pane){ &ops, pane };
}

struct pane syscalls_pane_new(void)
{
	return pane_new(NULL);
}

struct pane syscalls_pane_new_users(struct pane syscalls)
{
	return pane_new(syscalls.self);
}
