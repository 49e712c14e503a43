/*
 * perfdata_writer - a perf.data file that is written from front to end, see perfdata_ext.h.
 *
 * All that perf needs to open it is there before the first record; a checkpoint makes what was
 * written so far readable, whatever becomes of the writer. A write that fails ends the writing:
 * what was written until then stays. Into a pipe goes what perf's own `-o -` writes, with the
 * records of ours among it; what is known at the end only is left out then. One thread.
 *
 *	writer = perfdata_writer_new(fd, &options);
 *	perfdata_writer_begin(writer);
 *	perfdata_writer_put(writer, records, len);
 *	perfdata_writer_checkpoint(writer);		now and then
 *	perfdata_writer_finish(writer);
 *	perfdata_writer_free(writer);
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

struct perfdata_writer;

struct perfdata_writer_options {
	const struct perfdata_machine *machine; /* borrowed as long as the writer */
	const char *const *argv; /* borrowed until begin returns; ends with NULL */
	uint32_t stack_bytes; /* of user stacks, at most */
	int level; /* of zstd; 0: as they are */
	bool pipe; /* nothing is gone back to: as perf writes to one */
	const atomic_bool *give_up; /* borrowed; set: a pipe is not waited for. or NULL */
};

/* fd: an empty file or a pipe, open for writing; it is the writer's from now on. */
struct perfdata_writer *perfdata_writer_new(int fd, const struct perfdata_writer_options *options);
/* All that is in front of the records. -errno, now and from now on: a write failed. */
int perfdata_writer_begin(struct perfdata_writer *writer);
void perfdata_writer_free(struct perfdata_writer *writer); /* closes */

/*
 * Another tracepoint; after begin, perf knows it once the file is finished, or of a pipe at once.
 * Takes the format; its number in the file.
 */
int perfdata_writer_add_event(struct perfdata_writer *writer,
			      const struct perfdata_machine_format *take);

/* Whole records. -errno as above. */
int perfdata_writer_put(struct perfdata_writer *writer, const void *records, size_t len);
/*
 * What was found out beside them, as perfdata_observations_add() made it: stands where it can be
 * found without reading all records.
 */
int perfdata_writer_put_observations(struct perfdata_writer *writer,
				     const struct str *observations);
/* When the samples so far were, for the header. */
void perfdata_writer_set_times(struct perfdata_writer *writer, uint64_t first_ns, uint64_t last_ns);
int perfdata_writer_checkpoint(struct perfdata_writer *writer);
/* What perf looks symbols up by: records of perfdata_build_ids.h, borrowed until finish returns. */
void perfdata_writer_set_build_ids(struct perfdata_writer *writer, const char *records, size_t len);
/*
 * A section of ours (enum perfdata_ext_feature), unpacked, which finish will write. False: it is
 * too long.
 */
bool perfdata_writer_add_own(struct perfdata_writer *writer, unsigned feature, unsigned version,
			     const struct str *bytes);
/* The last word; also after a failure, as far as that is possible. */
int perfdata_writer_finish(struct perfdata_writer *writer);

uint64_t perfdata_writer_bytes(const struct perfdata_writer *writer); /* of the file so far */

#endif
