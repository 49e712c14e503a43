/*
 * perf_drain - delivers all new records in order of time.
 *
 * A drain notes the time T, then reads how far each ring was written. At that point, the rings
 * contain every record up to T. A CPU finishes writing a record before the thread continues or can
 * move to another CPU. The rings are merged in place up to T; later records wait for the next
 * drain. Thread of the source only.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/source/live/perf_calls.h"
#include "engine/source/live/perf_source_private.h"
#include "engine/source/live/perf_stack_limit.h"
#include "engine/source/live/perf_user_stacks.h"

#include <stdlib.h>

/*
 * Delay for BPF records: the program at switches can report a blocking call right after the perf
 * event of the switch. The program takes less time than this.
 */
#define BPF_LATE_NS (50 * NS_PER_US)

static void begin_rings(struct perf_source *perf, struct perf_rings *rings, uint32_t input)
{
	const struct perf_event_header *header;

	for (uint32_t i = 0; i < rings->count; i++) {
		perf_ring_refresh(&rings->cpus[i].ring);
		header = perf_ring_peek(&rings->cpus[i].ring);
		if (header)
			merge_add(&perf->merge, input + i, perf_decode_time(&perf->decode, header));
	}
}

/*
 * A full ring reports lost switch records only with the next record that fits. That is too late for
 * calls that end before it, so report now that switches may be lost.
 */
static void emit_switches_lost(struct perf_source *perf, uint64_t until_ns, record_fn *take,
			       void *ctx)
{
	struct perf_rings *rings = &perf->plan.rings;
	struct record record = { .kind = RECORD_SWITCHES_LOST, .time_ns = perf->decode.last_ns };

	for (uint32_t i = 0; perf->decode.switch_records && i < rings->count; i++) {
		if (!rings->cpus[i].ring.filled)
			continue;
		record.cpu = rings->cpus[i].cpu;
		record.switches_lost.until_ns = until_ns;
		take(ctx, &record);
	}
}

static void begin_inputs(struct perf_source *perf)
{
	struct perf_plan *plan = &perf->plan;
	const struct record *seeded;

	/* After a stop, drain up to the present: no record arrives late. */
	merge_begin(&perf->merge, perf->stopped
					  ? clock_now_ns()
					  : proc_synthesize_horizon(&perf->seed, clock_now_ns()) -
						    (perf->bpf ? BPF_LATE_NS : 0));
	begin_rings(perf, &plan->rings, 0);
	begin_rings(perf, &plan->user_stacks.rings, plan->rings.count);
	seeded = proc_synthesize_peek(&perf->seed);
	if (seeded)
		merge_add(&perf->merge, 2 * plan->rings.count, seeded->time_ns);
	if (perf->bpf)
		bpf_calls_begin(perf->bpf, &perf->merge, 2 * plan->rings.count + 1);
	begin_rings(perf, &perf->events.rings, perf_event_input(perf));
}

static void drain_ring(struct perf_source *perf, struct perf_cpu *cpu, bool user_stacks,
		       record_fn *take, void *ctx)
{
	const struct perf_event_header *header = perf_ring_peek(&cpu->ring);
	uint64_t lost = perf->decode.lost, stacks = perf->decode.stacks;

	if (!user_stacks || perf_user_stack_take(&perf->plan.user_stacks, header))
		perf_decode(&perf->decode, header, cpu->cpu, take, ctx);
	cpu->reported += perf->decode.lost - lost;
	cpu->stacks += perf->decode.stacks - stacks;
	perf_ring_advance(&cpu->ring, header);
	header = perf_ring_peek(&cpu->ring);
	if (header)
		merge_next(&perf->merge, perf_decode_time(&perf->decode, header));
	else
		merge_drop(&perf->merge);
}

static void drain_event(struct perf_source *perf, struct perf_cpu *cpu, record_fn *take, void *ctx)
{
	const struct perf_event_header *next;

	perf_tracepoints_drain(&perf->events, &perf->decode, cpu, take, ctx);
	next = perf_ring_peek(&cpu->ring);
	if (next)
		merge_next(&perf->merge, perf_decode_time(&perf->decode, next));
	else
		merge_drop(&perf->merge);
}

static void drain_seed(struct perf_source *perf, record_fn *take, void *ctx)
{
	struct record record = *proc_synthesize_peek(&perf->seed);
	const struct record *next;

	/* Before its exec, the command waits in a call of stxtop's own setup. */
	if (record.kind != RECORD_INFLIGHT || !perf->decode.command ||
	    record.pid != perf->decode.command)
		perf_decode_pass(&perf->decode, &record, take, ctx);
	proc_synthesize_pop(&perf->seed);
	next = proc_synthesize_peek(&perf->seed);
	if (next)
		merge_next(&perf->merge, next->time_ns);
	else
		merge_drop(&perf->merge);
}

/*
 * A ring reports losses with the next record that fits. Losses after its last record are known only
 * from the counters of the events.
 */
static void drain_last_losses(struct perf_source *perf, record_fn *take, void *ctx)
{
	struct perf_rings *rings = &perf->plan.rings;
	struct record record = { .kind = RECORD_LOST };
	uint64_t *lost = mem_zalloc(rings->count, sizeof(*lost));

	perf_plan_lost_at_end(&perf->plan, lost);
	for (uint32_t i = 0; i < rings->count; i++) {
		if (!lost[i])
			continue;
		rings->cpus[i].reported += lost[i];
		perf->decode.lost += lost[i];
		record.time_ns = perf->merge.horizon_ns;
		record.cpu = rings->cpus[i].cpu;
		record.lost.count = lost[i];
		record.lost.kind = perf->decode.loss;
		perf_decode_pass(&perf->decode, &record, take, ctx);
	}
	free(lost);
}

static void look_at_stackless(struct perf_source *perf)
{
	struct task_list waiting = TASK_LIST_INIT;

	perf_decode_take_stackless(&perf->decode, &waiting);
	for (size_t i = 0; perf->seed.stacks.names && i < waiting.count; i++)
		task_list_add(&perf->seed.single, waiting.ids[i]);
	task_list_release(&waiting);
}

/* Without BPF programs, read the task owners of new processes from /proc. */
static void ask_newcomers(struct perf_source *perf)
{
	struct task_list *newcomers = &perf->decode.newcomers;

	for (size_t i = 0; i < newcomers->count; i++)
		proc_synthesize_newcomer(&perf->seed, newcomers->ids[i]);
	newcomers->count = 0;
}

/*
 * Read the owners of moved threads; for a first thread, of all threads of its process. Later
 * records wait for the reply. Lost records can hide a move: then read all owners every second.
 */
static void ask_doubted(struct perf_source *perf, bool lost)
{
	struct task_list *doubted = &perf->decode.doubted;

	if (perf->plan.sees_moves && (lost || doubted->count >= PERF_DOUBTED)) {
		perf->plan.sees_moves = false;
		perf_source_want_owners(perf);
	}
	for (size_t i = 0; i < doubted->count; i++) {
		uint32_t tid = doubted->ids[i], pid = task_table_pid(&perf->decode.tasks, tid);

		if (pid == tid || !pid)
			proc_synthesize_also(&perf->seed, tid);
		else
			task_list_add(&perf->seed.single, tid);
	}
	doubted->count = 0;
}

void perf_drain(struct perf_source *perf, record_fn *take, void *ctx)
{
	struct perf_rings *rings = &perf->plan.rings, *user_stacks = &perf->plan.user_stacks.rings;
	struct perf_rings *others = &perf->events.rings;
	uint64_t lost = perf->decode.lost;
	uint32_t input;

	begin_inputs(perf);
	emit_switches_lost(perf, perf->merge.horizon_ns, take, ctx);
	while (merge_any(&perf->merge)) {
		input = merge_input(&perf->merge);
		if (input < rings->count)
			drain_ring(perf, &rings->cpus[input], false, take, ctx);
		else if (input < 2 * rings->count)
			drain_ring(perf, &user_stacks->cpus[input - rings->count], true, take, ctx);
		else if (input >= perf_event_input(perf))
			drain_event(perf, &others->cpus[input - perf_event_input(perf)], take, ctx);
		else if (input > 2 * rings->count)
			bpf_calls_drain(perf->bpf, &perf->merge, input - 2 * rings->count - 1, take,
					ctx);
		else
			drain_seed(perf, take, ctx);
	}
	for (uint32_t i = 0; i < rings->count; i++)
		perf_ring_commit(&rings->cpus[i].ring);
	emit_switches_lost(perf, clock_now_ns(), take, ctx);
	for (uint32_t i = 0; i < rings->count; i++)
		rings->cpus[i].ring.filled = false;
	for (uint32_t i = 0; i < user_stacks->count; i++)
		perf_ring_commit(&user_stacks->cpus[i].ring);
	for (uint32_t i = 0; i < others->count; i++)
		perf_ring_commit(&others->cpus[i].ring);
	perf_user_stack_settle(&perf->plan, perf->merge.horizon_ns);
	if (perf_stack_limit_settle(&perf->plan, perf->merge.horizon_ns))
		look_at_stackless(perf);
	ask_newcomers(perf);
	ask_doubted(perf, perf->decode.lost != lost);
	perf_waker_names_settle(&perf->waker_names, &perf->decode, perf->merge.horizon_ns);
	if (perf->bpf)
		bpf_calls_settle(perf->bpf, perf->merge.horizon_ns, perf->stopped, take, ctx);
	if (perf->stopped) {
		drain_last_losses(perf, take, ctx);
		perf_tracepoints_emit_last(&perf->events, &perf->decode, perf->merge.horizon_ns,
					   take, ctx);
	}
	perf->stopped = false;
	perf_calls_settle(&perf->plan, perf->merge.horizon_ns);
}
