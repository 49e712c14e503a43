#include "engine/stack/symbols.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/stack/symbols_private.h"
#include "engine/stack/worker/worker_main.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNEL_DISTANCE 65536u
#define KERNEL_RETRY_NS (10 * NS_PER_S)
#define NAMES_BYTES_MAX ((size_t)256 << 20)

static struct symbols *make(struct spaces *spaces, struct fork_server *fork_server)
{
	struct symbols *s = mem_zalloc(1, sizeof(*s));
	pthread_condattr_t monotonic;

	s->fork_server = fork_server;
	s->names_worker = worker_new(fork_server);
	s->lines_worker = worker_new(fork_server);
	lock_init(&s->lock);
	lock_init(&s->embed_lock);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->work, &monotonic);
	pthread_cond_init(&s->settled, &monotonic);
	pthread_condattr_destroy(&monotonic);
	s->spaces = spaces;
	s->places = symbol_paths_new(&(struct symbol_paths_options){ .symfs = NULL });
	s->names = names_new(NAMES_BYTES_MAX);
	s->replies_max = SYMBOLS_REPLIES_MAX;
	idmap_init(&s->dso_by_key);
	idmap_init(&s->spaces_asked);
	idmap_init(&s->embed_kernel);
	idmap_init(&s->kernel_lookups);
	return s;
}

int symbols_new_served(struct symbols **symbols, struct spaces *spaces,
		       void (*serve)(int socket_fd), struct err *err)
{
	struct fork_server *fork_server;
	struct symbols *s;
	int code = fork_server_new(&fork_server, serve, err);

	if (code)
		return code;
	s = make(spaces, fork_server);
	/* If a worker cannot be sandboxed, files are not read, and frames show a note. */
	s->no_worker = worker_start(s->names_worker, NULL) || worker_start(s->lines_worker, NULL);
	*symbols = s;
	return 0;
}

struct symbols *symbols_new_shared(struct spaces *spaces, const struct symbols *lender)
{
	struct symbols *s = make(spaces, lender->fork_server);

	s->borrows_fork_server = true;
	s->no_worker = lender->no_worker;
	return s;
}

int symbols_new(struct symbols **symbols, struct spaces *spaces, struct err *err)
{
	return symbols_new_served(symbols, spaces, worker_serve, err);
}

int symbols_set_debuginfod(struct symbols *symbols, struct err *err)
{
	return debug_file_fetch_new(&symbols->fetch, symbols->fork_server, err);
}

void symbols_set_limit(struct symbols *symbols, size_t bytes)
{
	names_set_limit(symbols->names, bytes / 2);
	symbols->replies_max = bytes / 2 / SYMBOLS_REPLY_BYTES;
}

void symbols_set_recorded(struct symbols *symbols)
{
	symbols->recorded = true;
	worker_set_recorded(symbols->names_worker);
	worker_set_recorded(symbols->lines_worker);
}

void symbols_set_reader(struct symbols *symbols, struct reader *reader)
{
	symbols->reader = reader;
	worker_set_reader(symbols->names_worker, reader);
	worker_set_reader(symbols->lines_worker, reader);
	symbol_paths_set_reader(symbols->places, reader);
}

void symbols_set_paths(struct symbols *symbols, const struct symbol_paths_options *options)
{
	symbol_paths_free(symbols->places);
	symbols->places = symbol_paths_new(options);
	symbol_paths_set_reader(symbols->places, symbols->reader);
}

const struct symbol_paths *symbols_places(const struct symbols *symbols)
{
	return symbols->places;
}

void symbols_set_names_file(struct symbols *symbols, const char *text, size_t len)
{
	symbols->reported = names_file_new(text, len);
}

bool symbols_set_embedded(struct symbols *symbols, char *take_bytes, size_t len)
{
	struct embedded_names *kept = embedded_names_new(take_bytes, len);

	pthread_mutex_lock(&symbols->lock);
	symbols->kept = kept;
	pthread_mutex_unlock(&symbols->lock);
	return kept;
}

int symbols_start(struct symbols *symbols, struct err *err)
{
	int code = pthread_create(&symbols->names_thread, NULL, symbols_names_thread, symbols);

	if (code)
		return err_set(err, -code, "cannot start the thread for symbols: %s",
			       strerror(code));
	code = pthread_create(&symbols->lines_thread, NULL, symbols_lines_thread, symbols);
	if (!code) {
		symbols->started = true;
		/* symbols_own_tids() must see the ids of both threads. */
		pthread_mutex_lock(&symbols->lock);
		symbols->fetches = symbols->fetch && !pthread_create(&symbols->fetch_thread, NULL,
								     symbols_fetch_thread, symbols);
		while (!symbols->names_tid || !symbols->lines_tid)
			pthread_cond_wait(&symbols->settled, &symbols->lock);
		pthread_mutex_unlock(&symbols->lock);
		return 0;
	}
	pthread_mutex_lock(&symbols->lock);
	symbols->stopping = true;
	pthread_cond_broadcast(&symbols->work);
	pthread_mutex_unlock(&symbols->lock);
	pthread_join(symbols->names_thread, NULL);
	return err_set(err, -code, "cannot start the thread for source lines: %s", strerror(code));
}

void symbols_stop(struct symbols *symbols)
{
	if (!symbols->started)
		return;
	pthread_mutex_lock(&symbols->lock);
	symbols->stopping = true;
	pthread_cond_broadcast(&symbols->work);
	pthread_mutex_unlock(&symbols->lock);
	/* Workers end with the fork server, so that no thread waits for their replies. */
	if (!symbols->borrows_fork_server)
		kill(fork_server_pid(symbols->fork_server), SIGKILL);
	worker_cancel(symbols->names_worker);
	worker_cancel(symbols->lines_worker);
	pthread_join(symbols->names_thread, NULL);
	pthread_join(symbols->lines_thread, NULL);
	if (symbols->fetches)
		pthread_join(symbols->fetch_thread, NULL);
	symbols->started = false;
}

void symbols_free(struct symbols *symbols)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	if (!symbols)
		return;
	symbols_stop(symbols);
	worker_free(symbols->names_worker);
	worker_free(symbols->lines_worker);
	if (!symbols->borrows_fork_server)
		fork_server_free(symbols->fork_server);
	debug_file_fetch_free(symbols->fetch);
	for (size_t i = 0; i < symbols->dsos_len; i++)
		dso_free(symbols->dsos[i]);
	free(symbols->dsos);
	idmap_release(&symbols->dso_by_key);
	while ((slot = idmap_next(&symbols->spaces_asked, &cursor))) {
		struct space_request *request = slot->value;

		free(request->lookups);
		free(request);
	}
	idmap_release(&symbols->spaces_asked);
	for (size_t i = 0; i < symbols->kernels_len; i++)
		kallsyms_free(symbols->kernels[i]);
	names_free(symbols->names);
	symbol_paths_free(symbols->places);
	names_file_free(symbols->reported);
	embedded_names_free(symbols->kept);
	free(symbols->kernel.kallsyms);
	idmap_release(&symbols->embed_kernel);
	idmap_release(&symbols->kernel_lookups);
	pthread_cond_destroy(&symbols->work);
	pthread_cond_destroy(&symbols->settled);
	pthread_mutex_destroy(&symbols->lock);
	pthread_mutex_destroy(&symbols->embed_lock);
	free(symbols);
}

struct fork_server *symbols_fork_server(struct symbols *symbols)
{
	return symbols->fork_server;
}

void symbols_touch(struct symbols *symbols)
{
	atomic_fetch_add(&symbols->version, 1);
}

const char *symbols_name(struct symbols *symbols, const char *bytes, size_t len)
{
	struct str escaped = STR_INIT;
	const char *name;

	str_add_escaped(&escaped, bytes, len, ESCAPE_PLAIN);
	name = names_add(symbols->names, escaped.data, escaped.len);
	str_release(&escaped);
	return name;
}

void symbols_push_asked(struct symbols *symbols, struct dso *dso)
{
	if (dso->in_asked || !dso->asked.first)
		return;
	dso->in_asked = true;
	dso->next_asked = NULL;
	if (symbols->last_asked)
		symbols->last_asked->next_asked = dso;
	else
		symbols->first_asked = dso;
	symbols->last_asked = dso;
	pthread_cond_broadcast(&symbols->work);
}

void symbols_push_named(struct symbols *symbols, struct dso *dso)
{
	if (dso->in_named || !dso->named.first)
		return;
	dso->in_named = true;
	dso->next_named = NULL;
	if (symbols->last_named)
		symbols->last_named->next_named = dso;
	else
		symbols->first_named = dso;
	symbols->last_named = dso;
	pthread_cond_broadcast(&symbols->work);
}

void symbols_finish(struct symbols *symbols, struct reply *reply)
{
	reply->state = REPLY_DONE;
	reply->done_ns = clock_now_ns();
	symbols->pending--;
	pthread_cond_broadcast(&symbols->settled);
}

bool symbols_may_retry(int code, uint32_t *strikes)
{
	if (code == -ESTALE)
		return true;
	if (code == -ECANCELED)
		++*strikes;
	else if (code == -ETIMEDOUT || code == -EPIPE)
		*strikes += SYMBOLS_STRIKE;
	else
		return false;
	return *strikes < SYMBOLS_STRIKES_MAX;
}

/* -- Frames ---------------------------------------------------------------- */

/* Request the kernel symbols, for the first time or again. */
static void ask_kernel(struct symbols *symbols)
{
	symbols->kernel_asked = true;
	symbols->kernel_done = false;
	symbols->pending++;
	pthread_cond_broadcast(&symbols->work);
}

/* An address far from every symbol may be in a module loaded later. */
static bool may_be_new(const struct symbols *symbols, uint64_t distance)
{
	return distance > KERNEL_DISTANCE && symbols->kernels_len < SYMBOLS_KERNELS_MAX &&
	       clock_now_ns() - symbols->kernel_read_ns > KERNEL_RETRY_NS;
}

/* Fill in the frames at a file offset, which is `behind` bytes before that of base->ip. */
static size_t file_frames(struct symbols *symbols, struct dso *dso, const struct stack *stack,
			  uint64_t offset, uint64_t behind, struct frame *base,
			  struct frame *frames, size_t max)
{
	struct reply *reply = symbols_ask(symbols, dso, stack, offset);
	size_t count = 0;

	if (dso->same_file)
		dso = dso->same_file;
	/* Output about a recording must not depend on timing: wait for every reply. */
	base->pending = reply ? reply->state != REPLY_DONE && (!reply->again || symbols->recorded)
			      : symbols->recorded && symbols->pending >= SYMBOLS_PENDING_MAX;
	if (reply && reply->frames) {
		for (; count < reply->count && count < max; count++) {
			const struct reply_frame *from = &reply->frames[count];

			frames[count] = *base;
			frames[count].symbol = from->symbol;
			frames[count].offset = from->inlined ? 0 : from->offset + behind;
			frames[count].file = from->file;
			frames[count].line = from->line;
			frames[count].inlined = from->inlined;
		}
		frames[count - 1].note = frames[count - 1].symbol ? dso->lines_note : NULL;
		return count;
	}
	frames[0] = *base;
	if (!base->pending)
		frames[0].note = dso->note         ? dso->note
				 : dso->lines_note ? dso->lines_note
				 : reply           ? "no symbol here"
						   : "too many addresses";
	return 1;
}

static size_t kernel_frames(struct symbols *symbols, const struct stack *stack, uint64_t ip,
			    bool exact, struct frame *frames, size_t max)
{
	/*
	 * A return address may be past the end of the calling function: look up the byte before it.
	 */
	uint64_t lookup = ip - !exact, offset;
	struct frame base = {
		.kind = FRAME_KERNEL,
		.ip = ip,
		.dso = "[kernel]",
		.dso_offset = ip,
	};
	struct kernel_name name;
	bool kept = symbols_kernel_find_embedded(symbols, lookup, &name);

	if (!kept && !symbols->kernel_asked)
		ask_kernel(symbols);
	if (!kept && symbols->recorded && !symbols->kernel_done &&
	    symbols->kernel_lookups.count < SYMBOLS_PENDING_MAX)
		idmap_put(&symbols->kernel_lookups, lookup, symbols);
	if (!kept && symbols_kernel_offset(symbols, lookup, &offset))
		return file_frames(symbols, symbols->kernel_file, stack, offset, ip - lookup, &base,
				   frames, max);
	if (kept || symbols_kernel_find(symbols, lookup, &name)) {
		base.symbol = name.symbol;
		base.dso = name.module;
		base.offset = ip - name.start;
	} else if (symbols->kernel_done || symbols->kernels_len) {
		base.note = symbols->kernels_len || symbols->kernel_file ? "no symbol here"
			    : symbols->recorded                          ? "kernel of another boot"
									 : "no kernel symbols";
	}
	if (!kept && symbols->kernel_done && symbols->kernels_len && !symbols->recorded &&
	    may_be_new(symbols, base.symbol ? base.offset : UINT64_MAX))
		ask_kernel(symbols);
	base.pending = !kept && !symbols->kernel_done;
	frames[0] = base;
	return 1;
}

static size_t user_frames(struct symbols *symbols, const struct stack *stack, uint64_t ip,
			  bool exact, struct frame *frames, size_t max)
{
	uint64_t lookup = ip - !exact, offset;
	struct frame base = { .kind = FRAME_USER, .ip = ip, .dso = "" };
	struct dso *dso;

	frames[0] = base;
	dso = symbols_locate(symbols, stack, lookup, &offset, &frames[0].note);
	if (!dso) {
		frames[0].pending = !frames[0].note;
		return 1;
	}
	base.dso = dso->shown;
	base.dso_offset = offset + (ip - lookup);
	return file_frames(symbols, dso, stack, offset, ip - lookup, &base, frames, max);
}

/* A worker may have crashed or timed out on the file; the notes cover both. */
static const char failed_tables[] = "its unwind tables crashed or stalled the worker";
static const char failed_tables_fp[] =
	"by frame pointers: unwind tables crashed or stalled the worker";

static void note_end(struct frame *frames, size_t count, const char *note)
{
	if (count && !frames[count - 1].note)
		frames[count - 1].note = note;
}

/* Mark the last frame as cut. The note about that replaces a note about its name. */
static void cut_end(struct frame *frames, size_t count, const char *note)
{
	if (!count)
		return;
	frames[count - 1].cut = true;
	frames[count - 1].note = note;
}

/*
 * Remove the innermost frames of tracing, such as __traceiter_sched_switch: only samples of
 * tracepoints have them.
 */
static size_t drop_tracing(struct frame *frames, size_t count)
{
	static const char tracing[] = "__traceiter_";
	size_t skipped = 0;

	while (skipped < count && frames[skipped].kind == FRAME_KERNEL && frames[skipped].symbol &&
	       !strncmp(frames[skipped].symbol, tracing, strlen(tracing)))
		skipped++;
	memmove(frames, frames + skipped, (count - skipped) * sizeof(*frames));
	return count - skipped;
}

static size_t names_file_frames(const struct symbols *symbols, uint32_t pid, uint64_t ip,
				struct frame *frames, size_t max)
{
	return symbols->reported ? names_file_find(symbols->reported, pid, ip, frames, max) : 0;
}

size_t symbols_frames(struct symbols *symbols, const struct stack *stack, struct frame *frames,
		      size_t max)
{
	uint16_t guessed = stack_flags_guessed(stack->flags);
	size_t count = 0, first, i;

	pthread_mutex_lock(&symbols->lock);
	for (i = 0; i < stack->kernel_count && count < max; i++) {
		uint64_t ip = stack->ips[i];
		size_t reported = names_file_frames(symbols, 0, ip, frames + count, max - count);

		count += reported;
		if (reported)
			continue;
		count += kernel_frames(symbols, stack, ip, i == 0, frames + count, max - count);
	}
	if (stack->flags & STACK_KERNEL_CUT)
		cut_end(frames, count, "kernel stack cut: too deep");
	for (i = 0; i < stack->user_count && count < max; i++) {
		uint64_t ip = stack->ips[stack->kernel_count + i];

		first = count;
		count += names_file_frames(symbols, stack->pid, ip, frames + count, max - count);
		if (count == first)
			count += user_frames(symbols, stack, ip, i == 0, frames + count,
					     max - count);
		if (!i && stack->flags & STACK_KERNEL_DENIED && !frames[0].note)
			frames[0].note = "kernel frames hidden (root only)";
		for (size_t j = first; guessed && i >= guessed && j < count; j++)
			frames[j].guessed = true;
		if (guessed && i == guessed)
			note_end(frames, count,
				 "a guess from here on: frame pointer found by search");
	}
	if (stack->flags & STACK_USER_CUT || i < stack->user_count)
		cut_end(frames, count, "stack cut: too deep");
	else if (stack->flags & STACK_USER_FILE_FAILED && stack->flags & STACK_USER_FP)
		note_end(frames, count, failed_tables_fp);
	else if (stack->flags & STACK_USER_FILE_FAILED)
		cut_end(frames, count, failed_tables);
	else if (stack->flags & STACK_USER_STOPPED)
		cut_end(frames, count, "stack cut: cannot unwind further");
	pthread_mutex_unlock(&symbols->lock);
	if (count && (stack->flags & STACK_USER_PENDING))
		frames[count - 1].pending = true;
	return drop_tracing(frames, count);
}

/* -- Status ---------------------------------------------------------------- */

static struct symbols *unconst(const struct symbols *symbols)
{
	return (struct symbols *)(uintptr_t)symbols; /* to take its lock */
}

uint64_t symbols_version(const struct symbols *symbols)
{
	return atomic_load(&symbols->version);
}

size_t symbols_pending(const struct symbols *symbols)
{
	struct symbols *s = unconst(symbols);
	size_t pending;

	pthread_mutex_lock(&s->lock);
	pending = s->pending;
	pthread_mutex_unlock(&s->lock);
	return pending;
}

static void say_progress(char *out, size_t out_bytes, const char *what, const char *name,
			 const char *part)
{
	const char *slash = strrchr(name, '/');

	snprintf(out, out_bytes, "%s %s%s", what, slash ? slash + 1 : name, part);
}

void symbols_progress(const struct symbols *symbols, char *out, size_t out_bytes)
{
	struct symbols *s = unconst(symbols);

	pthread_mutex_lock(&s->lock);
	if (s->reading_name)
		say_progress(out, out_bytes, "reading", s->reading_name, "");
	else if (s->reading_lines)
		say_progress(out, out_bytes, "reading", s->reading_lines, " (lines)");
	else if (s->fetching)
		say_progress(out, out_bytes, "fetching", s->fetching, " (debug file)");
	else if (out_bytes)
		*out = '\0';
	pthread_mutex_unlock(&s->lock);
}

void symbols_kernel_note(const struct symbols *symbols, char *out, size_t out_bytes)
{
	struct symbols *s = unconst(symbols);

	pthread_mutex_lock(&s->lock);
	snprintf(out, out_bytes, "%s", s->kernel_note);
	pthread_mutex_unlock(&s->lock);
}

static size_t list_tasks(const uint32_t *all, size_t all_len, uint32_t *ids, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < all_len && count < max; i++)
		if (all[i])
			ids[count++] = all[i];
	return count;
}

size_t symbols_own_tids(const struct symbols *symbols, uint32_t *tids, size_t max)
{
	const uint32_t all[] = {
		(uint32_t)fork_server_pid(symbols->fork_server),
		symbols->names_tid,
		symbols->lines_tid,
	};

	return list_tasks(all, sizeof(all) / sizeof(all[0]), tids, max);
}

size_t symbols_own_workers(const struct symbols *symbols, uint32_t *pids, size_t max)
{
	const uint32_t all[] = {
		(uint32_t)worker_pid(symbols->names_worker),
		(uint32_t)worker_pid(symbols->lines_worker),
	};

	return list_tasks(all, sizeof(all) / sizeof(all[0]), pids, max);
}

bool symbols_settle(struct symbols *symbols, int timeout_ms)
{
	struct timespec end = clock_deadline(clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS);
	bool settled;

	pthread_mutex_lock(&symbols->lock);
	while (symbols->pending && symbols->started)
		if (pthread_cond_timedwait(&symbols->settled, &symbols->lock, &end) == ETIMEDOUT)
			break;
	settled = !symbols->pending;
	pthread_mutex_unlock(&symbols->lock);
	return settled;
}

size_t symbols_bytes(struct symbols *symbols)
{
	size_t bytes;

	pthread_mutex_lock(&symbols->lock);
	bytes = names_bytes(symbols->names) + symbols->replies * SYMBOLS_REPLY_BYTES +
		symbols->dsos_len * sizeof(**symbols->dsos) + idmap_bytes(&symbols->spaces_asked) +
		symbols->spaces_asked.count * sizeof(struct space_request);
	for (size_t i = 0; i < symbols->kernels_len; i++)
		bytes += kallsyms_bytes(symbols->kernels[i]);
	pthread_mutex_unlock(&symbols->lock);
	return bytes;
}
