#include "engine/source/perf/perf_waker_names.h"

#include "engine/base/clock.h"
#include "engine/process/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define NAMES_LAST_NS (5 * NS_PER_S)

void perf_strangers_release(struct perf_strangers *strangers)
{
	task_list_release(&strangers->named);
}

/* False if it ended before its name was read. */
static bool read_name(uint32_t pid, uint32_t tid, char comm[PROC_COMM_BYTES])
{
	char path[64];
	long len;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
	len = proc_read_at(AT_FDCWD, path, comm, PROC_COMM_BYTES);
	if (len <= 0)
		return false;
	if (comm[len - 1] == '\n')
		comm[len - 1] = '\0';
	comm[15] = '\0'; /* workers of the kernel have longer ones here than elsewhere */
	return true;
}

static void name(struct perf_decode *decode, uint64_t time_ns, uint32_t pid, uint32_t tid,
		 record_fn *take, void *ctx)
{
	struct record record = { .kind = RECORD_TASK, .time_ns = time_ns, .pid = pid, .tid = tid };
	char comm[PROC_COMM_BYTES];

	record.task.comm = comm;
	if (read_name(pid, tid, comm))
		perf_decode_pass(decode, &record, take, ctx);
}

static void meet(struct perf_strangers *strangers, struct perf_decode *decode, uint64_t time_ns,
		 uint32_t pid, uint32_t tid, record_fn *take, void *ctx)
{
	strangers->met++;
	task_table_mark(&decode->tasks, tid, TASK_NAMED);
	task_list_add(&strangers->named, tid);
	name(decode, time_ns, pid, tid, take, ctx);
}

/* Its leader first: a process has the name of that thread. */
void perf_strangers_meet(struct perf_strangers *strangers, struct perf_decode *decode,
			 const struct record *record, record_fn *take, void *ctx)
{
	uint32_t pid = record->pid, tid = record->tid;

	if (strangers->met >= PERF_STRANGERS)
		return;
	if (pid && pid != tid && !(task_table_word(&decode->tasks, pid) & (TASK_NAMED | TASK_MET)))
		meet(strangers, decode, record->time_ns, pid, pid, take, ctx);
	meet(strangers, decode, record->time_ns, pid, tid, take, ctx);
}

void perf_strangers_meet_caller(struct perf_strangers *strangers, struct perf_decode *decode,
				const struct record *record, uint32_t pid, uint32_t tid,
				record_fn *take, void *ctx)
{
	if (strangers->callers >= PERF_CALLERS)
		return;
	if (pid != tid && !(task_table_word(&decode->tasks, pid) & TASK_MET)) {
		strangers->callers++;
		task_table_mark(&decode->tasks, pid, TASK_MET);
		name(decode, record->time_ns, pid, pid, take, ctx);
	}
	strangers->callers++;
	task_table_mark(&decode->tasks, tid, TASK_MET);
	name(decode, record->time_ns, pid, tid, take, ctx);
}

void perf_strangers_settle(struct perf_strangers *strangers, struct perf_decode *decode,
			   uint64_t now_ns)
{
	strangers->met = strangers->callers = 0;
	if (strangers->named.count && !strangers->forget_ns)
		strangers->forget_ns = now_ns + NAMES_LAST_NS;
	if (!strangers->forget_ns || now_ns < strangers->forget_ns)
		return;
	for (size_t i = 0; i < strangers->named.count; i++)
		task_table_unmark(&decode->tasks, strangers->named.ids[i], TASK_NAMED);
	strangers->named.count = 0;
	strangers->forget_ns = 0;
}
