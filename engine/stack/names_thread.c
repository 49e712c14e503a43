/*
 * names_thread - quick lookups: kernel symbols, mappings, functions of files.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/helper/data_offset.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/symbols_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PERF_MAP_AGE_NS NS_PER_S

static void read_kernel(struct symbols *symbols)
{
	struct kallsyms *kallsyms = NULL;
	struct err err;
	int code;

	pthread_mutex_unlock(&symbols->lock);
	err.text[0] = '\0';
	code = symbols->recorded ? symbols_find_kernel(symbols, &kallsyms, &err)
				 : kallsyms_read(&kallsyms, &err);
	pthread_mutex_lock(&symbols->lock);
	symbols->kernel_done = true;
	symbols->kernel_read_ns = clock_now_ns();
	if (kallsyms)
		symbols->kernels[symbols->kernels_len++] = kallsyms;
	else if (code && !symbols->kernels_len)
		snprintf(symbols->kernel_note, sizeof(symbols->kernel_note), "%s", err.text);
	symbols_ask_kernel_lookups(symbols);
	symbols->pending--;
}

/*
 * Return why the mappings of a space cannot become known, or NULL if they can. -ENOENT or -ESRCH:
 * all threads have exited, although the process can stay in /proc as a zombie.
 */
static const char *why_over(struct symbols *symbols, const struct space_request *request)
{
	struct str text = STR_INIT;
	const char *note = NULL;
	int code;

	if (spaces_generation(symbols->spaces, request->pid) != request->generation)
		return "exited before its memory map was read";
	code = file_probe_maps(symbols->reader, request->pid, 1, &text);
	if (code == -EACCES || code == -EPERM)
		note = "no permission to read its memory map";
	else if (code == -ETIMEDOUT || code == -EHOSTDOWN)
		note = "timeout while reading its memory map";
	else if (code == -ENOENT || code == -ESRCH)
		note = "exited before its memory map was read";
	else if (!code && !text.len)
		note = "has no memory map";
	str_release(&text);
	return note;
}

static void read_space(struct symbols *symbols)
{
	struct space_request *request = symbols->first_space;
	const char *note;

	symbols->first_space = request->next;
	if (!symbols->first_space)
		symbols->last_space = NULL;
	pthread_mutex_unlock(&symbols->lock);
	spaces_load_proc(symbols->spaces, request->pid, request->generation);
	note = why_over(symbols, request);
	pthread_mutex_lock(&symbols->lock);
	request->pending = false;
	request->note = note;
	request->asked_ns = clock_now_ns();
	request->replies++;
	symbols_ask_lookups(symbols, request);
	symbols->pending--;
}

/* -- Generated code ---------------------------------------------------------- */

/* Keep perf_map_fd open, unless too many are open. */
static void hold_map(struct symbols *symbols, struct dso *dso)
{
	if (dso->perf_map_fd < 0 || dso->holds_map)
		return;
	dso->holds_map = symbols->maps_held < SYMBOLS_MAPS_HELD_MAX;
	symbols->maps_held += dso->holds_map;
	if (!dso->holds_map)
		dso_release_map(dso);
}

static void name_generated(struct symbols *symbols, struct dso *dso, struct reply **batch,
			   size_t count)
{
	struct perf_map *map = dso->perf_map, *old = NULL;
	uint64_t now = clock_now_ns();
	const char *note = dso->note;

	if (!dso->perf_map_ns || now - dso->perf_map_ns > PERF_MAP_AGE_NS) {
		pthread_mutex_unlock(&symbols->lock);
		note = NULL;
		map = file_probe_perf_map(symbols->reader, dso->pid,
					  symbols->recorded ? NULL : &dso->perf_map_fd, &note);
		hold_map(symbols, dso);
		pthread_mutex_lock(&symbols->lock);
		dso->perf_map_ns = now;
		if (map) {
			old = dso->perf_map;
			dso->perf_map = map;
		} else if (dso->deleted) {
			note = "the file was deleted";
		}
	}
	dso->note = note;
	perf_map_free(old);
	for (size_t i = 0; i < count; i++) {
		struct reply *reply = batch[i];
		const char *name = NULL;
		uint64_t start = 0;

		if (dso->perf_map)
			name = perf_map_find(dso->perf_map, reply->offset, &start);
		if (name)
			name = symbols_name(symbols, name, strnlen(name, WIRE_NAME_MAX));
		if (name) {
			reply->frames = mem_zalloc(1, sizeof(*reply->frames));
			reply->frames->symbol = name;
			reply->frames->offset = reply->offset - start;
			reply->count = 1;
		}
		symbols_finish(symbols, reply);
	}
}

/* -- Files ------------------------------------------------------------------- */

static bool fill_reply(struct symbols *symbols, struct reply *reply, struct wire_reader *reader)
{
	const char *name, *path;
	struct wire_frame frame;
	uint32_t count;

	if (!wire_read_count(reader, &count) || count > 1)
		return false;
	if (!count)
		return true;
	if (!wire_read_frame(reader, &frame, &name, &path))
		return false;
	free(reply->frames); /* frames from before a debug file was fetched */
	reply->frames = mem_zalloc(1, sizeof(*reply->frames));
	reply->frames->symbol = symbols_name(symbols, name, frame.name_bytes);
	reply->frames->offset = frame.offset;
	reply->count = 1;
	return true;
}

/*
 * Query the worker about a batch. On return, the first *replied replies are filled in and the lock
 * is held again.
 */
static int ask_names(struct symbols *symbols, struct dso *dso, struct reply **batch, size_t count,
		     size_t *replied, const char **note)
{
	struct wire_request request = { .kind = WIRE_NAMES, .file = dso->id };
	struct wire_reply reply = { 0 };
	struct wire_reader reader;
	const unsigned char *data;
	int code;

	request.count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		request.offsets[i] = batch[i]->offset;
	pthread_mutex_unlock(&symbols->lock);
	code = symbols_hand_over(symbols, dso, note);
	if (!code)
		code = worker_ask(symbols->names_worker, &request, -1, &reply, &data);
	pthread_mutex_lock(&symbols->lock);
	if (code)
		return code;
	if (reply.error || !reply.count)
		return -EPROTO;
	reader = (struct wire_reader){ data, data + reply.bytes };
	for (; *replied < reply.count; ++*replied)
		if (!fill_reply(symbols, batch[*replied], &reader)) {
			worker_stop(symbols->names_worker);
			return -EPROTO;
		}
	return 0;
}

static void give_up(struct symbols *symbols, struct dso *dso, const char *note)
{
	struct reply *reply;

	dso->note = note;
	while ((reply = reply_queue_pop(&dso->asked)))
		symbols_finish(symbols, reply);
}

/* Repeat the requests for dso->same_file, which lookups use now; end the old ones without names. */
static void query_same_file(struct symbols *symbols, struct dso *dso, struct reply **batch,
			    size_t count)
{
	const struct stack stack = { .pid = dso->pid };
	struct reply *reply;

	for (size_t i = 0; i < count; i++)
		reply_queue_push(&dso->asked, batch[i]);
	while ((reply = reply_queue_pop(&dso->asked))) {
		symbols_ask(symbols, dso, &stack, reply->offset);
		symbols_finish(symbols, reply);
	}
}

/* As query_same_file(), for memory of the process, which a perf map can name. */
static void ask_generated(struct symbols *symbols, struct dso *dso, struct reply **batch,
			  size_t count)
{
	struct reply *reply;

	dso->generated = true;
	for (size_t i = 0; i < count; i++)
		reply_queue_push(&dso->asked, batch[i]);
	while ((reply = reply_queue_pop(&dso->asked))) {
		symbols_ask_generated(symbols, dso, reply->offset);
		symbols_finish(symbols, reply);
	}
}

static const char *failure_note(int code)
{
	switch (code) {
	case -ETIMEDOUT:
		return "reading its symbols took too long";
	case -ECANCELED:
	case -EPIPE:
		return "reading its symbols crashed the worker";
	default:
		return "its symbols cannot be read";
	}
}

static const char *debug_note(int code)
{
	return code == -ETIMEDOUT ? "reading its debug file took too long"
				  : "its debug file cannot be read";
}

static void name_functions(struct symbols *symbols, struct dso *dso, struct reply **batch,
			   size_t count)
{
	const char *note = NULL;
	size_t replied = 0;
	int code = ask_names(symbols, dso, batch, count, &replied, &note);

	if (code == -EALREADY) {
		query_same_file(symbols, dso, batch, count);
		return;
	}
	if ((code == -EBADMSG || code == -ENOENT) && dso_may_be_generated(dso)) {
		dso->deleted = code == -ENOENT;
		ask_generated(symbols, dso, batch, count);
		return;
	}
	for (size_t i = 0; i < replied; i++) {
		bool is_data = batch[i]->offset & DATA_OFFSET;

		if (dso->has_dwarf && !dso->lines_note && !is_data) {
			batch[i]->state = REPLY_NAMED;
			reply_queue_push(&dso->named, batch[i]);
		} else {
			symbols_finish(symbols, batch[i]);
		}
	}
	symbols_push_named(symbols, dso);
	if (!code || symbols_may_retry(code, &dso->strikes) ||
	    (!note && symbols_drop_debug(symbols, dso, debug_note(code)))) {
		for (size_t i = replied; i < count; i++)
			reply_queue_push(&dso->asked, batch[i]);
		if (!code && note)
			dso->note = note;
		return;
	}
	for (size_t i = replied; i < count; i++)
		symbols_finish(symbols, batch[i]);
	give_up(symbols, dso, note ? note : failure_note(code));
}

static void reply_some(struct symbols *symbols)
{
	struct dso *dso = symbols->first_asked;
	struct reply *batch[WIRE_OFFSETS_MAX];
	size_t count = 0;

	symbols->first_asked = dso->next_asked;
	if (!symbols->first_asked)
		symbols->last_asked = NULL;
	dso->in_asked = false;
	while (count < WIRE_OFFSETS_MAX && (batch[count] = reply_queue_pop(&dso->asked)))
		count++;
	if (!count)
		return;
	symbols->reading_name = dso->shown;
	if (dso->kind == DSO_JIT) {
		name_generated(symbols, dso, batch, count);
	} else if (dso->note) {
		for (size_t i = 0; i < count; i++)
			symbols_finish(symbols, batch[i]);
	} else {
		name_functions(symbols, dso, batch, count);
	}
	symbols->reading_name = NULL;
	symbols_push_asked(symbols, dso);
}

void *symbols_names_thread(void *arg)
{
	struct symbols *symbols = arg;

	prctl(PR_SET_NAME, "stxtop-symbols", 0, 0, 0);
	pthread_mutex_lock(&symbols->lock);
	symbols->names_tid = (uint32_t)gettid();
	pthread_cond_broadcast(&symbols->settled);
	while (!symbols->stopping) {
		if (symbols->kernel_asked && !symbols->kernel_done) {
			read_kernel(symbols);
		} else if (symbols->first_space) {
			read_space(symbols);
		} else if (symbols->first_asked) {
			reply_some(symbols);
		} else {
			pthread_cond_wait(&symbols->work, &symbols->lock);
			continue;
		}
		atomic_fetch_add(&symbols->version, 1);
		pthread_cond_broadcast(&symbols->settled);
	}
	pthread_mutex_unlock(&symbols->lock);
	return NULL;
}
