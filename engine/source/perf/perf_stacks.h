/*
 * perf_stacks - decodes samples of switch-outs and wakings, with their stacks.
 *
 * A part of perf_decode.h, which has looked up the event and read the common fields.
 */
#ifndef PERF_PERF_STACKS_H
#define PERF_PERF_STACKS_H

#include "engine/source/perf/perf_cursor.h"
#include "engine/source/perf/perf_decode_state.h"

/*
 * Set `cut` of a callchain from the kernel, which ends it after `max` frames of both halves. A
 * complete chain of exactly `max` frames looks the same and counts as cut. max 0: no limit.
 */
void perf_stacks_limit(struct record_stack *stack, uint32_t max);

/*
 * Read the stack of an enter and the raw bytes after it, all borrowed from the sample. False if the
 * sample is malformed.
 */
bool perf_stacks_enter(struct perf_decode *decode, struct perf_cursor *rest,
		       struct record_stack *stack, const unsigned char **raw, size_t *raw_bytes);
/* Decode a sample. `record` has the common fields; `rest` follows them. */
void perf_stacks_switch(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, struct perf_cursor *rest, record_fn *take,
			void *ctx);
void perf_stacks_running(struct perf_decode *decode, const struct perf_id *event,
			 struct record *record, struct perf_cursor *rest, record_fn *take,
			 void *ctx);
void perf_stacks_waking(struct perf_decode *decode, const struct perf_id *event,
			struct record *record, struct perf_cursor *rest, record_fn *take,
			void *ctx);

#endif
