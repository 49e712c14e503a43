/*
 * perfdata_file_private - what the parts of perfdata_file share. Nobody else includes it.
 */
#ifndef READ_PERFDATA_FILE_PRIVATE_H
#define READ_PERFDATA_FILE_PRIVATE_H

#include "engine/recording/perfdata_decompress.h"
#include "engine/recording/perfdata_input.h"
#include "engine/recording/perfdata_order.h"
#include "engine/recording/read/perfdata_file.h"

#include <stddef.h>

/* Records of perf itself (PERF_RECORD_USER_TYPE_START, tools/lib/perf/include/perf/event.h). */
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
	struct perfdata_decompress *unpack; /* NULL: nothing was compressed yet */
	struct perfdata_order *order;
	struct perfdata_kernel_map kernel;
	bool has_kernel;
	struct perfdata_file_own own;
	const struct perf_event_header *own_ready; /* was read, and not told yet */
	bool is_own, read_any;
	bool unfinished; /* its recorder was stopped before it ended it */
	uint64_t observations_end; /* of its records, as far as they were made findable */
	uint64_t data_at, data_end; /* of a file: where its records are */
	bool stream; /* as in a pipe: what stands in front are records too */
	bool unpacking; /* the record in front of the input is one that others are in */
	size_t in_front; /* bytes of the record that was handed out, still in front */
	bool sampled; /* a sample was read: what stands in front of them is over */
	bool ended;
	struct {
		char *bytes; /* NULL: it is not being read */
		size_t len, got;
	} tracing; /* in a pipe: formats, behind their record */
	uint64_t learned_at; /* what stands in front among the records was taken up to there */
	uint64_t reported_ns; /* of the record told last */
	bool seeking; /* not all is told: see perfdata_file_seek() */
	struct perfdata_file_seek seek;
	size_t stretch; /* where reading is in it, or which comes next */
	size_t place; /* the same */
	bool knows_time; /* where in records it stands: words in samples, and from the end; -1 */
	int words_before_time, words_behind_time;
	uint64_t sample_ns; /* of the last sample, in the order of the file */
	uint64_t first_ns, newest_ns, reported;
	uint64_t packed_at; /* where the record stands that others are in */
	uint64_t packed_which; /* so many came out of it */
	bool packed_entry; /* nothing in front of it is needed to unpack it */
	bool damaged; /* trouble is more than that the recorder was stopped */
	struct err trouble; /* "": nothing is wrong so far */
};

/* Notes what is wrong; of several things the first one, but what is damaged goes before. */
void perfdata_file_note(struct perfdata_file *file, bool damaged, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The next record that perf wrote, packed or not; it stays until the next call. */
enum perfdata_file_state perfdata_file_next_written(struct perfdata_file *file,
						    const struct perf_event_header **record);
/*
 * The same if it is one of the kernel's that is in memory already, and its size makes sense; NULL:
 * it is not.
 */
const struct perf_event_header *perfdata_file_next_ready(struct perfdata_file *file);
/* One that is not of the kernel: what it tells is taken, what is behind it passed over. */
void perfdata_file_take_user_record(struct perfdata_file *file,
				    const struct perf_event_header *record);
/* Whether it is one that has, in a pipe, what a file has in sections. */
bool perfdata_file_is_section(const struct perfdata_file *file,
			      const struct perf_event_header *record);
/* Whether the record in front of the input stands there for the first time. */
bool perfdata_file_learns(struct perfdata_file *file);
/* See perfdata_file.c: of a record that is not ours. */
uint64_t perfdata_file_record_time(struct perfdata_file *file,
				   const struct perf_event_header *record, uint64_t otherwise);
/* Before a record is read: over what need not be; whether one that was read is not to be told. */
void perfdata_file_jump(struct perfdata_file *file);
bool perfdata_file_leaves_out(struct perfdata_file *file, const struct perf_event_header *record,
			      uint64_t time_ns);
/* Reads one record and puts it in order. PERFDATA_FILE_END: there are no more. */
enum perfdata_file_state perfdata_file_read_on(struct perfdata_file *file);

#endif
