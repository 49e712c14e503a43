#include "engine/recorder/recorder_snapshot.h"

#include <linux/perf_event.h>
#include <string.h>

#define CALLS_MAX 65536 /* maximum number of calls of the history emitted under the lock */

struct snapshot {
	const struct model *model;
	const struct stacks *stacks;
	record_fn *take;
	void *ctx;
};

static struct record record_of(const struct task *task, enum record_kind kind, uint64_t time_ns)
{
	struct record record = { .time_ns = time_ns, .kind = kind, .cpu = task->call.cpu };

	record.pid = task->process->pid;
	record.tid = task->tid;
	return record;
}

static void emit_owner(const struct snapshot *snapshot, const struct task *task)
{
	const struct identity_table *identity = model_identities(snapshot->model);
	struct record record = record_of(task, RECORD_OWNER, 0);

	record.owner.uid = identity_uid(identity, task->comm_id);
	record.owner.cgroup = identity_cgroup(identity, task->comm_id);
	record.owner.ns_pid = task->process->ns_pid;
	if (record.owner.uid != USERS_UNKNOWN || record.owner.cgroup)
		snapshot->take(snapshot->ctx, &record);
}

/* Copy the memory that the arguments point to into one buffer. */
static void take_bytes(const struct snapshot *snapshot, const struct call *call,
		       unsigned char *room, size_t room_bytes, struct record_bytes *bytes)
{
	struct fd_chunks parts[2];
	size_t len = 0;

	model_pointed(snapshot->model, call, parts);
	for (size_t i = 0; i < 2; i++) {
		if (parts[i].len > room_bytes - len)
			break;
		if (parts[i].len)
			memcpy(room + len, parts[i].bytes, parts[i].len);
		len += parts[i].len;
	}
	*bytes = (struct record_bytes){ .chunks = room, .len = len };
}

static void emit_call(const struct snapshot *snapshot, const struct task *task)
{
	const struct call *call = &task->call;
	unsigned char room[16384];
	struct record record = record_of(task, RECORD_ENTER, call->enter_ns);

	if (task->unsure || call->flags & CALL_SEEDED) {
		record.kind = RECORD_INFLIGHT;
		record.inflight.nr = call->nr;
		memcpy(record.inflight.args, call->args, sizeof(call->args));
		record.inflight.sp = record.inflight.pc = 0;
		record.inflight.stack = NULL;
		record.inflight.state = call->thread_state;
		record.inflight.unentered = call->flags & CALL_UNENTERED;
	} else {
		record.enter.nr = call->nr;
		memcpy(record.enter.args, call->args, sizeof(call->args));
		record.enter.entered_ns = task->entered_ns;
		take_bytes(snapshot, call, room, sizeof(room), &record.enter.bytes);
	}
	snapshot->take(snapshot->ctx, &record);
}

/* Copy the addresses, with the context markers of kernel samples. */
static uint32_t copy_stack(const struct stack *stack, uint64_t *ips)
{
	uint32_t count = 0;

	if (stack->kernel_count) {
		ips[count++] = PERF_CONTEXT_KERNEL;
		memcpy(ips + count, stack->ips, stack->kernel_count * sizeof(*ips));
		count += stack->kernel_count;
	}
	if (stack->user_count) {
		ips[count++] = PERF_CONTEXT_USER;
		memcpy(ips + count, stack->ips + stack->kernel_count,
		       stack->user_count * sizeof(*ips));
		count += stack->user_count;
	}
	return count;
}

static void emit_wait(const struct snapshot *snapshot, const struct task *task)
{
	uint64_t ips[2 * STACK_FRAMES_MAX + 2];
	struct record record = record_of(task, RECORD_SWITCH_OUT, task->wait_start_ns);
	struct stack stack;

	memset(&record.switch_out, 0, sizeof(record.switch_out));
	record.switch_out.preempted = !task->wait_blocked;
	record.switch_out.unsure = task->wait_unsure;
	if (stacks_get(snapshot->stacks, task->wait_stack_id, &stack)) {
		record.switch_out.stack.ips = ips;
		record.switch_out.stack.count = copy_stack(&stack, ips);
		record.switch_out.stack.kernel_denied = stack.flags & STACK_KERNEL_DENIED;
		record.switch_out.stack.cut = stack_cut(stack.flags);
	}
	snapshot->take(snapshot->ctx, &record);
}

static void emit_task(void *ctx, struct task *task)
{
	const struct snapshot *snapshot = ctx;
	struct record record = record_of(task, RECORD_TASK, 0);

	if (task->ended)
		return;
	record.task.comm = model_name(snapshot->model, task->comm_id);
	record.task.parent_pid = task->process->parent_pid;
	snapshot->take(snapshot->ctx, &record);
	emit_owner(snapshot, task);
}

static void emit_in_flight(void *ctx, struct task *task)
{
	const struct snapshot *snapshot = ctx;

	/* A held call has returned to be restarted; a later record reports the restart. */
	if (task->ended || !task->in_call || task->held)
		return;
	emit_call(snapshot, task);
	if (task->wait != TASK_RUNNING)
		emit_wait(snapshot, task);
}

static void emit_done(const struct snapshot *snapshot, const struct call *call)
{
	unsigned char room[16384];
	struct record record = {
		.time_ns = call->enter_ns + (uint64_t)call->dur_ns,
		.kind = RECORD_CALL,
		.cpu = call->cpu,
		.pid = call->pid,
		.tid = call->tid,
		.call = { .nr = call->nr,
			  .ret = call->ret,
			  .entered_ns = call->enter_ns,
			  .dur_ns = (uint64_t)call->dur_ns,
			  .enter_cpu = call->cpu },
	};

	memcpy(record.call.args, call->args, sizeof(call->args));
	take_bytes(snapshot, call, room, sizeof(room), &record.call.bytes);
	snapshot->take(snapshot->ctx, &record);
}

/* Emit the calls at or after `seq` that passed the filter, in order of the history. */
static void emit_calls(const struct snapshot *snapshot, struct history *history, uint64_t seq)
{
	uint64_t end = history_end(history);
	struct call call;

	if (seq < history_first(history))
		seq = history_first(history);
	for (size_t i = 0; i < CALLS_MAX && seq < end; i++, seq++)
		if (history_get(history, seq, &call) && call.state == CALL_DONE && call.dur_ns >= 0)
			emit_done(snapshot, &call);
}

void recorder_snapshot(struct model *model, const struct stacks *stacks, uint64_t from,
		       record_fn *take, void *ctx)
{
	struct snapshot snapshot = { model, stacks, take, ctx };

	tasks_each(model_tasks(model), emit_task, &snapshot);
	if (from)
		emit_calls(&snapshot, model_history(model), from - 1);
	/* Emit calls in flight last: their threads can have made some of the finished calls. */
	tasks_each(model_tasks(model), emit_in_flight, &snapshot);
}
