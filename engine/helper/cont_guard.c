#include "engine/helper/cont_guard.h"

#include "engine/base/guard_process.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SOCKET_FD GUARD_PROCESS_FD

struct cont_guard {
	pid_t pid;
	int fd;
};

struct order {
	uint32_t pid;
	uint32_t hold; /* 1: hold, with a pidfd; 0: release */
};

/* ---- The guard process ---- */

struct held {
	uint32_t pid;
	int pidfd; /* -1: free */
};

static void obey(struct held *held, const struct order *order, int pidfd)
{
	for (int i = 0; i < CONT_GUARD_MAX; i++) {
		if (order->hold ? held[i].pidfd >= 0
				: held[i].pid != order->pid || held[i].pidfd < 0)
			continue;
		if (!order->hold)
			close(held[i].pidfd);
		held[i] = (struct held){ order->pid, order->hold ? pidfd : -1 };
		return;
	}
}

/* Receive and obey one order. False: the socket is closed. */
static bool take_order(struct held *held)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct order order;
	struct iovec iov = { &order, sizeof(order) };
	struct msghdr message = { .msg_iov = &iov,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	struct cmsghdr *header;
	int pidfd = -1;
	ssize_t got = recvmsg(SOCKET_FD, &message, MSG_CMSG_CLOEXEC);

	if (got < 0 && errno == EINTR)
		return true;
	if (got != sizeof(order))
		return false;
	header = CMSG_FIRSTHDR(&message);
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(&pidfd, CMSG_DATA(header), sizeof(pidfd));
	if (!order.hold || pidfd >= 0)
		obey(held, &order, pidfd);
	return true;
}

/* Must not allocate: other threads may have been running at the fork. */
static void keep(void *ctx)
{
	struct held held[CONT_GUARD_MAX];

	(void)ctx;
	for (int i = 0; i < CONT_GUARD_MAX; i++)
		held[i].pidfd = -1;
	while (take_order(held))
		;
	for (int i = 0; i < CONT_GUARD_MAX; i++)
		if (held[i].pidfd >= 0)
			syscall(SYS_pidfd_send_signal, held[i].pidfd, SIGCONT, NULL, 0);
}

/* ---- stxtop's side ---- */

int cont_guard_new(struct cont_guard **out, struct err *err)
{
	struct cont_guard *cont_guard;
	int fds[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return err_set(err, -errno, "cannot make a socket for the guard: %s",
			       strerror(errno));
	pid = guard_process_fork("cont-guard", &fds[1], 1, keep, NULL);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return err_set(err, pid, "cannot fork the guard: %s", strerror(-pid));
	}
	cont_guard = mem_zalloc(1, sizeof(*cont_guard));
	cont_guard->pid = pid;
	cont_guard->fd = fds[0];
	*out = cont_guard;
	return 0;
}

void cont_guard_free(struct cont_guard *cont_guard)
{
	if (!cont_guard)
		return;
	/* Ends the connection even if a process forked meanwhile has a copy of the socket. */
	shutdown(cont_guard->fd, SHUT_RDWR);
	close(cont_guard->fd);
	guard_process_join(cont_guard->pid);
	free(cont_guard);
}

pid_t cont_guard_pid(const struct cont_guard *cont_guard)
{
	return cont_guard->pid;
}

static int send_order(struct cont_guard *cont_guard, const struct order *order, int pidfd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { (void *)(uintptr_t)order, sizeof(*order) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (pidfd >= 0) {
		struct cmsghdr *header = &control.align;

		memset(&control, 0, sizeof(control));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &pidfd, sizeof(pidfd));
	}
	/* The guard reads queued orders before it sees the end of the socket. */
	return sendmsg(cont_guard->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int cont_guard_hold(struct cont_guard *cont_guard, uint32_t pid, int pidfd)
{
	return send_order(cont_guard, &(struct order){ pid, 1 }, pidfd);
}

void cont_guard_drop(struct cont_guard *cont_guard, uint32_t pid)
{
	send_order(cont_guard, &(struct order){ pid, 0 }, -1);
}
