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
#include "engine/recording/flight_mark.h"
#include "engine/recording/perfdata_header.h"
#include "engine/recording/perfdata_kernel_map.h"
#include "engine/recording/read/perfdata_record_info.h"

/* No clock that counts from the start of a machine comes to 146 years. */
#define PERF_FILE_TIME_MAX (1ULL << 62)

struct perf_file;

enum perf_file_state {
	PERF_FILE_READY,
	PERF_FILE_WAIT, /* a pipe has no more now */
	PERF_FILE_END,
};

struct perf_file_options {
	const char *path;
	int fd; /* > 0: as in perf_input_open() */
	/*
	 * Of a pipe it is waited until what stands in front of the first records has come;
	 * -ECANCELED where this one becomes readable before. 0: none.
	 */
	int cancel_fd;
	bool scanned; /* only perf_file_scan() will be called: no record is read before */
};

int perf_file_open(struct perf_file **file, const struct perf_file_options *options,
		   struct err *err);
void perf_file_close(struct perf_file *file);

struct perf_header *perf_file_header(struct perf_file *file);
/* What a recording of ours says of itself, see perfdata_ext.h. */
struct perf_file_own {
	uint64_t began_ns; /* the collection, or what was recorded of it */
	bool copies; /* the source copied what calls point to */
	bool no_waits; /* nobody told of switches */
	bool no_ins; /* only switch-outs were recorded */
	struct flight_mark flight; /* .reason FLIGHT_NONE: no flight recorder saved it */
};

/* NULL: it is somebody else's. */
const struct perf_file_own *perf_file_own(const struct perf_file *file);

/*
 * What a recording of ours tells beside its records (engine/record/observation.h), all of it, in
 * the order of the file. False: that is not known before the records are read, among which it
 * comes. Before the first of perf_file_next().
 */
bool perf_file_findings(struct perf_file *file, finding_fn *take, void *ctx);

/* As it stands in front of the first samples; NULL: it does not. */
const struct perf_kernel_map *perf_file_kernel(const struct perf_file *file);

/*
 * Records of the kernel in the order of their times, borrowed until the next call. Of a recording
 * of ours, those of PERF_OWN_TYPE too, all in the order of the collection.
 */
enum perf_file_state perf_file_next(struct perf_file *file,
				    const struct perf_event_header **record);
/* When that record was, or 0 where it says nothing of that: as the one before it. */
uint64_t perf_file_time(const struct perf_file *file);
/*
 * Whether perf made this record up itself, without a time: it is about all that was recorded. One
 * that the kernel wrote has a time, where the recording has times at all.
 */
bool perf_file_is_timeless(struct perf_file *file, const struct perf_event_header *record);
/* Whether perf_file_rewind() can be: not of what comes out of a pipe. */
bool perf_file_can_rewind(const struct perf_file *file);
/* The first record is the next one again. What stands in front, and the times, stay known. */
void perf_file_rewind(struct perf_file *file);

/*
 * Instead of perf_file_next(): the records as they stand in the file. steps: see
 * perfdata_record_info.h; may be NULL.
 */
enum perf_file_state perf_file_scan(struct perf_file *file, const struct perf_steps *steps,
				    struct perf_sight *sight);

struct perf_survey;
struct perf_index_piece;

enum perf_file_survey {
	PERF_FILE_SURVEY_NONE,
	PERF_FILE_SURVEY_FOUND,
	PERF_FILE_SURVEY_WRONG, /* it contradicts itself, or the file */
};
/*
 * The survey that the file brought (perfdata_seek_index.h), before anything is read. FOUND: it is
 * added; of what is behind *upto it says nothing. WRONG: what of it stands at *wrong is, and some
 * of it may have been added.
 */
enum perf_file_survey perf_file_survey(struct perf_file *file, struct perf_survey *survey,
				       uint64_t *upto, uint64_t *wrong);
/* Whether there is a record where this piece of it begins, such as it says. */
bool perf_file_survey_holds(struct perf_file *file, const struct perf_index_piece *piece);
/* perf_file_scan() goes on there. */
void perf_file_scan_from(struct perf_file *file, uint64_t at);

/* Where in the file, [begin, end), there are such as are to be known later. */
struct perf_file_stretch {
	uint64_t begin, end;
};
struct perf_file_seek {
	uint64_t at; /* from there on all is told that is newer than this: */
	uint64_t after_ns; /* ... the newest time in front of it */
	/* What is in front and outside of these need not be read. malloc'ed. */
	struct perf_file_stretch *stretches;
	size_t stretch_count;
	/* Records in them that are told too (long_calls.h), in order. malloc'ed. */
	uint64_t *places;
	size_t place_count;
	bool incomplete; /* not all such calls, or not all of their records, are there */
};
/*
 * As perf_file_rewind(); then all that is to be known is told first. It takes the stretches and
 * the places.
 */
void perf_file_seek(struct perf_file *file, const struct perf_file_seek *seek);
int perf_file_fd(const struct perf_file *file); /* borrowed */
/* See perf_input_wait(). */
int perf_file_wait(struct perf_file *file, int wake_fd, int timeout_ms);

uint64_t perf_file_first_ns(const struct perf_file *file); /* of the first sample; 0: none */
uint64_t perf_file_newest_ns(const struct perf_file *file); /* of what was read so far */
uint64_t perf_file_told(const struct perf_file *file); /* records so far */
/* How far reading is, and how far it goes: bytes. Of a pipe *size is 0. */
uint64_t perf_file_progress(const struct perf_file *file, uint64_t *size);
/*
 * What is wrong with it, as far as it was read: a sentence that says where. NULL: nothing is.
 * *damaged: it is not as its recorder left it; one that was cut short while it was written is
 * sound as far as it goes. The pointer may be NULL.
 */
const char *perf_file_trouble(const struct perf_file *file, bool *damaged);

#endif
