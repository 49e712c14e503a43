#include "engine/helper/fork_server.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/sandbox.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REAP_MS 1000u /* time limit for a killed child to die; most die within 1 ms */
#define UNDEAD_MAX 64u /* maximum number of children in struct undead */
#define REPLY_MS 10000 /* default, see fork_server_set_reply_ms() */

enum order_kind { ORDER_FORK, ORDER_FORK_READER, ORDER_REAP };

struct order {
	enum order_kind kind;
	void (*serve)(int socket_fd); /* main function of the new child; same address there */
	pid_t pid; /* child to reap; in the reply to a fork: the new child, or -errno */
	int status; /* reply to ORDER_REAP */
};

struct fork_server {
	pthread_mutex_t lock;
	pid_t pid;
	void (*serve)(int socket_fd); /* main function of a worker */
	int socket_fd;
	int reply_ms; /* time limit of a fork or reap */
};

static void reset_signals(void)
{
	sigset_t none;

	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		signal(signal_number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Children to reap later: all readers, and killed workers whose last read does not return. */
struct undead {
	pid_t pids[UNDEAD_MAX];
	size_t count;
};

static void reap_undead(struct undead *undead)
{
	for (size_t i = undead->count; i-- > 0;)
		if (waitpid(undead->pids[i], NULL, WNOHANG) != 0)
			undead->pids[i] = undead->pids[--undead->count];
}

/*
 * A reader has no caller that reaps it, so it is listed for reap_undead() at once. The list bounds
 * the number of hanging readers.
 */
static void order_fork(struct order *order, int worker_fd, struct undead *undead)
{
	bool reads = order->kind == ORDER_FORK_READER;

	if (reads)
		reap_undead(undead);
	order->pid = reads && undead->count == UNDEAD_MAX ? -EAGAIN : fork();
	if (order->pid < 0)
		order->pid = order->pid == -EAGAIN ? -EAGAIN : -errno;
	if (order->pid > 0 && reads)
		undead->pids[undead->count++] = order->pid;
	if (order->pid != 0)
		return;
	if (!reads)
		privilege_drop();
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	prctl(PR_SET_NAME, "stxtop-worker", 0, 0, 0);
	sandbox_close_all_but(worker_fd);
	order->serve(worker_fd);
	_exit(0);
}

/* A child that does not die in time is reaped later, so that it does not block other orders. */
static void order_reap(struct order *order, struct undead *undead)
{
	siginfo_t info;
	pid_t got = 0;

	reap_undead(undead);
	order->status = -1;
	/* waitid() fails if the pid is not a child. The pid of an unreaped child is not reused. */
	if (order->pid <= 0 || waitid(P_PID, (id_t)order->pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return;
	kill(order->pid, SIGKILL);
	for (unsigned int ms = 0; !got && ms < REAP_MS; ms++) {
		got = waitpid(order->pid, &order->status, WNOHANG);
		if (!got)
			poll(NULL, 0, 1);
	}
	if (got == order->pid)
		return;
	order->status = -1;
	if (!got && undead->count < UNDEAD_MAX)
		undead->pids[undead->count++] = order->pid;
}

__attribute__((noreturn)) static void run_fork_server(int socket_fd, pid_t parent)
{
	struct undead undead = { .count = 0 };

	reset_signals();
	/* New session: Ctrl-C reaches only stxtop, which then ends the fork server. */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	prctl(PR_SET_NAME, "stxtop-fork", 0, 0, 0);
	sandbox_close_all_but(socket_fd);
	if (getppid() != parent)
		_exit(0);
	for (;;) {
		struct order order;
		int worker_fd;

		if (descriptor_receive(socket_fd, &order, sizeof(order), &worker_fd) !=
		    sizeof(order))
			_exit(0);
		if (order.kind == ORDER_REAP)
			order_reap(&order, &undead);
		else
			order_fork(&order, worker_fd, &undead);
		if (worker_fd >= 0)
			close(worker_fd);
		if (descriptor_send(socket_fd, &order, sizeof(order), -1) < 0)
			_exit(0);
	}
}

int fork_server_new(struct fork_server **fork_server, void (*serve)(int socket_fd), struct err *err)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_set(err, -errno, "no stack worker: socketpair: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		int code = -errno;

		close(ends[0]);
		close(ends[1]);
		return err_set(err, code, "no stack worker: fork: %s", strerror(-code));
	}
	if (pid == 0)
		run_fork_server(ends[1], parent);
	close(ends[1]);
	*fork_server = mem_zalloc(1, sizeof(**fork_server));
	lock_init(&(*fork_server)->lock);
	(*fork_server)->pid = pid;
	(*fork_server)->serve = serve;
	(*fork_server)->reply_ms = REPLY_MS;
	(*fork_server)->socket_fd = ends[0];
	return 0;
}

void fork_server_free(struct fork_server *fork_server)
{
	if (!fork_server)
		return;
	/* PR_SET_PDEATHSIG kills its workers. */
	close(fork_server->socket_fd);
	kill(fork_server->pid, SIGKILL);
	while (waitpid(fork_server->pid, NULL, 0) < 0 && errno == EINTR)
		;
	pthread_mutex_destroy(&fork_server->lock);
	free(fork_server);
}

void fork_server_set_reply_ms(struct fork_server *fork_server, int reply_ms)
{
	fork_server->reply_ms = reply_ms;
}

pid_t fork_server_pid(const struct fork_server *fork_server)
{
	return fork_server->pid;
}

/*
 * Wait for the reply. Kill a stopped fork server, as its caller would otherwise wait forever, even
 * when stxtop exits. After that, no worker can be forked.
 */
static int wait_for_reply(const struct fork_server *fork_server)
{
	struct pollfd poll_fd = { .fd = fork_server->socket_fd, .events = POLLIN };
	int ready;

	do {
		ready = poll(&poll_fd, 1, fork_server->reply_ms);
	} while (ready < 0 && errno == EINTR);
	if (ready > 0)
		return 0;
	kill(fork_server->pid, SIGKILL);
	return -ETIMEDOUT;
}

static int give_order(struct fork_server *fork_server, struct order *order, int fd)
{
	ssize_t got;
	int code;

	pthread_mutex_lock(&fork_server->lock);
	code = descriptor_send(fork_server->socket_fd, order, sizeof(*order), fd);
	if (!code)
		code = wait_for_reply(fork_server);
	if (!code) {
		got = descriptor_receive(fork_server->socket_fd, order, sizeof(*order), NULL);
		code = got < 0 ? (int)got : got != sizeof(*order) ? -EPIPE : 0;
	}
	pthread_mutex_unlock(&fork_server->lock);
	return code;
}

int fork_server_fork(struct fork_server *fork_server, pid_t *pid, int *socket_fd)
{
	return fork_server_fork_as(fork_server, fork_server->serve, pid, socket_fd);
}

static int fork_one(struct fork_server *fork_server, enum order_kind kind,
		    void (*serve)(int socket_fd), pid_t *pid, int *socket_fd)
{
	struct order order = { .kind = kind, .serve = serve };
	int ends[2];
	int code;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	code = give_order(fork_server, &order, ends[1]);
	close(ends[1]);
	if (!code && order.pid < 0)
		code = order.pid;
	if (code) {
		close(ends[0]);
		return code;
	}
	*pid = order.pid;
	*socket_fd = ends[0];
	return 0;
}

int fork_server_fork_as(struct fork_server *fork_server, void (*serve)(int socket_fd), pid_t *pid,
			int *socket_fd)
{
	return fork_one(fork_server, ORDER_FORK, serve, pid, socket_fd);
}

int fork_server_fork_reader(struct fork_server *fork_server, void (*serve)(int socket_fd),
			    pid_t *pid, int *socket_fd)
{
	return fork_one(fork_server, ORDER_FORK_READER, serve, pid, socket_fd);
}

int fork_server_reap(struct fork_server *fork_server, pid_t pid)
{
	struct order order = { .kind = ORDER_REAP, .pid = pid };

	return give_order(fork_server, &order, -1) ? -1 : order.status;
}
