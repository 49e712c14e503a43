#include "engine/source/live/access_try.h"

#include "engine/process/online_cpus.h"
#include "engine/process/proc_owner.h"
#include "engine/process/proc_stat.h"
#include "engine/process/proc_tasks.h"
#include "engine/source/bpf/bpf_load.h"
#include "engine/source/perf/perf_open.h"
#include "engine/source/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define USER_STACK_BYTES 8192
#define OTHER_PROCESSES_MAX 32u

/* ---- tracefs formats ---------------------------------------------------------------- */

/* Return the id of a tracepoint, or -errno with a message. */
static int tracepoint_number(const char *system, const char *name, struct err *err)
{
	char tracefs[PATH_MAX];
	char *text = NULL;
	int rc = tracefs_find(tracefs, sizeof(tracefs), err);

	if (rc == 0)
		rc = tracefs_read(tracefs, system, name, "id", &text, NULL, err);
	if (rc == 0)
		rc = (int)strtol(text, NULL, 10);
	free(text);
	return rc;
}

static int try_tracefs(struct err *err)
{
	int rc = tracepoint_number("raw_syscalls", "sys_enter", err);

	return rc < 0 ? rc : 0;
}

/* ---- perf events --------------------------------------------------------------------- */

/* Map the smallest possible ring: the kernel can refuse locked memory, too. */
static int map_ring(int fd)
{
	size_t bytes = 2 * (size_t)sysconf(_SC_PAGESIZE);
	void *ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (ring == MAP_FAILED)
		return -errno;
	munmap(ring, bytes);
	return 0;
}

static int explain_open(int rc, struct err *err)
{
	if ((rc == -EPERM || rc == -EACCES || rc == -ENOSYS) && !perf_event_reaches_kernel())
		return err_set(
			err, -ENOSYS,
			rc == -ENOSYS
				? "no perf_event_open(2) here: the kernel was built without it, or "
				  "a seccomp filter hides it"
				: "a seccomp filter, as in containers, forbids perf_event_open(2)");
	return err_set(err, rc, "perf_event_open: %s", strerror(-rc));
}

/* Open the event for this thread on any CPU, or for all tasks on one CPU. */
static int try_event(const struct perf_event_attr *attr, bool everywhere, struct err *err)
{
	struct target online;
	int fd, rc;

	target_init(&online);
	online_cpus(&online);
	fd = everywhere ? perf_event_new(attr, -1, online.cpu_count ? online.cpus[0] : 0)
			: perf_event_new(attr, 0, UINT32_MAX);
	target_release(&online);
	if (fd < 0)
		return explain_open(fd, err);
	rc = map_ring(fd);
	close(fd);
	return rc ? err_set(err, -ENOMEM,
			    "cannot map the perf ring buffer: %s; raise kernel.perf_event_mlock_kb "
			    "or `ulimit -l`",
			    strerror(-rc))
		  : 0;
}

static int try_calls(bool everywhere, struct err *err)
{
	int rc = tracepoint_number("raw_syscalls", "sys_enter", err);
	struct perf_event_attr attr;

	if (rc < 0)
		return rc;
	perf_attr_bare(&attr, (uint64_t)rc);
	return try_event(&attr, everywhere, err);
}

static int try_own_calls(struct err *err)
{
	return try_calls(false, err);
}

static int try_all_calls(struct err *err)
{
	return try_calls(true, err);
}

/* Stacks come from sched_switch. Its raw fields (PERF_SAMPLE_RAW) would need more permission. */
static int try_stacks(bool kernel, struct err *err)
{
	int rc = tracepoint_number("sched", "sched_switch", err);
	struct perf_event_attr attr;

	if (rc < 0)
		return rc;
	perf_attr_tracepoint(&attr, (uint64_t)rc, false, true);
	if (!kernel) {
		attr.exclude_callchain_kernel = 1;
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = PERF_USER_REGS;
		attr.sample_stack_user = USER_STACK_BYTES;
	}
	return try_event(&attr, false, err);
}

static int try_kernel_stacks(struct err *err)
{
	return try_stacks(true, err);
}

static int try_user_stacks(struct err *err)
{
	return try_stacks(false, err);
}

static int try_wakers(struct err *err)
{
	int rc = tracepoint_number("sched", "sched_waking", err);
	struct perf_event_attr attr;

	if (rc < 0)
		return rc;
	perf_attr_tracepoint(&attr, (uint64_t)rc, true, true);
	rc = try_event(&attr, true, err);
	if (!rc && !proc_tasks_initial_namespace())
		return err_set(err, -ENOTSUP,
			       "sched_waking names pids outside this pid namespace; run stxtop "
			       "outside the container");
	return rc;
}

/* ---- names, memory, files ------------------------------------------------------------- */

/* If kptr_restrict hides addresses, all of them read as zero. */
static int try_kernel_symbols(struct err *err)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	bool hidden = true;

	if (!file)
		return err_set(err, -errno, "/proc/kallsyms: %s", strerror(errno));
	for (int line = 0; hidden && line < 64; line++) {
		if (fscanf(file, "%llx%*[^\n]", &address) != 1)
			break;
		hidden = address == 0;
	}
	fclose(file);
	return hidden ? err_set(err, -EPERM, "/proc/kallsyms shows every address as zero") : 0;
}

/* Nothing is mapped at address 0: EFAULT means that access is permitted. */
static int read_memory(uint32_t pid)
{
	char byte;
	struct iovec local = { .iov_base = &byte, .iov_len = 1 };
	struct iovec remote = { .iov_base = NULL, .iov_len = 1 };

	if (process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT)
		return 0;
	return -errno;
}

/* Read the targets of a process's descriptors and the call that its first thread is in. */
static int read_files(uint32_t pid)
{
	char path[64], target[64];
	struct dirent *entry;
	int rc = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (!rc && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    readlinkat(dirfd(dir), entry->d_name, target, sizeof(target)) < 0 &&
		    errno != ENOENT)
			rc = -errno;
	closedir(dir);
	if (rc)
		return rc;
	snprintf(path, sizeof(path), "/proc/%u/syscall", pid);
	rc = (int)proc_read_at(AT_FDCWD, path, target, sizeof(target));
	return rc < 0 ? rc : 0;
}

/*
 * True for a live user process of another user. A zombie has neither memory nor files. The owner
 * comes from the status file: the files in /proc belong to root if a process is not dumpable, and
 * after its exit.
 */
static bool is_of_other_user(uint32_t pid)
{
	struct proc_owner owner;
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (pid == (uint32_t)getpid() || !proc_owner_read(&owner, AT_FDCWD, path) ||
	    owner.uid == geteuid())
		return false;
	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	return proc_stat_read(&stat, AT_FDCWD, path) && !(stat.flags & PROC_STAT_KTHREAD) &&
	       stat.state != 'Z' && stat.state != 'X';
}

/*
 * Try processes of other users until one works: a process can exit meanwhile or have extra
 * protection. If no such process is found, try process 1.
 */
static int try_other_users(int (*try)(uint32_t pid), const char *what, struct err *err)
{
	struct task_list all = TASK_LIST_INIT;
	uint32_t pid = 1, left = OTHER_PROCESSES_MAX;
	int rc = -ESRCH, one;

	proc_tasks_processes(&all);
	for (size_t i = 0; rc && left && i < all.count; i++) {
		one = is_of_other_user(all.ids[i]) ? try(all.ids[i]) : -ESRCH;
		/* The process exited, or released its memory. */
		if (one == -ESRCH || one == -ENOENT)
			continue;
		pid = all.ids[i];
		rc = one;
		left--;
	}
	task_list_release(&all);
	if (left == OTHER_PROCESSES_MAX)
		rc = try(pid);
	return rc ? err_set(err, rc, "%s of process %u: %s", what, pid, strerror(-rc)) : 0;
}

static int try_memory(struct err *err)
{
	return try_other_users(read_memory, "process_vm_readv", err);
}

static int try_files(struct err *err)
{
	return try_other_users(read_files, "/proc", err);
}

/* Load the real programs, with small rings. */
static int try_bpf(struct err *err)
{
	struct bpf_load load;
	int rc = bpf_load_open(&load, 1, BPF_LOAD_ANY, true, err);

	if (!rc)
		bpf_load_close(&load);
	return rc;
}

int access_try(enum access_id id, struct err *err)
{
	static int (*const tries[ACCESS_COUNT])(struct err * err) = {
		[ACCESS_TRACEFS] = try_tracefs,
		[ACCESS_OWN_CALLS] = try_own_calls,
		[ACCESS_ALL_CALLS] = try_all_calls,
		[ACCESS_KERNEL_STACKS] = try_kernel_stacks,
		[ACCESS_USER_STACKS] = try_user_stacks,
		[ACCESS_WAKERS] = try_wakers,
		[ACCESS_KERNEL_SYMBOLS] = try_kernel_symbols,
		[ACCESS_MEMORY] = try_memory,
		[ACCESS_FILES] = try_files,
		[ACCESS_BPF] = try_bpf,
	};

	return tries[id](err);
}
