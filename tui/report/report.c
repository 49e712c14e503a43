#include "tui/report/report.h"

#include "engine/base/mem.h"
#include "tui/report/report_groups.h"

#include <stdlib.h>

/* Maximum number of futexes in text; JSON has all. */
#define FUTEXES_SHOWN 10
#define NAMES_WAIT_MS 5000

/* Include the longest current wait: a deadlock has no finished wait. */
static uint64_t futex_total_ns(const struct engine_futex *futex)
{
	return futex->total_ns + futex->oldest_ns;
}

/* Sort by time, then by the number of current waiters. */
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
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (processes[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && processes[low].pid == pid;
}

/* False if the filter drops all futex calls: the summary then has no futexes. */
static bool wants_futexes(const struct engine_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (futex_op_is(rows[i].nr) && (rows[i].calls || rows[i].in_flight))
			return true;
	return false;
}

/* Retain futexes that had waiters, even if only requeued, and belong to one of `processes`. */
static size_t store_waited(struct engine_futex *futexes, size_t count,
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

/* The first round requests the mappings, the second the symbols, and the third finds the names. */
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
					     const futex_name *names, struct summary_waker **wakers)
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
			.untimed = futex->untimed,
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

static size_t report_futexes(struct engine *engine, const struct report_groups *processes, bool all,
			     struct engine_futex **futexes)
{
	size_t count = 0, used;

	if (all || wants_futexes(processes->rows, processes->row_count))
		count = engine_futexes(engine, futexes, &used);
	/* Use the owners, not the groups: a process without a finished call has no group. */
	count = store_waited(*futexes, count, processes->owners, processes->owner_count);
	if (count)
		qsort(*futexes, count, sizeof(**futexes), compare_futexes);
	return count;
}

static void add_in_flight(struct summary *summary, const struct report_groups *processes)
{
	for (size_t i = 0; i < processes->owner_count; i++) {
		const struct engine_row *process = &processes->owners[i];

		summary->in_flight += process->in_flight;
		if (process->oldest_ns > summary->oldest_ns)
			summary->oldest_ns = process->oldest_ns;
	}
}

/* Return the form, without the blocked time if waits were not traced. */
static struct summary_form fitting(const struct summary_form *form,
				   const struct engine_status *status)
{
	struct summary_form fits = *form;

	if (!status->source.has_waits)
		summary_form_withdraw(&fits, SUMMARY_BLOCKED);
	return fits;
}

static void push(void *ctx)
{
	output_push(ctx);
}

void report_add(struct output *output, struct engine *engine, const struct summary_form *form,
		enum report_format format)
{
	struct report_groups processes, others = { 0 };
	struct engine_status *status = mem_alloc(sizeof(*status));
	struct engine_futex *futexes = NULL;
	struct engine_event *totals = NULL;
	size_t futex_count, event_count = engine_event_sums(engine, &totals);
	struct summary_event *events = mem_zalloc(event_count + 1, sizeof(*events));
	struct summary summary = {
		.events = events, .event_count = event_count, .wrote = push, .wrote_ctx = output
	};
	struct str *out = &output->text;
	struct summary_form fits;
	struct summary_futex *futex_rows;
	struct summary_waker *wakers;
	futex_name *names;

	report_groups_make(&processes, engine, form, SUMMARY_BY_PROCESS);
	if (form->by != SUMMARY_BY_PROCESS)
		report_groups_make(&others, engine, form, form->by);
	futex_count = format == REPORT_CSV
			      ? 0
			      : report_futexes(engine, &processes, format == REPORT_JSON, &futexes);
	if (format == REPORT_TEXT && futex_count > FUTEXES_SHOWN) {
		summary.futexes_left_out = futex_count - FUTEXES_SHOWN;
		futex_count = FUTEXES_SHOWN;
	}
	names = name_futexes(engine, futexes, futex_count);
	futex_rows = summary_futexes(futexes, futex_count, names, &wakers);
	for (size_t i = 0; i < event_count; i++)
		events[i] = (struct summary_event){ .name = totals[i].name,
						    .count = totals[i].count };
	engine_status(engine, status);
	fits = fitting(form, status);
	summary.form = &fits;
	add_in_flight(&summary, &processes);
	summary.source = status->source.name;
	/* Lost events of other tracepoints are reported separately: the sums count calls. */
	summary.lost = model_status_losses(&status->model) - status->model.events_lost;
	summary.started_ns = status->from_ns;
	summary.ended_ns = status->now_ns;
	summary.has_blocked = summary_form_has(&fits, SUMMARY_BLOCKED);
	summary.processes = processes.groups;
	summary.process_count = processes.count;
	summary.groups = others.groups;
	summary.group_count = others.count;
	summary.futexes = futex_rows;
	summary.futex_count = futex_count;
	summary.events_watched = status->source.tracepoints || event_count;
	summary.events_lost = status->model.events_lost;
	switch (format) {
	case REPORT_TEXT:
		summary_add_text(out, &summary);
		break;
	case REPORT_JSON:
		summary_add_json(out, &summary);
		break;
	case REPORT_CSV:
		summary_add_csv(out, &summary);
		break;
	}
	free(status);
	free(events);
	free(totals);
	free(futex_rows);
	free(names);
	free(wakers);
	free(futexes);
	report_groups_release(&processes);
	report_groups_release(&others);
}
