#include "engine/source/perf/perf_owners.h"

#include "engine/base/clock.h"
#include "engine/helper/reader.h"
#include "engine/process/proc_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define OWNERS_LAST_NS NS_PER_S
#define ANSWER_US 20000 /* longest wait for a reply; the rings have room for that long */

void perf_owners_release(struct perf_owners *owners)
{
	task_list_release(&owners->known);
}

static void forget(struct perf_owners *owners, struct task_table *tasks)
{
	for (size_t i = 0; i < owners->known.count; i++)
		task_table_unmark(tasks, owners->known.ids[i], TASK_OWNED);
	owners->known.count = 0;
}

void perf_owners_want(struct perf_owners *owners, struct task_table *tasks, bool wanted)
{
	forget(owners, tasks);
	owners->wanted = wanted;
}

static bool read_name(struct perf_owners *owners, const char *thread)
{
	char path[64];
	long len;

	snprintf(path, sizeof(path), "%s/comm", thread);
	len = proc_read_at(AT_FDCWD, path, owners->comm, sizeof(owners->comm));
	if (len <= 0)
		return false;
	if (owners->comm[len - 1] == '\n')
		owners->comm[len - 1] = '\0';
	return true;
}

static int read_here(struct perf_owners *owners, uint32_t tid)
{
	char thread[32];

	snprintf(thread, sizeof(thread), "/proc/%u", tid);
	if (!proc_owner_read(&owners->owner, AT_FDCWD, thread))
		return -ESRCH;
	if (!read_name(owners, thread))
		owners->comm[0] = '\0';
	return 0;
}

static int take(struct perf_owners *owners, const struct reader_result *answer)
{
	const struct proc_probe_task *task;
	const char *cgroup, *unused;
	const unsigned char *memory;
	size_t at = 0;

	task = proc_probe_next(answer, &at, &cgroup, &unused, &memory);
	if (!task || !task->has_owner)
		return -ESRCH;
	owners->owner.uid = task->uid;
	owners->owner.ns_pid = task->ns_pid;
	memcpy(owners->owner.cgroup, cgroup, task->cgroup_bytes + 1);
	memcpy(owners->comm, task->stat.comm, sizeof(owners->comm));
	return 0;
}

/* Read the owner. -EAGAIN: no reply yet; another -errno: the owner is unknown. */
static int ask(struct perf_owners *owners, uint32_t tid)
{
	const struct reader_request request = {
		.what = READER_TASKS,
		.flags = PROC_PROBE_OWNERS | PROC_PROBE_NAMES,
		.pid = tid,
		.payload_bytes = sizeof(tid),
	};
	struct reader_result answer;
	int code;

	if (!owners->reader)
		return read_here(owners, tid);
	/* A late reply describes the past: discard it. */
	if (owners->under_way && reader_receive(owners->reader, 0, &answer) == -EAGAIN)
		return -EAGAIN;
	owners->under_way = false;
	code = reader_send(owners->reader, &request, &tid);
	if (code)
		return code;
	if (owners->before_wait)
		owners->before_wait(owners->before_wait_ctx);
	code = reader_receive(owners->reader, ANSWER_US, &answer);
	owners->under_way = code == -EAGAIN;
	return code ? code : take(owners, &answer);
}

bool perf_owners_before(struct perf_owners *owners, struct task_table *tasks,
			const struct record *call, struct record *record)
{
	int code;

	if (call->time_ns >= owners->forget_ns) {
		owners->forget_ns = call->time_ns + OWNERS_LAST_NS;
		forget(owners, tasks);
	}
	if (perf_owners_changes_user(call)) {
		task_table_unmark(tasks, call->tid, TASK_OWNED);
		return false;
	}
	/* Read owners at exits too: a call that began before tracing has only its exit. */
	if (task_table_word(tasks, call->tid) & TASK_OWNED)
		return false;
	code = ask(owners, call->tid);
	if (code == -EAGAIN)
		return false;
	/* Mark an exited thread too: its owner is unreadable and stays that of its parent. */
	task_table_mark(tasks, call->tid, TASK_OWNED);
	task_list_add(&owners->known, call->tid);
	if (code)
		return false;
	*record = *call;
	record->kind = RECORD_OWNER;
	record->owner.uid = owners->owner.uid;
	record->owner.cgroup = owners->owner.cgroup[0] ? owners->owner.cgroup : NULL;
	record->owner.ns_pid = owners->owner.ns_pid;
	/*
	 * Emit the comm too: proc_synthesize may read this thread much later, and calls are usually
	 * shown with names. A known name is better: the thread can have called execve since.
	 */
	owners->comm[15] = '\0'; /* /proc shows longer names for kernel workers */
	record->owner.comm = owners->comm[0] && !(task_table_word(tasks, call->tid) & TASK_MET)
				     ? owners->comm
				     : NULL;
	return true;
}
