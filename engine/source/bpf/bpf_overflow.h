/*
 * bpf_overflow - sums of the calls that the rings had no room for.
 *
 * The programs add them up by process, system call and duration (shared.h). The sums are read a few
 * times a second if there are new ones, and sooner if the maps could fill up. They are delivered as
 * RECORD_AGGREGATE. The number of calls without room is delivered as RECORD_LOST with
 * LOSS_OF_STREAM. Thread of the source only.
 */
#ifndef BPF_BPF_OVERFLOW_H
#define BPF_BPF_OVERFLOW_H

#include "engine/source/bpf/bpf_load.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/source.h"

struct bpf_overflow {
	struct bpf_load *load; /* borrowed */
	struct bpf_cpu *reported; /* counters already reported, by CPU */
	uint64_t missed;
	uint64_t read_ns; /* when the sums were last read */
	uint64_t asked_ns; /* when the missed runs of programs were last read */
	uint64_t since_read; /* calls counted since read_ns */
	uint64_t unread; /* calls whose sums may still be in the kernel */
	bool filter_is_exact; /* the programs test the whole filter */
	bool filter_changed; /* ... but some calls were counted under another filter */
};

void bpf_overflow_init(struct bpf_overflow *overflow, struct bpf_load *load);
void bpf_overflow_release(struct bpf_overflow *overflow);

/* Note that the programs have another filter now. */
void bpf_overflow_set_filter(struct bpf_overflow *overflow, const struct kernel_filter *filter);

/* Call after each drain. `last`: there are no further records, so read the sums in any case. */
void bpf_overflow_settle(struct bpf_overflow *overflow, uint64_t now_ns, bool last,
			 struct perf_decode *decode, record_fn *take, void *ctx);

#endif
