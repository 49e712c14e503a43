/*
 * perfdata_encode - records of the model as bytes of a perf.data file, see perfdata_ext.h.
 *
 * Appends to a buffer that its owner empties. Knows which threads' enters were written, so that
 * a call that is told as a whole after its enter is no second one to perf. A record that no file
 * can hold is counted and left out. One thread.
 */
#ifndef RECORDING_PERFDATA_ENCODE_H
#define RECORDING_PERFDATA_ENCODE_H

#include "engine/base/idmap.h"
#include "engine/base/str.h"
#include "engine/record/record.h"

/*
 * The number in the file of another tracepoint, from PERFDATA_EXT_EVENT_OTHERS on; -1: it has none.
 */
typedef int perfdata_encode_event_fn(void *ctx, uint32_t number);

struct perfdata_encode {
	struct str out;
	struct idmap entered; /* threads: the time of the last enter, or 1 */
	struct idmap build_ids; /* that were written, by a hash */
	struct str build_id_records; /* those records once more, for the section at the end */
	uint16_t enter_type, exit_type; /* the tracepoints' numbers */
	bool no_waits; /* nobody tells of switches */
	bool no_ins; /* only switch-outs are recorded */
	perfdata_encode_event_fn *event;
	void *event_ctx;
	uint64_t first_ns, last_ns; /* of what has a time; 0: nothing yet */
	uint64_t left_out;
};

void perfdata_encode_init(struct perfdata_encode *encode);
void perfdata_encode_release(struct perfdata_encode *encode);
/* Another file begins: what was written is in the one before. */
void perfdata_encode_forget(struct perfdata_encode *encode);

/* copies: see perfdata_file_types.h; when it was begun. */
void perfdata_encode_begin(struct perfdata_encode *encode, bool copies, uint64_t began_ns);
void perfdata_encode_record(struct perfdata_encode *encode, const struct record *record);
/* A mapping that was there before; perf learns of it at once. */
void perfdata_encode_old_map(struct perfdata_encode *encode, const struct record *record);
/* All records so far were handed over at once, at that time. */
void perfdata_encode_drained(struct perfdata_encode *encode, uint64_t time_ns);
/* perf may sort and forget what was written before the round before. */
void perfdata_encode_round(struct perfdata_encode *encode);
/* Another tracepoint, before its first event. */
void perfdata_encode_format(struct perfdata_encode *encode, int event, const char *name,
			    const char *text, size_t len);
/* Code of the kernel, as perf tells it: [kernel.kallsyms]_text or a module. */
void perfdata_encode_kernel_map(struct perfdata_encode *encode, uint64_t start, uint64_t bytes,
				uint64_t offset, const char *path);
/* The build-id of a file, before its first mapping. */
void perfdata_encode_build_id(struct perfdata_encode *encode, bool kernel, uint32_t pid,
			      const char *path, const uint8_t *id, uint32_t bytes);

#endif
