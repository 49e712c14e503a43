#include "engine/process/stopper.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/helper/cont_guard.h"
#include "engine/helper/live_task.h"
#include "engine/helper/process_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* PF_KTHREAD of include/linux/sched.h, as in /proc/PID/stat. */
#define KERNEL_THREAD 0x00200000
/* A walk over parents ends at pid 1 or, in a namespace, at 0; bounded, as parents can change. */
#define ANCESTORS_MAX 1024

struct stopped {
	uint32_t pid;
	int pidfd;
	int alarm[2];
};

struct stopper {
	struct cont_guard *cont_guard;
	struct stopped stopped[STOPPER_MAX];
	size_t count;
};

/* Fields of /proc/PID/stat (proc(5)). */
struct stat_line {
	uint32_t parent;
	unsigned flags;
	uint64_t start_ns; /* CLOCK_BOOTTIME */
};

static bool read_stat(uint32_t pid, struct stat_line *out)
{
	unsigned long long start_ticks;
	char path[48], text[1024];
	const char *fields;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = '\0';
	/* The comm may contain any byte, including parentheses. */
	fields = strrchr(text, ')');
	if (!fields || sscanf(fields + 1,
			      " %*c %u %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d "
			      "%*d %*d %*d %*d %*d %llu",
			      &out->parent, &out->flags, &start_ticks) != 3)
		return false;
	out->start_ns = start_ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	return true;
}

static uint64_t boot_ns(uint64_t monotonic_ns)
{
	struct timespec boot;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	return monotonic_ns + (uint64_t)boot.tv_sec * NS_PER_S + (uint64_t)boot.tv_nsec -
	       clock_now_ns();
}

/* True for stxtop and its ancestors: the shell, the terminal, the session. */
static bool is_ours(uint32_t pid)
{
	uint32_t at = (uint32_t)getpid();
	struct stat_line line;

	for (int i = 0; i < ANCESTORS_MAX && at; i++) {
		if (at == pid)
			return true;
		if (!read_stat(at, &line))
			return false;
		at = line.parent;
	}
	return false;
}

/* Return why the process must not be stopped; NULL: it can be stopped. */
static const char *refusal(const struct stopper *stopper, uint32_t pid, uint64_t at_ns)
{
	uint64_t tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	struct stat_line line;
	char state;

	if (pid <= 1)
		return "it is the first process; the system needs it";
	if (pid == (uint32_t)cont_guard_pid(stopper->cont_guard) || is_ours(pid))
		return "it is stxtop or one of its ancestors";
	state = process_state((pid_t)live_task(pid));
	if (!read_stat(pid, &line) || !state || strchr("ZXx", state))
		return "it has exited";
	if (line.flags & KERNEL_THREAD)
		return "it is a kernel thread";
	if (state == 'T')
		return "it is already stopped";
	if (state == 't')
		return "a debugger has stopped it";
	if (line.start_ns > boot_ns(at_ns) + tick_ns)
		return "it exited and its pid was reused";
	return NULL;
}

/* ---- SIGCONT from the kernel after stxtop has exited ---- */

/*
 * Create a socket pair, each end of which requests SIGCONT for the process on an event.
 *
 * The only event is the close of the other end, which the kernel closes if stxtop is killed. The
 * end that remains still sends SIGCONT, so no process of stxtop has to survive. The kernel checks
 * that the requesting user is root or the user of the process (sigio_perm of fs/fcntl.c). The
 * descriptors are close-on-exec, and children forked without an exec close them.
 */
static void set_alarm(struct stopped *stopped)
{
	const struct f_owner_ex owner = { .type = F_OWNER_PID, .pid = (pid_t)stopped->pid };

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, stopped->alarm)) {
		stopped->alarm[0] = stopped->alarm[1] = -1;
		return; /* the guard still sends SIGCONT */
	}
	for (int i = 0; i < 2; i++)
		/* Without F_SETSIG the signal would be SIGIO, which terminates a process. */
		if (!fcntl(stopped->alarm[i], F_SETSIG, SIGCONT) &&
		    !fcntl(stopped->alarm[i], F_SETOWN_EX, &owner))
			fcntl(stopped->alarm[i], F_SETFL, O_ASYNC);
}

static void clear_alarm(struct stopped *stopped)
{
	for (int i = 0; i < 2 && stopped->alarm[i] >= 0; i++)
		fcntl(stopped->alarm[i], F_SETFL, 0);
	for (int i = 0; i < 2 && stopped->alarm[i] >= 0; i++)
		close(stopped->alarm[i]);
}

int stopper_new(struct stopper **out, struct err *err)
{
	struct stopper *stopper = mem_zalloc(1, sizeof(*stopper));
	int rc = cont_guard_new(&stopper->cont_guard, err);

	if (rc)
		free(stopper);
	else
		*out = stopper;
	return rc;
}

void stopper_free(struct stopper *stopper)
{
	if (!stopper)
		return;
	stopper_resume(stopper);
	cont_guard_free(stopper->cont_guard);
	free(stopper);
}

pid_t stopper_cont_guard_pid(const struct stopper *stopper)
{
	return cont_guard_pid(stopper->cont_guard);
}

static int stop(struct stopper *stopper, struct stopped *stopped, uint64_t at_ns, struct err *err)
{
	uint32_t pid = stopped->pid;
	int pidfd = stopped->pidfd;
	const char *why = refusal(stopper, pid, at_ns);
	int rc;

	if (why)
		return err_set(err, -EPERM, "cannot stop process %u: %s", pid, why);
	set_alarm(stopped);
	/* The stat line and the alarm belong to the pidfd's process only if it is alive now. */
	if (syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0))
		return err_set(err, -errno, "cannot stop process %u: %s", pid,
			       errno == ESRCH ? "it has exited" : strerror(errno));
	rc = cont_guard_hold(stopper->cont_guard, pid, pidfd);
	if (rc)
		return err_set(err, rc,
			       "cannot stop process %u: no guard would continue it if stxtop were "
			       "killed: %s",
			       pid, strerror(-rc));
	if (!syscall(SYS_pidfd_send_signal, pidfd, SIGSTOP, NULL, 0))
		return 0;
	rc = -errno;
	cont_guard_drop(stopper->cont_guard, pid);
	return err_set(err, rc, "cannot stop process %u: %s", pid, strerror(-rc));
}

int stopper_stop(struct stopper *stopper, uint32_t pid, uint64_t at_ns, struct err *err)
{
	struct stopped *stopped = &stopper->stopped[stopper->count];
	int rc;

	if (stopper->count == STOPPER_MAX)
		return err_set(err, -EBUSY,
			       "cannot stop process %u: %d processes are stopped already", pid,
			       STOPPER_MAX);
	*stopped = (struct stopped){ .pid = pid, .alarm = { -1, -1 } };
	stopped->pidfd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (stopped->pidfd < 0)
		return err_set(err, -errno, "cannot stop process %u: %s", pid,
			       errno == ESRCH ? "it has exited" : strerror(errno));
	rc = stop(stopper, stopped, at_ns, err);
	if (rc) {
		clear_alarm(stopped);
		close(stopped->pidfd);
	} else {
		stopper->count++;
	}
	return rc;
}

size_t stopper_stopped(const struct stopper *stopper, uint32_t pids[STOPPER_MAX])
{
	for (size_t i = 0; i < stopper->count; i++)
		pids[i] = stopper->stopped[i].pid;
	return stopper->count;
}

void stopper_resume(struct stopper *stopper)
{
	for (size_t i = 0; i < stopper->count; i++) {
		struct stopped *stopped = &stopper->stopped[i];

		syscall(SYS_pidfd_send_signal, stopped->pidfd, SIGCONT, NULL, 0);
		cont_guard_drop(stopper->cont_guard, stopped->pid);
		clear_alarm(stopped);
		close(stopped->pidfd);
	}
	stopper->count = 0;
	/* A stopped guard would outlive a stxtop that exits without freeing the stopper. */
	kill(cont_guard_pid(stopper->cont_guard), SIGCONT);
}
