/*
 * bpf_overflow - calls that the rings had no room for, as sums.
 *
 * The programs add them up by process, syscall and duration (shared.h). Reading that costs
 * system calls, so it is done when there are new ones, and not often; what grew
 * since the last time is handed over as RECORD_COUNTED, and how many calls are missing in
 * the stream as RECORD_LOST, which is marked as counted. The source's thread only.
 */
#ifndef SOURCE_BPF_OVERFLOW_H
#define SOURCE_BPF_OVERFLOW_H

#include "engine/base/idmap.h"
#include "engine/source/bpf_load.h"
#include "engine/source/perf_decode.h"
#include "engine/source/source.h"

struct bpf_overflow {
	struct bpf_load *load; /* borrowed */
	struct idmap known;    /* a key's bytes to what was handed over of it */
	struct bpf_cpu *told;  /* for each ring, what was told of its CPU */
	uint64_t counted, lost, missed;
	uint64_t read_ns;      /* when the sums were read last */
	bool stale;	       /* there are new ones since */
	bool filter_is_exact;  /* the programs test all of it */
	bool filter_changed;   /* ... but some calls were counted under another one */
};

void bpf_overflow_init(struct bpf_overflow *overflow, struct bpf_load *load);
void bpf_overflow_release(struct bpf_overflow *overflow);

/* The programs have another filter now. */
void bpf_overflow_set_filter(struct bpf_overflow *overflow, const struct kernel_filter *filter);

/* After each drain. `last`: nothing more is to come, so the sums are read in any case. */
void bpf_overflow_settle(struct bpf_overflow *overflow, uint64_t now_ns, bool last,
			 struct perf_decode *decode, record_fn *take, void *ctx);

#endif
