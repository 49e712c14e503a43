#include "engine/process/proc_probe.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/helper/live_task.h"
#include "engine/process/map_lookup.h"
#include "engine/process/proc_owner.h"
#include "engine/process/proc_tasks.h"
#include "engine/process/process_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANSWER_NS (2 * NS_PER_MS) /* time limit per reply, because the requester waits */
#define CALL_TEXT_BYTES 256
#define STACK_TEXT_BYTES 8192
#define ALIGNED(bytes) (((bytes) + 7) & ~(size_t)7)

/* The process whose threads are read. */
struct reading {
	uint32_t pid; /* 0: none */
	uint32_t left_tid; /* the first thread that did not fit into the reply; 0: none */
	DIR *dir;
	int maps_fd; /* -1: none */
};

bool proc_probe_parse_call(struct proc_probe_call *call, const char *text)
{
	uint64_t values[8];
	char *end;
	long nr = strtol(text, &end, 10);

	/* The text can also be "running", or "-1 sp pc" outside of a call, as in a page fault. */
	if (end == text || nr < 0)
		return false;
	for (size_t i = 0; i < 8; i++) {
		text = end;
		values[i] = strtoull(text, &end, 16);
		if (end == text)
			return false;
	}
	call->nr = (uint32_t)nr;
	memcpy(call->args, values, sizeof(call->args));
	call->sp = values[6];
	call->pc = values[7];
	/* rt_sigreturn reads its frame at sp; its argument registers have no meaning. */
	if (nr == SYS_rt_sigreturn)
		call->args[0] = call->sp;
	return true;
}

/* -- One thread ----------------------------------------------------------------------------- */

struct parts {
	char cgroup[CGROUP_PATH_BYTES];
	char stack[STACK_TEXT_BYTES];
};

static void read_owner(struct proc_probe_task *task, struct parts *parts, int dir_fd, uint32_t tid)
{
	struct proc_owner owner;
	char thread[16];

	snprintf(thread, sizeof(thread), "%u", tid);
	task->has_owner = proc_owner_read(&owner, dir_fd, thread);
	if (!task->has_owner)
		return;
	task->uid = owner.uid;
	task->ns_pid = owner.ns_pid;
	task->cgroup_bytes = (uint32_t)strlen(owner.cgroup);
	memcpy(parts->cgroup, owner.cgroup, task->cgroup_bytes + 1);
}

/* Clip the range to the mapping of the stack: the memory above it can hold anything. */
static size_t clip(int maps_fd, uint64_t sp, size_t bytes)
{
	uint64_t end = maps_fd < 0 ? 0 : map_lookup_end(maps_fd, sp);

	return end && end - sp < bytes ? (size_t)(end - sp) : bytes;
}

/*
 * Read the stack of a call in flight. Discard the stack if the thread continued meanwhile, since
 * the words may be from different moments.
 */
static void read_stack(struct proc_probe_task *task, struct parts *parts, int dir_fd, int maps_fd,
		       uint32_t tid, const char *text, unsigned char *memory, size_t max)
{
	char path[48], again[CALL_TEXT_BYTES];
	long len, got = 0;

	snprintf(path, sizeof(path), "%u/stack", tid);
	len = proc_read_at(dir_fd, path, parts->stack, sizeof(parts->stack));
	task->stack_denied = len == -EPERM || len == -EACCES;
	task->stack_bytes = len > 0 ? (uint32_t)len : 0;
	if (task->call.pc && task->call.sp)
		got = memory_read(tid, task->call.sp, memory, clip(maps_fd, task->call.sp, max));
	task->memory_bytes = got > 0 ? (uint32_t)got & ~7u : 0;
	snprintf(path, sizeof(path), "%u/syscall", tid);
	if (proc_read_at(dir_fd, path, again, sizeof(again)) > 0 && !strcmp(again, text))
		return;
	task->stack_bytes = task->memory_bytes = 0;
	task->call.pc = 0;
}

static void read_call(struct proc_probe_task *task, int dir_fd, uint32_t tid, char *text)
{
	char path[48];
	long len;

	snprintf(path, sizeof(path), "%u/syscall", tid);
	len = proc_read_at(dir_fd, path, text, CALL_TEXT_BYTES);
	task->call_ns = clock_now_ns();
	task->denied = len == -EPERM || len == -EACCES;
	task->has_call = len > 0 && proc_probe_parse_call(&task->call, text);
}

/* False: no room in the reply. */
static bool add_task(const struct reader_request *request, uint32_t pid, uint32_t tid, int dir_fd,
		     int maps_fd, struct reader_result *answer)
{
	bool owners_only = request->flags & PROC_PROBE_OWNERS;
	bool stacks = request->flags & PROC_PROBE_STACKS;
	size_t memory_max = stacks ? (size_t)request->length : 0, cgroup, stack, memory, most;
	struct proc_probe_task task = { .time_ns = clock_now_ns(), .pid = pid };
	char path[48], text[CALL_TEXT_BYTES];
	struct parts parts;
	unsigned char *place;

	most = sizeof(task) + sizeof(parts) + memory_max + 16;
	if (memory_max > READER_BYTES_MAX / 2 || most > READER_BYTES_MAX - answer->len)
		return answer->len == 0; /* too large for any reply: omit it */
	snprintf(path, sizeof(path), "%u/stat", tid);
	if (!owners_only || request->flags & PROC_PROBE_NAMES)
		task.has_stat = proc_stat_read(&task.stat, dir_fd, path);
	if (!owners_only && !task.has_stat)
		return true;
	task.stat.tid = tid;
	place = answer->bytes + answer->len;
	read_owner(&task, &parts, dir_fd, tid);
	cgroup = sizeof(task);
	stack = cgroup + ALIGNED(task.cgroup_bytes + 1);
	/* Registers of a kernel thread are zero, which would look like read(0, …). */
	if (task.has_stat && !owners_only && !(task.stat.flags & PROC_STAT_KTHREAD))
		read_call(&task, dir_fd, tid, text);
	/*
	 * Read the memory to the place that follows the longest possible stack text. Move it once
	 * the length of the text is known.
	 */
	if (task.has_call && stacks)
		read_stack(&task, &parts, dir_fd, maps_fd, tid, text,
			   place + stack + sizeof(parts.stack), memory_max);
	memory = stack + ALIGNED(task.stack_bytes + 1);
	memmove(place + memory, place + stack + sizeof(parts.stack), task.memory_bytes);
	memcpy(place, &task, sizeof(task));
	memcpy(place + cgroup, parts.cgroup, task.cgroup_bytes);
	place[cgroup + task.cgroup_bytes] = '\0';
	memcpy(place + stack, parts.stack, task.stack_bytes);
	place[stack + task.stack_bytes] = '\0';
	answer->len += memory + ALIGNED(task.memory_bytes);
	return true;
}

const struct proc_probe_task *proc_probe_next(const struct reader_result *answer, size_t *at,
					      const char **cgroup, const char **stack,
					      const unsigned char **memory)
{
	const unsigned char *place = answer->bytes + *at;
	const struct proc_probe_task *task = (const void *)place;
	size_t left = answer->len - *at, stack_at, memory_at;

	if (left < sizeof(*task) || task->cgroup_bytes >= CGROUP_PATH_BYTES ||
	    task->stack_bytes >= STACK_TEXT_BYTES || task->memory_bytes > READER_BYTES_MAX)
		return NULL;
	stack_at = sizeof(*task) + ALIGNED(task->cgroup_bytes + 1);
	memory_at = stack_at + ALIGNED(task->stack_bytes + 1);
	if (memory_at + ALIGNED(task->memory_bytes) > left)
		return NULL;
	*cgroup = (const char *)place + sizeof(*task);
	*stack = (const char *)place + stack_at;
	*memory = place + memory_at;
	*at += memory_at + ALIGNED(task->memory_bytes);
	return task;
}

/* -- Processes ------------------------------------------------------------------------------- */

static void close_process(struct reading *reading)
{
	if (reading->dir)
		closedir(reading->dir);
	if (reading->maps_fd >= 0)
		close(reading->maps_fd);
	*reading = (struct reading){ .maps_fd = -1 };
}

static int open_maps(uint32_t pid)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%u/maps", live_task(pid));
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int open_process(struct reading *reading, const struct reader_request *request)
{
	char path[48];

	if (request->flags & PROC_PROBE_ON && reading->pid == request->pid)
		return 0;
	close_process(reading);
	if (request->flags & PROC_PROBE_ON)
		return -ESTALE;
	snprintf(path, sizeof(path), "/proc/%u/task", request->pid);
	reading->dir = opendir(path);
	if (!reading->dir)
		return -errno;
	reading->pid = request->pid;
	if (request->flags & PROC_PROBE_STACKS)
		reading->maps_fd = open_maps(request->pid);
	return 0;
}

static int read_process(struct reading *reading, const struct reader_request *request,
			struct reader_result *answer)
{
	uint64_t end_ns = clock_now_ns() + ANSWER_NS;
	struct dirent *entry;
	int code = open_process(reading, request);

	if (code)
		return code;
	for (;;) {
		uint32_t tid = reading->left_tid;

		reading->left_tid = 0;
		if (!tid) {
			entry = readdir(reading->dir);
			if (!entry) {
				close_process(reading);
				return 0;
			}
			tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
			if (!tid)
				continue;
		}
		if (!add_task(request, reading->pid, tid, dirfd(reading->dir), reading->maps_fd,
			      answer)) {
			reading->left_tid = tid;
			break;
		}
		if (clock_now_ns() >= end_ns)
			break;
	}
	answer->more = true;
	return 0;
}

static void read_one(const struct reader_request *request, uint32_t tid,
		     struct reader_result *answer)
{
	uint32_t pid = request->flags & PROC_PROBE_OWNERS ? tid : proc_tasks_group(tid);
	char path[64];
	int dir_fd, maps_fd;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	dir_fd = pid ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (dir_fd < 0)
		return;
	maps_fd = request->flags & PROC_PROBE_STACKS ? open_maps(pid) : -1;
	add_task(request, pid, tid, dir_fd, maps_fd, answer);
	if (maps_fd >= 0)
		close(maps_fd);
	close(dir_fd);
}

/*
 * True if the thread waits in a call before sys_enter. /proc/TID/syscall is not enough. It shows a
 * call that has returned until the thread is back in user mode, as in a signal stop or core dump.
 * syscall_trace_enter() calls the tracer and seccomp, then sys_enter. The stack needs
 * CAP_SYS_ADMIN; without it, wchan shows only seccomp.
 */
static bool is_unentered(uint32_t tid)
{
	char path[48], text[STACK_TEXT_BYTES];
	struct proc_probe_call call;

	snprintf(path, sizeof(path), "/proc/%u/syscall", tid);
	if (proc_read_at(AT_FDCWD, path, text, CALL_TEXT_BYTES) <= 0 ||
	    !proc_probe_parse_call(&call, text))
		return false;
	snprintf(path, sizeof(path), "/proc/%u/stack", tid);
	if (proc_read_at(AT_FDCWD, path, text, sizeof(text)) > 0)
		return strstr(text, "syscall_trace_enter") || strstr(text, "__seccomp_filter");
	snprintf(path, sizeof(path), "/proc/%u/wchan", tid);
	return proc_read_at(AT_FDCWD, path, text, sizeof(text)) > 0 && strstr(text, "seccomp");
}

int proc_probe_handle(void **state, const struct reader_request *request, const void *payload,
		      const int *fds, struct reader_result *answer)
{
	struct reading *reading = *state;

	(void)fds;
	if (!reading) {
		*state = reading = mem_zalloc(1, sizeof(*reading));
		reading->maps_fd = -1;
	}
	if (request->flags & (PROC_PROBE_OWNERS | PROC_PROBE_UNENTERED)) {
		for (size_t i = 0; i < request->payload_bytes / sizeof(uint32_t); i++) {
			uint32_t id;

			memcpy(&id, (const unsigned char *)payload + i * sizeof(id), sizeof(id));
			if (request->flags & PROC_PROBE_OWNERS || is_unentered(id))
				read_one(request, id, answer);
		}
		return 0;
	}
	if (request->flags & PROC_PROBE_ONE) {
		read_one(request, request->tid, answer);
		return 0;
	}
	return read_process(reading, request, answer);
}
