#include "engine/helper/reader.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/helper/descriptor.h"
#include "engine/helper/fork_server.h"
#include "engine/helper/process_state.h"
#include "engine/helper/reader_main.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REPLY_NS NS_PER_S
/* Time limit while the reader is runnable: it does not hang, but waits for a CPU. */
#define REPLY_TURN_NS (5 * NS_PER_S)
#define LOOK_MS 50 /* interval of the checks for cancellation */
/* After a request got no reply, requests about the same process are refused for this time. */
#define REFUSED_MS (30 * (NS_PER_S / NS_PER_MS))
#define REFUSED_MAX 4096

struct readers {
	struct fork_server *fork_server;
	void (*serve)(int socket_fd);
	pthread_mutex_t lock;
	struct idmap refused; /* pid to the end of the refusal, in ms */
	atomic_bool cancelled;
};

struct packet {
	struct reader_reply reply;
	_Alignas(8) unsigned char bytes[READER_BYTES_MAX];
};

struct reader {
	struct readers *readers; /* NULL: the calling thread serves the requests */
	reader_handle_fn *const *handlers;
	void *states[READER_WHAT_COUNT];
	pthread_mutex_t lock; /* taken by threads that share the reader */

	pid_t pid; /* 0: none */
	int pidfd, socket_fd;
	uint32_t number; /* number of the last request */
	uint32_t about; /* pid of the last request */
	uint64_t sent_ns; /* time of the request in flight; 0: none */

	pthread_t starter;
	bool starting; /* `starter` is not joined yet */
	atomic_bool started;
	struct reader *made; /* the reader that `starter` made */
	struct packet packet;
};

struct readers *readers_new(struct fork_server *fork_server, void (*serve)(int socket_fd))
{
	struct readers *readers = mem_zalloc(1, sizeof(*readers));

	readers->fork_server = fork_server;
	readers->serve = serve;
	lock_init(&readers->lock);
	idmap_init(&readers->refused);
	return readers;
}

void readers_set_serve(struct readers *readers, void (*serve)(int socket_fd))
{
	readers->serve = serve;
}

void readers_free(struct readers *readers)
{
	if (!readers)
		return;
	idmap_release(&readers->refused);
	pthread_mutex_destroy(&readers->lock);
	free(readers);
}

void readers_cancel(struct readers *readers)
{
	atomic_store(&readers->cancelled, true);
}

static uint64_t now_in_ms(void)
{
	return clock_now_ns() / NS_PER_MS + 1;
}

static uint64_t refused_key(const struct reader_request *request)
{
	return request->flags & READER_ASIDE ? 1ULL << 32 | request->pid : request->pid;
}

static bool is_refused(struct readers *readers, const struct reader_request *request)
{
	const uint64_t keys[] = { request->pid, refused_key(request) };
	uint64_t until_ms = 0;

	pthread_mutex_lock(&readers->lock);
	for (int i = 0; i < 2; i++) {
		uint64_t found = (uintptr_t)idmap_get(&readers->refused, keys[i]);

		until_ms = found > until_ms ? found : until_ms;
	}
	pthread_mutex_unlock(&readers->lock);
	return until_ms && now_in_ms() < until_ms && !(request->flags & READER_INSIST);
}

static void refuse(struct readers *readers, uint64_t key)
{
	if (!key)
		return;
	pthread_mutex_lock(&readers->lock);
	if (readers->refused.count >= REFUSED_MAX)
		idmap_clear(&readers->refused);
	idmap_put(&readers->refused, key, (void *)(uintptr_t)(now_in_ms() + REFUSED_MS));
	pthread_mutex_unlock(&readers->lock);
}

static struct reader *make(struct readers *readers)
{
	struct reader *reader = mem_zalloc(1, sizeof(*reader));

	reader->readers = readers;
	reader->socket_fd = reader->pidfd = -1;
	lock_init(&reader->lock);
	return reader;
}

struct reader *reader_new(struct readers *readers)
{
	return make(readers);
}

struct reader *reader_new_here(reader_handle_fn *const *handlers)
{
	struct reader *reader = make(NULL);

	reader->handlers = handlers;
	return reader;
}

/*
 * Abandon the reader. A hanging reader exits as soon as its read returns, because its socket is
 * closed and SIGKILL is pending.
 */
static void leave(struct reader *reader)
{
	if (reader->pid) {
		close(reader->socket_fd);
		/* The pidfd names this process even if its pid was reused. */
		syscall(SYS_pidfd_send_signal, reader->pidfd, SIGKILL, NULL, 0);
		close(reader->pidfd);
	}
	reader->pid = 0;
	reader->socket_fd = reader->pidfd = -1;
	reader->sent_ns = 0;
}

static int begin(struct reader *reader)
{
	int code;

	if (reader->pid)
		return 0;
	code = fork_server_fork_reader(reader->readers->fork_server, reader->readers->serve,
				       &reader->pid, &reader->socket_fd);
	if (code) {
		reader->pid = 0;
		return -EPIPE;
	}
	/* The fork server reaps an exited reader with a later order: the pid is not reused yet. */
	reader->pidfd = (int)syscall(SYS_pidfd_open, reader->pid, 0);
	if (reader->pidfd >= 0)
		return 0;
	close(reader->socket_fd); /* a reader exits when its socket is closed */
	reader->socket_fd = -1;
	reader->pid = 0;
	return -EPIPE;
}

static void *start_main(void *arg)
{
	struct reader *reader = arg;

	pthread_setname_np(pthread_self(), "reader-start");
	reader->made = make(reader->readers);
	begin(reader->made);
	atomic_store(&reader->started, true);
	return NULL;
}

/* Start a reader without waiting: -EAGAIN until it is ready; -EPIPE: the start failed. */
static int begin_aside(struct reader *reader)
{
	struct reader *made;

	if (reader->pid)
		return 0;
	if (!reader->starting) {
		atomic_store(&reader->started, false);
		reader->starting = !pthread_create(&reader->starter, NULL, start_main, reader);
		return reader->starting ? -EAGAIN : -EPIPE;
	}
	if (!atomic_load(&reader->started))
		return -EAGAIN;
	pthread_join(reader->starter, NULL);
	reader->starting = false;
	made = reader->made;
	reader->made = NULL;
	reader->pid = made->pid;
	reader->pidfd = made->pidfd;
	reader->socket_fd = made->socket_fd;
	made->pid = 0;
	reader_free(made);
	return reader->pid ? 0 : -EPIPE;
}

void reader_free(struct reader *reader)
{
	if (!reader)
		return;
	if (reader->starting) {
		pthread_join(reader->starter, NULL);
		reader_free(reader->made);
	}
	leave(reader);
	for (int i = 0; i < READER_WHAT_COUNT; i++)
		free(reader->states[i]);
	pthread_mutex_destroy(&reader->lock);
	free(reader);
}

pid_t reader_start(struct reader *reader)
{
	pid_t pid;

	reader_lock(reader);
	pid = reader->readers && !begin(reader) ? reader->pid : 0;
	reader_unlock(reader);
	return pid;
}

static char state_of(const struct reader *reader)
{
	char state = process_state(reader->pid);

	/* If the reader still exists, the pid was not reused: the state is that of the reader. */
	return syscall(SYS_pidfd_send_signal, reader->pidfd, 0, NULL, 0) && errno == ESRCH ? 'X'
											   : state;
}

static bool is_late(const struct reader *reader)
{
	uint64_t ns = clock_now_ns() - reader->sent_ns;

	return ns >= REPLY_TURN_NS || (ns >= REPLY_NS && state_of(reader) != 'R');
}

/* True if the reader was stopped or has exited: the process of the request is not the cause. */
static bool is_innocent(const struct reader *reader)
{
	char state = state_of(reader);

	return state && strchr("TtZX", state);
}

static int put(struct reader *reader, const struct reader_request *request, const void *payload,
	       const int *fds)
{
	struct {
		struct reader_request request;
		unsigned char payload[READER_PAYLOAD_MAX];
	} packet = { .request = *request };

	if (request->payload_bytes > READER_PAYLOAD_MAX)
		return -EMSGSIZE;
	if (request->payload_bytes)
		memcpy(packet.payload, payload, request->payload_bytes);
	packet.request.number = ++reader->number;
	reader->about = request->pid;
	reader->sent_ns = clock_now_ns();
	if (!descriptor_send_both(reader->socket_fd, &packet,
				  sizeof(packet.request) + request->payload_bytes,
				  fds ? fds : (const int[]){ -1, -1 }))
		return 0;
	leave(reader);
	return -EPIPE;
}

/* Receive a packet that is ready. 0 or -errno; *error is the handler's result. */
static int take(struct reader *reader, struct reader_result *result, int *error)
{
	const struct reader_reply *reply = &reader->packet.reply;
	int fd;
	ssize_t got = descriptor_receive(reader->socket_fd, &reader->packet, sizeof(reader->packet),
					 &fd);

	if (got < (ssize_t)sizeof(*reply) || (size_t)got != sizeof(*reply) + reply->bytes ||
	    reply->number != reader->number || reply->error > 0) {
		if (got >= 0 && fd >= 0)
			close(fd);
		leave(reader);
		return -EPIPE;
	}
	reader->sent_ns = 0;
	*result = (struct reader_result){
		.bytes = reader->packet.bytes, .len = reply->bytes, .more = reply->more, .fd = fd
	};
	*error = reply->error;
	return 0;
}

static int wait_for(struct reader *reader)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = reader->socket_fd, .events = POLLIN };
		int ready = poll(&poll_fd, 1, LOOK_MS);

		if (ready > 0)
			return 0;
		if (atomic_load(&reader->readers->cancelled))
			return -ECANCELED;
		/* Poll once more: the reply may have arrived while this thread got no CPU. */
		if (!ready && is_late(reader) && !poll(&poll_fd, 1, 0))
			return -ETIMEDOUT;
	}
}

static int ask_here(struct reader *reader, const struct reader_request *request,
		    const void *payload, const int *fds, struct reader_result *result)
{
	const int none[] = { -1, -1 };

	reader_handle(reader->handlers, reader->states, request, payload, fds ? fds : none,
		      &reader->packet.reply, result);
	return reader->packet.reply.error;
}

/* Return 0, -EPIPE (the reader is gone), -ETIMEDOUT or -ECANCELED. */
static int ask_once(struct reader *reader, const struct reader_request *request,
		    const void *payload, const int *fds, struct reader_result *result, int *error)
{
	int code = begin(reader);

	if (!code)
		code = put(reader, request, payload, fds);
	if (!code)
		code = wait_for(reader);
	if (!code)
		code = take(reader, result, error);
	if (code == -ETIMEDOUT && is_innocent(reader))
		code = -EPIPE;
	if (code)
		leave(reader);
	return code;
}

int reader_ask(struct reader *reader, const struct reader_request *request, const void *payload,
	       const int *fds, struct reader_result *result)
{
	int code, error = 0;

	*result = (struct reader_result){ .bytes = reader->packet.bytes, .fd = -1 };
	if (!reader->readers)
		return ask_here(reader, request, payload, fds, result);
	if (atomic_load(&reader->readers->cancelled))
		return -ECANCELED;
	if (is_refused(reader->readers, request))
		return -EHOSTDOWN;
	code = ask_once(reader, request, payload, fds, result, &error);
	/* The reader was killed or stopped: retry with a new one. */
	if (code == -EPIPE)
		code = ask_once(reader, request, payload, fds, result, &error);
	if (code == -ETIMEDOUT)
		refuse(reader->readers, refused_key(request));
	return code ? code : error;
}

void reader_lock(struct reader *reader)
{
	pthread_mutex_lock(&reader->lock);
}

void reader_unlock(struct reader *reader)
{
	pthread_mutex_unlock(&reader->lock);
}

size_t reader_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len)
{
	const struct reader_request request = {
		.what = READER_MEMORY,
		.pid = pid,
		.address = address,
		.length = len < READER_BYTES_MAX ? len : READER_BYTES_MAX,
	};
	struct reader_result result;
	size_t got = 0;

	reader_lock(reader);
	if (!reader_ask(reader, &request, NULL, NULL, &result)) {
		got = result.len < request.length ? result.len : (size_t)request.length;
		memcpy(to, result.bytes, got);
	}
	reader_unlock(reader);
	return got;
}

int reader_send(struct reader *reader, const struct reader_request *request, const void *payload)
{
	int code;

	if (!reader->readers) {
		struct reader_result result = { .bytes = reader->packet.bytes };

		ask_here(reader, request, payload, NULL, &result);
		return 0;
	}
	if (is_refused(reader->readers, request))
		return -EHOSTDOWN;
	code = begin_aside(reader);
	return code ? code : put(reader, request, payload, NULL);
}

int reader_receive(struct reader *reader, int timeout_us, struct reader_result *result)
{
	struct timespec timeout = { .tv_nsec = timeout_us * 1000L };
	struct pollfd poll_fd = { .fd = reader->socket_fd, .events = POLLIN };
	const struct reader_reply *reply = &reader->packet.reply;
	int code, error = 0;

	if (!reader->readers) {
		*result = (struct reader_result){ .bytes = reader->packet.bytes,
						  .len = reply->bytes,
						  .more = reply->more,
						  .fd = -1 };
		return reply->error;
	}
	if (ppoll(&poll_fd, 1, &timeout, NULL) > 0) {
		code = take(reader, result, &error);
		return code ? code : error;
	}
	if (!is_late(reader))
		return -EAGAIN;
	code = is_innocent(reader) ? -EPIPE : -ETIMEDOUT;
	if (code == -ETIMEDOUT)
		refuse(reader->readers, reader->about);
	leave(reader);
	return code;
}
