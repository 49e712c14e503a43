#include "engine/source/perf_strangers.h"

#include "engine/base/clock.h"
#include "engine/source/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define NAMES_LAST_NS (5 * NS_PER_S)

void perf_strangers_release(struct perf_strangers *strangers)
{
	task_list_release(&strangers->named);
}

/* False if it ended before it could be asked. */
static bool read_name(const struct record *stranger, char comm[PROC_COMM_BYTES])
{
	char path[64];
	long len;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", stranger->pid, stranger->tid);
	len = proc_read_at(AT_FDCWD, path, comm, PROC_COMM_BYTES);
	if (len <= 0)
		return false;
	if (comm[len - 1] == '\n')
		comm[len - 1] = '\0';
	comm[15] = '\0'; /* workers of the kernel have longer ones here than elsewhere */
	return true;
}

void perf_strangers_meet(struct perf_strangers *strangers, struct perf_decode *decode,
			 const struct record *record, record_fn *take, void *ctx)
{
	struct record name = { .kind = RECORD_TASK, .time_ns = record->time_ns,
			       .pid = record->pid, .tid = record->tid };
	char comm[PROC_COMM_BYTES];

	if (strangers->met == PERF_STRANGERS)
		return;
	strangers->met++;
	task_table_mark(&decode->tasks, record->tid, TASK_NAMED);
	task_list_add(&strangers->named, record->tid);
	name.task.comm = comm;
	if (read_name(record, comm))
		perf_decode_pass(decode, &name, take, ctx);
}

void perf_strangers_settle(struct perf_strangers *strangers, struct perf_decode *decode,
			   uint64_t now_ns)
{
	strangers->met = 0;
	if (strangers->named.count && !strangers->forget_ns)
		strangers->forget_ns = now_ns + NAMES_LAST_NS;
	if (!strangers->forget_ns || now_ns < strangers->forget_ns)
		return;
	for (size_t i = 0; i < strangers->named.count; i++)
		task_table_unmark(&decode->tasks, strangers->named.ids[i], TASK_NAMED);
	strangers->named.count = 0;
	strangers->forget_ns = 0;
}
