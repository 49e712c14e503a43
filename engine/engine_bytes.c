#include "engine/engine.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/engine_state.h"
#include "engine/record/capture_chunks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LATE_CACHED_MAX (32u << 10) /* maximum bytes of a late read to store with its call */
#define IN_FLIGHT_READ 1024
#define SETTLE_LOOK_NS (2 * (long)NS_PER_MS)
#define LATE_SHARE 5 /* batch output waits at most 1/5 of the time for late reads */
#define LATE_LEFT_NS (200 * NS_PER_MS) /* unused time of late reads is saved up to this limit */
#define WANTED_MAX 1024 /* calls to read late for filters; further calls wait for a later test */
/* Minimum interval between tests of pending matches: each late read changes the version. */
#define FILTER_EVERY_NS (20 * NS_PER_MS)

static void make_room(struct engine_bytes *bytes, size_t count)
{
	if (count > bytes->room) {
		bytes->ends = mem_realloc(bytes->ends, count, sizeof(*bytes->ends));
		bytes->late = mem_realloc(bytes->late, count, sizeof(*bytes->late));
		bytes->gone = mem_realloc(bytes->gone, count, sizeof(*bytes->gone));
		bytes->room = count;
	}
	str_clear(&bytes->chunks);
}

static bool any_cached(const struct call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (calls[i].bytes_at)
			return true;
	return false;
}

/* State of engine_bytes_copy(). The first call that needs the model locks it. */
struct copying {
	struct engine *engine;
	struct engine_bytes *bytes;
	struct str late; /* data of one late read */
	bool locked;
};

static void lock(struct copying *copying)
{
	if (!copying->locked)
		collector_lock(copying->engine->collector);
	copying->locked = true;
}

/* Store late reads with the call, so that they enter the history as if copied by the source. */
static void store_with_call(struct engine *e, const struct call *call, const struct str *late)
{
	struct record_bytes bytes = { .chunks = late->data, .len = late->len, .more = true };

	if (call->state == CALL_IN_FLIGHT && !e->recorded && late->len <= LATE_CACHED_MAX)
		model_add_bytes(e->model, call->tid, &bytes);
}

static void record_observation(struct engine *e, const struct call *call, const struct str *late)
{
	const struct observation observation = {
		.kind = OBSERVATION_BYTES,
		.pid = call->pid,
		.tid = call->tid,
		.call = { .enter_ns = call->enter_ns, .nr = call->nr, .state = call->state },
		.text = late->data,
		.len = late->len,
	};

	if (late->len <= OBSERVATION_TEXT_MAX)
		engine_find(e, &observation);
}

static void add_reading(struct copying *copying, const struct call *call, bool in_flight)
{
	struct engine *e = copying->engine;
	enum late_answer answer;
	bool news;

	lock(copying);
	answer = late_validity_ask(&e->late_validity, e->model, call, in_flight, &copying->late,
				   &news);
	copying->bytes->waiting += answer == LATE_WAITS;
	if (answer != LATE_GOOD) {
		late_validity_add_constants(&copying->bytes->chunks, copying->late.data,
					    copying->late.len);
		return;
	}
	str_addn(&copying->bytes->chunks, copying->late.data, copying->late.len);
	if (in_flight)
		store_with_call(e, call, &copying->late);
	else if (news)
		record_observation(e, call, &copying->late);
}

/*
 * Add the late reads of a call: first the one taken in flight, then the one after its exit. False:
 * there is no late read for the present state of the call.
 */
static bool add_late(struct copying *copying, const struct call *call)
{
	struct late_thread *late = copying->engine->late;
	struct call before = *call;
	bool read;

	before.state = CALL_IN_FLIGHT;
	str_clear(&copying->late);
	read = late_thread_get(late, &before, &copying->late);
	if (copying->late.len)
		add_reading(copying, call, true);
	if (call->state == CALL_IN_FLIGHT)
		return read;
	str_clear(&copying->late);
	read = late_thread_get(late, call, &copying->late);
	if (copying->late.len)
		add_reading(copying, call, false);
	return read;
}

/* Add the late reads of the call that the recording contains. */
static void add_found(struct copying *copying, const struct call *call)
{
	struct engine *e = copying->engine;
	const struct observation *observation =
		observations_first(e->observations, OBSERVATION_BYTES, call->tid, call->enter_ns);

	for (; observation; observation = observations_next(e->observations, observation)) {
		if (observation->tid != call->tid || observation->call.enter_ns != call->enter_ns ||
		    observation->call.nr != call->nr)
			continue;
		str_clear(&copying->late);
		str_addn(&copying->late, observation->text, observation->len);
		if (observation->call.state == CALL_IN_FLIGHT)
			add_reading(copying, call, true);
		else if (capture_chunks_read_ns(observation->text, observation->len))
			str_addn(&copying->bytes->chunks, observation->text, observation->len);
		else
			late_validity_add_constants(&copying->bytes->chunks, copying->late.data,
						    copying->late.len);
	}
}

void engine_bytes_copy(struct engine *e, const struct call *calls, size_t count,
		       struct engine_bytes *bytes)
{
	struct copying copying = { .engine = e, .bytes = bytes, .late = STR_INIT };
	bool ready = atomic_load(&e->ready);
	bool found = ready && e->observations &&
		     observations_count(e->observations, OBSERVATION_BYTES);

	make_room(bytes, count);
	bytes->waiting = 0;
	if (ready && any_cached(calls, count))
		lock(&copying);
	for (size_t i = 0; i < count; i++) {
		size_t len = 0, before;
		const void *chunks = calls[i].bytes_at && copying.locked
					     ? model_bytes(e->model, &calls[i], &len)
					     : NULL;
		bool has_reading = capture_chunks_read_ns(chunks, len);

		str_addn(&bytes->chunks, chunks, len);
		before = bytes->chunks.len;
		if (ready && e->late && call_was_made(&calls[i]) && !has_reading)
			add_late(&copying, &calls[i]);
		else if (found && call_was_made(&calls[i]))
			add_found(&copying, &calls[i]);
		bytes->late[i] = bytes->chunks.len > before || has_reading;
		bytes->gone[i] = calls[i].bytes_at && !chunks;
		bytes->ends[i] = bytes->chunks.len;
	}
	if (copying.locked)
		collector_unlock(e->collector);
	str_release(&copying.late);
}

const struct call_bytes *engine_bytes_of(struct engine_bytes *bytes, size_t index)
{
	size_t from = index ? bytes->ends[index - 1] : 0;

	bytes->captured.len = bytes->ends[index] - from;
	bytes->captured.chunks = bytes->captured.len ? bytes->chunks.data + from : NULL;
	bytes->provider.read = captured_bytes_read;
	bytes->provider.ctx = &bytes->captured;
	return &bytes->provider;
}

bool engine_bytes_gone(const struct engine_bytes *bytes, size_t index)
{
	return bytes->gone[index];
}

void engine_bytes_release(struct engine_bytes *bytes)
{
	str_release(&bytes->chunks);
	free(bytes->ends);
	free(bytes->late);
	free(bytes->gone);
	bytes->ends = NULL;
	bytes->late = bytes->gone = NULL;
	bytes->room = 0;
}

/* -- Late reads ---------------------------------------------------------------------------- */

/* True if the call points to data that is missing and perhaps readable. */
static bool is_worth_reading(const struct engine *e, const struct call *call, size_t known)
{
	const struct syscall_info *info = syscalls_info(e->syscalls, call->nr);
	bool points = false;

	if (!call_was_made(call) || call->state == CALL_ORPHAN)
		return false;
	/* If the source copies data, known data is complete, and a failed call returned none. */
	if (e->copies && (known || call_failed(call)))
		return false;
	for (unsigned i = 0; i < info->arg_count; i++)
		points = points || (call->args[i] && (info->args[i].kind == ARG_POINTER ||
						      info->args[i].kind == ARG_PATH ||
						      info->args[i].kind == ARG_STRING));
	return points;
}

/*
 * Describe the memory that a late read can use; false: none. After the return of a call, all of its
 * data is read if the thread has made no call since. Otherwise, only constants of the program are
 * read, and nothing after an execve. Locked.
 */
static bool may_be_read(const struct engine *e, const struct call *call, bool none_left,
			struct late_memory *memory)
{
	const struct process *process = tasks_process(model_tasks(e->model), call->pid);
	enum call_age age = model_call_age(e->model, call);

	if (!process || process->memory_ns > call->enter_ns)
		return false;
	if (call->state == CALL_IN_FLIGHT && age != CALL_AGE_GOES_ON)
		return false;
	memory->gone = process->ended;
	memory->generation = spaces_generation(e->spaces, call->pid);
	/* If the source copies data, it has copied all changing data of a returned call. */
	memory->constants_only = call->state == CALL_IN_FLIGHT
					 ? collector_has_ended(e->collector)
					 : age != CALL_AGE_LAST || e->copies || none_left;
	return !memory->constants_only || spaces_since(e->spaces, call->pid) <= call->enter_ns;
}

static bool ask(struct engine *e, const struct call *calls, size_t count,
		struct engine_bytes *bytes)
{
	struct late_memory *memories;
	bool *wanted, any = false, worth = false;

	if (!atomic_load(&e->ready) || !e->late)
		return false;
	wanted = mem_zalloc(count + 1, sizeof(*wanted));
	memories = mem_zalloc(count + 1, sizeof(*memories));
	for (size_t i = 0; i < count; i++) {
		size_t known = bytes->ends[i] - (i ? bytes->ends[i - 1] : 0);

		wanted[i] = !bytes->late[i] && is_worth_reading(e, &calls[i], known);
		worth = worth || wanted[i];
	}
	/* Lock the collector only if there is data to read, so that drawing rarely waits. */
	if (worth) {
		collector_lock(e->collector);
		for (size_t i = 0; i < count; i++)
			wanted[i] = wanted[i] &&
				    may_be_read(e, &calls[i], bytes->gone[i], &memories[i]);
		collector_unlock(e->collector);
	}
	for (size_t i = 0; i < count; i++) {
		size_t from = i ? bytes->ends[i - 1] : 0;

		if (!wanted[i])
			continue;
		late_thread_ask(e->late, &calls[i], &memories[i], bytes->chunks.data + from,
				bytes->ends[i] - from);
		any = true;
	}
	free(memories);
	free(wanted);
	return any;
}

void engine_bytes_look(struct engine *e, const struct call *calls, size_t count,
		       struct engine_bytes *bytes)
{
	ask(e, calls, count, bytes);
}

/*
 * Return the budget, in ns. Late reads cost CPU time and take the mmap lock of the traced process.
 * If a process makes calls all the time, the budget runs out and arguments are shown as pointers.
 */
static uint64_t take_budget(struct engine *e)
{
	uint64_t now_ns = clock_now_ns();

	if (e->late_seen_ns)
		e->late_left_ns += (now_ns - e->late_seen_ns) / LATE_SHARE;
	if (!e->late_seen_ns || e->late_left_ns > LATE_LEFT_NS)
		e->late_left_ns = LATE_LEFT_NS;
	e->late_seen_ns = now_ns;
	return e->late_left_ns;
}

static void wait_for_reads(struct engine *e, const struct call *calls, size_t count,
			   struct engine_bytes *bytes, int timeout_ms)
{
	uint64_t until_ns = clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS;

	if (!late_thread_wait(e->late, timeout_ms))
		late_thread_drop(e->late);
	engine_bytes_copy(e, calls, count, bytes);
	/* Wait until the collector has processed the records up to the time of the reads. */
	while (bytes->waiting && clock_now_ns() < until_ns) {
		nanosleep(&(struct timespec){ .tv_nsec = SETTLE_LOOK_NS }, NULL);
		engine_bytes_copy(e, calls, count, bytes);
	}
}

void engine_bytes_settle(struct engine *e, const struct call *calls, size_t count,
			 struct engine_bytes *bytes, int timeout_ms)
{
	uint64_t left_ns = take_budget(e), waited_ns;

	if (left_ns < NS_PER_MS || !ask(e, calls, count, bytes))
		return;
	if (left_ns < (uint64_t)timeout_ms * NS_PER_MS)
		timeout_ms = (int)(left_ns / NS_PER_MS);
	wait_for_reads(e, calls, count, bytes, timeout_ms);
	waited_ns = clock_now_ns() - e->late_seen_ns;
	e->late_left_ns -= waited_ns < e->late_left_ns ? waited_ns : e->late_left_ns;
}

void engine_settle_memory(struct engine *e, const struct call *calls, size_t count, int timeout_ms)
{
	struct engine_bytes bytes = { .room = 0 };

	engine_fds_prepare(e, calls, count, timeout_ms);
	if (!e->late)
		return;
	engine_bytes_copy(e, calls, count, &bytes);
	/* No budget limits this wait: the filter drops a call whose memory is unknown. */
	if (ask(e, calls, count, &bytes))
		wait_for_reads(e, calls, count, &bytes, timeout_ms);
	engine_bytes_release(&bytes);
}

/* -- Filters ------------------------------------------------------------------------------- */

/* List a call for a late read, for a filter. False: its memory cannot be read. Locked. */
static bool want(struct engine *e, const struct call *call, size_t known)
{
	struct late_memory memory;

	if (!is_worth_reading(e, call, known) ||
	    !may_be_read(e, call, call->bytes_at && !known, &memory))
		return false;
	if (e->wanted_count < WANTED_MAX && !late_thread_knows(e->late, call))
		e->wanted[e->wanted_count++] = *call;
	return true;
}

/* Return the late reads of a call, which engine_bytes_copy() adds to the model's data. Locked. */
static struct fd_chunks late_chunks(void *ctx, const struct call *call, bool *pending)
{
	struct engine *e = ctx;
	struct engine_bytes *bytes = &e->filter_bytes;
	struct copying copying = {
		.engine = e, .bytes = bytes, .late = e->filter_reading, .locked = true
	};
	const void *chunks;
	size_t known;

	if (!atomic_load(&e->ready) || !call_was_made(call))
		return (struct fd_chunks){ NULL, 0 };
	chunks = model_bytes(e->model, call, &known);
	if (capture_chunks_read_ns(chunks, known))
		return (struct fd_chunks){ NULL, 0 };
	str_clear(&bytes->chunks);
	bytes->waiting = 0;
	if (e->late)
		*pending = !add_late(&copying, call) ? want(e, call, known) : bytes->waiting;
	else if (e->observations && observations_count(e->observations, OBSERVATION_BYTES))
		add_found(&copying, call);
	e->filter_reading = copying.late;
	return (struct fd_chunks){ bytes->chunks.data, bytes->chunks.len };
}

static uint64_t late_version(void *ctx)
{
	struct engine *e = ctx;
	uint64_t now_ns = clock_now_ns();

	if (!atomic_load(&e->ready) || now_ns < e->late_version_ns + FILTER_EVERY_NS)
		return e->late_version;
	e->late_version_ns = now_ns;
	e->late_version = engine_bytes_version(e) + e->wanted_rounds;
	if (e->late)
		e->late_version += late_thread_reads(e->late);
	if (e->fds)
		e->late_version += fds_replies(e->fds);
	return e->late_version;
}

void engine_begin_late(struct engine *e)
{
	e->model_late =
		(struct model_late){ .chunks = late_chunks, .version = late_version, .ctx = e };
	e->wanted = mem_alloc(WANTED_MAX * sizeof(*e->wanted));
}

void engine_end_late(struct engine *e)
{
	engine_bytes_release(&e->filter_bytes);
	str_release(&e->filter_reading);
	free(e->wanted);
}

void engine_look_wanted(struct engine *e)
{
	struct engine_bytes bytes = { .room = 0 };
	struct call *calls;
	size_t count;

	if (!atomic_load(&e->wanted_count))
		return;
	calls = mem_alloc(WANTED_MAX * sizeof(*calls));
	collector_lock(e->collector);
	count = e->wanted_count;
	memcpy(calls, e->wanted, count * sizeof(*calls));
	e->wanted_count = 0;
	collector_unlock(e->collector);
	engine_bytes_copy(e, calls, count, &bytes);
	ask(e, calls, count, &bytes);
	/* Calls that cannot be read any more are tested again, and then decided. */
	e->wanted_rounds++;
	engine_bytes_release(&bytes);
	free(calls);
}

void engine_bytes_look_in_flight(struct engine *e, int timeout_ms)
{
	struct engine_bytes bytes = { .room = 0 };
	struct call *calls;
	size_t count;

	if (!atomic_load(&e->ready) || !e->late)
		return;
	calls = mem_alloc(IN_FLIGHT_READ * sizeof(*calls));
	count = engine_in_flight(e, calls, IN_FLIGHT_READ);
	engine_bytes_copy(e, calls, count, &bytes);
	engine_bytes_settle(e, calls, count, &bytes, timeout_ms);
	engine_bytes_release(&bytes);
	free(calls);
}

uint64_t engine_bytes_version(struct engine *e)
{
	uint64_t version = 0;

	if (!atomic_load(&e->ready))
		return 0;
	if (e->late)
		version += late_thread_version(e->late) + late_validity_version(&e->late_validity);
	if (e->fds)
		version += fds_version(e->fds);
	return version;
}
