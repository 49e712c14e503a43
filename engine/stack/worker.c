#include "engine/stack/worker.h"

#include "engine/base/mem.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/worker_timeout.h"
#include "engine/stack/file_probe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Only a file of 1-2 GB, or a slow disk, needs so many rounds to open. */
#define OPEN_ROUNDS 32u
#define OPEN_ROUNDS_RECORDED (64u * OPEN_ROUNDS) /* enough even on a busy machine */
#define LOOK_MS 100 /* interval at which `cancelled` is checked */

struct worker {
	struct fork_server *fork_server;
	_Atomic pid_t pid; /* 0: none */
	atomic_bool cancelled;
	bool recorded; /* see worker_timeout.h */
	int socket_fd;
	struct reader *reader; /* NULL: the calling thread hands over files */
	uint32_t serial;
	_Alignas(8) unsigned char message[WIRE_BYTES_MAX];
};

struct worker *worker_new(struct fork_server *fork_server)
{
	struct worker *worker = mem_zalloc(1, sizeof(*worker));

	worker->fork_server = fork_server;
	worker->socket_fd = -1;
	return worker;
}

/* End the process if it is alive, and return its wait status; -1: unknown. */
static int end_worker(struct worker *worker)
{
	int status;

	close(worker->socket_fd);
	worker->socket_fd = -1;
	status = fork_server_reap(worker->fork_server, worker->pid);
	worker->pid = 0;
	return status;
}

void worker_stop(struct worker *worker)
{
	if (worker->pid)
		end_worker(worker);
}

void worker_free(struct worker *worker)
{
	if (!worker)
		return;
	worker_stop(worker);
	free(worker);
}

uint32_t worker_serial(const struct worker *worker)
{
	return worker->serial;
}

pid_t worker_pid(const struct worker *worker)
{
	return worker->pid;
}

void worker_set_recorded(struct worker *worker)
{
	worker->recorded = true;
}

void worker_set_reader(struct worker *worker, struct reader *reader)
{
	worker->reader = reader;
}

void worker_cancel(struct worker *worker)
{
	worker->cancelled = true;
}

static int poll_reply(struct pollfd *poll_fd, const struct worker_timeout *worker_timeout)
{
	int ms = worker_timeout_wait_ms(worker_timeout);

	return poll(poll_fd, 1, ms < LOOK_MS ? ms : LOOK_MS);
}

/* Receive one complete message before the timeout, or return -errno. */
static int receive(struct worker *worker, const struct worker_timeout *worker_timeout,
		   uint32_t kind, struct wire_reply *reply)
{
	struct pollfd poll_fd = { .fd = worker->socket_fd, .events = POLLIN };
	ssize_t got;
	int ready;

	do {
		ready = poll_reply(&poll_fd, worker_timeout);
		if (ready == 0 && worker->cancelled)
			return -ECANCELED;
		/*
		 * Poll once more: the reply may have arrived while this thread was not scheduled.
		 */
		if (ready == 0 && !worker_timeout_lasts(worker_timeout) &&
		    poll(&poll_fd, 1, 0) == 0)
			return -ETIMEDOUT;
	} while (ready == 0 || (ready < 0 && errno == EINTR));
	if (ready < 0)
		return -errno;
	got = descriptor_receive(worker->socket_fd, worker->message, sizeof(worker->message), NULL);
	if (got == 0 || got == -ECONNRESET)
		return -EPIPE;
	if (got < (ssize_t)sizeof(*reply))
		return -EPROTO;
	memcpy(reply, worker->message, sizeof(*reply));
	if (reply->kind != kind || reply->bytes != (size_t)got - sizeof(*reply) || reply->error > 0)
		return -EPROTO;
	return 0;
}

int worker_start(struct worker *worker, struct err *err)
{
	struct worker_timeout worker_timeout;
	struct wire_reply hello;
	pid_t pid;
	int code;

	if (worker->pid)
		return 0;
	code = fork_server_fork(worker->fork_server, &pid, &worker->socket_fd);
	if (code)
		return err_set(err, code, "no stack worker: fork: %s", strerror(-code));
	worker->pid = pid;
	worker->serial++;
	worker_timeout_begin(&worker_timeout, pid, worker->recorded);
	code = receive(worker, &worker_timeout, WIRE_HELLO, &hello);
	if (!code)
		code = hello.error;
	if (code) {
		worker_stop(worker);
		return err_set(err, code,
			       "no stack worker, so no names of user functions: it cannot enter "
			       "its sandbox: %s",
			       strerror(-code));
	}
	return 0;
}

int worker_ask(struct worker *worker, const struct wire_request *request, int fd,
	       struct wire_reply *reply, const unsigned char **data)
{
	size_t bytes = offsetof(struct wire_request, offsets) +
		       request->count * sizeof(request->offsets[0]);
	struct worker_timeout worker_timeout;
	int code = worker->cancelled ? -ECANCELED : worker_start(worker, NULL);

	if (code)
		return code;
	code = file_probe_hand_over(request->kind == WIRE_OPEN ? worker->reader : NULL, fd,
				    worker->socket_fd, request, bytes);
	worker_timeout_begin(&worker_timeout, worker->pid, worker->recorded);
	/* The worker may have received the message all the same: end it. */
	if (code == -ETIMEDOUT || code == -ECANCELED) {
		worker_stop(worker);
		return code;
	}
	if (code && worker->reader && fd >= 0 && request->kind == WIRE_OPEN && code != -EPIPE)
		return -EBADMSG;
	if (code) {
		worker_stop(worker);
		return -ESTALE;
	}
	code = receive(worker, &worker_timeout, request->kind, reply);
	if (!code && reply->count > request->count)
		code = -EPROTO;
	if (code) {
		int status = end_worker(worker);

		if (code == -ETIMEDOUT || code == -EPROTO || code == -ECANCELED)
			return code;
		/* SIGKILL is not a crash: a user or the kernel (OOM killer) sent it. */
		return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? -ECANCELED : -EPIPE;
	}
	*data = worker->message + sizeof(*reply);
	return 0;
}

int worker_open(struct worker *worker, uint32_t number, enum wire_role role, int fd,
		struct wire_file *file)
{
	struct wire_request request = { .kind = WIRE_OPEN, .file = number, .role = role };
	const unsigned char *data;
	struct wire_reader reader;
	struct wire_reply reply;
	unsigned int rounds = worker->recorded ? OPEN_ROUNDS_RECORDED : OPEN_ROUNDS;

	for (unsigned int round = 0; round < rounds; round++) {
		int code = worker_ask(worker, &request, round ? -1 : fd, &reply, &data);

		if (code)
			return code;
		if (reply.error == -EAGAIN)
			continue;
		if (reply.error)
			return -EBADMSG;
		reader = (struct wire_reader){ data, data + reply.bytes };
		if (wire_read_file(&reader, file))
			return 0;
		worker_stop(worker);
		return -EPROTO;
	}
	worker_stop(worker);
	return -ETIMEDOUT;
}
