/*
 * perf_stacks - samples of switch-outs and wakings, with the stacks that they bring.
 *
 * A part of perf_decode, which see: it has found out about the event and read the common fields.
 */
#ifndef PERF_PERF_STACKS_H
#define PERF_PERF_STACKS_H

#include "engine/source/perf/perf_cursor.h"
#include "engine/source/perf/perf_decode_state.h"

/*
 * The stack of an enter, and the raw bytes behind it; false if the sample is not what it says.
 * All is borrowed from the sample.
 */
bool perf_stacks_enter(struct perf_decode *decode, struct perf_cursor *rest,
		       struct record_stack *stack, const unsigned char **raw, size_t *raw_bytes);
/* `record` has the common fields; `rest` is what follows them. */
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
