#include "engine/recording/read/perfdata_scan.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Number of records that are added to the seek index while the mutex is held. */
#define BATCH 1024
/* Maximum number of pieces of an embedded index, spread over the file, to check before its use. */
#define CHECKED_FIRST 64

struct perfdata_scan {
	int fd; /* borrowed */
	struct perfdata_file *file; /* owned by the thread; NULL: reopening failed */
	struct perf_steps steps;
	bool has_steps;
	pthread_t thread;
	atomic_bool stop;
	pthread_mutex_t mutex;
	struct perfdata_seek_index seek_index;
	uint64_t bytes, size; /* bytes read so far; size of the file */
	bool whole, running, dropped;
	bool unchecked; /* some pieces of the embedded index are unchecked */
	uint64_t wrong_at;
};

/* -- Embedded index ----------------------------------------------------------------------- */

static void drop(struct perfdata_scan *scan, uint64_t wrong_at)
{
	pthread_mutex_lock(&scan->mutex);
	perfdata_seek_index_release(&scan->seek_index);
	perfdata_seek_index_init(&scan->seek_index, scan->size);
	scan->bytes = 0;
	scan->whole = scan->unchecked = false;
	scan->dropped = true;
	scan->wrong_at = wrong_at;
	pthread_mutex_unlock(&scan->mutex);
}

/* Check every `step`th of the first `count` pieces. False: one does not match, at *wrong. */
static bool check(struct perfdata_scan *scan, const struct perfdata_seek_index *seek_index,
		  size_t count, size_t step, uint64_t *wrong)
{
	for (size_t i = 0; i < count && !atomic_load(&scan->stop); i += step)
		if (!perfdata_file_seek_index_holds(scan->file, &seek_index->index.pieces[i])) {
			*wrong = seek_index->index.pieces[i].at;
			return false;
		}
	return true;
}

/* Use the embedded index. True: only the records that it does not cover remain to be read. */
static bool take_seek_index(struct perfdata_scan *scan, size_t *pieces)
{
	struct perfdata_seek_index seek_index;
	uint64_t upto, wrong = 0;
	enum perfdata_file_seek_index found;

	perfdata_seek_index_init(&seek_index, scan->size);
	found = perfdata_file_seek_index(scan->file, &seek_index, &upto, &wrong);
	*pieces = seek_index.index.count;
	if (found == PERFDATA_FILE_SEEK_INDEX_FOUND &&
	    !check(scan, &seek_index, *pieces, *pieces / CHECKED_FIRST + 1, &wrong))
		found = PERFDATA_FILE_SEEK_INDEX_WRONG;
	if (found != PERFDATA_FILE_SEEK_INDEX_FOUND) {
		perfdata_seek_index_release(&seek_index);
		if (found == PERFDATA_FILE_SEEK_INDEX_WRONG)
			drop(scan, wrong);
		return false;
	}
	pthread_mutex_lock(&scan->mutex);
	perfdata_seek_index_release(&scan->seek_index);
	scan->seek_index = seek_index;
	scan->bytes = upto;
	scan->unchecked = true;
	pthread_mutex_unlock(&scan->mutex);
	perfdata_file_scan_from(scan->file, upto);
	return true;
}

/* -- Reading records ----------------------------------------------------------------------- */

static void put(struct perfdata_scan *scan, const struct perfdata_record_info *sights, size_t count)
{
	uint64_t bytes;

	pthread_mutex_lock(&scan->mutex);
	for (size_t i = 0; i < count; i++)
		perfdata_seek_index_add(&scan->seek_index, &sights[i]);
	scan->bytes = perfdata_file_progress(scan->file, &bytes);
	pthread_mutex_unlock(&scan->mutex);
}

/* checked: false if pieces of an embedded index must still be checked. */
static void look_at_all(struct perfdata_scan *scan, bool checked)
{
	struct perfdata_record_info *sights = mem_zalloc(BATCH, sizeof(*sights));
	const struct perf_steps *steps = scan->has_steps ? &scan->steps : NULL;
	enum perfdata_file_state state = PERFDATA_FILE_READY;

	while (state == PERFDATA_FILE_READY && !atomic_load(&scan->stop)) {
		size_t count = 0;

		while (count < BATCH && state == PERFDATA_FILE_READY) {
			state = perfdata_file_scan(scan->file, steps, &sights[count]);
			count += state == PERFDATA_FILE_READY;
		}
		put(scan, sights, count);
	}
	pthread_mutex_lock(&scan->mutex);
	scan->seek_index.index.whole = state == PERFDATA_FILE_END;
	scan->whole = checked && scan->seek_index.index.whole;
	pthread_mutex_unlock(&scan->mutex);
	free(sights);
}

static void make_index(struct perfdata_scan *scan)
{
	const struct perfdata_file_options options = { .path = "",
						       .fd = scan->fd,
						       .scanned = true };
	uint64_t wrong;
	size_t pieces;

	if (perfdata_file_open(&scan->file, &options, NULL) < 0) {
		pthread_mutex_lock(&scan->mutex);
		scan->whole = scan->seek_index.index.whole = true;
		pthread_mutex_unlock(&scan->mutex);
		return;
	}
	if (take_seek_index(scan, &pieces)) {
		look_at_all(scan, false);
		/* Only this thread changes the index, so reading it needs no lock. */
		if (!check(scan, &scan->seek_index, pieces, 1, &wrong)) {
			drop(scan, wrong);
		} else {
			pthread_mutex_lock(&scan->mutex);
			scan->unchecked = false;
			scan->whole = scan->seek_index.index.whole;
			pthread_mutex_unlock(&scan->mutex);
			return;
		}
	}
	perfdata_file_rewind(scan->file);
	look_at_all(scan, true);
}

static void *scan_main(void *arg)
{
	struct perfdata_scan *scan = arg;

	pthread_setname_np(pthread_self(), "index");
	make_index(scan);
	pthread_mutex_lock(&scan->mutex);
	scan->running = false;
	pthread_mutex_unlock(&scan->mutex);
	return NULL;
}

struct perfdata_scan *perfdata_scan_start(struct perfdata_file *file, const struct perf_ids *ids)
{
	struct perfdata_scan *scan = mem_zalloc(1, sizeof(*scan));
	const struct perfdata_header *header = perfdata_file_header(file);
	sigset_t all, old;
	int rc;

	scan->fd = perfdata_file_fd(file);
	perfdata_file_progress(file, &scan->size);
	perfdata_seek_index_init(&scan->seek_index, scan->size);
	scan->has_steps = ids && perfdata_header_event_count(header);
	if (scan->has_steps)
		perf_steps_init(&scan->steps, ids, &perfdata_header_event(header, 0)->attr);
	lock_init(&scan->mutex);
	/* Signals are handled by the thread that owns the terminal. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	scan->running = true;
	rc = pthread_create(&scan->thread, NULL, scan_main, scan);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!rc)
		return scan;
	scan->thread = 0;
	perfdata_scan_free(scan);
	return NULL;
}

void perfdata_scan_free(struct perfdata_scan *scan)
{
	if (!scan)
		return;
	atomic_store(&scan->stop, true);
	if (scan->thread)
		pthread_join(scan->thread, NULL);
	pthread_mutex_destroy(&scan->mutex);
	perfdata_seek_index_release(&scan->seek_index);
	if (scan->has_steps)
		perf_steps_release(&scan->steps);
	perfdata_file_close(scan->file);
	free(scan);
}

/* -- Queries ----------------------------------------------------------------------------------- */

void perfdata_scan_status(struct perfdata_scan *scan, struct perfdata_scan_status *status)
{
	pthread_mutex_lock(&scan->mutex);
	status->bytes = scan->bytes;
	status->newest_ns = scan->seek_index.index.newest_ns;
	status->whole = scan->whole;
	status->running = scan->running && !scan->whole;
	status->dropped = scan->dropped;
	status->wrong_at = scan->wrong_at;
	pthread_mutex_unlock(&scan->mutex);
}

/* True if the pieces to be read match the file. If not, the scan thread will drop the index. */
static bool is_there(const struct perfdata_scan *scan, const struct perfdata_file_seek *seek)
{
	const struct perfdata_time_index *index = &scan->seek_index.index;
	size_t stretch = 0;

	for (size_t i = 0; i < index->count && index->pieces[i].at <= seek->at; i++) {
		bool wanted = index->pieces[i].at == seek->at;

		while (stretch < seek->stretch_count &&
		       seek->stretches[stretch].end <= index->pieces[i].at)
			stretch++;
		wanted = wanted || (stretch < seek->stretch_count &&
				    seek->stretches[stretch].begin == index->pieces[i].at);
		if (wanted && !perfdata_file_seek_index_holds(scan->file, &index->pieces[i]))
			return false;
	}
	return true;
}

bool perfdata_scan_find(struct perfdata_scan *scan, uint64_t from_ns,
			struct perfdata_file_seek *seek)
{
	bool known;

	pthread_mutex_lock(&scan->mutex);
	known = perfdata_seek_index_find(&scan->seek_index, from_ns, seek);
	if (known && scan->unchecked && !is_there(scan, seek)) {
		free(seek->stretches);
		free(seek->places);
		*seek = (struct perfdata_file_seek){ 0 };
		known = false;
	}
	pthread_mutex_unlock(&scan->mutex);
	return known;
}

size_t perfdata_scan_density(struct perfdata_scan *scan, uint64_t from_ns, uint64_t until_ns,
			     uint32_t *records, size_t count)
{
	const struct perfdata_time_index *index = &scan->seek_index.index;
	size_t known = 0;

	pthread_mutex_lock(&scan->mutex);
	perfdata_time_index_density(index, from_ns, until_ns, records, count);
	if (index->whole || index->newest_ns >= until_ns)
		known = count;
	else if (index->newest_ns > from_ns)
		known = (size_t)((double)(index->newest_ns - from_ns) /
				 (double)(until_ns - from_ns) * (double)count);
	pthread_mutex_unlock(&scan->mutex);
	return known;
}
