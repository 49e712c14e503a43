/*
 * perf_sideband - decodes sideband records: COMM, MMAP2, FORK, EXIT, LOST and SWITCH.
 *
 * Sideband records end with the fields that samples begin with (sample_id_all). A part of
 * perf_decode.h. One thread.
 */
#ifndef PERF_PERF_SIDEBAND_H
#define PERF_PERF_SIDEBAND_H

#include "engine/source/perf/perf_decode_state.h"

/* Decode a record. It must have a header and at least PERF_BARE_BYTES. */
void perf_sideband_decode(struct perf_decode *decode, const struct perf_event_header *header,
			  uint32_t cpu, record_fn *take, void *ctx);

#endif
