#include "engine/recording/perf_scan.h"

#include "engine/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Records that are put into the index at once. */
#define BATCH 1024
/*
 * So much in front of a time is read for what was going on then: calls that began in it. It must
 * depend on nothing but the file, or going to a time would not show the same again.
 */
#define LOOK_BACK_BYTES ((uint64_t)48 << 20)

struct perf_scan {
	int fd; /* borrowed */
	struct perf_file *file; /* the thread's own; NULL: it cannot be opened again */
	pthread_t thread;
	atomic_bool stop;
	pthread_mutex_t mutex;
	struct perf_index index;
	uint64_t bytes;
	bool packed; /* records are in others: reading cannot begin anywhere */
};

static void put(struct perf_scan *scan, const struct perf_file_sight *sights, size_t count)
{
	uint64_t bytes;

	pthread_mutex_lock(&scan->mutex);
	for (size_t i = 0; i < count; i++) {
		perf_index_add(&scan->index, sights[i].at, sights[i].time_ns, sights[i].side);
		scan->packed = scan->packed || sights[i].packed;
	}
	scan->bytes = perf_file_progress(scan->file, &bytes);
	pthread_mutex_unlock(&scan->mutex);
}

static void *scan_main(void *arg)
{
	struct perf_scan *scan = arg;
	struct perf_file_sight *sights = mem_alloc(BATCH * sizeof(*sights));
	const struct perf_file_options options = { .path = "", .fd = scan->fd, .scanned = true };
	enum perf_file_state state = PERF_FILE_READY;

	pthread_setname_np(pthread_self(), "index");
	if (perf_file_open(&scan->file, &options, NULL) < 0)
		state = PERF_FILE_END;
	while (state == PERF_FILE_READY && !atomic_load(&scan->stop)) {
		size_t count = 0;

		while (count < BATCH && state == PERF_FILE_READY) {
			state = perf_file_scan(scan->file, &sights[count]);
			count += state == PERF_FILE_READY;
		}
		put(scan, sights, count);
	}
	pthread_mutex_lock(&scan->mutex);
	scan->index.whole = state == PERF_FILE_END;
	pthread_mutex_unlock(&scan->mutex);
	free(sights);
	return NULL;
}

struct perf_scan *perf_scan_start(struct perf_file *file)
{
	struct perf_scan *scan = mem_zalloc(1, sizeof(*scan));
	sigset_t all, old;
	uint64_t bytes;
	int rc;

	scan->fd = perf_file_fd(file);
	perf_file_progress(file, &bytes);
	perf_index_init(&scan->index, bytes);
	pthread_mutex_init(&scan->mutex, NULL);
	/* Signals are for the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&scan->thread, NULL, scan_main, scan);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!rc)
		return scan;
	pthread_mutex_destroy(&scan->mutex);
	perf_index_release(&scan->index);
	free(scan);
	return NULL;
}

void perf_scan_free(struct perf_scan *scan)
{
	if (!scan)
		return;
	atomic_store(&scan->stop, true);
	pthread_join(scan->thread, NULL);
	pthread_mutex_destroy(&scan->mutex);
	perf_index_release(&scan->index);
	perf_file_close(scan->file);
	free(scan);
}

void perf_scan_status(struct perf_scan *scan, struct perf_scan_status *status)
{
	pthread_mutex_lock(&scan->mutex);
	status->bytes = scan->bytes;
	status->newest_ns = scan->index.newest_ns;
	status->whole = scan->index.whole;
	pthread_mutex_unlock(&scan->mutex);
}

/* Pieces in front of `end` with something to be known, neighbours as one. */
static void find_stretches(const struct perf_index *index, size_t end, struct perf_file_seek *seek)
{
	seek->stretches = mem_alloc((end + 1) * sizeof(*seek->stretches));
	for (size_t i = 0; i < end; i++) {
		struct perf_file_stretch stretch = { index->pieces[i].at, index->pieces[i + 1].at };

		if (!index->pieces[i].side)
			continue;
		if (seek->stretch_count &&
		    seek->stretches[seek->stretch_count - 1].end == stretch.begin)
			seek->stretches[seek->stretch_count - 1].end = stretch.end;
		else
			seek->stretches[seek->stretch_count++] = stretch;
	}
}

bool perf_scan_find(struct perf_scan *scan, uint64_t from_ns, struct perf_file_seek *seek)
{
	const struct perf_index *index = &scan->index;
	bool known;
	size_t at;

	*seek = (struct perf_file_seek){ 0 };
	pthread_mutex_lock(&scan->mutex);
	known = perf_index_reaches(index, from_ns);
	at = known && index->count ? perf_index_find_before(index, from_ns, LOOK_BACK_BYTES) : 0;
	if (at) {
		seek->at = index->pieces[at].at;
		seek->after_ns = index->pieces[at].before_ns;
		seek->jumps = !scan->packed;
		find_stretches(index, at, seek);
	}
	pthread_mutex_unlock(&scan->mutex);
	return known;
}

size_t perf_scan_density(struct perf_scan *scan, uint64_t from_ns, uint64_t until_ns,
			 uint32_t *records, size_t count)
{
	size_t known = 0;

	pthread_mutex_lock(&scan->mutex);
	perf_index_density(&scan->index, from_ns, until_ns, records, count);
	if (scan->index.whole || scan->index.newest_ns >= until_ns)
		known = count;
	else if (scan->index.newest_ns > from_ns)
		known = (size_t)((double)(scan->index.newest_ns - from_ns) /
				 (double)(until_ns - from_ns) * (double)count);
	pthread_mutex_unlock(&scan->mutex);
	return known;
}
