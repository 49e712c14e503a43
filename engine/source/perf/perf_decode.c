#include "engine/source/perf/perf_decode.h"

#include "engine/base/mem.h"
#include "engine/source/perf/perf_cursor.h"
#include "engine/source/perf/perf_open.h"
#include "engine/source/perf/perf_sideband.h"
#include "engine/source/perf/perf_stacks.h"
#include "engine/source/perf/perf_waker_names.h"
#include "engine/source/perf/syscall_event_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>

/* Common fields of a sample, in the order of PERF_COMMON_SAMPLE. */
struct common {
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
};

int perf_decode_init(struct perf_decode *decode)
{
	memset(decode, 0, sizeof(*decode));
	perf_ids_init(&decode->ids);
	perf_dedup_init(&decode->dedup);
	decode->periods[PERF_PERIOD_SIDEBAND].until_ns = UINT64_MAX;
	decode->periods[PERF_PERIOD_WAITS].until_ns = UINT64_MAX;
	decode->periods[PERF_PERIOD_USER_STACK].until_ns = UINT64_MAX;
	decode->periods[PERF_PERIOD_EVENTS].until_ns = UINT64_MAX;
	return task_table_init(&decode->tasks);
}

void perf_decode_release(struct perf_decode *decode)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	perf_ids_release(&decode->ids);
	perf_dedup_release(&decode->dedup);
	descendants_release(&decode->descendants);
	perf_owners_release(&decode->owners);
	task_list_release(&decode->forks);
	task_list_release(&decode->doubted);
	task_list_release(&decode->newcomers);
	task_list_release(&decode->stackless);
	while ((slot = idmap_next(&decode->singles, &cursor)))
		free(slot->value);
	idmap_release(&decode->singles);
	free(decode->copies);
	free(decode->pauses);
	task_table_release(&decode->tasks);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int learn_calls(struct perf_decode *decode, const struct tracepoint *enter,
		       const struct tracepoint *exit, struct err *err)
{
	int ret;

	if ((ret = tracepoint_field(enter, "id", &decode->enter_nr, err)) ||
	    (ret = tracepoint_field(enter, "args", &decode->enter_args, err)) ||
	    (ret = tracepoint_field(exit, "id", &decode->exit_nr, err)) ||
	    (ret = tracepoint_field(exit, "ret", &decode->exit_ret, err)))
		return ret;
	if (decode->bare_calls &&
	    ((ret = tracepoint_field(enter, "common_pid", &decode->enter_tid, err)) ||
	     (ret = tracepoint_field(exit, "common_pid", &decode->exit_tid, err))))
		return ret;
	if (decode->enter_args.count < SYSCALL_ARGS)
		return err_set(err, -EINVAL, "raw_syscalls:sys_enter has %u arguments, not 6",
			       decode->enter_args.count);
	decode->enter_bytes = larger(tracepoint_field_end(&decode->enter_nr),
				     tracepoint_field_end(&decode->enter_args));
	decode->exit_bytes = larger(tracepoint_field_end(&decode->exit_nr),
				    tracepoint_field_end(&decode->exit_ret));
	return 0;
}

int perf_decode_learn(struct perf_decode *decode, const struct tracepoint *enter,
		      const struct tracepoint *exit, const struct tracepoint *sched_switch,
		      const struct tracepoint *waking, struct err *err)
{
	int ret;

	if (enter && (ret = learn_calls(decode, enter, exit, err)))
		return ret;
	if (sched_switch) {
		if ((ret = tracepoint_field(sched_switch, "prev_state", &decode->switch_state,
					    err)) ||
		    (ret = tracepoint_field(sched_switch, "next_pid", &decode->switch_next, err)))
			return ret;
		decode->switch_bytes = larger(tracepoint_field_end(&decode->switch_state),
					      tracepoint_field_end(&decode->switch_next));
	}
	if (waking) {
		if ((ret = tracepoint_field(waking, "pid", &decode->waking_tid, err)) ||
		    (ret = tracepoint_field(waking, "common_flags", &decode->waking_flags, err)))
			return ret;
		decode->waking_bytes = larger(tracepoint_field_end(&decode->waking_tid),
					      tracepoint_field_end(&decode->waking_flags));
	}
	return 0;
}

void perf_decode_pass(struct perf_decode *decode, struct record *record, record_fn *take, void *ctx)
{
	/*
	 * A CPU reads the clock before it writes the record. So a record can arrive one drain after
	 * records whose times are microseconds later. The records of one thread stay in order. The
	 * receiver requires ascending times, so raise time_ns. left_ns and entered_ns retain the
	 * exact time, except for enters with copied bytes (take_single()).
	 */
	if (__builtin_expect(record->time_ns < decode->last_ns, 0)) {
		if (record->kind == RECORD_EXIT)
			record->exit.left_ns = record->time_ns;
		else if (record->kind == RECORD_ENTER && !record->enter.entered_ns)
			record->enter.entered_ns = record->time_ns;
		record->time_ns = decode->last_ns;
	}
	decode->last_ns = record->time_ns;
	take(ctx, record);
}

int perf_decode_new_period(const struct perf_decode *decode)
{
	for (int period = PERF_PERIOD_CALLS; period < PERF_PERIODS; period++)
		if (!decode->periods[period].until_ns)
			return period;
	return -EBUSY;
}

void perf_decode_end_period(struct perf_decode *decode, uint8_t period)
{
	perf_ids_drop(&decode->ids, period);
	perf_dedup_end_period(&decode->dedup, period);
	decode->periods[period] = (struct perf_period){ 0, 0 };
}

static size_t call_bytes(const struct perf_decode *decode, const struct perf_id *event)
{
	if (event->kind == PERF_KIND_EXIT)
		return event->single ? tracepoint_field_end(&decode->single_ret)
				     : decode->exit_bytes;
	return event->single ? decode->single_ret.offset : decode->enter_bytes;
}

static const struct tracepoint_field *nr_of(const struct perf_decode *decode,
					    const struct perf_id *event)
{
	if (event->single)
		return &decode->single_nr;
	return event->kind == PERF_KIND_ENTER ? &decode->enter_nr : &decode->exit_nr;
}

/* Three memcpy() per enter: for a single one, gcc 12 emits an instruction that starts slowly. */
static inline void take_args(uint64_t args[SYSCALL_ARGS], const unsigned char *raw)
{
	struct pair {
		uint64_t values[2];
	} pairs[SYSCALL_ARGS / 2];

	memcpy(&pairs[0], raw, sizeof(pairs[0]));
	memcpy(&pairs[1], raw + sizeof(pairs[0]), sizeof(pairs[1]));
	memcpy(&pairs[2], raw + 2 * sizeof(pairs[0]), sizeof(pairs[2]));
	memcpy(args, pairs, sizeof(pairs));
}

/* Copy the arguments that the call has, 0 for missing ones, and the strings in the sample. */
static void take_single(struct perf_decode *decode, struct record *record, const unsigned char *raw,
			size_t bytes)
{
	const struct syscall_event_fields *fields = idmap_get(&decode->singles, record->enter.nr);

	memset(record->enter.args, 0, sizeof(record->enter.args));
	if (!fields)
		return;
	syscall_event_fields_args(fields, raw, bytes, record->enter.args);
	if (!fields->texts || !decode->copies_origin)
		return;
	record->enter.bytes.len = syscall_event_fields_copies(
		fields, raw, bytes, record->enter.args, decode->copies_origin, decode->copies);
	record->enter.bytes.chunks = decode->copies;
	record->enter.bytes.more = false;
	/* The model stores the bytes only if entered_ns is the time at which its call began. */
	record->enter.entered_ns = record->time_ns < decode->last_ns ? decode->last_ns
								     : record->time_ns;
}

void perf_decode_learn_single(struct perf_decode *decode, uint32_t nr,
			      const struct tracepoint *enter)
{
	struct syscall_event_fields *fields;

	if (idmap_get(&decode->singles, nr))
		return;
	fields = mem_alloc(sizeof(*fields));
	syscall_event_fields_learn(fields, enter, decode->single_ret.offset);
	idmap_put(&decode->singles, nr, fields);
	if (fields->texts && !decode->copies)
		decode->copies = mem_alloc(SINGLE_CHUNK_BYTES);
}

void perf_decode_doubt_owner(struct perf_decode *decode, uint32_t pid, uint32_t tid)
{
	if (decode->doubted.count < PERF_DOUBTED && perf_decode_wants(decode, pid, tid))
		task_list_add(&decode->doubted, tid);
}

static void decode_move(struct perf_decode *decode, const unsigned char *raw, size_t bytes)
{
	uint32_t tid;

	if (bytes < tracepoint_field_end(&decode->moved_tid)) {
		decode->malformed++;
		return;
	}
	tid = (uint32_t)tracepoint_value(&decode->moved_tid, raw, 0);
	if (perf_decode_is_task(tid))
		perf_decode_doubt_owner(decode, task_table_pid(&decode->tasks, tid), tid);
}

static void decode_call(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, const unsigned char *raw, size_t bytes,
			record_fn *take, void *ctx)
{
	bool enter = event->kind == PERF_KIND_ENTER;
	struct record owner;
	uint32_t nr;

	if (bytes < call_bytes(decode, event)) {
		decode->malformed++;
		return;
	}
	nr = (uint32_t)tracepoint_value(nr_of(decode, event), raw, 0);
	if (perf_decode_is_setup(decode, record->tid, nr, enter))
		return;
	if (perf_dedup_reported(&decode->dedup, record->tid, event, nr, record->time_ns))
		return;
	if (!enter) {
		record->kind = RECORD_EXIT;
		record->exit.nr = nr;
		record->exit.left_ns = 0;
		record->exit.silent = perf_decode_is_silent(decode, nr);
		record->exit.ret = (int64_t)tracepoint_value(
			event->single ? &decode->single_ret : &decode->exit_ret, raw, 0);
	} else {
		record->kind = RECORD_ENTER;
		record->enter.nr = nr;
		record->enter.entered_ns = 0;
		record->enter.resumes = perf_decode_is_silent(decode, nr) ? RESUME_SILENT
									  : RESUME_UNKNOWN;
		record->enter.bytes.len = 0;
		if (__builtin_expect(event->single, 0))
			take_single(decode, record, raw, bytes);
		else if (decode->enter_args.bytes == sizeof(record->enter.args[0]))
			take_args(record->enter.args, raw + decode->enter_args.offset);
		else
			for (size_t i = 0; i < SYSCALL_ARGS; i++)
				record->enter.args[i] = tracepoint_value(&decode->enter_args, raw,
									 i);
		/* rt_sigreturn has no arguments: the registers are from the signal handler. */
		if (__builtin_expect(nr == SYS_rt_sigreturn, 0))
			record->enter.args[0] = 0;
	}
	if (__builtin_expect(decode->names_callers &&
				     !(task_table_word(&decode->tasks, record->tid) & TASK_MET),
			     0))
		perf_waker_names_meet_caller(decode->waker_names, decode, record, record->pid,
					     record->tid, take, ctx);
	if (__builtin_expect(decode->owners.wanted, 0)) {
		if (perf_owners_before(&decode->owners, &decode->tasks, record, &owner))
			perf_decode_pass(decode, &owner, take, ctx);
	} else if (!enter && perf_owners_changes_user(record)) {
		perf_decode_doubt_owner(decode, record->pid, record->tid);
	}
	perf_decode_pass(decode, record, take, ctx);
}

void perf_decode_take_stackless(struct perf_decode *decode, struct task_list *waiting)
{
	for (size_t i = 0; i < decode->stackless.count; i++) {
		uint32_t tid = decode->stackless.ids[i];

		if (task_table_word(&decode->tasks, tid) & TASK_STACKLESS)
			task_list_add(waiting, tid);
		task_table_unmark(&decode->tasks, tid, TASK_STACKLESS | TASK_LISTED);
	}
	decode->stackless.count = 0;
}

void perf_decode_switch_in(struct perf_decode *decode, const struct record *at, uint32_t pid,
			   uint32_t tid, record_fn *take, void *ctx)
{
	struct record record = { .time_ns = at->time_ns,
				 .kind = RECORD_SWITCH_IN,
				 .cpu = at->cpu,
				 .pid = pid,
				 .tid = tid };

	if (__builtin_expect(task_table_word(&decode->tasks, tid) & TASK_STACKLESS, 0))
		task_table_unmark(&decode->tasks, tid, TASK_STACKLESS);
	if (perf_decode_is_task(tid) && perf_decode_wants(decode, pid, tid))
		perf_decode_pass(decode, &record, take, ctx);
}

/*
 * Look up the process of a thread that existed before tracing and that proc_synthesize has not read
 * yet; once per thread. If the thread has exited, assume that its pid is its tid.
 */
static uint32_t find_pid(struct perf_decode *decode, uint32_t tid)
{
	uint32_t pid = proc_tasks_group(tid);

	if (!pid)
		pid = tid;
	task_table_set_pid(&decode->tasks, tid, pid);
	return pid;
}

/*
 * Read the fields of PERF_BARE_SAMPLE and derive the missing ones. Afterwards `rest` begins with
 * the size field of the raw bytes. False if the sample is malformed.
 */
static bool take_bare(struct perf_decode *decode, struct perf_cursor *rest, bool enter,
		      struct common *common)
{
	const struct tracepoint_field *field = enter ? &decode->enter_tid : &decode->exit_tid;
	const unsigned char *at = perf_cursor_take(rest, PERF_BARE_BYTES);

	if (!at || rest->left < sizeof(uint32_t) + tracepoint_field_end(field))
		return false;
	memcpy(&common->time_ns, at + 8, sizeof(common->time_ns));
	common->tid = (uint32_t)tracepoint_value(field, rest->at + sizeof(uint32_t), 0);
	common->pid = task_table_pid(&decode->tasks, common->tid);
	if (__builtin_expect(!common->pid, 0))
		common->pid = find_pid(decode, common->tid);
	return true;
}

/*
 * Restore the tid of a thread past its exit, whose sample has tid -1. The raw bytes of every
 * tracepoint begin with 2 bytes of type, 1 of flags, 1 of preemption count and the tid (struct
 * trace_entry of the kernel).
 */
static void name_dead(struct perf_decode *decode, struct record *record)
{
	int32_t tid;

	if (record->tid != UINT32_MAX || record->event.bytes.len < 2 * sizeof(tid))
		return;
	memcpy(&tid, (const unsigned char *)record->event.bytes.chunks + sizeof(tid), sizeof(tid));
	record->tid = tid > 0 ? (uint32_t)tid : 0;
	record->pid = task_table_pid(&decode->tasks, record->tid);
	if (!record->pid)
		record->pid = record->tid;
}

static void decode_event(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, const unsigned char *raw, size_t bytes,
			 record_fn *take, void *ctx)
{
	struct record owner;

	record->kind = RECORD_EVENT;
	record->event.number = event->event;
	record->event.bytes = (struct record_bytes){ .chunks = raw, .len = bytes };
	name_dead(decode, record);
	if (!perf_decode_wants(decode, record->pid, record->tid))
		return;
	/* Until its execve, the command runs the set-up code of stxtop. */
	if (decode->command && record->tid == decode->command)
		return;
	if (decode->owners.wanted &&
	    perf_owners_before(&decode->owners, &decode->tasks, record, &owner))
		perf_decode_pass(decode, &owner, take, ctx);
	perf_decode_pass(decode, record, take, ctx);
}

/*
 * Decode an enter that carries its stack: emit the enter, then an in-flight record with the stack,
 * like one from /proc. If the call waits, the stack of the wait replaces this one.
 */
static void decode_stacked(struct perf_decode *decode, const struct perf_id *event,
			   struct record *record, struct perf_cursor *rest, record_fn *take,
			   void *ctx)
{
	struct record place = *record;
	struct record_stack stack;
	const unsigned char *raw;
	size_t bytes;

	if (!perf_stacks_enter(decode, rest, &stack, &raw, &bytes)) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_KIND_COUNT;
	decode_call(decode, event, record, raw, bytes, take, ctx);
	if (record->kind != RECORD_ENTER)
		return; /* the enter was dropped */
	place.kind = RECORD_INFLIGHT;
	place.inflight.nr = record->enter.nr;
	memcpy(place.inflight.args, record->enter.args, sizeof(place.inflight.args));
	place.inflight.sp = place.inflight.pc = 0;
	place.inflight.state = THREAD_STATE_UNKNOWN;
	place.inflight.unentered = false;
	place.inflight.stack = &stack;
	perf_decode_pass(decode, &place, take, ctx);
}

/* True if a sample of this event with this time and thread is to be reported. */
static bool counts(const struct perf_decode *decode, const struct perf_id *event, uint64_t time_ns,
		   uint32_t tid)
{
	const struct perf_period *period = &decode->periods[event->period];
	const struct perf_period *stopped = &decode->stopped;

	if (event->period >= PERF_PERIOD_CALLS &&
	    __builtin_expect(time_ns > stopped->from_ns && time_ns <= stopped->until_ns, 0))
		return false;
	return time_ns > period->from_ns && time_ns <= period->until_ns &&
	       !perf_dedup_doubtful(&decode->dedup, tid, event);
}

void perf_decode_sampled(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, const unsigned char *raw, size_t raw_bytes,
			 record_fn *take, void *ctx)
{
	if (counts(decode, event, record->time_ns, record->tid) &&
	    perf_decode_wants(decode, record->pid, record->tid))
		decode_call(decode, event, record, raw, raw_bytes, take, ctx);
}

static void decode_sample(struct perf_decode *decode, const struct perf_event_header *header,
			  uint32_t cpu, record_fn *take, void *ctx)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	struct perf_cursor rest = { .at = body, .left = header->size - sizeof(*header) };
	const struct perf_id *event;
	struct common common;
	struct record record;
	uint32_t raw_bytes;

	memcpy(&common.id, body, sizeof(common.id));
	event = perf_ids_find(&decode->ids, common.id);
	if (!event)
		return; /* its event is closed; the new set of events reported the same */
	if (decode->bare_calls &&
	    (event->kind == PERF_KIND_ENTER || event->kind == PERF_KIND_EXIT)) {
		if (!take_bare(decode, &rest, event->kind == PERF_KIND_ENTER, &common)) {
			decode->malformed++;
			return;
		}
	} else {
		const void *at = perf_cursor_take(&rest, PERF_COMMON_BYTES);
		if (!at) {
			decode->malformed++;
			return;
		}
		memcpy(&common, at, sizeof(common));
	}
	if (!counts(decode, event, common.time_ns, common.tid))
		return;
	record.time_ns = common.time_ns;
	record.cpu = cpu;
	record.pid = common.pid;
	record.tid = common.tid;
	if (event->kind == PERF_KIND_SWITCH || event->kind == PERF_KIND_USER_STACK) {
		perf_stacks_switch(decode, event, &record, &rest, take, ctx);
		return;
	}
	if (event->kind == PERF_KIND_RUNNING) {
		perf_stacks_running(decode, event, &record, &rest, take, ctx);
		return;
	}
	if (event->kind == PERF_KIND_WAKING || event->kind == PERF_KIND_USER_STACK_WAKING ||
	    event->kind == PERF_KIND_BARE_WAKING) {
		perf_stacks_waking(decode, event, &record, &rest, take, ctx);
		return;
	}
	if (event->kind != PERF_KIND_EVENT && event->kind != PERF_KIND_MOVE &&
	    !perf_decode_wants(decode, common.pid, common.tid))
		return;
	if (event->kind == PERF_KIND_ENTER && __builtin_expect(event->stacked, 0)) {
		decode_stacked(decode, event, &record, &rest, take, ctx);
		return;
	}
	if (rest.left < sizeof(raw_bytes)) {
		decode->malformed++;
		return;
	}
	memcpy(&raw_bytes, rest.at, sizeof(raw_bytes));
	if (raw_bytes > rest.left - sizeof(raw_bytes)) {
		decode->malformed++;
		return;
	}
	rest.at += sizeof(raw_bytes);
	if (__builtin_expect(event->kind == PERF_KIND_EVENT, 0))
		decode_event(decode, event, &record, rest.at, raw_bytes, take, ctx);
	else if (__builtin_expect(event->kind == PERF_KIND_MOVE, 0))
		decode_move(decode, rest.at, raw_bytes);
	else
		decode_call(decode, event, &record, rest.at, raw_bytes, take, ctx);
}

void perf_decode(struct perf_decode *decode, const struct perf_event_header *header, uint32_t cpu,
		 record_fn *take, void *ctx)
{
	if (header->size < sizeof(*header) + PERF_BARE_BYTES)
		decode->malformed++;
	else if (header->type == PERF_RECORD_SAMPLE)
		decode_sample(decode, header, cpu, take, ctx);
	else
		perf_sideband_decode(decode, header, cpu, take, ctx);
}

void perf_decode_foresee(struct perf_decode *decode, const struct perf_ring *ring)
{
	const struct perf_event_header *header;
	struct perf_ring view = *ring;
	const uint32_t *ids;

	view.scratch = NULL;
	perf_ring_refresh(&view);
	while ((header = perf_ring_peek(&view))) {
		ids = (const uint32_t *)(header + 1); /* pid, ppid, tid, ptid */
		if (header->type == PERF_RECORD_FORK &&
		    header->size >= sizeof(*header) + PERF_COMMON_BYTES + 4 * sizeof(*ids) &&
		    task_table_word(&decode->tasks, ids[1]) & TASK_WATCHED_PROCESS)
			task_table_mark(&decode->tasks, ids[0], TASK_WATCHED_PROCESS);
		view.cursor += header->size;
	}
	perf_ring_release(&view);
}
