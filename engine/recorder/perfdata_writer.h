/*
 * perfdata_writer - writes a perf.data file sequentially, see perfdata_ext.h.
 *
 * Everything that perf needs to open the file precedes the first record. A checkpoint makes the
 * records so far readable even if the writer is killed. After a failed write, no more records are
 * written; those before it remain. A pipe gets the format of perf's own `-o -`, with extension
 * records in between. A pipe lacks data that is known only at the end. One thread.
 *
 *	writer = perfdata_writer_new(fd, &options);
 *	perfdata_writer_begin(writer);
 *	perfdata_writer_put(writer, records, len);
 *	perfdata_writer_checkpoint(writer);		periodically
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
	const struct perfdata_machine *machine; /* borrowed for the life of the writer */
	const char *const *argv; /* borrowed until begin returns; ends with NULL */
	uint32_t stack_bytes; /* maximum bytes of a user stack */
	int level; /* zstd level; 0: uncompressed */
	bool pipe; /* write perf's pipe format, without seeking */
	const atomic_bool *give_up; /* borrowed; true: do not wait for a pipe. NULL: always wait */
};

/* fd: an empty file or a pipe, open for writing; the writer takes ownership. */
struct perfdata_writer *perfdata_writer_new(int fd, const struct perfdata_writer_options *options);
/* Write everything that precedes the records. -errno after a failed write, also in later calls. */
int perfdata_writer_begin(struct perfdata_writer *writer);
void perfdata_writer_free(struct perfdata_writer *writer); /* closes the file */

/*
 * Add a tracepoint; takes ownership of the format. Return its number in the file. If it is added
 * after begin, perf sees it only in a finished file; in a pipe, at once.
 */
int perfdata_writer_add_event(struct perfdata_writer *writer,
			      const struct perfdata_machine_format *take);

/* Append whole records. -errno as for begin. */
int perfdata_writer_put(struct perfdata_writer *writer, const void *records, size_t len);
/*
 * Append observations that perfdata_observations_add() encoded. Their records are linked, so that a
 * reader finds them without reading all records.
 */
int perfdata_writer_put_observations(struct perfdata_writer *writer,
				     const struct str *observations);
/* Set the times of the first and last sample so far, for the header. */
void perfdata_writer_set_times(struct perfdata_writer *writer, uint64_t first_ns, uint64_t last_ns);
int perfdata_writer_checkpoint(struct perfdata_writer *writer);
/*
 * Set the build-ids for symbol lookup by perf: records of perfdata_build_ids.h, borrowed until
 * finish returns.
 */
void perfdata_writer_set_build_ids(struct perfdata_writer *writer, const char *records, size_t len);
/*
 * Add an extension section (enum perfdata_ext_feature), uncompressed; finish writes it. False: too
 * long, or compression failed.
 */
bool perfdata_writer_add_own(struct perfdata_writer *writer, unsigned feature, unsigned version,
			     const struct str *bytes);
/* Complete the file; after a failed write, as far as possible. -errno of the first failure. */
int perfdata_writer_finish(struct perfdata_writer *writer);

uint64_t perfdata_writer_bytes(const struct perfdata_writer *writer); /* size of the file so far */

#endif
