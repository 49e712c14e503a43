#include "engine/source/perf_decode.h"

#include "engine/source/perf_event.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define GONE 0xffffffffu /* what the kernel writes as the pid of a task that is no more */

/* The fields that every record has. */
struct common {
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
};

/* The rest of a sample, never read past its end. */
struct rest {
	const unsigned char *at;
	size_t left;
};

static const void *rest_take(struct rest *rest, size_t bytes)
{
	const unsigned char *at = rest->at;

	if (bytes > rest->left)
		return NULL;
	rest->at += bytes;
	rest->left -= bytes;
	return at;
}

static bool rest_u64(struct rest *rest, uint64_t *value)
{
	const void *at = rest_take(rest, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

int perf_decode_init(struct perf_decode *decode)
{
	memset(decode, 0, sizeof(*decode));
	perf_ids_init(&decode->ids);
	idmap_init(&decode->doubtful);
	idmap_init(&decode->told);
	decode->periods[PERF_PERIOD_SIDE].until_ns = UINT64_MAX;
	decode->periods[PERF_PERIOD_WAITS].until_ns = UINT64_MAX;
	return task_table_init(&decode->tasks);
}

void perf_decode_release(struct perf_decode *decode)
{
	perf_ids_release(&decode->ids);
	idmap_release(&decode->doubtful);
	idmap_release(&decode->told);
	task_list_release(&decode->births);
	task_table_release(&decode->tasks);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

int perf_decode_learn(struct perf_decode *decode, const struct tracepoint *enter,
		      const struct tracepoint *exit, const struct tracepoint *sched_switch,
		      const struct tracepoint *waking, struct err *err)
{
	int ret;

	if ((ret = tracepoint_field(enter, "id", &decode->enter_nr, err)) ||
	    (ret = tracepoint_field(enter, "args", &decode->enter_args, err)) ||
	    (ret = tracepoint_field(exit, "id", &decode->exit_nr, err)) ||
	    (ret = tracepoint_field(exit, "ret", &decode->exit_ret, err)))
		return ret;
	if (decode->enter_args.count < SYSCALL_ARGS)
		return err_set(err, -EINVAL, "raw_syscalls:sys_enter has %u arguments, not 6",
			       decode->enter_args.count);
	decode->enter_bytes = larger(tracepoint_field_end(&decode->enter_nr),
				     tracepoint_field_end(&decode->enter_args));
	decode->exit_bytes = larger(tracepoint_field_end(&decode->exit_nr),
				    tracepoint_field_end(&decode->exit_ret));
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
	 * A CPU takes the time of a record before it has written it, so a record may come to
	 * light a drain later than others with later times: by microseconds, and
	 * never before one of the same thread. The order is promised, so the time gives way.
	 */
	if (record->time_ns < decode->last_ns)
		record->time_ns = decode->last_ns;
	decode->last_ns = record->time_ns;
	take(ctx, record);
}

static uint64_t doubt_key(uint8_t period, uint32_t tid)
{
	return (uint64_t)period << 32 | tid;
}

void perf_decode_doubt(struct perf_decode *decode, uint8_t period, uint32_t tid)
{
	idmap_put(&decode->doubtful, doubt_key(period, tid), (void *)(uintptr_t)tid);
}

/* Whether another event tells the same of this thread. */
static bool is_twin(const struct perf_decode *decode, uint32_t tid, const struct perf_id *event)
{
	const void *counts;

	if (!decode->doubtful.count)
		return false;
	counts = idmap_get(&decode->doubtful, doubt_key(event->period, tid));
	return counts && (uint32_t)(uintptr_t)counts != event->root;
}

/* A child inherits all the events of its parent, doubles too. */
static void inherit_doubts(struct perf_decode *decode, uint32_t tid, uint32_t parent_tid)
{
	void *root;

	for (uint8_t period = 0; decode->doubtful.count && period < PERF_PERIODS; period++) {
		root = idmap_get(&decode->doubtful, doubt_key(period, parent_tid));
		if (root && !idmap_get(&decode->doubtful, doubt_key(period, tid)))
			idmap_put(&decode->doubtful, doubt_key(period, tid), root);
	}
}

static void forget_doubts(struct perf_decode *decode, uint32_t tid)
{
	for (uint8_t period = 0; decode->doubtful.count && period < PERF_PERIODS; period++)
		idmap_remove(&decode->doubtful, doubt_key(period, tid));
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
	struct idmap_slot *slot;
	size_t cursor;

	perf_ids_drop(&decode->ids, period);
	decode->periods[period] = (struct perf_period){ 0, 0 };
	/* Removal moves slots, so each search begins again; there are few doubts, mostly none. */
	do {
		cursor = 0;
		while ((slot = idmap_next(&decode->doubtful, &cursor)))
			if (slot->key >> 32 == period)
				break;
		if (slot)
			idmap_remove(&decode->doubtful, slot->key);
	} while (slot);
}

/* Whether anybody wants to hear of this task. */
static inline bool wanted(const struct perf_decode *decode, uint32_t pid, uint32_t tid)
{
	uint32_t words = task_table_word(&decode->tasks, pid) |
			 task_table_word(&decode->tasks, tid);

	if (words & TASK_OWN)
		return false;
	return !decode->select || task_table_watched(&decode->tasks, pid, tid);
}

/* Enough to know a second record of the same enter or exit: never 0. */
static uintptr_t told_value(const struct perf_id *event, uint32_t nr)
{
	return (uintptr_t)nr << 24 | (uintptr_t)event->period << 8 | event->kind;
}

/*
 * Enters and exits of a thread alternate. Two of a kind in a row with the same number, from
 * two sets of events, are one that both sets saw.
 */
static bool told_before(struct perf_decode *decode, uint32_t tid, const struct perf_id *event,
			uint32_t nr)
{
	const uintptr_t period_bits = (uintptr_t)0xff << 8;
	uintptr_t value = told_value(event, nr);
	uintptr_t last = (uintptr_t)idmap_get(&decode->told, tid);

	if (last && last != value && (last & ~period_bits) == (value & ~period_bits))
		return true;
	idmap_put(&decode->told, tid, (void *)value);
	return false;
}

static void decode_call(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, const unsigned char *raw, size_t bytes,
			record_fn *take, void *ctx)
{
	bool enter = event->kind == PERF_KIND_ENTER;
	uint32_t nr;

	if (bytes < (enter ? decode->enter_bytes : decode->exit_bytes)) {
		decode->malformed++;
		return;
	}
	nr = (uint32_t)tracepoint_value(enter ? &decode->enter_nr : &decode->exit_nr, raw, 0);
	if (__builtin_expect(decode->command && record->tid == decode->command, 0)) {
		/* Before its execve, what it calls is our set-up. */
		if (!enter || nr != SYS_execve)
			return;
		decode->command = 0;
	}
	if (__builtin_expect(record->time_ns <= decode->overlap_until_ns, 0) &&
	    told_before(decode, record->tid, event, nr))
		return;
	if (!enter) {
		record->kind = RECORD_EXIT;
		record->exit.nr = nr;
		record->exit.ret = (int64_t)tracepoint_value(&decode->exit_ret, raw, 0);
	} else {
		record->kind = RECORD_ENTER;
		record->enter.nr = nr;
		if (decode->enter_args.bytes == sizeof(record->enter.args[0]))
			memcpy(record->enter.args, raw + decode->enter_args.offset,
			       sizeof(record->enter.args));
		else
			for (size_t i = 0; i < SYSCALL_ARGS; i++)
				record->enter.args[i] =
					tracepoint_value(&decode->enter_args, raw, i);
	}
	perf_decode_pass(decode, record, take, ctx);
}

/*
 * What follows the common fields, in the kernel's order: callchain, raw bytes,
 * user registers, user stack. False if the sample is not what it says.
 */
static bool read_stack_sample(const struct perf_decode *decode, struct rest *rest, uint64_t type,
			      struct record_stack *stack, const unsigned char **raw,
			      size_t *raw_bytes)
{
	uint64_t count, abi, bytes, filled;
	uint32_t len;
	const void *at;

	memset(stack, 0, sizeof(*stack));
	*raw = NULL;
	*raw_bytes = 0;
	if (type & PERF_SAMPLE_CALLCHAIN) {
		if (!rest_u64(rest, &count) || count > rest->left / sizeof(uint64_t))
			return false;
		/* Records are multiples of 8 bytes at multiples of 8, and so is this. */
		stack->ips = rest_take(rest, count * sizeof(uint64_t));
		stack->count = (uint32_t)count;
	}
	if (type & PERF_SAMPLE_RAW) {
		at = rest_take(rest, sizeof(len));
		if (!at)
			return false;
		memcpy(&len, at, sizeof(len));
		*raw = rest_take(rest, len);
		if (!*raw)
			return false;
		*raw_bytes = len;
	}
	if (type & PERF_SAMPLE_REGS_USER) {
		if (!rest_u64(rest, &abi))
			return false;
		if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
			stack->user_regs = rest_take(rest, sizeof(uint64_t) * (size_t)
						     __builtin_popcountll(decode->regs_mask));
			if (!stack->user_regs)
				return false;
			stack->user_regs_mask = decode->regs_mask;
		}
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		if (!rest_u64(rest, &bytes))
			return false;
		if (bytes) {
			stack->user_stack = rest_take(rest, bytes);
			if (!stack->user_stack || !rest_u64(rest, &filled) || filled > bytes)
				return false;
			stack->user_stack_bytes = (uint32_t)filled;
		}
	}
	return true;
}

static void pass_switch_in(struct perf_decode *decode, uint64_t time_ns, uint32_t cpu, uint32_t pid,
			   uint32_t tid, record_fn *take, void *ctx)
{
	struct record record = { .time_ns = time_ns, .kind = RECORD_SWITCH_IN, .cpu = cpu,
				 .pid = pid, .tid = tid };

	/* Number 0 is each CPU's idle task. */
	if (tid && tid != GONE && wanted(decode, pid, tid))
		perf_decode_pass(decode, &record, take, ctx);
}

static void decode_switch(struct perf_decode *decode, struct record *record, struct rest *rest,
			  record_fn *take, void *ctx)
{
	const unsigned char *raw;
	uint64_t time_ns = record->time_ns;
	uint32_t next;
	size_t bytes;

	if (!read_stack_sample(decode, rest, decode->switch_type, &record->switch_out.stack, &raw,
			       &bytes) || (raw && bytes < decode->switch_bytes)) {
		decode->malformed++;
		return;
	}
	/*
	 * The low byte has the states in which a task does not run; "preempted" is a bit above
	 * them (TASK_REPORT_MAX, which moved between kernels) with none of them set.
	 */
	record->switch_out.preempted = raw &&
		!(tracepoint_value(&decode->switch_state, raw, 0) & 0xff);
	record->kind = RECORD_SWITCH_OUT;
	if (record->tid && record->tid != GONE && wanted(decode, record->pid, record->tid)) {
		if (!decode->per_task)
			task_table_set_pid(&decode->tasks, record->tid, record->pid);
		perf_decode_pass(decode, record, take, ctx);
	}
	if (raw && decode->next_from_switch) {
		next = (uint32_t)tracepoint_value(&decode->switch_next, raw, 0);
		pass_switch_in(decode, time_ns, record->cpu,
			       task_table_pid(&decode->tasks, next), next, take, ctx);
	}
}

static void decode_waking(struct perf_decode *decode, struct record *record, struct rest *rest,
			  record_fn *take, void *ctx)
{
	const unsigned char *raw;
	uint32_t pid, tid;
	size_t bytes;

	if (!read_stack_sample(decode, rest, decode->waking_type, &record->waking.stack, &raw,
			       &bytes) || !raw || bytes < decode->waking_bytes) {
		decode->malformed++;
		return;
	}
	tid = (uint32_t)tracepoint_value(&decode->waking_tid, raw, 0);
	pid = task_table_pid(&decode->tasks, tid);
	if (!wanted(decode, pid, tid))
		return;
	record->kind = RECORD_WAKING;
	record->waking.tid = tid;
	record->waking.pid = pid;
	/* TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of linux/trace_events.h. */
	record->waking.has_interrupt_state = true;
	record->waking.in_interrupt = tracepoint_value(&decode->waking_flags, raw, 0) & 0x18;
	perf_decode_pass(decode, record, take, ctx);
}

static void decode_sample(struct perf_decode *decode, const struct perf_event_header *header,
			  uint32_t cpu, record_fn *take, void *ctx)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	struct rest rest = { .at = body + PERF_COMMON_BYTES,
			     .left = header->size - sizeof(*header) - PERF_COMMON_BYTES };
	const struct perf_period *period;
	const struct perf_id *event;
	struct common common;
	struct record record;
	uint32_t raw_bytes;

	memcpy(&common, body, sizeof(common));
	event = perf_ids_find(&decode->ids, common.id);
	if (!event)
		return; /* of a set that was closed: its successor told the same */
	period = &decode->periods[event->period];
	if (common.time_ns <= period->from_ns || common.time_ns > period->until_ns ||
	    is_twin(decode, common.tid, event))
		return;
	record.time_ns = common.time_ns;
	record.cpu = cpu;
	record.pid = common.pid;
	record.tid = common.tid;
	if (event->kind == PERF_KIND_SWITCH) {
		decode_switch(decode, &record, &rest, take, ctx);
		return;
	}
	if (event->kind == PERF_KIND_WAKING) {
		decode_waking(decode, &record, &rest, take, ctx);
		return;
	}
	if (!wanted(decode, common.pid, common.tid))
		return;
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
	decode_call(decode, event, &record, rest.at, raw_bytes, take, ctx);
}

/* The string that a record ends with: inside it, and terminated. */
static const char *tail_text(const struct rest *rest)
{
	return rest->left && memchr(rest->at, '\0', rest->left) ? (const char *)rest->at : NULL;
}

static void decode_comm(struct perf_decode *decode, struct record *record, struct rest *rest,
			uint16_t misc, record_fn *take, void *ctx)
{
	const uint32_t *ids = rest_take(rest, 2 * sizeof(*ids));
	const char *comm = tail_text(rest);

	if (!ids || !comm) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_COMM;
	record->pid = ids[0];
	record->tid = ids[1];
	record->comm.comm = comm;
	record->comm.exec = misc & PERF_RECORD_MISC_COMM_EXEC;
	/* Where the filter in the kernel takes no execve, this is the first word of it. */
	if (record->comm.exec && record->pid == decode->command)
		decode->command = 0;
	if (wanted(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

static void decode_mmap2(struct perf_decode *decode, struct record *record, struct rest *rest,
			 uint16_t misc, record_fn *take, void *ctx)
{
	struct {
		uint32_t pid, tid;
		uint64_t start, bytes, file_offset;
		uint32_t dev_major, dev_minor; /* or a build id in all of these four */
		uint64_t inode, generation;
		uint32_t prot, flags;
	} fields;
	const void *at = rest_take(rest, sizeof(fields));
	const char *path = tail_text(rest);

	if (!at || !path) {
		decode->malformed++;
		return;
	}
	memcpy(&fields, at, sizeof(fields));
	record->kind = RECORD_MAP;
	record->pid = fields.pid;
	record->tid = fields.tid;
	record->map.start = fields.start;
	record->map.bytes = fields.bytes;
	record->map.file_offset = fields.file_offset;
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		fields.dev_major = fields.dev_minor = 0, fields.inode = fields.generation = 0;
	record->map.dev_major = fields.dev_major;
	record->map.dev_minor = fields.dev_minor;
	record->map.inode = fields.inode;
	record->map.inode_generation = fields.generation;
	record->map.prot = fields.prot;
	record->map.path = path;
	if (wanted(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

static void decode_fork(struct perf_decode *decode, struct record *record, struct rest *rest,
			record_fn *take, void *ctx)
{
	const uint32_t *ids = rest_take(rest, 4 * sizeof(*ids)); /* pid, ppid, tid, ptid */

	if (!ids) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_FORK;
	record->pid = ids[0];
	record->tid = ids[2];
	record->fork.parent_pid = ids[1];
	record->fork.parent_tid = ids[3];
	task_table_fork(&decode->tasks, record->pid, record->tid, record->fork.parent_pid);
	inherit_doubts(decode, record->tid, record->fork.parent_tid);
	if (decode->want_births)
		task_list_add(&decode->births, record->tid);
	/* A single thread's events tell of its children, but do not follow them. */
	if (decode->per_task && !task_table_watched(&decode->tasks, record->pid, record->tid))
		return;
	if (wanted(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
}

static void decode_task_exit(struct perf_decode *decode, struct record *record, struct rest *rest,
			     record_fn *take, void *ctx)
{
	const uint32_t *ids = rest_take(rest, 4 * sizeof(*ids));

	if (!ids) {
		decode->malformed++;
		return;
	}
	record->kind = RECORD_TASK_EXIT;
	record->pid = ids[0];
	record->tid = ids[2];
	forget_doubts(decode, record->tid);
	if (wanted(decode, record->pid, record->tid))
		perf_decode_pass(decode, record, take, ctx);
	if (decode->per_task)
		task_table_forget(&decode->tasks, record->tid);
}

static void decode_lost(struct perf_decode *decode, struct record *record, struct rest *rest,
			bool with_id, record_fn *take, void *ctx)
{
	uint64_t count;

	if ((with_id && !rest_u64(rest, &count)) || !rest_u64(rest, &count)) {
		decode->malformed++;
		return;
	}
	decode->lost += count;
	record->kind = RECORD_LOST;
	record->pid = record->tid = 0;
	record->lost.count = count;
	perf_decode_pass(decode, record, take, ctx);
}

static void decode_switch_record(struct perf_decode *decode, struct record *record, uint16_t misc,
				 record_fn *take, void *ctx)
{
	if (!decode->switch_records)
		return;
	if (!(misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		pass_switch_in(decode, record->time_ns, record->cpu, record->pid, record->tid,
			       take, ctx);
		return;
	}
	if (decode->switch_samples || !record->tid || record->tid == GONE ||
	    !wanted(decode, record->pid, record->tid))
		return;
	record->kind = RECORD_SWITCH_OUT;
	memset(&record->switch_out, 0, sizeof(record->switch_out));
	record->switch_out.preempted = misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	perf_decode_pass(decode, record, take, ctx);
}

/* Everything but samples: ends with what samples begin with. */
static void decode_side(struct perf_decode *decode, const struct perf_event_header *header,
			uint32_t cpu, record_fn *take, void *ctx)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	struct rest rest = { .at = body,
			     .left = header->size - sizeof(*header) - PERF_COMMON_BYTES };
	const unsigned char *trailer = body + rest.left;
	const struct perf_id *event;
	struct record record;
	uint64_t id;
	uint32_t ids[2];

	memcpy(ids, trailer, sizeof(ids));
	memcpy(&record.time_ns, trailer + 8, sizeof(record.time_ns));
	memcpy(&id, trailer + 24, sizeof(id));
	record.cpu = cpu;
	record.pid = ids[0];
	record.tid = ids[1];
	if (decode->doubtful.count) {
		event = perf_ids_find(&decode->ids, id);
		if (event && is_twin(decode, record.tid, event))
			return;
	}
	switch (header->type) {
	case PERF_RECORD_COMM:
		decode_comm(decode, &record, &rest, header->misc, take, ctx);
		break;
	case PERF_RECORD_MMAP2:
		decode_mmap2(decode, &record, &rest, header->misc, take, ctx);
		break;
	case PERF_RECORD_FORK:
		decode_fork(decode, &record, &rest, take, ctx);
		break;
	case PERF_RECORD_EXIT:
		decode_task_exit(decode, &record, &rest, take, ctx);
		break;
	case PERF_RECORD_LOST:
		decode_lost(decode, &record, &rest, true, take, ctx);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		decode_lost(decode, &record, &rest, false, take, ctx);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		decode_switch_record(decode, &record, header->misc, take, ctx);
		break;
	default: /* throttling and the like: nothing to tell */
		break;
	}
}

void perf_decode(struct perf_decode *decode, const struct perf_event_header *header, uint32_t cpu,
		 record_fn *take, void *ctx)
{
	if (header->size < sizeof(*header) + PERF_COMMON_BYTES)
		decode->malformed++;
	else if (header->type == PERF_RECORD_SAMPLE)
		decode_sample(decode, header, cpu, take, ctx);
	else
		decode_side(decode, header, cpu, take, ctx);
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
