/*
 * perfdata_file_private - shared by the parts of perfdata_file.
 *
 * For perfdata_file.c and perfdata_file_*.c only.
 */
#ifndef READ_PERFDATA_FILE_PRIVATE_H
#define READ_PERFDATA_FILE_PRIVATE_H

#include "engine/recording/perfdata_decompress.h"
#include "engine/recording/perfdata_input.h"
#include "engine/recording/perfdata_order.h"
#include "engine/recording/read/perfdata_file.h"

#include <stddef.h>

/*
 * Record types of perf itself (PERF_RECORD_USER_TYPE_START, tools/lib/perf/include/perf/event.h).
 */
enum user_type {
	FIRST_USER_TYPE = 64,
	TYPE_HEADER_ATTR = 64,
	TYPE_TRACING_DATA = 66,
	TYPE_BUILD_ID = 67,
	TYPE_FINISHED_ROUND = 68,
	TYPE_AUXTRACE = 71,
	TYPE_HEADER_FEATURE = 80,
	TYPE_COMPRESSED = 81,
	TYPE_COMPRESSED2 = 83,
};

#define PERFDATA_FILE_ATTR_MIN 64 /* PERF_ATTR_SIZE_VER0 */

struct perfdata_file {
	struct perfdata_input *input;
	struct perfdata_header *header;
	struct perfdata_decompress *unpack; /* NULL: no compressed record so far */
	struct perfdata_order *order;
	struct perfdata_kernel_map kernel;
	bool has_kernel;
	struct perfdata_file_own own;
	const struct perf_event_header *own_ready; /* record read, but not delivered yet */
	bool is_own, read_any;
	bool unfinished; /* the recorder was stopped before it finished the file */
	uint64_t observations_end; /* end of the records; unfinished file: at its last checkpoint */
	uint64_t data_at, data_end; /* range of the records in a file */
	bool stream; /* format of a pipe: header and features are records, too */
	bool unpacking; /* the record at the input is compressed and being unpacked */
	size_t in_front; /* size of the last returned record, which is still to be skipped */
	bool sampled; /* a sample was read: all records before it are known */
	bool ended;
	struct {
		char *bytes; /* NULL: not being read */
		size_t len, got;
	} tracing; /* tracepoint formats, which follow their record in a pipe */
	uint64_t learned_at; /* header records up to this offset have been added */
	uint64_t reported_ns; /* time of the last record delivered */
	bool seeking; /* records are filtered, see perfdata_file_seek() */
	struct perfdata_file_seek seek;
	size_t stretch; /* index of the current or next range */
	size_t place; /* index of the next place */
	/*
	 * words_before_time and words_behind_time are set: numbers of 8-byte words before the time
	 * in samples, and after it in other records; -1: no time.
	 */
	bool knows_time;
	int words_before_time, words_behind_time;
	uint64_t sample_ns; /* time of the last sample, in file order */
	uint64_t first_ns, newest_ns, reported;
	uint64_t packed_at; /* offset of the compressed record being unpacked */
	uint64_t packed_which; /* number of records read from the compressed record */
	bool packed_entry; /* the compressed record needs no earlier ones */
	bool damaged; /* `trouble` is damage, not just a stopped recorder */
	struct err trouble; /* "": no problem so far */
};

/* Store a problem. The first one stays, but damage replaces a note about a stopped recorder. */
void perfdata_file_note(struct perfdata_file *file, bool damaged, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Return the next record in file order, decompressed if needed; borrowed until the next call. */
enum perfdata_file_state perfdata_file_next_written(struct perfdata_file *file,
						    const struct perf_event_header **record);
/*
 * Return the next record if it is valid, uncompressed, of a kernel type and already in memory;
 * otherwise NULL.
 */
const struct perf_event_header *perfdata_file_next_ready(struct perfdata_file *file);
/* Process a record of perf's own types, and skip the data after it. */
void perfdata_file_take_user_record(struct perfdata_file *file,
				    const struct perf_event_header *record);
/* True if this is a record of a pipe and has the contents of a section of a file. */
bool perfdata_file_is_section(const struct perfdata_file *file,
			      const struct perf_event_header *record);
/* True if the record at the input is read for the first time. */
bool perfdata_file_learns(struct perfdata_file *file);
/* Return the time of a record of another recorder; `otherwise` if it has none. */
uint64_t perfdata_file_record_time(struct perfdata_file *file,
				   const struct perf_event_header *record, uint64_t otherwise);
/*
 * During a seek: _jump() skips to the next range to read; _leaves_out() is true if the record is
 * not to be delivered.
 */
void perfdata_file_jump(struct perfdata_file *file);
bool perfdata_file_leaves_out(struct perfdata_file *file, const struct perf_event_header *record,
			      uint64_t time_ns);
/* Read at least one record and queue it for delivery. PERFDATA_FILE_END: no more records. */
enum perfdata_file_state perfdata_file_read_on(struct perfdata_file *file);

#endif
