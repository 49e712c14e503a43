#include "engine/access.h"

#include "engine/base/err.h"
#include "engine/source/bpf_load.h"
#include "engine/source/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The registers that a dwarf unwinder needs, x86-64: all but the segments. */
#define USER_REGS_MASK 0xff0fffULL

static int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* The number of a tracepoint, or -errno with a sentence. */
static int tracepoint_id(const char *system, const char *name, struct err *err)
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

static int try_tracepoint(const char *system, const char *name, pid_t pid, int cpu,
			  struct err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.sample_period = 1,
	};
	int rc = tracepoint_id(system, name, err);

	if (rc < 0)
		return rc;
	attr.config = (uint64_t)rc;
	rc = perf_open(&attr, pid, cpu);
	return rc < 0 ? err_set(err, rc, "perf_event_open: %s", strerror(-rc)) : 0;
}

static int try_tracefs(struct err *err)
{
	int rc = tracepoint_id("raw_syscalls", "sys_enter", err);

	return rc < 0 ? rc : 0;
}

static int try_own_calls(struct err *err)
{
	return try_tracepoint("raw_syscalls", "sys_enter", 0, -1, err);
}

static int try_all_calls(struct err *err)
{
	return try_tracepoint("raw_syscalls", "sys_enter", -1, 0, err);
}

static int try_switches(uint64_t sample_type, bool kernel, struct err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | sample_type,
		.sample_period = 1,
		.exclude_callchain_kernel = !kernel,
		.sample_regs_user = sample_type & PERF_SAMPLE_REGS_USER ? USER_REGS_MASK : 0,
		.sample_stack_user = sample_type & PERF_SAMPLE_STACK_USER ? 8192 : 0,
	};
	int rc = perf_open(&attr, 0, -1);

	return rc < 0 ? err_set(err, rc, "perf_event_open: %s", strerror(-rc)) : 0;
}

static int try_kernel_stacks(struct err *err)
{
	return try_switches(PERF_SAMPLE_CALLCHAIN, true, err);
}

static int try_user_stacks(struct err *err)
{
	return try_switches(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			    PERF_SAMPLE_STACK_USER, false, err);
}

static int try_wakers(struct err *err)
{
	return try_tracepoint("sched", "sched_waking", -1, 0, err);
}

/* Where addresses are hidden every one of them reads as zero. */
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

/* Nothing is mapped at address 0: EFAULT means that only the address was wrong. */
static int try_memory(struct err *err)
{
	char byte;
	struct iovec local = { .iov_base = &byte, .iov_len = 1 };
	struct iovec remote = { .iov_base = NULL, .iov_len = 1 };

	if (process_vm_readv(1, &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT)
		return 0;
	return err_set(err, -errno, "process_vm_readv of process 1: %s", strerror(errno));
}

/* The very programs, with small rings. */
static int try_bpf(struct err *err)
{
	struct bpf_load load;
	int rc = bpf_load_open(&load, 1, BPF_LOAD_ANY, true, err);

	if (!rc)
		bpf_load_close(&load);
	return rc;
}

/* Where kernel.perf_event_paranoid has no say. */
#define NO_LEVEL INT_MAX

struct attempt {
	const char *what;
	int (*try)(struct err *err);
	int paranoid; /* works up to this kernel.perf_event_paranoid */
	const char *capabilities; /* or with these */
	bool needs_tracefs;
};

static const struct attempt attempts[ACCESS_COUNT] = {
	[ACCESS_TRACEFS] = { "descriptions of the kernel's events (tracefs)", try_tracefs,
			     NO_LEVEL, NULL, false },
	[ACCESS_OWN_CALLS] = { "system calls of your own processes", try_own_calls, 1,
			       "cap_perfmon", true },
	[ACCESS_ALL_CALLS] = { "system calls of every process", try_all_calls, -1, "cap_perfmon",
			       true },
	[ACCESS_KERNEL_STACKS] = { "kernel stacks of what waits", try_kernel_stacks, 1,
				   "cap_perfmon", false },
	[ACCESS_USER_STACKS] = { "user stacks of what waits", try_user_stacks, 1, "cap_perfmon",
				 false },
	[ACCESS_WAKERS] = { "who wakes whom", try_wakers, -1, "cap_perfmon", true },
	[ACCESS_KERNEL_SYMBOLS] = { "names of kernel functions", try_kernel_symbols, 1,
				    "cap_syslog", false },
	[ACCESS_MEMORY] = { "memory of other processes", try_memory, NO_LEVEL,
			    "cap_perfmon,cap_sys_ptrace", false },
	[ACCESS_BPF] = { "BPF programs in the kernel", try_bpf, NO_LEVEL, "cap_bpf,cap_perfmon",
			 false },
};

/* kernel.NAME; 0 if it cannot be read. */
static int kernel_setting(const char *name)
{
	char path[64];
	FILE *file;
	int value = 0;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

/* Mounted for root only, or not at all: remounting with mode=755 is not enough from 6.x on. */
static void explain_tracefs(struct access_row *row, int rc)
{
	if (rc == -ENOENT) {
		snprintf(row->why, sizeof(row->why), "it is not mounted");
		snprintf(row->grant, sizeof(row->grant),
			 "mount -t tracefs tracefs /sys/kernel/tracing");
		return;
	}
	snprintf(row->why, sizeof(row->why), "you may not read it");
	snprintf(row->grant, sizeof(row->grant),
		 "mount -o remount,gid=%u,mode=750 /sys/kernel/tracing", (unsigned int)getgid());
}

/* The line that would do it; root that lacks a capability is in a container. */
static void explain_permission(struct access_row *row, const struct attempt *attempt)
{
	int paranoid = kernel_setting("perf_event_paranoid");
	char program[128] = "";

	if (row->id == ACCESS_KERNEL_SYMBOLS) {
		snprintf(row->grant, sizeof(row->grant), "sysctl kernel.kptr_restrict=0%s",
			 paranoid > 1 ? " kernel.perf_event_paranoid=1" : "");
		return;
	}
	if (attempt->paranoid != NO_LEVEL) {
		if (paranoid > attempt->paranoid)
			snprintf(row->grant, sizeof(row->grant),
				 "sysctl kernel.perf_event_paranoid=%d", attempt->paranoid);
		return;
	}
	if (geteuid() == 0) {
		size_t used = strlen(row->why);

		snprintf(row->why + used, sizeof(row->why) - used,
			 " (root without the capability: this is a container)");
		return;
	}
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) > 0)
		snprintf(row->grant, sizeof(row->grant), "setcap %s+ep %s",
			 attempt->capabilities, program);
}

static void fill_row(struct access_row *row, enum access_id id, int tracefs_rc)
{
	const struct attempt *attempt = &attempts[id];
	struct err err = { .text = "" };
	int rc = attempt->try(&err);

	memset(row, 0, sizeof(*row));
	row->id = id;
	row->what = attempt->what;
	row->works = rc == 0;
	if (row->works)
		return;
	if (id == ACCESS_TRACEFS) {
		explain_tracefs(row, rc);
		return;
	}
	if (attempt->needs_tracefs && tracefs_rc < 0)
		snprintf(row->why, sizeof(row->why), "it needs the descriptions of the events");
	else
		snprintf(row->why, sizeof(row->why), "%.*s", (int)sizeof(row->why) - 1, err.text);
	/* The loader knows what root lacks, and what no permission would change. */
	if (id != ACCESS_BPF || (geteuid() && (rc == -EPERM || rc == -EACCES)))
		explain_permission(row, attempt);
}

static void grant_by_programs(struct access_row *row)
{
	row->works = true;
	row->why[0] = row->grant[0] = '\0';
}

void access_table(struct access_row rows[ACCESS_COUNT])
{
	int tracefs_rc = try_tracefs(NULL);

	for (size_t i = 0; i < ACCESS_COUNT; i++)
		fill_row(&rows[i], (enum access_id)i, tracefs_rc);
	if (!rows[ACCESS_BPF].works || rows[ACCESS_TRACEFS].works)
		return;
	/* Programs tell of all calls without them. */
	grant_by_programs(&rows[ACCESS_OWN_CALLS]);
	grant_by_programs(&rows[ACCESS_ALL_CALLS]);
	/* Whoever may load programs has all that wakers need, but for these descriptions. */
	rows[ACCESS_WAKERS].grant[0] = '\0';
	snprintf(rows[ACCESS_TRACEFS].why, sizeof(rows[ACCESS_TRACEFS].why), "stacks of waits, "
		 "wakers and events of single calls need it; BPF programs do not");
}

static const char *waits_probes(const struct access_row rows[ACCESS_COUNT])
{
	if (!rows[ACCESS_KERNEL_STACKS].works || !rows[ACCESS_TRACEFS].works)
		return NULL;
	return rows[ACCESS_WAKERS].works ?
	       "perf events of switches and wakings, with stacks (-g off: none)" :
	       "perf events of switches, with stacks (-g off: none)";
}

size_t access_plans(const struct access_row rows[ACCESS_COUNT],
		    struct access_plan plans[ACCESS_PLANS])
{
	bool events = rows[ACCESS_ALL_CALLS].works || rows[ACCESS_OWN_CALLS].works;
	bool programs = events && rows[ACCESS_BPF].works;
	const char *waits = waits_probes(rows);
	size_t count = 0;

	if (!events)
		return 0;
	plans[count++] = (struct access_plan){ "all calls", programs ?
		"BPF programs at every call (sys_enter, sys_exit)" :
		"perf events of every call (raw_syscalls), with a filter" };
	plans[count++] = (struct access_plan){ "16 or fewer", !rows[ACCESS_TRACEFS].works ?
		plans[0].probes : programs ?
		"BPF programs at these calls alone (syscalls:*)" :
		"perf events of these calls alone (syscalls:*)" };
	plans[count++] = (struct access_plan){ "no calls", "nothing" };
	if (waits)
		plans[count++] = (struct access_plan){ "what calls wait for", waits };
	return count;
}

bool access_is_enough(const struct access_row rows[ACCESS_COUNT])
{
	return rows[ACCESS_ALL_CALLS].works;
}
