#include "engine/source/live/user_processes.h"

#include "engine/process/proc_owner.h"
#include "engine/process/proc_tasks.h"
#include "engine/source/perf/perf_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define TRIES 8 /* a process can exit before its events are open */

static bool wants_own_alone(const struct source_options *options)
{
	const struct kernel_filter *filter = &options->filter;

	return target_is_system(options->target) && filter->by_uid && filter->uid_count == 1 &&
	       filter->uids[0].lo == geteuid() && filter->uids[0].hi == geteuid();
}

static bool is_ours(const struct source_options *options, uint32_t pid)
{
	bool ours = pid == (uint32_t)getpid();

	for (size_t i = 0; !ours && i < options->own_tid_count; i++)
		ours = options->own_tids[i] == pid;
	for (size_t i = 0; !ours && i < options->own_worker_count; i++)
		ours = options->own_workers[i] == pid;
	return ours;
}

/* False if the kernel refuses, as after a change of uid or with an unreadable executable. */
static bool may_watch(uint32_t pid)
{
	struct perf_event_attr attr;
	int fd;

	perf_attr_side(&attr);
	fd = perf_event_new(&attr, (int32_t)pid, UINT32_MAX);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool is_of_user(uint32_t pid)
{
	struct proc_owner owner;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	return proc_owner_read(&owner, AT_FDCWD, path) && owner.uid == geteuid();
}

static void add_own(struct target *target, const struct source_options *options)
{
	struct task_list all = TASK_LIST_INIT;
	char text[16];

	proc_tasks_processes(&all);
	for (size_t i = 0; i < all.count; i++) {
		if (is_ours(options, all.ids[i]) || !is_of_user(all.ids[i]) ||
		    !may_watch(all.ids[i]))
			continue;
		snprintf(text, sizeof(text), "%u", all.ids[i]);
		target_add_pids(target, text, NULL);
	}
	task_list_release(&all);
}

/* -ESRCH if the user has no processes to watch. */
static int open_own(struct source **source, const struct source_options *options, struct err *err)
{
	struct source_options own = *options;
	struct target target;
	int rc = -ESRCH;

	own.target = &target;
	own.own_alone = true;
	for (int i = 0; rc == -ESRCH && i < TRIES; i++) {
		target_copy(&target, options->target);
		add_own(&target, options);
		rc = target.pid_count ? source_open_live(source, &own, err) : -ESRCH;
		target_release(&target);
	}
	return rc;
}

int own_processes_open(struct source **source, const struct source_options *options,
		       struct err *err)
{
	int rc = source_open_live(source, options, err), own;
	struct err why;

	if ((rc != -EACCES && rc != -EPERM) || !wants_own_alone(options))
		return rc;
	own = open_own(source, options, &why);
	/* If the user has no process to watch, the first error is the better explanation. */
	if (own == -ESRCH)
		return rc;
	if (own && err)
		*err = why;
	return own;
}
