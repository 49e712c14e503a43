#include "engine/fds/fds.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/base/str.h"
#include "engine/fds/fd_chain.h"
#include "engine/fds/fd_files.h"
#include "engine/fds/fd_probe.h"
#include "engine/fds/fd_recorded.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUESTIONS 1024 /* maximum number of pending requests; further ones are discarded */
#define REPLY_WAIT_S 2
#define ASK_AGAIN_NS (1000 * NS_PER_MS) /* interval of requests for all descriptors of a process */
#define VAGUE_AGAIN_MS 200 /* interval of requests for one file */
#define ASKED_PER_S 256 /* limit of requests for single unknown descriptors */
#define ANSWERS_MAX 65536 /* then `answered` is cleared: pending texts need another reply */

struct fds {
	pthread_mutex_t mutex;
	pthread_cond_t asked, fed, replied;
	struct fd_table table;
	struct idmap scans; /* pid: time of the last request for all its descriptors, in ms */
	struct idmap answered; /* by answer_key(): asked_ns of the last reply */
	uint64_t fed_ns;
	_Atomic uint64_t version; /* changed under the mutex; read without it when drawing */
	struct fd_request requests[QUESTIONS];
	size_t first, count;
	uint64_t asked_count;
	_Atomic uint64_t replied_count; /* as `version` */
	uint64_t second_ms; /* start of the second in which in_second numbers were requested */
	unsigned in_second;
	bool answering; /* fds_reply() waits for `fed` */
	bool shut_down;
	bool mute; /* no thread takes requests */
	observation_fn *observer; /* NULL: replies are not recorded */
	void *observer_ctx;
	struct str emitting;
	struct fd_recorded reported; /* observations of a recording */
};

struct fds *fds_new(size_t max_bytes)
{
	struct fds *fds = mem_zalloc(1, sizeof(*fds));
	pthread_condattr_t monotonic;

	lock_init(&fds->mutex);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&fds->asked, &monotonic);
	pthread_cond_init(&fds->fed, &monotonic);
	pthread_cond_init(&fds->replied, &monotonic);
	pthread_condattr_destroy(&monotonic);
	fd_table_init(&fds->table, max_bytes);
	idmap_init(&fds->scans);
	idmap_init(&fds->answered);
	return fds;
}

void fds_free(struct fds *fds)
{
	if (!fds)
		return;
	fd_table_release(&fds->table);
	idmap_release(&fds->scans);
	idmap_release(&fds->answered);
	str_release(&fds->emitting);
	pthread_cond_destroy(&fds->asked);
	pthread_cond_destroy(&fds->fed);
	pthread_cond_destroy(&fds->replied);
	pthread_mutex_destroy(&fds->mutex);
	free(fds);
}

/*
 * -- Requests -------------------------------------------------------------------------------------
 */

/* Locked. */
static void ask(struct fds *fds, uint64_t task, int fd)
{
	if (fds->mute || fds->shut_down || fds->count == QUESTIONS)
		return;
	fds->requests[(fds->first + fds->count++) % QUESTIONS] = (struct fd_request){ task, fd };
	fds->asked_count++;
	pthread_cond_signal(&fds->asked);
}

static void ask_vague(void *ctx, uint64_t task, int fd)
{
	struct fds *fds = ctx;

	if (fds->reported.observations)
		fd_recorded_opened(&fds->reported, &fds->table, task, fd);
	else
		ask(fds, task, fd);
}

/* Request all descriptors of the process or thread, unless requested recently. Locked. */
static bool ask_all(struct fds *fds, uint64_t task, uint64_t now_ms)
{
	uint64_t key = fd_files_own(&fds->table, task, 0) ? task : fd_task_process(task);
	uint64_t asked_ms = (uintptr_t)idmap_get(&fds->scans, key);

	if (asked_ms && now_ms < asked_ms + ASK_AGAIN_NS / NS_PER_MS)
		return false;
	if (fds->scans.count > 65536)
		idmap_clear(&fds->scans);
	idmap_put(&fds->scans, key, (void *)(uintptr_t)now_ms);
	ask(fds, task, FDS_ALL);
	return true;
}

static uint64_t now_in_ms(void)
{
	return clock_now_ns() / NS_PER_MS + 1;
}

/* Request a number that the process may have opened before the start of collection. Locked. */
static void ask_unknown(struct fds *fds, uint64_t task, int fd)
{
	uint64_t now_ms = now_in_ms();

	if (ask_all(fds, task, now_ms))
		return;
	if (now_ms >= fds->second_ms + 1000) {
		fds->second_ms = now_ms;
		fds->in_second = 0;
	}
	if (fds->in_second++ < ASKED_PER_S)
		ask(fds, task, fd);
}

void fds_ask_once(struct fds *fds, uint32_t pid)
{
	pthread_mutex_lock(&fds->mutex);
	if (!idmap_get(&fds->scans, pid))
		ask_all(fds, fd_task(pid, pid), now_in_ms());
	pthread_mutex_unlock(&fds->mutex);
}

size_t fds_next_requests(struct fds *fds, struct fd_request *requests, size_t max)
{
	size_t count = 0;

	pthread_mutex_lock(&fds->mutex);
	while (!fds->count && !fds->shut_down)
		pthread_cond_wait(&fds->asked, &fds->mutex);
	for (; count < max && fds->count && !fds->shut_down; count++) {
		requests[count] = fds->requests[fds->first];
		fds->first = (fds->first + 1) % QUESTIONS;
		fds->count--;
	}
	pthread_mutex_unlock(&fds->mutex);
	return count;
}

void fds_shutdown(struct fds *fds)
{
	pthread_mutex_lock(&fds->mutex);
	fds->shut_down = true;
	pthread_cond_broadcast(&fds->asked);
	pthread_cond_broadcast(&fds->fed);
	pthread_cond_broadcast(&fds->replied);
	pthread_mutex_unlock(&fds->mutex);
}

static struct timespec in_ns(uint64_t ns)
{
	return clock_deadline(clock_now_ns() + ns);
}

/* Locked. */
static void emit(struct fds *fds, const struct fd_version *version, uint64_t task, int fd,
		 uint64_t asked_ns, uint64_t reported_ns, uint64_t since_ns)
{
	const struct fd_files *own = fd_files_own(&fds->table, task, fd);
	struct observation observation;

	if (!fds->observer ||
	    !fd_recorded_describe(version, task, fd, &observation, &fds->emitting))
		return;
	observation.fd.own = own && own->ended_ns == FD_STILL && own->born_ns <= since_ns;
	observation.fed_ns = fds->fed_ns;
	observation.fd.asked_ns = asked_ns;
	observation.fd.reported_ns = reported_ns;
	fds->observer(fds->observer_ctx, &observation);
}

/* Note that a thread does not share its descriptors or directory, and request its own. */
static void take_part(struct fds *fds, uint32_t pid, const struct fd_reply *reply,
		      uint64_t reported_ns)
{
	uint64_t task = fd_task(pid, reply->tid);

	if (!fd_table_part(&fds->table, task, fd_task(pid, reply->other),
			   reply->like ? fd_task(pid, reply->like) : 0, reply->fd, reported_ns))
		return;
	if (fds->observer)
		fds->observer(
			fds->observer_ctx,
			&(struct observation){
				.kind = OBSERVATION_FD,
				.pid = pid,
				.tid = reply->tid,
				.fed_ns = fds->fed_ns,
				.fd = { .fd = reply->fd, .own = true, .inode = reply->like } });
	fds->version++;
	ask(fds, task, reply->fd == AT_FDCWD ? AT_FDCWD : FDS_ALL);
}

static void take_reply(struct fds *fds, uint32_t pid, const struct fd_reply *reply,
		       uint64_t asked_ns, uint64_t reported_ns)
{
	uint64_t task = reply->tid ? fd_task(pid, reply->tid) : pid;
	const struct fd_version *version;
	bool news;

	if (reply->other) {
		take_part(fds, pid, reply, reported_ns);
		return;
	}
	version = fd_reply_take(&fds->table, task, reply, asked_ns, reported_ns, &news);
	if (!version)
		return;
	fds->version++;
	/* After lost calls, known facts are emitted again as a confirmation. */
	if (news || fds->table.loss_count || fds->table.switches_lost_ns != FD_STILL)
		emit(fds, version, task, reply->fd, asked_ns, reported_ns, 0);
}

/* The key is the same for all threads that share the descriptor. */
static uint64_t answer_key(const struct fds *fds, uint64_t task, int fd)
{
	bool own = fd_files_own(&fds->table, task, fd);
	uint32_t owner = own ? (uint32_t)task | 1u << 31 : fd_task_process(task);

	return (uint64_t)owner << 32 | (uint32_t)fd;
}

static void note_answer(struct fds *fds, uint64_t task, int fd, uint64_t asked_ns)
{
	if (fds->answered.count > ANSWERS_MAX)
		idmap_clear(&fds->answered);
	idmap_put(&fds->answered, answer_key(fds, task, fd), (void *)(uintptr_t)asked_ns);
}

/* True if /proc was read for the descriptor after since_ns. Locked. */
static bool was_answered(const struct fds *fds, uint64_t task, int fd, uint64_t since_ns)
{
	/* A thread with its own directory only shares the descriptors that FDS_ALL reads. */
	bool of_all = answer_key(fds, task, fd) >> 32 == answer_key(fds, task, FDS_ALL) >> 32;

	return (uintptr_t)idmap_get(&fds->answered, answer_key(fds, task, fd)) > since_ns ||
	       (of_all &&
		(uintptr_t)idmap_get(&fds->answered, answer_key(fds, task, FDS_ALL)) > since_ns);
}

void fds_reply(struct fds *fds, const struct fd_request *request, const struct fd_reply *replies,
	       size_t count, uint64_t asked_ns, uint64_t reported_ns)
{
	struct timespec until = in_ns(REPLY_WAIT_S * NS_PER_S);

	pthread_mutex_lock(&fds->mutex);
	while (fds->fed_ns < reported_ns && !fds->shut_down) {
		fds->answering = true;
		if (pthread_cond_timedwait(&fds->fed, &fds->mutex, &until))
			break;
	}
	fds->answering = false;
	if (fds->fed_ns >= reported_ns)
		for (size_t i = 0; i < count; i++)
			take_reply(fds, fd_task_process(request->task), &replies[i], asked_ns,
				   reported_ns);
	/* A list that reached the limit may lack descriptors. */
	if (request->fd != FDS_ALL || count < FD_PROBE_MAX)
		note_answer(fds, request->task, request->fd, asked_ns);
	fds->replied_count++;
	pthread_cond_broadcast(&fds->replied);
	pthread_mutex_unlock(&fds->mutex);
}

/* -- The collector -------------------------------------------------------------------------- */

bool fds_changed_by(uint32_t nr)
{
	return fd_calls_has(nr);
}

static void note_time(struct fds *fds, uint64_t time_ns)
{
	if (time_ns > fds->table.now_ns)
		fds->table.now_ns = time_ns;
}

void fds_call(struct fds *fds, const struct call *call, const struct fd_chunks pointed[2])
{
	struct fd_call change = {
		.table = &fds->table,
		.call = call,
		.pointed = { pointed[0], pointed[1] },
		.vague = ask_vague,
		.ctx = fds,
	};

	pthread_mutex_lock(&fds->mutex);
	note_time(fds, call->enter_ns);
	fd_calls_apply(&change);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_fork(struct fds *fds, uint64_t parent, uint64_t child, uint64_t time_ns)
{
	uint32_t pid = fd_task_process(child);

	pthread_mutex_lock(&fds->mutex);
	note_time(fds, time_ns);
	if (fd_task_process(parent) == pid) {
		fd_table_thread(&fds->table, parent, child, time_ns);
	} else {
		fd_table_fork(&fds->table, parent, pid, time_ns);
		fd_recorded_born(&fds->reported, &fds->table, pid, time_ns);
	}
	pthread_mutex_unlock(&fds->mutex);
}

void fds_exec(struct fds *fds, uint32_t pid, uint64_t time_ns)
{
	pthread_mutex_lock(&fds->mutex);
	note_time(fds, time_ns);
	fd_table_exec(&fds->table, pid, time_ns);
	fd_recorded_born(&fds->reported, &fds->table, pid, time_ns);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_exit(struct fds *fds, uint64_t task, bool last, uint64_t time_ns)
{
	pthread_mutex_lock(&fds->mutex);
	note_time(fds, time_ns);
	fd_table_exit(&fds->table, task, time_ns);
	if (last)
		fd_table_exit(&fds->table, fd_task_process(task), time_ns);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_lose(struct fds *fds, uint64_t time_ns)
{
	pthread_mutex_lock(&fds->mutex);
	note_time(fds, time_ns);
	fd_table_lose(&fds->table, time_ns, time_ns);
	pthread_mutex_unlock(&fds->mutex);
}

/* Store in the recording that calls are missing, which its records do not show. Locked. */
static void report_unseen(struct fds *fds, bool begins, bool ends, uint64_t from_ns)
{
	struct observation observation = {
		.kind = OBSERVATION_UNSEEN,
		.fed_ns = fds->fed_ns,
		.unseen = { .from_ns = from_ns, .begins = begins, .ends = ends },
	};

	if (fds->observer)
		fds->observer(fds->observer_ctx, &observation);
}

void fds_miss(struct fds *fds, uint64_t time_ns)
{
	fds_lose(fds, time_ns);
	pthread_mutex_lock(&fds->mutex);
	report_unseen(fds, false, false, time_ns);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_set_blind(struct fds *fds, bool blind, uint64_t now_ns)
{
	pthread_mutex_lock(&fds->mutex);
	report_unseen(fds, blind, !blind, now_ns);
	fd_table_set_blind(&fds->table, blind, now_ns);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_start_over(struct fds *fds, uint64_t from_ns)
{
	size_t max_bytes;

	pthread_mutex_lock(&fds->mutex);
	max_bytes = fds->table.max_bytes;
	fd_table_release(&fds->table);
	fd_table_init(&fds->table, max_bytes);
	fds->fed_ns = 0;
	fds->version++;
	fd_recorded_start_over(&fds->reported, &fds->table, from_ns);
	pthread_mutex_unlock(&fds->mutex);
}

void fds_settle(struct fds *fds, uint64_t until_ns)
{
	pthread_mutex_lock(&fds->mutex);
	fds->fed_ns = until_ns;
	fd_recorded_settle(&fds->reported, &fds->table, until_ns);
	if (fds->reported.changed)
		fds->version++;
	fds->reported.changed = false;
	if (until_ns == UINT64_MAX)
		fds->mute = true;
	else
		note_time(fds, until_ns);
	if (fds->answering)
		pthread_cond_broadcast(&fds->fed);
	pthread_mutex_unlock(&fds->mutex);
}

/* -- Recordings ----------------------------------------------------------------------------- */

void fds_set_observer(struct fds *fds, observation_fn *observer, void *ctx)
{
	pthread_mutex_lock(&fds->mutex);
	fds->observer = observer;
	fds->observer_ctx = ctx;
	pthread_mutex_unlock(&fds->mutex);
}

void fds_set_observations(struct fds *fds, struct observations *observations)
{
	pthread_mutex_lock(&fds->mutex);
	fds->reported.observations = observations;
	fd_recorded_start_over(&fds->reported, &fds->table, 0);
	pthread_mutex_unlock(&fds->mutex);
}

/*
 * Emit the current descriptors of a process, inherited ones included. A version in nearer files
 * overrides one in their origin. Locked.
 */
static void emit_process(struct fds *fds, uint64_t key, uint64_t since_ns)
{
	struct fd_files *own = idmap_get(&fds->table.processes, key), *files;
	uint64_t task = fd_files_key_task(key);

	if (!own || own->ended_ns != FD_STILL)
		return;
	own = fd_files_resolve(own);
	for (files = own; files; files = files->origin)
		for (struct fd_chain *chain = files->chains; chain; chain = chain->next) {
			struct fd_found found = fd_table_find(&fds->table, task, chain->fd,
							      fds->table.now_ns, true);
			const struct fd_version *version = found.version;

			if (key >> 32 && (chain->fd == AT_FDCWD) != (key != task))
				continue; /* see fd_files_own() */
			if (!version || version != fd_chain_newest(chain))
				continue;
			/*
			 * A child born after since_ns inherits in the recording, too: its parent's
			 * observation suffices.
			 */
			if (files == own || own->born_ns < since_ns)
				emit(fds, version, task, chain->fd, version->sure_ns,
				     version->sure_ns, since_ns);
		}
}

void fds_report_all(struct fds *fds, uint64_t since_ns)
{
	struct idmap_slot *slot;
	size_t cursor = 0, count = 0, cap = 0;
	uint64_t *keys = NULL;

	pthread_mutex_lock(&fds->mutex);
	if (fds->table.switches_lost_ns != FD_STILL)
		report_unseen(fds, true, false, fds->table.switches_lost_ns);
	while ((slot = idmap_next(&fds->table.processes, &cursor))) {
		keys = mem_grow(keys, &cap, count + 1, sizeof(*keys));
		keys[count++] = slot->key;
	}
	pthread_mutex_unlock(&fds->mutex);
	/* Unlock between processes: the collector waits for one process at most. */
	for (size_t i = 0; i < count; i++) {
		pthread_mutex_lock(&fds->mutex);
		emit_process(fds, keys[i], since_ns);
		pthread_mutex_unlock(&fds->mutex);
	}
	free(keys);
}

/*
 * -- Lookup ---------------------------------------------------------------------------------------
 */

/* The number may have been reused before the query, so repeat queries at intervals. Locked. */
static void ask_vague_file(struct fds *fds, uint64_t task, int fd, struct fd_file *file)
{
	uint64_t now_ms = now_in_ms();

	if (file->asked_ms && now_ms < file->asked_ms + VAGUE_AGAIN_MS)
		return;
	file->asked_ms = now_ms;
	ask(fds, task, fd);
}

/* True if the call succeeded: the descriptor was open, although no record shows its open. */
static bool had_open(const struct call *call, int fd, bool after)
{
	return !after && call->state == CALL_DONE && !call_failed(call) && (int)call->args[0] == fd;
}

/* True if replies can still arrive. Locked. */
static bool is_asking(const struct fds *fds)
{
	return !fds->mute && !fds->shut_down && !fds->reported.observations;
}

/*
 * True if a reply may still name the file of a version. After the close, only the reply to an
 * earlier request can. Locked.
 */
static bool file_is_pending(const struct fds *fds, uint64_t task, int fd,
			    const struct fd_version *version, uint64_t since_ns)
{
	if (!version->file->vague || !is_asking(fds))
		return false;
	if (version->until_ns == FD_STILL)
		return !was_answered(fds, task, fd, since_ns);
	return fds->replied_count != fds->asked_count &&
	       !was_answered(fds, task, fd, version->until_ns);
}

size_t fds_text_pending(struct fds *fds, const struct call *call, int fd, bool after, char *out,
			size_t out_bytes, bool *pending)
{
	uint64_t at_ns = call->enter_ns, end_ns = UINT64_MAX, since_ns = at_ns,
		 task = fd_task(call->pid, call->tid);
	struct fd_found found;
	const char *text = NULL;
	size_t len = 0;

	if (call->state != CALL_IN_FLIGHT)
		since_ns = end_ns = at_ns + (call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);
	if (after && call->dur_ns > 0)
		at_ns += (uint64_t)call->dur_ns;
	pthread_mutex_lock(&fds->mutex);
	found = fd_table_find(&fds->table, task, fd, at_ns, after);
	if (!found.version && !found.closed && !after) {
		found.version = fd_table_find_during(&fds->table, task, fd, at_ns, end_ns);
		if (found.version)
			at_ns = found.version->from_ns;
	}
	if (found.version) {
		struct fd_file *file = found.version->file;

		text = fd_file_text_at(file, at_ns, &len);
		if (len > out_bytes)
			len = out_bytes;
		if (text)
			memcpy(out, text, len);
		if (file->vague && found.version->until_ns == FD_STILL)
			ask_vague_file(fds, task, fd, file);
		*pending = *pending || file_is_pending(fds, task, fd, found.version, since_ns);
	} else if (!found.closed || had_open(call, fd, after)) {
		ask_unknown(fds, task, fd);
		*pending = *pending || (is_asking(fds) && !was_answered(fds, task, fd, since_ns));
	}
	pthread_mutex_unlock(&fds->mutex);
	return text ? len : 0;
}

size_t fds_text(struct fds *fds, const struct call *call, int fd, bool after, char *out,
		size_t out_bytes)
{
	bool pending = false;

	return fds_text_pending(fds, call, fd, after, out, out_bytes, &pending);
}

uint64_t fds_replies(struct fds *fds)
{
	return atomic_load(&fds->replied_count);
}

bool fds_is_own(struct fds *fds, const struct call *call, int fd)
{
	uint64_t task = fd_task(call->pid, call->tid);
	bool own;

	pthread_mutex_lock(&fds->mutex);
	own = fd_files_at(&fds->table, task, fd, call->enter_ns) !=
	      fd_files_at(&fds->table, call->pid, fd, call->enter_ns);
	pthread_mutex_unlock(&fds->mutex);
	return own;
}

uint64_t fds_version(struct fds *fds)
{
	return atomic_load(&fds->version);
}

bool fds_wait(struct fds *fds, int timeout_ms)
{
	struct timespec until = in_ns((uint64_t)timeout_ms * NS_PER_MS);
	uint64_t wanted;
	bool done;

	pthread_mutex_lock(&fds->mutex);
	wanted = fds->asked_count;
	while (fds->replied_count < wanted && !fds->shut_down)
		if (pthread_cond_timedwait(&fds->replied, &fds->mutex, &until))
			break;
	done = fds->replied_count >= wanted;
	pthread_mutex_unlock(&fds->mutex);
	return done;
}

size_t fds_bytes(struct fds *fds)
{
	size_t bytes;

	pthread_mutex_lock(&fds->mutex);
	bytes = fds->table.bytes + idmap_bytes(&fds->table.processes) +
		idmap_bytes(&fds->table.chains);
	pthread_mutex_unlock(&fds->mutex);
	return bytes;
}
