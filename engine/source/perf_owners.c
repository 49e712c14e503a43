#include "engine/source/perf_owners.h"

#include "engine/base/clock.h"
#include "engine/source/proc_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>

#define OWNERS_LAST_NS NS_PER_S

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

static bool changes_user(const struct record *call)
{
	return call->kind == RECORD_EXIT && !call->exit.ret &&
	       (call->exit.nr == SYS_setuid || call->exit.nr == SYS_setreuid ||
		call->exit.nr == SYS_setresuid);
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
	owners->comm[15] = '\0'; /* workers of the kernel have longer ones here than elsewhere */
	return true;
}

bool perf_owners_before(struct perf_owners *owners, struct task_table *tasks,
			const struct record *call, struct record *record)
{
	char thread[32];

	if (call->time_ns >= owners->forget_ns) {
		owners->forget_ns = call->time_ns + OWNERS_LAST_NS;
		forget(owners, tasks);
	}
	if (changes_user(call)) {
		task_table_unmark(tasks, call->tid, TASK_OWNED);
		return false;
	}
	/* At an exit too: of a call that began before us, it is all that comes. */
	if (task_table_word(tasks, call->tid) & TASK_OWNED)
		return false;
	/* Also if it is gone: then it keeps its parent's. */
	task_table_mark(tasks, call->tid, TASK_OWNED);
	task_list_add(&owners->known, call->tid);
	snprintf(thread, sizeof(thread), "/proc/%u", call->tid);
	if (!proc_owner_read(&owners->owner, AT_FDCWD, thread))
		return false;
	*record = *call;
	record->kind = RECORD_OWNER;
	record->owner.uid = owners->owner.uid;
	record->owner.cgroup = owners->owner.cgroup[0] ? owners->owner.cgroup : NULL;
	record->owner.ns_pid = owners->owner.ns_pid;
	/* Who asks for owners asks who they are, and the turn of this one may come much later. */
	record->owner.comm = read_name(owners, thread) ? owners->comm : NULL;
	return true;
}
