#include "engine/source/perf/perf_waker_names.h"

#include "engine/base/clock.h"
#include "engine/process/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define NAMES_LAST_NS (5 * NS_PER_S)

void perf_waker_names_release(struct perf_waker_names *waker_names)
{
	task_list_release(&waker_names->named);
}

/* False if the thread exited before its name was read. */
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
	comm[15] = '\0'; /* /proc shows longer names for kernel workers */
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

static void meet(struct perf_waker_names *waker_names, struct perf_decode *decode, uint64_t time_ns,
		 uint32_t pid, uint32_t tid, record_fn *take, void *ctx)
{
	waker_names->met++;
	task_table_mark(&decode->tasks, tid, TASK_NAMED);
	task_list_add(&waker_names->named, tid);
	name(decode, time_ns, pid, tid, take, ctx);
}

/* Emit the leader first: its name is also that of the process. */
void perf_waker_names_meet(struct perf_waker_names *waker_names, struct perf_decode *decode,
			   const struct record *record, record_fn *take, void *ctx)
{
	uint32_t pid = record->pid, tid = record->tid;

	if (waker_names->met >= PERF_WAKER_NAMES)
		return;
	if (pid && pid != tid && !(task_table_word(&decode->tasks, pid) & (TASK_NAMED | TASK_MET)))
		meet(waker_names, decode, record->time_ns, pid, pid, take, ctx);
	meet(waker_names, decode, record->time_ns, pid, tid, take, ctx);
}

void perf_waker_names_meet_caller(struct perf_waker_names *waker_names, struct perf_decode *decode,
				  const struct record *record, uint32_t pid, uint32_t tid,
				  record_fn *take, void *ctx)
{
	if (waker_names->callers >= PERF_CALLERS)
		return;
	if (pid != tid && !(task_table_word(&decode->tasks, pid) & TASK_MET)) {
		waker_names->callers++;
		task_table_mark(&decode->tasks, pid, TASK_MET);
		name(decode, record->time_ns, pid, pid, take, ctx);
	}
	waker_names->callers++;
	task_table_mark(&decode->tasks, tid, TASK_MET);
	name(decode, record->time_ns, pid, tid, take, ctx);
}

void perf_waker_names_settle(struct perf_waker_names *waker_names, struct perf_decode *decode,
			     uint64_t now_ns)
{
	waker_names->met = waker_names->callers = 0;
	if (waker_names->named.count && !waker_names->forget_ns)
		waker_names->forget_ns = now_ns + NAMES_LAST_NS;
	if (!waker_names->forget_ns || now_ns < waker_names->forget_ns)
		return;
	for (size_t i = 0; i < waker_names->named.count; i++)
		task_table_unmark(&decode->tasks, waker_names->named.ids[i], TASK_NAMED);
	waker_names->named.count = 0;
	waker_names->forget_ns = 0;
}
