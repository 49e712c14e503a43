/*
 * bpf_overflow - calls that the rings had no room for, as sums.
 *
 * The programs add them up by process, syscall and duration (shared.h). They are taken from
 * there when there are new ones, a few times a second and before there could be too many of
 * them, and handed over as RECORD_AGGREGATE; how many calls are missing in the stream,
 * as RECORD_LOST, which is marked as counted. The source's thread only.
 */
#ifndef BPF_BPF_OVERFLOW_H
#define BPF_BPF_OVERFLOW_H

#include "engine/source/bpf/bpf_load.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/source.h"

struct bpf_overflow {
	struct bpf_load *load; /* borrowed */
	struct bpf_cpu *reported; /* what was told of each CPU */
	uint64_t missed;
	uint64_t read_ns; /* when the sums were read last */
	uint64_t asked_ns; /* the same of what the programs missed */
	uint64_t since_read; /* calls that were counted since */
	uint64_t unread; /* calls whose sums the kernel may not have handed over */
	bool filter_is_exact; /* the programs test all of it */
	bool filter_changed; /* ... but some calls were counted under another one */
};

void bpf_overflow_init(struct bpf_overflow *overflow, struct bpf_load *load);
void bpf_overflow_release(struct bpf_overflow *overflow);

/* The programs have another filter now. */
void bpf_overflow_set_filter(struct bpf_overflow *overflow, const struct kernel_filter *filter);

/* After each drain. `last`: nothing more is to come, so the sums are read in any case. */
void bpf_overflow_settle(struct bpf_overflow *overflow, uint64_t now_ns, bool last,
			 struct perf_decode *decode, record_fn *take, void *ctx);

#endif
