#include "engine/source/perf/perf_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void attr_common(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->sample_type = PERF_COMMON_SAMPLE;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->read_format = PERF_FORMAT_LOST;
}

void perf_attr_side(struct perf_event_attr *attr)
{
	attr_common(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	/* Excluding the kernel needs less permission; a dummy event counts nothing anyway. */
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

void perf_attr_tracepoint(struct perf_event_attr *attr, uint64_t id, bool raw, bool callchain)
{
	attr_common(attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	attr->sample_period = 1;
	if (raw)
		attr->sample_type |= PERF_SAMPLE_RAW;
	if (callchain)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
}

void perf_attr_bare(struct perf_event_attr *attr, uint64_t id)
{
	perf_attr_tracepoint(attr, id, true, false);
	attr->sample_type = PERF_BARE_SAMPLE | PERF_SAMPLE_RAW;
}

void perf_attr_clock(struct perf_event_attr *attr, uint64_t period_ns)
{
	attr_common(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = period_ns;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->exclude_user = 1;
	attr->exclude_idle = 1;
	attr->exclude_guest = 1;
}

static int new_event(const struct perf_event_attr *attr, int32_t tid, uint32_t cpu)
{
	long fd = syscall(SYS_perf_event_open, attr, (pid_t)tid, (int)cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int perf_event_new(const struct perf_event_attr *attr, int32_t tid, uint32_t cpu)
{
	struct perf_event_attr older;
	int fd = new_event(attr, tid, cpu);

	if (fd != -EINVAL || !attr->read_format)
		return fd;
	/* Linux before 6.0 rejects PERF_FORMAT_LOST. */
	older = *attr;
	older.read_format = 0;
	return new_event(&older, tid, cpu);
}

bool perf_event_reaches_kernel(void)
{
	/* Only the kernel checks the address (EFAULT); a seccomp filter cannot. */
	return syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0 || errno == EFAULT;
}

static int read_setting(const char *path, int if_unreadable)
{
	FILE *file = fopen(path, "re");
	int value;

	if (!file)
		return if_unreadable;
	if (fscanf(file, "%d", &value) != 1)
		value = if_unreadable;
	fclose(file);
	return value;
}

int perf_paranoid(void)
{
	return read_setting("/proc/sys/kernel/perf_event_paranoid", 2);
}

uint32_t perf_max_stack(void)
{
	return (uint32_t)read_setting("/proc/sys/kernel/perf_event_max_stack",
				      PERF_MAX_STACK_DEPTH);
}

int perf_event_error(int code, const char *what, bool system, struct err *err)
{
	int level = perf_paranoid();
	int wanted = system ? -1 : 1;

	switch (code) {
	case -EACCES:
	case -EPERM:
		if (!perf_event_reaches_kernel())
			return err_set(
				err, code,
				"no permission to watch %s: a seccomp filter, as in containers, "
				"forbids perf_event_open(2); run stxtop outside it",
				what);
		if (level > wanted)
			return err_set(err, code,
				       "no permission to watch %s: kernel.perf_event_paranoid is "
				       "%d; as root, run: sysctl kernel.perf_event_paranoid=%d (or "
				       "run stxtop as root, or give it CAP_PERFMON)",
				       what, level, wanted);
		return err_set(
			err, code,
			"no permission to watch %s: it belongs to another user or is protected; "
			"run stxtop as root (or give it CAP_PERFMON or CAP_SYS_PTRACE)",
			what);
	case -ESRCH:
		return err_set(err, code, "cannot watch %s: it has exited", what);
	case -EMFILE:
	case -ENFILE:
		return err_set(err, code,
			       "cannot watch %s: too many open files; raise the limit "
			       "(ulimit -n) or watch fewer threads",
			       what);
	case -ENOSYS:
		return err_set(err, code,
			       "cannot watch %s: this kernel has no perf_event_open "
			       "(CONFIG_PERF_EVENTS), or a sandbox forbids it",
			       what);
	case -ENODEV:
		return err_set(err, code, "cannot watch %s: its CPU is not online", what);
	default:
		return err_set(err, code, "cannot watch %s: perf_event_open: %s", what,
			       strerror(-code));
	}
}
