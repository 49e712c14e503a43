#include "engine/late/late_thread.h"

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Number of cached calls: enough for one block of lines; a screen shows fewer. */
#define CALLS_CACHED 8192
#define BYTES_CACHED (8u << 20)

enum entry_state { ENTRY_FREE, ENTRY_WAITS, ENTRY_BEING_READ, ENTRY_READ };

struct entry {
	enum entry_state state;
	struct call call;
	struct late_memory memory;
	struct str known, chunks;
};

struct late_thread {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t thread;
	struct late_bytes *late;
	/* Ring in the order of the requests: [first, first + count). */
	struct entry *entries;
	size_t first, count;
	size_t done; /* number of entries, from `first`, that are not waiting */
	size_t bytes;
	struct idmap by_call; /* by hash of the call: index in the ring, plus 1 */
	/* Changed under the mutex; views read them without the mutex. */
	_Atomic uint64_t version, reads;
	observation_fn *observer; /* NULL: none */
	void *observer_ctx;
	bool reading; /* an entry is being read now */
	bool ending;
};

static uint64_t hash_of(const struct call *call)
{
	return hash_mix(hash_u64(call->enter_ns), (uint64_t)call->state << 32 | call->tid);
}

static bool is_same(const struct call *a, const struct call *b)
{
	return a->enter_ns == b->enter_ns && a->tid == b->tid && a->nr == b->nr &&
	       a->state == b->state;
}

/* Locked; NULL: never requested, or evicted. */
static struct entry *find(struct late_thread *thread, const struct call *call)
{
	size_t place = (uintptr_t)idmap_get(&thread->by_call, hash_of(call));
	struct entry *entry = place ? &thread->entries[place - 1] : NULL;

	return entry && entry->state != ENTRY_FREE && is_same(&entry->call, call) ? entry : NULL;
}

static void forget_oldest(struct late_thread *thread)
{
	struct entry *entry = &thread->entries[thread->first];
	uint64_t hash = hash_of(&entry->call);

	if ((uintptr_t)idmap_get(&thread->by_call, hash) == thread->first + 1)
		idmap_remove(&thread->by_call, hash);
	thread->bytes -= entry->known.cap + entry->chunks.cap;
	str_release(&entry->known);
	str_release(&entry->chunks);
	entry->state = ENTRY_FREE;
	thread->first = (thread->first + 1) % CALLS_CACHED;
	thread->count--;
	if (thread->done)
		thread->done--;
}

/* -- The thread ------------------------------------------------------------------------- */

/* Locked; return the next waiting entry, or NULL. */
static struct entry *take_waiting(struct late_thread *thread)
{
	for (; thread->done < thread->count; thread->done++) {
		size_t place = (thread->first + thread->done) % CALLS_CACHED;

		if (thread->entries[place].state == ENTRY_WAITS)
			return &thread->entries[place];
	}
	return NULL;
}

static void thread_release(struct late_thread *thread)
{
	while (thread->count)
		forget_oldest(thread);
	free(thread->entries);
	idmap_release(&thread->by_call);
	late_bytes_free(thread->late);
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->mutex);
	free(thread);
}

static void emit(struct late_thread *thread, const struct call *call, const struct str *chunks)
{
	struct observation observation = {
		.kind = OBSERVATION_BYTES,
		.pid = call->pid,
		.tid = call->tid,
		.call = { .enter_ns = call->enter_ns, .nr = call->nr, .state = call->state },
		.text = chunks->data,
		.len = chunks->len,
	};

	if (thread->observer && chunks->len && chunks->len <= OBSERVATION_TEXT_MAX)
		thread->observer(thread->observer_ctx, &observation);
}

static void read_entry(struct late_thread *thread, struct entry *entry)
{
	struct call call = entry->call;
	struct late_memory memory = entry->memory;
	struct str known = entry->known, chunks = STR_INIT;

	/* An entry that is being read is not evicted. */
	entry->state = ENTRY_BEING_READ;
	thread->reading = true;
	pthread_mutex_unlock(&thread->mutex);
	late_bytes_read(thread->late, &call, &memory, known.data, known.len, &chunks);
	emit(thread, &call, &chunks);
	pthread_mutex_lock(&thread->mutex);
	entry->state = ENTRY_READ;
	thread->reading = false;
	thread->bytes -= entry->known.cap;
	str_release(&entry->known);
	entry->chunks = chunks;
	thread->bytes += chunks.cap;
	thread->reads++;
	if (chunks.len)
		thread->version++;
}

static void *thread_main(void *arg)
{
	struct late_thread *thread = arg;

	pthread_setname_np(pthread_self(), "late-reader");
	pthread_mutex_lock(&thread->mutex);
	while (!thread->ending) {
		struct entry *entry = take_waiting(thread);

		if (entry) {
			read_entry(thread, entry);
			continue;
		}
		pthread_cond_broadcast(&thread->changed);
		pthread_cond_wait(&thread->changed, &thread->mutex);
	}
	pthread_mutex_unlock(&thread->mutex);
	return NULL;
}

int late_thread_new(struct late_thread **thread, struct late_bytes *late, struct err *err)
{
	struct late_thread *made = mem_zalloc(1, sizeof(*made));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int rc;

	made->late = late;
	made->entries = mem_zalloc(CALLS_CACHED, sizeof(*made->entries));
	idmap_init(&made->by_call);
	lock_init(&made->mutex);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&made->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&made->thread, NULL, thread_main, made);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		thread_release(made);
		return err_set(err, -rc, "cannot start the thread that reads memory: %s",
			       strerror(rc));
	}
	*thread = made;
	return 0;
}

static struct timespec in_ns(uint64_t ns)
{
	return clock_deadline(clock_now_ns() + ns);
}

void late_thread_free(struct late_thread *thread)
{
	if (!thread)
		return;
	pthread_mutex_lock(&thread->mutex);
	thread->ending = true;
	pthread_cond_broadcast(&thread->changed);
	pthread_mutex_unlock(&thread->mutex);
	pthread_join(thread->thread, NULL);
	thread_release(thread);
}

void late_thread_set_observer(struct late_thread *thread, observation_fn *observer, void *ctx)
{
	pthread_mutex_lock(&thread->mutex);
	thread->observer = observer;
	thread->observer_ctx = ctx;
	pthread_mutex_unlock(&thread->mutex);
}

/* -- Clients ----------------------------------------------------------------------------- */

void late_thread_ask(struct late_thread *thread, const struct call *call,
		     const struct late_memory *memory, const void *known, size_t known_len)
{
	struct entry *entry;
	size_t place;

	pthread_mutex_lock(&thread->mutex);
	if (find(thread, call))
		goto out;
	while (thread->count == CALLS_CACHED || (thread->count && thread->bytes > BYTES_CACHED)) {
		struct entry *oldest = &thread->entries[thread->first];

		if (oldest->state == ENTRY_BEING_READ)
			goto out;
		forget_oldest(thread);
	}
	place = (thread->first + thread->count) % CALLS_CACHED;
	thread->count++;
	entry = &thread->entries[place];
	*entry = (struct entry){ .state = ENTRY_WAITS,
				 .call = *call,
				 .memory = *memory,
				 .known = STR_INIT,
				 .chunks = STR_INIT };
	str_addn(&entry->known, known, known_len);
	thread->bytes += entry->known.cap;
	idmap_put(&thread->by_call, hash_of(call), (void *)(uintptr_t)(place + 1));
	pthread_cond_broadcast(&thread->changed);
out:
	pthread_mutex_unlock(&thread->mutex);
}

bool late_thread_get(struct late_thread *thread, const struct call *call, struct str *chunks)
{
	const struct entry *entry;
	bool read;

	pthread_mutex_lock(&thread->mutex);
	entry = find(thread, call);
	read = entry && entry->state == ENTRY_READ;
	if (read)
		str_addn(chunks, entry->chunks.data, entry->chunks.len);
	pthread_mutex_unlock(&thread->mutex);
	return read;
}

bool late_thread_knows(struct late_thread *thread, const struct call *call)
{
	bool known;

	pthread_mutex_lock(&thread->mutex);
	known = find(thread, call) != NULL;
	pthread_mutex_unlock(&thread->mutex);
	return known;
}

uint64_t late_thread_reads(struct late_thread *thread)
{
	return atomic_load(&thread->reads);
}

/* Locked. */
static bool is_idle(struct late_thread *thread)
{
	return !thread->reading && !take_waiting(thread);
}

bool late_thread_wait(struct late_thread *thread, int timeout_ms)
{
	struct timespec until = in_ns((uint64_t)timeout_ms * NS_PER_MS);
	bool idle;

	pthread_mutex_lock(&thread->mutex);
	while (!(idle = is_idle(thread)))
		if (pthread_cond_timedwait(&thread->changed, &thread->mutex, &until))
			break;
	pthread_mutex_unlock(&thread->mutex);
	return idle;
}

void late_thread_drop(struct late_thread *thread)
{
	pthread_mutex_lock(&thread->mutex);
	for (size_t i = 0; i < thread->count; i++) {
		struct entry *entry = &thread->entries[(thread->first + i) % CALLS_CACHED];

		/* Finish the request without data, as if the memory were unreadable. */
		if (entry->state == ENTRY_WAITS)
			entry->state = ENTRY_READ;
	}
	thread->reads++;
	pthread_mutex_unlock(&thread->mutex);
}

uint64_t late_thread_version(struct late_thread *thread)
{
	return atomic_load(&thread->version);
}

size_t late_thread_bytes(struct late_thread *thread)
{
	size_t bytes;

	pthread_mutex_lock(&thread->mutex);
	bytes = thread->bytes + CALLS_CACHED * sizeof(*thread->entries) +
		idmap_bytes(&thread->by_call);
	pthread_mutex_unlock(&thread->mutex);
	return bytes;
}
