/*
 * perfdata_file - the records of a perf.data file, or of perf's output in a pipe, by time.
 *
 * linux/tools/perf/Documentation/perf.data-file-format.txt describes the format: a header, one
 * attribute per event with its ids, the records, and feature sections (names, tracepoint formats).
 * In a pipe all of these are records. The input is untrusted: every offset and size is checked
 * before use. An invalid file is refused with an error message; a damaged end is dropped and
 * reported. The file is read in pieces: memory is bounded by the records that perfdata_order.h
 * stores. One thread.
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
	PERFDATA_FILE_WAIT, /* a pipe has no more bytes yet */
	PERFDATA_FILE_END,
};

struct perfdata_file_options {
	const char *path;
	int fd; /* > 0: as in perfdata_input_open() */
	/*
	 * The open of a pipe waits for the records before the first sample. It fails with
	 * -ECANCELED if this descriptor becomes readable earlier; 0: none.
	 */
	int cancel_fd;
	bool scanned; /* the caller only scans: the open reads no records */
};

int perfdata_file_open(struct perfdata_file **file, const struct perfdata_file_options *options,
		       struct err *err);
void perfdata_file_close(struct perfdata_file *file);

struct perfdata_header *perfdata_file_header(struct perfdata_file *file);
/* Return facts about a stxtop recording; NULL: another program wrote the file. */
const struct perfdata_file_own *perfdata_file_own(const struct perfdata_file *file);

/*
 * Pass all observations of a stxtop recording (engine/record/observation.h) to `take`, in file
 * order. False: their places are unknown; perfdata_file_next() delivers them among the records.
 * Call before the first perfdata_file_next().
 */
bool perfdata_file_observations(struct perfdata_file *file, observation_fn *take, void *ctx);

/* Return the kernel mapping that precedes the first sample; NULL: none. */
const struct perfdata_kernel_map *perfdata_file_kernel(const struct perfdata_file *file);

/*
 * Return the next record of the kernel's types in order of time, borrowed until the next call. A
 * stxtop recording yields extension records (PERFDATA_EXT_TYPE) too, in order of collection.
 */
enum perfdata_file_state perfdata_file_next(struct perfdata_file *file,
					    const struct perf_event_header **record);
/*
 * Return the time of the record that perfdata_file_next() returned last. Without a time: 0 for
 * extension records, the newest time for PERF_RECORD_LOST_SAMPLES, otherwise the time of the last
 * sample.
 */
uint64_t perfdata_file_time(const struct perfdata_file *file);
/*
 * True if the record has no time. In a recording with times, only records that perf synthesized for
 * the whole recording have none.
 */
bool perfdata_file_is_timeless(struct perfdata_file *file, const struct perf_event_header *record);
/* False for a pipe. */
bool perfdata_file_can_rewind(const struct perfdata_file *file);
/* Continue with the first record. The header and the known first and newest time stay. */
void perfdata_file_rewind(struct perfdata_file *file);

/*
 * Describe the next record in file order; call it instead of perfdata_file_next(). steps: see
 * perfdata_record_info.h; NULL is allowed.
 */
enum perfdata_file_state perfdata_file_scan(struct perfdata_file *file,
					    const struct perf_steps *steps,
					    struct perfdata_record_info *info);

struct perfdata_seek_index;
struct perfdata_time_index_piece;

enum perfdata_file_seek_index {
	PERFDATA_FILE_SEEK_INDEX_NONE,
	PERFDATA_FILE_SEEK_INDEX_FOUND,
	PERFDATA_FILE_SEEK_INDEX_WRONG, /* the index is inconsistent, or does not match the file */
};
/*
 * Add the embedded index to *seek_index (perfdata_seek_index.h). Call before a record is read.
 * FOUND: the index covers the file up to *upto. WRONG: the index record at *wrong is invalid;
 * earlier ones can have been added already.
 */
enum perfdata_file_seek_index perfdata_file_seek_index(struct perfdata_file *file,
						       struct perfdata_seek_index *seek_index,
						       uint64_t *upto, uint64_t *wrong);
/* True if the file has a matching record at the start of this piece. */
bool perfdata_file_seek_index_holds(struct perfdata_file *file,
				    const struct perfdata_time_index_piece *piece);
/* Continue perfdata_file_scan() at this offset. */
void perfdata_file_scan_from(struct perfdata_file *file, uint64_t at);

/* A range of the file, [begin, end), with records that must be read. */
struct perfdata_file_stretch {
	uint64_t begin, end;
};
struct perfdata_file_seek {
	uint64_t at; /* file offset from which all records newer than after_ns are delivered */
	uint64_t after_ns; /* newest time of the records before `at` */
	/* Ranges to read before `at`; the bytes between them are skipped. From malloc(). */
	struct perfdata_file_stretch *stretches;
	size_t stretch_count;
	/* Records of `stretches` to deliver, as sorted places (long_calls.h). From malloc(). */
	uint64_t *places;
	size_t place_count;
	bool incomplete; /* calls in flight, or records of them, can be missing */
};
/*
 * Rewind. Then perfdata_file_next() first delivers the side records of the ranges and the records
 * at `places`, and continues at seek->at. Takes ownership of both arrays.
 */
void perfdata_file_seek(struct perfdata_file *file, const struct perfdata_file_seek *seek);
int perfdata_file_fd(const struct perfdata_file *file); /* borrowed */
/* See perfdata_input_wait(). */
int perfdata_file_wait(struct perfdata_file *file, int wake_fd, int timeout_ms);

/* Time of the first sample, or the start of a stxtop recording; 0: none. */
uint64_t perfdata_file_first_ns(const struct perfdata_file *file);
uint64_t perfdata_file_newest_ns(const struct perfdata_file *file); /* newest time so far */
/* Count of records delivered. */
uint64_t perfdata_file_delivered(const struct perfdata_file *file);
/* Return the offset of the next byte to read; *size: bytes of the file, 0 for a pipe. */
uint64_t perfdata_file_progress(const struct perfdata_file *file, uint64_t *size);
/*
 * Return a message about a problem in the part read so far, with its offset; NULL: no problem.
 * *damaged: the file differs from the one that its recorder wrote. A file whose recorder was
 * stopped is not damaged. damaged NULL is allowed.
 */
const char *perfdata_file_trouble(const struct perfdata_file *file, bool *damaged);

#endif
