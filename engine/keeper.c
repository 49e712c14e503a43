#include "engine/keeper.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* After the standard ones. */
#define SOCKET_FD 3
#define END_MS 100 /* for the process to end by itself */

struct keeper {
	pid_t pid;
	int fd;
};

struct order {
	uint32_t pid;
	uint32_t hold; /* with a descriptor; otherwise it is dropped */
};

/* ---- the process ---- */

struct held {
	uint32_t pid;
	int pidfd; /* -1: free */
};

/* What it inherited would keep terminals, pipes and probes open. */
static void close_all_but(int fd)
{
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i < SOCKET_FD; i++)
		dup2(null, i);
	if (fd != SOCKET_FD)
		dup2(fd, SOCKET_FD);
	if (syscall(SYS_close_range, SOCKET_FD + 1, ~0U, 0))
		for (int i = SOCKET_FD + 1; i < (int)sysconf(_SC_OPEN_MAX); i++)
			close(i); /* before 5.9 */
}

static void obey(struct held *held, const struct order *order, int pidfd)
{
	for (int i = 0; i < KEEPER_MAX; i++) {
		if (order->hold ? held[i].pidfd >= 0 : held[i].pid != order->pid ||
						       held[i].pidfd < 0)
			continue;
		if (!order->hold)
			close(held[i].pidfd);
		held[i] = (struct held){ order->pid, order->hold ? pidfd : -1 };
		return;
	}
}

/* False: the other side is gone. */
static bool take_order(struct held *held)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct order order;
	struct iovec iov = { &order, sizeof(order) };
	struct msghdr message = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
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

/* Nothing here may allocate: the fork may have been among threads. */
static void __attribute__((noreturn)) keep(int fd)
{
	struct held held[KEEPER_MAX];

	for (int i = 0; i < KEEPER_MAX; i++)
		held[i].pidfd = -1;
	setsid();
	prctl(PR_SET_NAME, "stxtop-keeper");
	close_all_but(fd);
	while (take_order(held))
		;
	for (int i = 0; i < KEEPER_MAX; i++)
		if (held[i].pidfd >= 0)
			syscall(SYS_pidfd_send_signal, held[i].pidfd, SIGCONT, NULL, 0);
	_exit(0);
}

/* ---- this side ---- */

int keeper_new(struct keeper **out, struct err *err)
{
	struct keeper *keeper;
	sigset_t all, before;
	int fds[2], code;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return err_set(err, -errno, "cannot make a socket for the keeper: %s",
			       strerror(errno));
	/* It blocks all signals from its first moment on. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (!pid)
		keep(fds[1]);
	code = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return err_set(err, -code, "cannot fork the keeper: %s", strerror(code));
	}
	keeper = mem_zalloc(1, sizeof(*keeper));
	keeper->pid = pid;
	keeper->fd = fds[0];
	*out = keeper;
	return 0;
}

/* One that somebody stopped is ended: who holds a process lets it go before this. */
static void await_end(pid_t pid)
{
	pid_t got = 0;

	for (int ms = 0; !got && ms < END_MS; ms++) {
		got = waitpid(pid, NULL, WNOHANG);
		if (!got)
			poll(NULL, 0, 1);
	}
	if (got)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void keeper_free(struct keeper *keeper)
{
	if (!keeper)
		return;
	/* Also where a process that was forked since has a copy of it. */
	shutdown(keeper->fd, SHUT_RDWR);
	close(keeper->fd);
	await_end(keeper->pid);
	free(keeper);
}

pid_t keeper_pid(const struct keeper *keeper)
{
	return keeper->pid;
}

static int send_order(struct keeper *keeper, const struct order *order, int pidfd)
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
	/* Once it is in the socket it is read before its end is. */
	return sendmsg(keeper->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

int keeper_hold(struct keeper *keeper, uint32_t pid, int pidfd)
{
	return send_order(keeper, &(struct order){ pid, 1 }, pidfd);
}

void keeper_drop(struct keeper *keeper, uint32_t pid)
{
	send_order(keeper, &(struct order){ pid, 0 }, -1);
}
