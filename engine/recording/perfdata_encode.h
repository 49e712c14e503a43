/*
 * perfdata_encode - encodes records of the model as bytes of a perf.data file, see perfdata_ext.h.
 *
 * Appends to a buffer that the owner drains. Remembers which threads have an enter in the file: if
 * the enter of a RECORD_CALL is already there, it is not written again, as perf would see a second
 * call. Records that do not fit the format are counted and dropped. One thread.
 */
#ifndef RECORDING_PERFDATA_ENCODE_H
#define RECORDING_PERFDATA_ENCODE_H

#include "engine/base/idmap.h"
#include "engine/base/str.h"
#include "engine/record/record.h"

/* Return the number of a tracepoint in the file, at least PERFDATA_EXT_EVENT_OTHERS; -1: none. */
typedef int perfdata_encode_event_fn(void *ctx, uint32_t number);

struct perfdata_encode {
	struct str out;
	struct idmap entered; /* by tid: see encode_remember() */
	struct idmap build_ids; /* by hash: build-ids already written */
	/* copies of the build-id records, for the feature section at the end */
	struct str build_id_records;
	uint16_t enter_type, exit_type; /* tracepoint ids */
	bool no_waits; /* the source has no switch records */
	bool no_ins; /* only switch-outs are recorded */
	perfdata_encode_event_fn *event;
	void *event_ctx;
	uint64_t first_ns, last_ns; /* earliest and latest time of a record; 0: none yet */
	uint64_t left_out;
};

void perfdata_encode_init(struct perfdata_encode *encode);
void perfdata_encode_release(struct perfdata_encode *encode);
/* Begin another file: forget what the previous one contains. */
void perfdata_encode_forget(struct perfdata_encode *encode);

/* copies: see perfdata_file_types.h. began_ns: start of the collection. */
void perfdata_encode_begin(struct perfdata_encode *encode, bool copies, uint64_t began_ns);
void perfdata_encode_record(struct perfdata_encode *encode, const struct record *record);
/* Encode a mapping that existed before the file began: time 0 makes perf apply it at once. */
void perfdata_encode_old_map(struct perfdata_encode *encode, const struct record *record);
/* Encode the end of a drain up to this time. */
void perfdata_encode_drained(struct perfdata_encode *encode, uint64_t time_ns);
/* End a round: perf then delivers the records up to the newest one of the previous round. */
void perfdata_encode_round(struct perfdata_encode *encode);
/* Encode the format of another tracepoint. Call before its first event. */
void perfdata_encode_format(struct perfdata_encode *encode, int event, const char *name,
			    const char *text, size_t len);
/* Encode a mapping of kernel code as perf does: [kernel.kallsyms]_text or a module. */
void perfdata_encode_kernel_map(struct perfdata_encode *encode, uint64_t start, uint64_t bytes,
				uint64_t offset, const char *path);
/* Encode the build-id of a file. Call before its first mapping. */
void perfdata_encode_build_id(struct perfdata_encode *encode, bool kernel, uint32_t pid,
			      const char *path, const uint8_t *id, uint32_t bytes);

#endif
