#include "tui/report/report_groups.h"

#include "engine/base/mem.h"
#include "engine/export/summary_table.h"

#include <stdlib.h>
#include <string.h>

static struct summary_syscall summary_syscall(const struct engine_row *row)
{
	return (struct summary_syscall){
		.nr = row->nr,
		.name = row->name,
		.calls = row->calls,
		.errors = row->errors,
		.total_ns = row->total_ns,
		.blocked_ns = row->blocked_ns,
		.waits_unknown = row->waits_unknown,
		.untimed = row->untimed,
		.min_ns = row->min_ns,
		.max_ns = row->max_ns,
		.p50_ns = row->p50_ns,
		.p95_ns = row->p95_ns,
		.p99_ns = row->p99_ns,
		.deviation_ns = row->deviation_ns,
		.errnos = row->errnos,
		.errno_count = row->errno_count,
	};
}

static int compare_owners(const struct engine_row *one, const struct engine_row *other)
{
	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return (one->tid > other->tid) - (one->tid < other->tid);
}

static int compare_rows(const void *one, const void *other)
{
	return compare_owners(one, other);
}

static int compare_syscalls(const void *one, const void *other, void *form)
{
	return summary_compare_syscalls(form, one, other);
}

static int compare_groups(const void *one, const void *other, void *form)
{
	return summary_compare_groups(form, one, other);
}

/* Return the index of the first row of this owner; the rows are sorted by owner. */
static size_t first_of(const struct engine_row *rows, size_t count, const struct engine_row *owner)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_owners(&rows[middle], owner) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sort(void *rows, size_t count, size_t bytes, const struct summary_form *form,
		 int (*compare)(const void *one, const void *other, void *form))
{
	struct summary_form copy = *form; /* qsort_r() takes no const pointer */

	if (count)
		qsort_r(rows, count, bytes, compare, &copy);
}

/* Exited processes of the same name form one group, without a pid. */
static uint32_t pid_of(const struct engine_row *owner)
{
	return owner->pid >= ENGINE_GROUP_PID ? 0 : owner->pid;
}

static void make_group(struct report_groups *made, const struct engine_row *owner,
		       const struct summary_form *form)
{
	size_t first = first_of(made->rows, made->row_count, owner), end = first;
	struct summary_syscall *syscalls;
	size_t count = 0;

	while (end < made->row_count && !compare_owners(&made->rows[end], owner))
		end++;
	syscalls = made->syscalls + first;
	/* Skip rows without finished calls: they only count calls in flight. */
	for (size_t i = first; i < end; i++)
		if (made->rows[i].calls)
			syscalls[count++] = summary_syscall(&made->rows[i]);
	sort(syscalls, count, sizeof(*syscalls), form, compare_syscalls);
	made->groups[made->count++] = (struct summary_group){
		.pid = pid_of(owner),
		.tid = owner->tid,
		.comm = owner->name,
		.ended = owner->ended_processes,
		.calls = owner->calls,
		.errors = owner->errors,
		.total_ns = owner->total_ns,
		.blocked_ns = owner->blocked_ns,
		.waits_unknown = owner->waits_unknown,
		.untimed = owner->untimed,
		.syscalls = syscalls,
		.syscall_count = count,
	};
}

/* Sum all rows into one. */
static size_t sum_of_rows(const struct engine_row *rows, size_t count, struct engine_row **sum)
{
	*sum = mem_zalloc(1, sizeof(**sum));
	for (size_t i = 0; i < count; i++) {
		(*sum)->calls += rows[i].calls;
		(*sum)->errors += rows[i].errors;
		(*sum)->total_ns += rows[i].total_ns;
		(*sum)->blocked_ns += rows[i].blocked_ns;
		(*sum)->waits_unknown += rows[i].waits_unknown;
		(*sum)->untimed += rows[i].untimed;
	}
	return 1;
}

void report_groups_make(struct report_groups *made, struct engine *engine,
			const struct summary_form *form, enum summary_by by)
{
	memset(made, 0, sizeof(*made));
	switch (by) {
	case SUMMARY_BY_PROCESS:
		made->row_count = engine_process_syscalls(engine, &made->rows);
		made->owner_count = engine_processes(engine, &made->owners);
		break;
	case SUMMARY_BY_THREAD:
		made->row_count = engine_thread_syscalls(engine, &made->rows);
		made->owner_count = engine_threads(engine, 0, &made->owners);
		break;
	case SUMMARY_BY_TOTAL:
		made->row_count = engine_syscall_rows(engine, 0, 0, &made->rows);
		made->owner_count = sum_of_rows(made->rows, made->row_count, &made->owners);
		break;
	}
	made->syscalls = mem_zalloc(made->row_count + 1, sizeof(*made->syscalls));
	made->groups = mem_zalloc(made->owner_count + 1, sizeof(*made->groups));
	if (made->row_count)
		qsort(made->rows, made->row_count, sizeof(*made->rows), compare_rows);
	if (made->owner_count)
		qsort(made->owners, made->owner_count, sizeof(*made->owners), compare_rows);
	for (size_t i = 0; i < made->owner_count; i++)
		if (made->owners[i].calls)
			make_group(made, &made->owners[i], form);
	sort(made->groups, made->count, sizeof(*made->groups), form, compare_groups);
}

void report_groups_release(struct report_groups *made)
{
	free(made->groups);
	free(made->syscalls);
	free(made->owners);
	free(made->rows);
	memset(made, 0, sizeof(*made));
}
