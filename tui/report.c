#include "tui/report.h"

#include "engine/base/mem.h"
#include "engine/export/summary.h"

#include <stdlib.h>

/* In a text; JSON has all of them. */
#define FUTEXES_SHOWN 10
#define NAMES_WAIT_MS 5000

/* Processes by time, calls, then pid, so that equal runs read the same. */
static int compare_processes(const void *a, const void *b)
{
	const struct engine_row *one = a, *other = b;

	if (one->total_ns != other->total_ns)
		return one->total_ns > other->total_ns ? -1 : 1;
	if (one->calls != other->calls)
		return one->calls > other->calls ? -1 : 1;
	return (one->pid > other->pid) - (one->pid < other->pid);
}

/* By process, in it by time. */
static int compare_syscalls(const void *a, const void *b)
{
	const struct engine_row *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->total_ns != other->total_ns)
		return one->total_ns > other->total_ns ? -1 : 1;
	if (one->calls != other->calls)
		return one->calls > other->calls ? -1 : 1;
	return (one->nr > other->nr) - (one->nr < other->nr);
}

/* Drops rows of which nothing finished. */
static size_t keep_called(struct engine_row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].calls)
			rows[kept++] = rows[i];
	return kept;
}

static struct summary_syscall summary_syscall(const struct engine_row *row)
{
	return (struct summary_syscall){
		.nr = row->nr,
		.name = row->name,
		.calls = row->calls,
		.errors = row->errors,
		.total_ns = row->total_ns,
		.min_ns = row->min_ns,
		.max_ns = row->max_ns,
		.p50_ns = row->p50_ns,
		.p95_ns = row->p95_ns,
		.p99_ns = row->p99_ns,
	};
}

/* The first row of a process among those sorted by process. */
static size_t first_of(const struct engine_row *rows, size_t count, uint32_t pid)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* With the wait that goes on longest: a deadlock has none that ended. */
static uint64_t futex_total_ns(const struct engine_futex *futex)
{
	return futex->total_ns + futex->oldest_ns;
}

/* Futexes by time, then by what waits now. */
static int compare_futexes(const void *a, const void *b)
{
	const struct engine_futex *one = a, *other = b;
	uint64_t one_ns = futex_total_ns(one), other_ns = futex_total_ns(other);

	if (one_ns != other_ns)
		return one_ns > other_ns ? -1 : 1;
	if (one->waiters != other->waiters)
		return one->waiters > other->waiters ? -1 : 1;
	return (one->id > other->id) - (one->id < other->id);
}

static bool has_process(const struct engine_row *processes, size_t count, uint32_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].pid == pid)
			return true;
	return false;
}

/* A filter that lets no futex call through asked for something else. */
static bool wants_futexes(const struct engine_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (futex_op_is(rows[i].nr) && (rows[i].calls || rows[i].in_flight))
			return true;
	return false;
}

/* Those that somebody waited on, if only since moved there, of the processes in the filter. */
static size_t keep_waited(struct engine_futex *futexes, size_t count,
			  const struct engine_row *processes, size_t process_count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if ((futexes[i].waits || futexes[i].waiters || futexes[i].waker_count) &&
		    has_process(processes, process_count, futexes[i].pid))
			futexes[kept++] = futexes[i];
	return kept;
}

typedef char futex_name[ENGINE_FUTEX_NAME_BYTES];

/* First the mappings have to come, then the files' symbols, then they can be told. */
#define NAME_ROUNDS 3

static futex_name *name_futexes(struct engine *engine, const struct engine_futex *futexes,
				size_t count)
{
	futex_name *names = mem_zalloc(count + 1, sizeof(*names));

	for (int round = 0; round < NAME_ROUNDS && count; round++) {
		for (size_t i = 0; i < count; i++)
			engine_futex_name(engine, &futexes[i], names[i]);
		engine_symbols_settle(engine, NAMES_WAIT_MS);
	}
	return names;
}

/* The caller frees the arrays. */
static struct summary_futex *summary_futexes(const struct engine_futex *futexes, size_t count,
					     const futex_name *names,
					     struct summary_waker **wakers)
{
	struct summary_futex *rows = mem_zalloc(count + 1, sizeof(*rows));
	struct summary_waker *waker = mem_zalloc(count * ENGINE_FUTEX_WAKERS + 1, sizeof(*waker));

	*wakers = waker;
	for (size_t i = 0; i < count; i++) {
		const struct engine_futex *futex = &futexes[i];

		rows[i] = (struct summary_futex){
			.pid = futex->pid,
			.comm = futex->name,
			.name = names[i],
			.uaddr = futex->uaddr,
			.waits = futex->waits,
			.total_ns = futex_total_ns(futex),
			.max_ns = futex->max_ns > futex->oldest_ns ? futex->max_ns
								   : futex->oldest_ns,
			.waiters = futex->waiters,
			.wakers = waker,
			.waker_count = futex->waker_count,
		};
		for (uint32_t j = 0; j < futex->waker_count; j++)
			*waker++ = (struct summary_waker){
				.tid = futex->wakers[j].tid,
				.comm = futex->wakers[j].name,
				.count = futex->wakers[j].count,
			};
	}
	return rows;
}

void report_add(struct str *out, struct engine *engine, bool json)
{
	struct engine_row *processes = NULL, *rows = NULL;
	size_t process_count = engine_processes(engine, &processes);
	size_t row_count = engine_process_syscalls(engine, &rows);
	struct summary_process *summaries;
	struct summary_syscall *syscalls;
	struct engine_status *status = mem_alloc(sizeof(*status));
	struct engine_futex *futexes = NULL;
	size_t futex_count = 0, futexes_left_out = 0;
	struct summary_futex *futex_rows;
	futex_name *names;
	struct summary_waker *wakers;
	struct engine_event *sums = NULL;
	size_t event_count = engine_event_sums(engine, &sums);
	struct summary_event *events = mem_zalloc(event_count + 1, sizeof(*events));
	struct summary summary;
	uint64_t in_flight = 0, oldest_ns = 0;

	for (size_t i = 0; i < process_count; i++) {
		in_flight += processes[i].in_flight;
		if (processes[i].oldest_ns > oldest_ns)
			oldest_ns = processes[i].oldest_ns;
	}
	if (json || wants_futexes(rows, row_count))
		futex_count = engine_futexes(engine, &futexes);
	/* A process that is stuck in calls has none that finished. */
	futex_count = keep_waited(futexes, futex_count, processes, process_count);
	if (futex_count)
		qsort(futexes, futex_count, sizeof(*futexes), compare_futexes);
	if (!json && futex_count > FUTEXES_SHOWN) {
		futexes_left_out = futex_count - FUTEXES_SHOWN;
		futex_count = FUTEXES_SHOWN;
	}
	names = name_futexes(engine, futexes, futex_count);
	futex_rows = summary_futexes(futexes, futex_count, names, &wakers);
	process_count = keep_called(processes, process_count);
	row_count = keep_called(rows, row_count);
	if (process_count)
		qsort(processes, process_count, sizeof(*processes), compare_processes);
	if (row_count)
		qsort(rows, row_count, sizeof(*rows), compare_syscalls);
	syscalls = mem_zalloc(row_count + 1, sizeof(*syscalls));
	for (size_t i = 0; i < row_count; i++)
		syscalls[i] = summary_syscall(&rows[i]);
	summaries = mem_zalloc(process_count + 1, sizeof(*summaries));
	for (size_t i = 0; i < process_count; i++) {
		size_t first = first_of(rows, row_count, processes[i].pid);
		size_t end = first;

		while (end < row_count && rows[end].pid == processes[i].pid)
			end++;
		summaries[i] = (struct summary_process){
			.pid = processes[i].pid,
			.comm = processes[i].name,
			.calls = processes[i].calls,
			.errors = processes[i].errors,
			.total_ns = processes[i].total_ns,
			.syscalls = syscalls + first,
			.syscall_count = end - first,
		};
	}
	for (size_t i = 0; i < event_count; i++)
		events[i] = (struct summary_event){ .name = sums[i].name, .count = sums[i].count };
	engine_status(engine, status);
	summary = (struct summary){
		.source = status->source.name,
		.lost = status->model.records_lost + status->model.calls_unmatched,
		.started_ns = status->started_ns,
		.ended_ns = status->now_ns,
		.in_flight = in_flight,
		.oldest_ns = oldest_ns,
		.processes = summaries,
		.process_count = process_count,
		.futexes = futex_rows,
		.futex_count = futex_count,
		.futexes_left_out = futexes_left_out,
		.events = events,
		.event_count = event_count,
		.events_watched = status->source.tracepoints || event_count,
		.events_lost = status->model.events_lost,
	};
	if (json)
		summary_add_json(out, &summary);
	else
		summary_add_text(out, &summary);
	free(status);
	free(events);
	free(sums);
	free(futex_rows);
	free(names);
	free(wakers);
	free(futexes);
	free(summaries);
	free(syscalls);
	free(rows);
	free(processes);
}
