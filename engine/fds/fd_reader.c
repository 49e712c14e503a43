#include "engine/fds/fd_reader.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/fds/fd_probe.h"
#include "engine/helper/reader.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUESTIONS_AT_ONCE 64
#define SHARE 5 /* at most 1/SHARE of the time is spent reading */

struct fd_reader {
	struct fds *fds;
	struct reader *reader;
	pthread_t thread;
};

/* Result of reading one process. */
struct reading {
	struct fd_reply *replies;
	size_t count, room;
	struct str texts; /* texts of all replies, without pointers until settle_reading() */
	struct fd_socket *sockets;
	size_t socket_count, socket_room;
	uint64_t asked_ns, reported_ns;
};

static void reading_release(struct reading *reading)
{
	free(reading->replies);
	free(reading->sockets);
	str_release(&reading->texts);
}

static void add_reply(struct reading *reading, const struct fd_probe_entry *entry, const void *rest)
{
	struct fd_reply *reply;

	reading->replies = mem_grow(reading->replies, &reading->room, reading->count + 1,
				    sizeof(*reading->replies));
	reply = &reading->replies[reading->count++];
	*reply = (struct fd_reply){ .fd = entry->fd,
				    .tid = entry->tid,
				    .other = entry->other,
				    .like = entry->like,
				    .cloexec = entry->cloexec,
				    .cloexec_known = entry->cloexec_known };
	if (!entry->is_socket) {
		reply->text = ""; /* non-NULL: a text; settle_reading() sets the pointer */
		reply->len = entry->bytes;
		str_addn(&reading->texts, rest, entry->bytes);
		return;
	}
	reading->sockets = mem_grow(reading->sockets, &reading->socket_room,
				    reading->socket_count + 1, sizeof(*reading->sockets));
	memcpy(&reading->sockets[reading->socket_count++], rest, sizeof(*reading->sockets));
	/* Sockets move while the array grows: store index + 1 until settle_reading(). */
	reply->len = reading->socket_count;
}

/* If the process cannot be read before the deadline, the reading stays empty. */
static void read_process(struct fd_reader *reader, struct reading *reading,
			 const struct fd_request *wanted)
{
	struct reader_request request = { .what = READER_FDS,
					  .pid = fd_task_process(wanted->task),
					  .tid = (uint32_t)wanted->task,
					  .length = (uint32_t)wanted->fd };
	const struct fd_probe_entry *entry;
	struct reader_result reply;
	const void *rest;

	if (wanted->fd == FDS_ALL)
		request.flags = FD_PROBE_ALL;
	reader_lock(reader->reader);
	do {
		size_t at = 0;

		if (reader_ask(reader->reader, &request, NULL, NULL, &reply))
			break;
		while ((entry = fd_probe_next(&reply, &at, &rest)))
			add_reply(reading, entry, rest);
		request.flags |= FD_PROBE_ON;
	} while (reply.more);
	reader_unlock(reader->reader);
}

/* Replace offsets and indexes by pointers. */
static void settle_reading(struct reading *reading)
{
	size_t at = 0;

	for (size_t i = 0; i < reading->count; i++) {
		struct fd_reply *reply = &reading->replies[i];

		if (!reply->text) {
			reply->socket = &reading->sockets[reply->len - 1];
			continue;
		}
		reply->text = reading->texts.data + at;
		at += reply->len;
	}
}

/* -- The thread ----------------------------------------------------------------------- */

/* Return the time spent reading, in ns. */
static uint64_t reply_some(struct fd_reader *reader, const struct fd_request *requests,
			   size_t count)
{
	struct reading readings[QUESTIONS_AT_ONCE];
	uint64_t since_ns = clock_now_ns(), read_ns;

	for (size_t i = 0; i < count; i++) {
		readings[i] = (struct reading){ .texts = STR_INIT, .asked_ns = clock_now_ns() };
		read_process(reader, &readings[i], &requests[i]);
		readings[i].reported_ns = clock_now_ns();
		settle_reading(&readings[i]);
	}
	read_ns = clock_now_ns() - since_ns;
	for (size_t i = 0; i < count; i++) {
		fds_reply(reader->fds, &requests[i], readings[i].replies, readings[i].count,
			  readings[i].asked_ns, readings[i].reported_ns);
		reading_release(&readings[i]);
	}
	return read_ns;
}

static void *reader_main(void *arg)
{
	struct fd_request requests[QUESTIONS_AT_ONCE];
	struct fd_reader *reader = arg;
	uint64_t pause_ns;
	size_t count;

	pthread_setname_np(pthread_self(), "descriptors");
	while ((count = fds_next_requests(reader->fds, requests, QUESTIONS_AT_ONCE))) {
		uint64_t read_ns = reply_some(reader, requests, count);

		/* A partial batch needs no pause; full batches in a row are throttled. */
		if (count < QUESTIONS_AT_ONCE)
			continue;
		pause_ns = read_ns * (SHARE - 1);
		if (pause_ns >= NS_PER_S)
			pause_ns = NS_PER_S - 1;
		nanosleep(&(struct timespec){ .tv_nsec = (long)pause_ns }, NULL);
	}
	return NULL;
}

int fd_reader_new(struct fd_reader **reader, struct fds *fds, struct reader *asked, struct err *err)
{
	struct fd_reader *made = mem_zalloc(1, sizeof(*made));
	sigset_t all, old;
	int rc;

	made->fds = fds;
	made->reader = asked;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&made->thread, NULL, reader_main, made);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		free(made);
		return err_set(err, -rc, "cannot start the thread that names descriptors: %s",
			       strerror(rc));
	}
	*reader = made;
	return 0;
}

void fd_reader_free(struct fd_reader *reader)
{
	if (!reader)
		return;
	pthread_join(reader->thread, NULL);
	free(reader);
}
