/*
 * names_thread - answers what is quick: kernel symbols, mappings, functions of files.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/stack/debug_file.h"
#include "engine/stack/mapped_file.h"
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
	code = kallsyms_read(&kallsyms, &err);
	pthread_mutex_lock(&symbols->lock);
	symbols->kernel_done = true;
	symbols->kernel_read_ns = clock_now_ns();
	if (!code)
		symbols->kernels[symbols->kernels_len++] = kallsyms;
	else if (!symbols->kernels_len)
		snprintf(symbols->kernel_note, sizeof(symbols->kernel_note), "%s", err.text);
	symbols->pending--;
}

/*
 * Why nothing more will be known of a space, NULL: it may be. A process has no mappings any
 * more from the moment on in which it ends, though it may still be listed for long.
 */
static const char *why_over(struct symbols *symbols, const struct space_question *question)
{
	char path[64], byte;
	const char *note = NULL;
	int fd;

	if (spaces_generation(symbols->spaces, question->pid) != question->generation)
		return "it had ended before its mappings were read";
	snprintf(path, sizeof(path), "/proc/%u/maps", question->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == EACCES || errno == EPERM ? "its mappings may not be read"
			: errno == ENOENT ? "it had ended before its mappings were read" : NULL;
	errno = 0;
	if (read(fd, &byte, 1) == 0 || errno == ESRCH)
		note = "it had ended before its mappings were read";
	close(fd);
	return note;
}

static void read_space(struct symbols *symbols)
{
	struct space_question *question = symbols->first_space;
	const char *note;

	symbols->first_space = question->next;
	if (!symbols->first_space)
		symbols->last_space = NULL;
	pthread_mutex_unlock(&symbols->lock);
	spaces_load_proc(symbols->spaces, question->pid, question->generation);
	note = why_over(symbols, question);
	pthread_mutex_lock(&symbols->lock);
	question->pending = false;
	question->note = note;
	question->asked_ns = clock_now_ns();
	question->answers++;
	symbols_ask_lookups(symbols, question);
	symbols->pending--;
}

/* -- Generated code ---------------------------------------------------------- */

static void name_generated(struct symbols *symbols, struct dso *dso, struct answer **batch,
			   size_t count)
{
	struct perf_map *map = dso->perf_map, *old = NULL;
	uint64_t now = clock_now_ns();
	const char *note = dso->note;

	if (!dso->perf_map_ns || now - dso->perf_map_ns > PERF_MAP_AGE_NS) {
		pthread_mutex_unlock(&symbols->lock);
		note = NULL;
		map = symbols->recorded ? perf_map_read_recorded(dso->pid, &note)
			: perf_map_read(dso->pid, &note);
		pthread_mutex_lock(&symbols->lock);
		dso->perf_map_ns = now;
		if (map) {
			old = dso->perf_map;
			dso->perf_map = map;
		}
	}
	dso->note = note;
	perf_map_free(old);
	for (size_t i = 0; i < count; i++) {
		struct answer *answer = batch[i];
		const char *name = NULL;
		uint64_t start = 0;

		if (dso->perf_map)
			name = perf_map_find(dso->perf_map, answer->offset, &start);
		if (name)
			name = symbols_name(symbols, name, strnlen(name, WIRE_NAME_MAX));
		if (name) {
			answer->frames = mem_zalloc(1, sizeof(*answer->frames));
			answer->frames->symbol = name;
			answer->frames->offset = answer->offset - start;
			answer->count = 1;
		}
		symbols_finish(symbols, answer);
	}
}

/* -- Files ------------------------------------------------------------------- */

/* Too many are open: all of them are closed, those still wanted are opened again. */
static void close_files(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->dsos_len; i++) {
		struct dso *dso = symbols->dsos[i];

		if (!dso->named.first && !dso->in_named)
			dso_close_files(dso);
		dso->names_serial = 0;
	}
	symbols->files_open = 0;
	worker_stop(symbols->names_worker);
}

static const char *open_dso(struct symbols *symbols, struct dso *dso)
{
	const char *note = NULL;
	int fd;

	if (dso->kind == DSO_VDSO) {
		fd = mapped_file_open_vdso();
		note = "cannot be read";
	} else {
		fd = mapped_file_open(dso->pid, &dso->mapping, &note);
	}
	if (fd < 0)
		return note;
	pthread_mutex_lock(&symbols->lock);
	if (symbols->files_open >= SYMBOLS_FILES_OPEN_MAX)
		close_files(symbols);
	symbols->files_open++;
	dso->fd = fd;
	pthread_mutex_unlock(&symbols->lock);
	return NULL;
}

static int send_file(struct symbols *symbols, struct dso *dso, enum wire_role role, int fd,
		     struct wire_file *file)
{
	struct wire_request request = { .kind = WIRE_OPEN, .file = dso->id, .role = role };
	struct wire_reader reader;
	struct wire_reply reply;
	const unsigned char *data;
	int code = worker_ask(symbols->names_worker, &request, fd, &reply, &data);

	if (code)
		return code;
	if (reply.error)
		return -EBADMSG;
	reader = (struct wire_reader){ data, data + reply.bytes };
	if (wire_read_file(&reader, file))
		return 0;
	worker_stop(symbols->names_worker);
	return -EPROTO;
}

/* The files beside the mapped one that say more about it. */
static int add_debug_file(struct symbols *symbols, struct dso *dso, const struct wire_file *file,
			  struct wire_file *debug)
{
	int alt_fd = -1, code = 0, fd = dso->debug_fd;

	for (unsigned int choice = 0; dso->debug_fd < 0 && choice < DEBUG_FILE_CHOICES; choice++) {
		fd = debug_file_open(dso->pid, dso->mapping.path, file, choice);
		if (fd < 0)
			continue;
		code = send_file(symbols, dso, WIRE_DEBUG, fd, debug);
		if (!code)
			break;
		close(fd);
		if (code != -EBADMSG) /* not merely another file's */
			return code;
	}
	if (fd < 0)
		return 0;
	if (code)
		return 0;
	if (dso->debug_fd >= 0)
		return send_file(symbols, dso, WIRE_DEBUG, fd, debug);
	if (debug->flags & WIRE_WANTS_ALT)
		alt_fd = debug_file_open_by_id(debug->alt_id, debug->alt_id_bytes);
	pthread_mutex_lock(&symbols->lock);
	dso->debug_fd = fd;
	dso->alt_fd = alt_fd;
	pthread_mutex_unlock(&symbols->lock);
	return 0;
}

/* 0: the worker has the file. Without the lock. */
static int hand_over(struct symbols *symbols, struct dso *dso, const char **note)
{
	struct wire_file file, debug = { 0 };
	uint32_t flags;
	int code, alt_fd = -1;

	code = worker_start(symbols->names_worker, NULL);
	if (code) {
		*note = "there is no stack worker";
		return code;
	}
	if (dso->names_serial == worker_serial(symbols->names_worker))
		return 0;
	if (dso->fd < 0) {
		*note = open_dso(symbols, dso);
		if (*note) {
			pthread_mutex_lock(&symbols->lock);
			dso->open_failed = true;
			pthread_mutex_unlock(&symbols->lock);
			return -ENOENT;
		}
	}
	code = send_file(symbols, dso, WIRE_MAIN, dso->fd, &file);
	if (code == -EBADMSG)
		*note = "not an ELF file, or a broken one";
	if (code)
		return code;
	if (file.flags & WIRE_WANTS_DEBUG)
		code = add_debug_file(symbols, dso, &file, &debug);
	else if (file.flags & WIRE_WANTS_ALT)
		alt_fd = debug_file_open_by_id(file.alt_id, file.alt_id_bytes);
	if (code)
		return code;
	flags = file.flags | debug.flags;
	pthread_mutex_lock(&symbols->lock);
	if (alt_fd >= 0 && dso->alt_fd < 0)
		dso->alt_fd = alt_fd;
	else if (alt_fd >= 0)
		close(alt_fd);
	dso->has_dwarf = flags & WIRE_HAS_DWARF;
	dso->names_serial = worker_serial(symbols->names_worker);
	if (!(flags & (WIRE_HAS_SYMTAB | WIRE_HAS_DYNSYM | WIRE_HAS_DWARF)))
		*note = "no symbol table";
	pthread_mutex_unlock(&symbols->lock);
	return 0;
}

static bool fill_answer(struct symbols *symbols, struct answer *answer, struct wire_reader *reader)
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
	answer->frames = mem_zalloc(1, sizeof(*answer->frames));
	answer->frames->symbol = symbols_name(symbols, name, frame.name_bytes);
	answer->frames->offset = frame.offset;
	answer->count = 1;
	return true;
}

/* Asks the worker about a batch; *answered of them are filled, with the lock held again. */
static int ask_names(struct symbols *symbols, struct dso *dso, struct answer **batch, size_t count,
		     size_t *answered, const char **note)
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
	code = hand_over(symbols, dso, note);
	if (!code)
		code = worker_ask(symbols->names_worker, &request, -1, &reply, &data);
	pthread_mutex_lock(&symbols->lock);
	if (code)
		return code;
	if (reply.error || !reply.count)
		return -EPROTO;
	reader = (struct wire_reader){ data, data + reply.bytes };
	for (; *answered < reply.count; ++*answered)
		if (!fill_answer(symbols, batch[*answered], &reader)) {
			worker_stop(symbols->names_worker);
			return -EPROTO;
		}
	return 0;
}

static void give_up(struct symbols *symbols, struct dso *dso, const char *note)
{
	struct answer *answer;

	dso->note = note;
	while ((answer = answer_queue_pop(&dso->asked)))
		symbols_finish(symbols, answer);
}

static const char *failure_note(int code)
{
	switch (code) {
	case -ETIMEDOUT:
		return "reading its symbols took too long";
	case -ECANCELED:
	case -EPIPE:
		return "reading its symbols crashed the reader";
	default:
		return "its symbols cannot be read";
	}
}

static void name_functions(struct symbols *symbols, struct dso *dso, struct answer **batch,
			   size_t count)
{
	const char *note = NULL;
	size_t answered = 0;
	int code = ask_names(symbols, dso, batch, count, &answered, &note);

	for (size_t i = 0; i < answered; i++) {
		if (dso->has_dwarf && !dso->lines_note) {
			batch[i]->state = ANSWER_NAMED;
			answer_queue_push(&dso->named, batch[i]);
		} else {
			symbols_finish(symbols, batch[i]);
		}
	}
	symbols_push_named(symbols, dso);
	if (!code || symbols_may_retry(code, &dso->strikes)) {
		for (size_t i = answered; i < count; i++)
			answer_queue_push(&dso->asked, batch[i]);
		if (!code && note)
			dso->note = note;
		return;
	}
	for (size_t i = answered; i < count; i++)
		symbols_finish(symbols, batch[i]);
	give_up(symbols, dso, note ? note : failure_note(code));
}

static void answer_some(struct symbols *symbols)
{
	struct dso *dso = symbols->first_asked;
	struct answer *batch[WIRE_OFFSETS_MAX];
	size_t count = 0;

	symbols->first_asked = dso->next_asked;
	if (!symbols->first_asked)
		symbols->last_asked = NULL;
	dso->in_asked = false;
	while (count < WIRE_OFFSETS_MAX && (batch[count] = answer_queue_pop(&dso->asked)))
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
			answer_some(symbols);
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
