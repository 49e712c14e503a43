/*
 * perfdata_file - the records of a perf.data file, or of perf's output in a pipe, by their times.
 *
 * The format is that of linux/tools/perf/Documentation/perf.data-file-format.txt:
 * a header, one attribute per event with the ids it was opened under, the
 * records, and feature sections (names, tracepoint formats); in a pipe all of these are
 * records. The recording may have been written by anybody: every offset and size is checked
 * before it is followed, what does not fit is refused in a sentence, a damaged end is dropped
 * and said. It is read in pieces: memory is bounded by what perfdata_order.h keeps. One thread.
 */
#ifndef READ_PERFDATA_FILE_H
#define READ_PERFDATA_FILE_H

#include "engine/base/err.h"
#include "engine/record/observation.h"
#include "engine/recording/perfdata_header.h"
#include "engine/recording/perfdata_kernel_map.h"
#include "engine/recording/read/perfdata_file_types.h"
#include "engine/recording/read/perfdata_record_info.h"

struct perfdata_file;

enum perfdata_file_state {
	PERFDATA_FILE_READY,
	PERFDATA_FILE_WAIT, /* a pipe has no more now */
	PERFDATA_FILE_END,
};

struct perfdata_file_options {
	const char *path;
	int fd; /* > 0: as in perfdata_input_open() */
	/*
	 * Of a pipe it is waited until what stands in front of the first records has come;
	 * -ECANCELED where this one becomes readable before. 0: none.
	 */
	int cancel_fd;
	bool scanned; /* only perfdata_file_scan() will be called: no record is read before */
};

int perfdata_file_open(struct perfdata_file **file, const struct perfdata_file_options *options,
		       struct err *err);
void perfdata_file_close(struct perfdata_file *file);

struct perfdata_header *perfdata_file_header(struct perfdata_file *file);
/* NULL: it is somebody else's. */
const struct perfdata_file_own *perfdata_file_own(const struct perfdata_file *file);

/*
 * What a recording of ours tells beside its records (engine/record/observation.h), all of it, in
 * the order of the file. False: that is not known before the records are read, among which it
 * comes. Before the first of perfdata_file_next().
 */
bool perfdata_file_observations(struct perfdata_file *file, observation_fn *take, void *ctx);

/* As it stands in front of the first samples; NULL: it does not. */
const struct perfdata_kernel_map *perfdata_file_kernel(const struct perfdata_file *file);

/*
 * Records of the kernel in the order of their times, borrowed until the next call. Of a recording
 * of ours, those of PERFDATA_EXT_TYPE too, all in the order of the collection.
 */
enum perfdata_file_state perfdata_file_next(struct perfdata_file *file,
					    const struct perf_event_header **record);
/* When that record was, or 0 where it says nothing of that: as the one before it. */
uint64_t perfdata_file_time(const struct perfdata_file *file);
/*
 * Whether perf made this record up itself, without a time: it is about all that was recorded. One
 * that the kernel wrote has a time, where the recording has times at all.
 */
bool perfdata_file_is_timeless(struct perfdata_file *file, const struct perf_event_header *record);
/* Whether perfdata_file_rewind() can be: not of what comes out of a pipe. */
bool perfdata_file_can_rewind(const struct perfdata_file *file);
/* The first record is the next one again. What stands in front, and the times, stay known. */
void perfdata_file_rewind(struct perfdata_file *file);

/*
 * Instead of perfdata_file_next(): the records as they stand in the file. steps: see
 * perfdata_record_info.h; may be NULL.
 */
enum perfdata_file_state perfdata_file_scan(struct perfdata_file *file,
					    const struct perf_steps *steps,
					    struct perfdata_record_info *info);

struct perfdata_seek_index;
struct perfdata_time_index_piece;

enum perfdata_file_seek_index {
	PERFDATA_FILE_SEEK_INDEX_NONE,
	PERFDATA_FILE_SEEK_INDEX_FOUND,
	PERFDATA_FILE_SEEK_INDEX_WRONG, /* it contradicts itself, or the file */
};
/*
 * The seek index that the file brought (perfdata_seek_index.h), before anything is read. FOUND: it
 * is added; of what is behind *upto it says nothing. WRONG: what of it stands at *wrong is, and
 * some of it may have been added.
 */
enum perfdata_file_seek_index perfdata_file_seek_index(struct perfdata_file *file,
						       struct perfdata_seek_index *seek_index,
						       uint64_t *upto, uint64_t *wrong);
/* Whether there is a record where this piece of it begins, such as it says. */
bool perfdata_file_seek_index_holds(struct perfdata_file *file,
				    const struct perfdata_time_index_piece *piece);
/* perfdata_file_scan() goes on there. */
void perfdata_file_scan_from(struct perfdata_file *file, uint64_t at);

/* Where in the file, [begin, end), there are such as are to be known later. */
struct perfdata_file_stretch {
	uint64_t begin, end;
};
struct perfdata_file_seek {
	uint64_t at; /* from there on all is told that is newer than this: */
	uint64_t after_ns; /* ... the newest time in front of it */
	/* What is in front and outside of these need not be read. malloc'ed. */
	struct perfdata_file_stretch *stretches;
	size_t stretch_count;
	/* Records in them that are told too (long_calls.h), in order. malloc'ed. */
	uint64_t *places;
	size_t place_count;
	bool incomplete; /* not all such calls, or not all of their records, are there */
};
/*
 * As perfdata_file_rewind(); then all that is to be known is told first. It takes the stretches and
 * the places.
 */
void perfdata_file_seek(struct perfdata_file *file, const struct perfdata_file_seek *seek);
int perfdata_file_fd(const struct perfdata_file *file); /* borrowed */
/* See perfdata_input_wait(). */
int perfdata_file_wait(struct perfdata_file *file, int wake_fd, int timeout_ms);

uint64_t perfdata_file_first_ns(
	const struct perfdata_file *file); /* of the first sample; 0: none */
uint64_t perfdata_file_newest_ns(const struct perfdata_file *file); /* of what was read so far */
uint64_t perfdata_file_delivered_ns(const struct perfdata_file *file); /* records so far */
/* How far reading is, and how far it goes: bytes. Of a pipe *size is 0. */
uint64_t perfdata_file_progress(const struct perfdata_file *file, uint64_t *size);
/*
 * What is wrong with it, as far as it was read: a sentence that says where. NULL: nothing is.
 * *damaged: it is not as its recorder left it; one that was cut short while it was written is
 * sound as far as it goes. The pointer may be NULL.
 */
const char *perfdata_file_trouble(const struct perfdata_file *file, bool *damaged);

#endif
