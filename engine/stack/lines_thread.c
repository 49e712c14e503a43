/*
 * lines_thread - requests lines and inlined functions from its own worker, once names are known.
 */
#include "engine/base/mem.h"
#include "engine/stack/symbols_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define BATCH 64u
#define FILES_OPEN_MAX 64u

struct files {
	int main, debug, alt;
	uint32_t version;
};

static int duplicate(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Ignore -EBADMSG: the names worker has already judged the file. */
static int send_file(struct symbols *symbols, const struct dso *dso, enum wire_role role, int fd)
{
	struct wire_file file;
	int code = fd < 0 ? 0 : worker_open(symbols->lines_worker, dso->id, role, fd, &file);

	return code == -EBADMSG ? 0 : code;
}

/* Send the files unless the worker has them. Call without the lock. */
static int hand_over(struct symbols *symbols, struct dso *dso, const struct files *files,
		     unsigned int *open)
{
	int code;

	if (worker_serial(symbols->lines_worker) == dso->lines_serial &&
	    files->version == dso->lines_version && worker_pid(symbols->lines_worker))
		return 0;
	if (*open >= FILES_OPEN_MAX) {
		worker_stop(symbols->lines_worker);
		*open = 0;
	}
	if (files->main < 0)
		return -ENOENT;
	code = send_file(symbols, dso, WIRE_MAIN, files->main);
	if (!code)
		code = send_file(symbols, dso, WIRE_DEBUG, files->debug);
	if (!code)
		code = send_file(symbols, dso, WIRE_ALT, files->alt);
	if (!code) {
		dso->lines_serial = worker_serial(symbols->lines_worker);
		dso->lines_version = files->version;
		++*open;
	}
	return code;
}

/*
 * Store lines and inlined frames in a reply. The outermost frame is the function itself: it retains
 * the symbol of the symbol table.
 */
static bool fill_reply(struct symbols *symbols, struct reply *reply, struct wire_reader *reader)
{
	struct reply_frame frames[WIRE_FRAMES_MAX];
	uint32_t count;

	if (!wire_read_count(reader, &count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const char *name, *path;
		struct wire_frame frame;

		if (!wire_read_frame(reader, &frame, &name, &path))
			return false;
		frames[i] = (struct reply_frame){
			.symbol = frame.name_bytes ? symbols_name(symbols, name, frame.name_bytes)
						   : NULL,
			.file = frame.path_bytes ? symbols_name(symbols, path, frame.path_bytes)
						 : NULL,
			.offset = frame.offset,
			.line = frame.line,
			.inlined = frame.inlined,
		};
	}
	if (!count)
		return true;
	if (reply->frames && reply->frames[0].symbol) {
		frames[count - 1].symbol = reply->frames[0].symbol;
		frames[count - 1].offset = reply->frames[0].offset;
	}
	frames[count - 1].inlined = false;
	reply->frames = mem_realloc(reply->frames, count, sizeof(frames[0]));
	memcpy(reply->frames, frames, count * sizeof(frames[0]));
	reply->count = (uint16_t)count;
	return true;
}

static const char *failure_note(int code)
{
	switch (code) {
	case -ETIMEDOUT:
		return "reading its source lines took too long";
	case -ECANCELED:
	case -EPIPE:
		return "reading its source lines crashed the worker";
	default:
		return "its source lines cannot be read";
	}
}

static int ask_lines(struct symbols *symbols, struct dso *dso, struct reply **batch, size_t count,
		     size_t *replied, unsigned int *open)
{
	struct wire_request request = { .kind = WIRE_LINES, .file = dso->id };
	struct wire_reply reply = { 0 };
	struct wire_reader reader;
	const unsigned char *data;
	struct files files = {
		duplicate(dso->fd),
		duplicate(dso->debug_fd),
		duplicate(dso->alt_fd),
		dso->files_version,
	};
	int code;

	request.count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		request.offsets[i] = batch[i]->offset;
	pthread_mutex_unlock(&symbols->lock);
	code = hand_over(symbols, dso, &files, open);
	if (!code)
		code = worker_ask(symbols->lines_worker, &request, -1, &reply, &data);
	close_file(files.main);
	close_file(files.debug);
	close_file(files.alt);
	pthread_mutex_lock(&symbols->lock);
	if (code)
		return code;
	if (reply.error || !reply.count)
		return -EPROTO;
	reader = (struct wire_reader){ data, data + reply.bytes };
	for (; *replied < reply.count; ++*replied)
		if (!fill_reply(symbols, batch[*replied], &reader)) {
			worker_stop(symbols->lines_worker);
			return -EPROTO;
		}
	return 0;
}

static void reply_some(struct symbols *symbols, unsigned int *open)
{
	struct dso *dso = symbols->first_named;
	struct reply *batch[BATCH], *reply;
	size_t count = 0, replied = 0;
	int code;

	symbols->first_named = dso->next_named;
	if (!symbols->first_named)
		symbols->last_named = NULL;
	while (count < BATCH && (batch[count] = reply_queue_pop(&dso->named)))
		count++;
	symbols->reading_lines = dso->shown;
	code = count ? ask_lines(symbols, dso, batch, count, &replied, open) : 0;
	symbols->reading_lines = NULL;
	dso->in_named = false;
	for (size_t i = 0; i < replied; i++)
		symbols_finish(symbols, batch[i]);
	if (!code || symbols_may_retry(code, &dso->lines_strikes)) {
		for (size_t i = replied; i < count; i++)
			reply_queue_push(&dso->named, batch[i]);
		symbols_push_named(symbols, dso);
		return;
	}
	/* The names remain valid; only the lines are given up. */
	dso->lines_note = failure_note(code);
	for (size_t i = replied; i < count; i++)
		symbols_finish(symbols, batch[i]);
	while ((reply = reply_queue_pop(&dso->named)))
		symbols_finish(symbols, reply);
}

void *symbols_lines_thread(void *arg)
{
	struct symbols *symbols = arg;
	unsigned int open = 0;

	prctl(PR_SET_NAME, "stxtop-lines", 0, 0, 0);
	pthread_mutex_lock(&symbols->lock);
	symbols->lines_tid = (uint32_t)gettid();
	pthread_cond_broadcast(&symbols->settled);
	while (!symbols->stopping) {
		if (!symbols->first_named) {
			pthread_cond_wait(&symbols->work, &symbols->lock);
			continue;
		}
		reply_some(symbols, &open);
		atomic_fetch_add(&symbols->version, 1);
		pthread_cond_broadcast(&symbols->settled);
	}
	pthread_mutex_unlock(&symbols->lock);
	return NULL;
}
