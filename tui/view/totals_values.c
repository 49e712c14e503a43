#include "tui/view/totals_values.h"

#include "engine/base/escape.h"
#include "widgets/histogram_bar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NESTED_FORMAT "%u (%u)"

bool totals_is_ended_group(const struct engine_row *row)
{
	return row->ended_processes || row->pid >= ENGINE_GROUP_PID;
}

/* Only for processes: ids of threads inside a namespace are not collected. */
static bool is_nested(const struct engine_row *row, enum engine_group group)
{
	return group == ENGINE_BY_PROCESS && !row->tid && row->ns_pid;
}

int totals_nested_cols(const struct engine_row *row, enum engine_group group)
{
	return is_nested(row, group) ? snprintf(NULL, 0, NESTED_FORMAT, row->pid, row->ns_pid) : 0;
}

uint64_t totals_timed(const struct engine_row *row)
{
	return row->calls - row->untimed;
}

/* ---- order ---- */

/* Return the number that identifies the row. For users, uid 0 is a valid number. */
static uint32_t row_number(const struct engine_row *row)
{
	return row->tid                    ? row->tid
	       : row->pid                  ? row->pid
	       : row->uid != USERS_UNKNOWN ? row->uid
					   : row->nr;
}

static double error_share(const struct engine_row *row)
{
	return row->calls ? (double)row->errors / (double)row->calls : 0;
}

uint64_t totals_longest_ns(const struct engine_row *row)
{
	return row->max_ns > row->oldest_ns ? row->max_ns : row->oldest_ns;
}

static uint64_t time_of(const struct engine_row *row, enum totals_column column)
{
	uint64_t waited_ns = row->blocked_ns + row->runnable_ns;

	switch (column) {
	case TOTALS_TOTAL:
		return row->total_ns;
	case TOTALS_CPU:
		return row->total_ns > waited_ns ? row->total_ns - waited_ns : 0;
	case TOTALS_BLOCKED:
		return row->blocked_ns;
	case TOTALS_RUNNABLE:
		return row->runnable_ns;
	case TOTALS_MEAN:
		return totals_timed(row) ? (row->total_ns - row->running_ns) / totals_timed(row)
					 : 0;
	case TOTALS_P50:
	case TOTALS_HISTOGRAM:
		return row->p50_ns;
	case TOTALS_P95:
		return row->p95_ns;
	case TOTALS_P99:
		return row->p99_ns;
	default:
		return totals_longest_ns(row);
	}
}

/* Doubles that are not negative sort like their bit patterns. */
static uint64_t double_key(double value)
{
	uint64_t key;

	memcpy(&key, &value, sizeof(key));
	return key;
}

bool totals_key(const struct engine_row *row, enum totals_column column, uint64_t *key)
{
	switch (column) {
	case TOTALS_NAME:
	case TOTALS_USER:
	case TOTALS_CONTAINER:
	case TOTALS_CGROUP:
		return false;
	case TOTALS_ID:
		*key = row_number(row);
		break;
	case TOTALS_PARENT:
		*key = row->parent_pid;
		break;
	case TOTALS_THREADS:
		*key = row->threads;
		break;
	case TOTALS_RATE:
		*key = isnan(row->calls_per_s) ? 0 : double_key(row->calls_per_s);
		break;
	case TOTALS_CALLS:
		*key = row->calls;
		break;
	case TOTALS_ERRORS:
		*key = double_key(error_share(row));
		break;
	case TOTALS_IN_FLIGHT:
		*key = row->in_flight;
		break;
	default:
		*key = time_of(row, column);
		break;
	}
	return true;
}

const char *totals_text(const struct engine_row *row, enum totals_column column)
{
	return column == TOTALS_NAME        ? row->name
	       : column == TOTALS_USER      ? row->user
	       : column == TOTALS_CONTAINER ? row->container
	       : row->cgroup                ? row->cgroup
					    : "";
}

int totals_compare(const struct engine_row *a, const struct engine_row *b,
		   enum totals_column column)
{
	uint64_t left, right;

	if (!totals_key(a, column, &left) || !totals_key(b, column, &right))
		return strcmp(totals_text(a, column), totals_text(b, column));
	return (left > right) - (left < right);
}

/* ---- cells ---- */

const char *totals_format_total(char text[UNITS_TEXT_BYTES], const struct engine_row *row)
{
	return row->untimed ? units_format_at_least_ns(text, row->total_ns)
			    : units_format_ns(text, row->total_ns);
}

/* Minimum, mean and percentiles are of the calls with a known duration. */
const char *totals_format_duration(char text[UNITS_TEXT_BYTES], const struct engine_row *row,
				   uint64_t ns)
{
	if (ns || totals_timed(row) || !row->calls)
		return units_format_ns(text, ns);
	snprintf(text, UNITS_TEXT_BYTES, "?");
	return text;
}

static void duration_cell(const struct engine_row *row, uint64_t ns, struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];

	if (ns || row->untimed)
		str_add(&cell->text, totals_format_duration(text, row, ns));
	else
		str_addc(&cell->text, '-');
}

static void total_cell(const struct engine_row *row, struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];

	if (row->total_ns || row->untimed)
		str_add(&cell->text, totals_format_total(text, row));
	else
		str_addc(&cell->text, '-');
}

/* Time in calls minus waits: an upper bound if waits are unknown, a lower one if durations are. */
static void cpu_cell(const struct engine_row *row, struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];
	uint64_t ns = time_of(row, TOTALS_CPU);
	bool most = row->waits_unknown;

	if (row->untimed && (most || !ns))
		str_addc(&cell->text, '?');
	else if (!ns)
		str_addc(&cell->text, '-');
	else
		str_addf(&cell->text, "%s%s",
			 most           ? "<"
			 : row->untimed ? ">"
					: "",
			 units_format_ns(text, ns));
}

/* If the waits or durations of some calls are unknown, wait times are lower bounds. */
static void wait_cell(const struct engine_row *row, enum totals_column column,
		      struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];
	uint64_t ns = time_of(row, column);

	if (row->waits_unknown || row->untimed)
		str_add(&cell->text, units_format_at_least_ns(text, ns));
	else if (ns)
		str_add(&cell->text, units_format_ns(text, ns));
	else
		str_addc(&cell->text, '-');
}

static void id_cell(const struct engine_row *row, enum engine_group group, struct table_cell *cell)
{
	if (totals_is_ended_group(row))
		return;
	if (is_nested(row, group))
		str_addf(&cell->text, NESTED_FORMAT, row->pid, row->ns_pid);
	else if (group == ENGINE_BY_USER && row->uid == USERS_UNKNOWN)
		str_add(&cell->text, "-");
	else
		str_addu(&cell->text, group == ENGINE_BY_SYSCALL ? row->nr : row_number(row));
}

/* The name of a control group is its full path. */
static void name_cell(const struct engine_row *row, enum engine_group group,
		      struct table_cell *cell)
{
	if (group == ENGINE_BY_CGROUP && row->cgroup)
		str_add_escaped(&cell->text, row->cgroup, strlen(row->cgroup), ESCAPE_PLAIN);
	else
		str_add(&cell->text, row->name);
	if (row->ended_processes)
		str_addf(&cell->text, " (exited) %" PRIu64 " process%s", row->ended_processes,
			 row->ended_processes == 1 ? "" : "es");
	cell->role = row->ended || row->bare ? ROLE_DIM : ROLE_NAME;
}

static void count_cell(uint64_t count, struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];

	str_add(&cell->text, units_format_count(text, count));
}

static void share_cell(const struct engine_row *row, struct table_cell *cell)
{
	char text[UNITS_TEXT_BYTES];

	str_add(&cell->text, units_format_percent(text, row->errors, row->calls));
	if (!row->errors)
		cell->role = ROLE_DIM;
	else if (row->errors * 20 > row->calls && !row->ended)
		cell->role = ROLE_ERROR;
}

bool totals_is_figure(enum totals_column column)
{
	return column >= TOTALS_RATE;
}

void totals_cell_text(const struct engine_row *row, enum engine_group group,
		      enum totals_column column, struct table_cell *cell)
{
	cell->role = row->ended || row->bare ? ROLE_DIM : ROLE_NUMBER;
	/* A row without calls of its own exists only for its descendants. */
	if (row->bare && totals_is_figure(column) && column != TOTALS_HISTOGRAM) {
		str_addc(&cell->text, '-');
		return;
	}
	switch (column) {
	case TOTALS_ID:
		id_cell(row, group, cell);
		break;
	case TOTALS_PARENT:
		if (row->parent_pid)
			str_addu(&cell->text, row->parent_pid);
		break;
	case TOTALS_USER:
		str_add(&cell->text, row->user);
		cell->role = ROLE_DIM;
		break;
	case TOTALS_NAME:
		name_cell(row, group, cell);
		break;
	case TOTALS_CONTAINER:
		str_add(&cell->text, row->container);
		cell->role = row->ended || row->container_kind <= CONTAINER_SERVICE ? ROLE_DIM
										    : ROLE_NAME;
		break;
	case TOTALS_CGROUP:
		if (row->cgroup)
			str_add_escaped(&cell->text, row->cgroup, strlen(row->cgroup),
					ESCAPE_PLAIN);
		cell->role = ROLE_DIM;
		break;
	case TOTALS_THREADS:
		if (row->threads)
			str_addu(&cell->text, row->threads);
		break;
	case TOTALS_RATE:
		if (isnan(row->calls_per_s))
			str_add(&cell->text, "…");
		else
			count_cell((uint64_t)(row->calls_per_s + 0.5), cell);
		if (!(row->calls_per_s >= 0.5))
			cell->role = ROLE_DIM;
		break;
	case TOTALS_CALLS:
		count_cell(row->calls, cell);
		break;
	case TOTALS_ERRORS:
		share_cell(row, cell);
		break;
	case TOTALS_IN_FLIGHT:
		count_cell(row->in_flight, cell);
		cell->role = row->in_flight ? ROLE_IN_FLIGHT : ROLE_DIM;
		break;
	case TOTALS_HISTOGRAM:
		histogram_bar_format(&cell->text, row->histogram, ENGINE_HISTOGRAM_CELLS,
				     ENGINE_HISTOGRAM_CELLS, HISTOGRAM_BAR_LOG);
		cell->role = row->ended ? ROLE_DIM : ROLE_BAR;
		break;
	case TOTALS_MAX:
		if (row->oldest_ns > row->max_ns)
			cell->role = ROLE_IN_FLIGHT;
		duration_cell(row, totals_longest_ns(row), cell);
		break;
	case TOTALS_TOTAL:
		total_cell(row, cell);
		break;
	case TOTALS_CPU:
		cpu_cell(row, cell);
		break;
	case TOTALS_BLOCKED:
	case TOTALS_RUNNABLE:
		wait_cell(row, column, cell);
		break;
	default:
		duration_cell(row, time_of(row, column), cell);
		break;
	}
}
