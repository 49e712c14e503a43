/*
 * records - creates the records that tests feed to the model, and collects the resulting calls.
 */
#ifndef UNIT_RECORDS_H
#define UNIT_RECORDS_H

#include "engine/model/pairing.h"

/* Set the fields that the kind needs; cpu is 0 and pid is the tid unless changed later. */
struct record record_enter(uint64_t time_ns, uint32_t tid, uint32_t nr, uint64_t arg0);
struct record record_exit(uint64_t time_ns, uint32_t tid, uint32_t nr, int64_t ret);
struct record record_inflight(uint64_t time_ns, uint32_t tid, uint32_t nr, uint64_t arg0);
struct record record_fork(uint64_t time_ns, uint32_t parent_tid, uint32_t pid, uint32_t tid);
struct record record_task_exit(uint64_t time_ns, uint32_t tid);
struct record record_comm(uint64_t time_ns, uint32_t tid, const char *comm, bool exec);
struct record record_task(uint64_t time_ns, uint32_t pid, uint32_t tid, const char *comm);
struct record record_lost(uint64_t time_ns, uint32_t cpu, uint64_t count);
/* An exit that happened at left_ns and is emitted at time_ns. */
struct record record_late_exit(uint64_t time_ns, uint64_t left_ns, uint32_t tid, uint32_t nr,
			       int64_t ret);
/* A whole call, emitted at its exit. */
struct record record_call(uint64_t enter_ns, uint64_t exit_ns, uint32_t tid, uint32_t nr,
			  uint64_t arg0, int64_t ret);
/* An enter that happened at enter_ns and is emitted at time_ns. */
struct record record_late_enter(uint64_t time_ns, uint64_t enter_ns, uint32_t tid, uint32_t nr,
				uint64_t arg0);
struct record record_gap(uint64_t time_ns);
struct record record_switch_out(uint64_t time_ns, uint32_t tid, bool preempted);
struct record record_switch_in(uint64_t time_ns, uint32_t tid);
struct record record_waking(uint64_t time_ns, uint32_t waker_tid, uint32_t tid);

/* Return the record with another pid, or on another CPU. */
struct record of_pid(struct record record, uint32_t pid);
struct record on_cpu(struct record record, uint32_t cpu);

#define CALL_LIST_MAX 256

struct call_list {
	struct call calls[CALL_LIST_MAX];
	size_t count;
};

void call_list_add(void *list, const struct call *call); /* a pairing_done_fn */

/* A pairing with its own tasks, which collects its calls in a list. */
struct pair_bench {
	struct tasks *tasks;
	struct pairing pairing;
	struct call_list done;
};

struct pair_bench *pair_bench_new(void);
void pair_bench_free(struct pair_bench *bench);
void pair_bench_feed(struct pair_bench *bench, struct record record);

struct history;
/* Return the call with this sequence number; fail the test if the history lacks it. */
struct call kept_call(struct history *history, uint64_t seq);

#endif
