/*
 * perfdata_writer - a perf.data file that is written from front to end, see perfdata_ext.h.
 *
 * All that perf needs to open it is there before the first record; a checkpoint makes what was
 * written so far readable, whatever becomes of the writer. A write that fails ends the writing:
 * what was written until then stays. Into a pipe goes what perf's own `-o -` writes, with the
 * records of ours among it; what is known at the end only is left out then. One thread.
 *
 *	writer = perf_writer_new(fd, &options);
 *	perf_writer_begin(writer);
 *	perf_writer_put(writer, records, len);
 *	perf_writer_checkpoint(writer);		now and then
 *	perf_writer_finish(writer);
 *	perf_writer_free(writer);
 */
#ifndef RECORDER_PERFDATA_WRITER_H
#define RECORDER_PERFDATA_WRITER_H

#include "engine/base/err.h"
#include "engine/base/str.h"
#include "engine/recording/perfdata_machine.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_writer;

struct perf_writer_options {
	const struct perf_machine *machine; /* borrowed as long as the writer */
	const char *const *argv; /* borrowed until begin returns; ends with NULL */
	uint32_t stack_bytes; /* of user stacks, at most */
	int level; /* of zstd; 0: as they are */
	bool pipe; /* nothing is gone back to: as perf writes to one */
	const atomic_bool *give_up; /* borrowed; set: a pipe is not waited for. or NULL */
};

/* fd: an empty file or a pipe, open for writing; it is the writer's from now on. */
struct perf_writer *perf_writer_new(int fd, const struct perf_writer_options *options);
/* All that is in front of the records. -errno, now and from now on: a write failed. */
int perf_writer_begin(struct perf_writer *writer);
void perf_writer_free(struct perf_writer *writer); /* closes */

/*
 * Another tracepoint; after begin, perf knows it once the file is finished, or of a pipe at once.
 * Takes the format; its number in the file.
 */
int perf_writer_add_event(struct perf_writer *writer, const struct perf_machine_format *take);

/* Whole records. -errno as above. */
int perf_writer_put(struct perf_writer *writer, const void *records, size_t len);
/*
 * What was found out beside them, as perf_findings_add() made it: stands where it can be found
 * without reading all records.
 */
int perf_writer_put_findings(struct perf_writer *writer, const struct str *findings);
/* When the samples so far were, for the header. */
void perf_writer_set_times(struct perf_writer *writer, uint64_t first_ns, uint64_t last_ns);
int perf_writer_checkpoint(struct perf_writer *writer);
/* What perf looks symbols up by: records of perfdata_build_ids.h, borrowed until finish returns. */
void perf_writer_set_build_ids(struct perf_writer *writer, const char *records, size_t len);
/*
 * A section of ours (enum perf_own_feature), unpacked, which finish will write. False: it is too
 * long.
 */
bool perf_writer_add_own(struct perf_writer *writer, unsigned feature, unsigned version,
			 const struct str *bytes);
/* The last word; also after a failure, as far as that is possible. */
int perf_writer_finish(struct perf_writer *writer);

uint64_t perf_writer_bytes(const struct perf_writer *writer); /* of the file so far */

#endif
