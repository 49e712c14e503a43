/*
 * perf_sideband - records that are not samples: names, mappings, births, deaths, losses, switches.
 *
 * They end with the fields that samples begin with (sample_id_all). A part of
 * perf_decode, which see. One thread.
 */
#ifndef PERF_PERF_SIDEBAND_H
#define PERF_PERF_SIDEBAND_H

#include "engine/source/perf/perf_decode_state.h"

/* The record has at least its header and PERF_COMMON_BYTES. */
void perf_sideband_decode(struct perf_decode *decode, const struct perf_event_header *header,
			  uint32_t cpu, record_fn *take, void *ctx);

#endif
