#include "tests/unit/records.h"

#include "engine/base/mem.h"
#include "engine/model/history.h"
#include "tests/unit/runner.h"

#include <stdlib.h>

static struct record make(uint64_t time_ns, enum record_kind kind, uint32_t tid)
{
	return (struct record){ .time_ns = time_ns, .kind = kind, .pid = tid, .tid = tid };
}

struct record record_enter(uint64_t time_ns, uint32_t tid, uint32_t nr, uint64_t arg0)
{
	struct record record = make(time_ns, RECORD_ENTER, tid);

	record.enter.nr = nr;
	record.enter.args[0] = arg0;
	return record;
}

struct record record_exit(uint64_t time_ns, uint32_t tid, uint32_t nr, int64_t ret)
{
	struct record record = make(time_ns, RECORD_EXIT, tid);

	record.exit.nr = nr;
	record.exit.ret = ret;
	return record;
}

struct record record_late_exit(uint64_t time_ns, uint64_t left_ns, uint32_t tid, uint32_t nr,
			       int64_t ret)
{
	struct record record = record_exit(time_ns, tid, nr, ret);

	record.exit.left_ns = left_ns;
	return record;
}

struct record record_call(uint64_t enter_ns, uint64_t exit_ns, uint32_t tid, uint32_t nr,
			  uint64_t arg0, int64_t ret)
{
	struct record record = make(exit_ns, RECORD_CALL, tid);

	record.call.nr = nr;
	record.call.args[0] = arg0;
	record.call.ret = ret;
	record.call.entered_ns = enter_ns;
	record.call.dur_ns = exit_ns - enter_ns;
	return record;
}

struct record record_late_enter(uint64_t time_ns, uint64_t enter_ns, uint32_t tid, uint32_t nr,
				uint64_t arg0)
{
	struct record record = record_enter(time_ns, tid, nr, arg0);

	record.enter.entered_ns = enter_ns;
	return record;
}

struct record record_inflight(uint64_t time_ns, uint32_t tid, uint32_t nr, uint64_t arg0)
{
	struct record record = make(time_ns, RECORD_INFLIGHT, tid);

	record.inflight.nr = nr;
	record.inflight.args[0] = arg0;
	return record;
}

struct record record_fork(uint64_t time_ns, uint32_t parent_tid, uint32_t pid, uint32_t tid)
{
	struct record record = make(time_ns, RECORD_FORK, tid);

	record.pid = pid;
	record.fork.parent_pid = parent_tid;
	record.fork.parent_tid = parent_tid;
	return record;
}

struct record record_task_exit(uint64_t time_ns, uint32_t tid)
{
	return make(time_ns, RECORD_TASK_EXIT, tid);
}

struct record record_comm(uint64_t time_ns, uint32_t tid, const char *comm, bool exec)
{
	struct record record = make(time_ns, RECORD_COMM, tid);

	record.comm.comm = comm;
	record.comm.exec = exec;
	return record;
}

struct record record_task(uint64_t time_ns, uint32_t pid, uint32_t tid, const char *comm)
{
	struct record record = make(time_ns, RECORD_TASK, tid);

	record.pid = pid;
	record.task.comm = comm;
	return record;
}

struct record record_lost(uint64_t time_ns, uint32_t cpu, uint64_t count)
{
	struct record record = make(time_ns, RECORD_LOST, 0);

	record.cpu = cpu;
	record.lost.count = count;
	return record;
}

struct record record_gap(uint64_t time_ns)
{
	return make(time_ns, RECORD_GAP, 0);
}

struct record record_switch_out(uint64_t time_ns, uint32_t tid, bool preempted)
{
	struct record record = make(time_ns, RECORD_SWITCH_OUT, tid);

	record.switch_out.preempted = preempted;
	return record;
}

struct record record_switch_in(uint64_t time_ns, uint32_t tid)
{
	return make(time_ns, RECORD_SWITCH_IN, tid);
}

struct record record_waking(uint64_t time_ns, uint32_t waker_tid, uint32_t tid)
{
	struct record record = make(time_ns, RECORD_WAKING, waker_tid);

	record.waking.pid = tid;
	record.waking.tid = tid;
	return record;
}

struct record of_pid(struct record record, uint32_t pid)
{
	record.pid = pid;
	return record;
}

struct record on_cpu(struct record record, uint32_t cpu)
{
	record.cpu = cpu;
	return record;
}

void call_list_add(void *ctx, const struct call *call)
{
	struct call_list *list = ctx;

	if (list->count < CALL_LIST_MAX)
		list->calls[list->count] = *call;
	list->count++;
}

struct pair_bench *pair_bench_new(void)
{
	struct pair_bench *bench = mem_zalloc(1, sizeof(*bench));

	bench->tasks = tasks_new();
	pairing_init(&bench->pairing, bench->tasks, call_list_add, &bench->done);
	return bench;
}

void pair_bench_free(struct pair_bench *bench)
{
	pairing_release(&bench->pairing);
	tasks_free(bench->tasks);
	free(bench);
}

void pair_bench_feed(struct pair_bench *bench, struct record record)
{
	pairing_feed(&bench->pairing, &record);
}

struct call kept_call(struct history *history, uint64_t seq)
{
	struct call call;

	ck_assert_msg(history_get(history, seq, &call), "call %lu is gone", (unsigned long)seq);
	return call;
}
