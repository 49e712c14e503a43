/*
 * bpf_calls - enters and exits from BPF programs, in place of perf events.
 *
 * The counterpart of perf_calls: the programs report the calls that the filter wants. Names, forks,
 * switches, wakeups and stacks still come from perf events. Each CPU has a ring, which is one input
 * of the merge of the source. Calls that a ring had no room for are added up in sums, which
 * bpf_calls_settle() delivers.
 *
 * Thread of the source only; open and close may run on another one.
 */
#ifndef BPF_BPF_CALLS_H
#define BPF_BPF_CALLS_H

#include "engine/process/cgroup_names.h"
#include "engine/process/proc_stack.h"
#include "engine/source/bpf/bpf_load.h"
#include "engine/source/bpf/bpf_overflow.h"
#include "engine/source/bpf/bpf_plan.h"
#include "engine/source/bpf/bpf_predicates.h"
#include "engine/source/perf/merge.h"
#include "engine/source/perf/perf_decode.h"
#include "engine/source/source.h"

struct bpf_calls {
	struct bpf_load load;
	struct bpf_plan plan;
	struct cgroups cgroups;
	struct cgroup_names cgroup_names;
	struct bpf_predicates predicates;
	struct bpf_overflow overflow;
	struct perf_decode *decode; /* borrowed: selects tasks, orders records */
	uint64_t refreshed_ns; /* when the predicates were last refreshed */
	uint64_t list_next_ns; /* when to list long calls in flight again */
	bool busy; /* a ring was more than 1/16 full at the last drain */
	uint64_t malformed;
};

/* -errno with a message that says what is missing. */
int bpf_calls_open(struct bpf_calls **calls, const struct source_options *options,
		   struct perf_decode *decode, struct err *err);
void bpf_calls_close(struct bpf_calls *calls); /* NULL is allowed */

int bpf_calls_start(struct bpf_calls *calls, struct err *err);
/* Return the timeout to use in place of timeout_ms. */
int bpf_calls_wait_ms(const struct bpf_calls *calls, int timeout_ms);
void bpf_calls_set_running(struct bpf_calls *calls, bool running);
/* Change the filter at once. Calls that need further programs are traced a little later. */
int bpf_calls_set_filter(struct bpf_calls *calls, const struct kernel_filter *filter,
			 struct err *err);
/* Replace the target; filter: the filter in force. -errno with a message. */
int bpf_calls_change_target(struct bpf_calls *calls, const struct target *target,
			    const struct target_change *change, const struct kernel_filter *filter,
			    struct err *err);
/* True if programs are attached at all calls that the filter wants. */
bool bpf_calls_are_seen(struct bpf_calls *calls);

static inline uint32_t bpf_calls_inputs(const struct bpf_calls *calls)
{
	return calls ? calls->load.ring_count : 0;
}

/* Add the rings to the merge; first_input: input number of the first ring. */
void bpf_calls_begin(struct bpf_calls *calls, struct merge *merge, uint32_t first_input);
/* Deliver the next record of ring number `ring`, which must be the earliest input of the merge. */
void bpf_calls_drain(struct bpf_calls *calls, struct merge *merge, uint32_t ring, record_fn *take,
		     void *ctx);
/* Call after all records up to the horizon were delivered. `last`: there are no further records. */
void bpf_calls_settle(struct bpf_calls *calls, uint64_t horizon_ns, bool last, record_fn *take,
		      void *ctx);

/* A blocked_regs_fn; ctx is the struct bpf_calls. */
bool bpf_calls_registers(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS], uint64_t *mask);

void bpf_calls_describe(struct bpf_calls *calls, struct source_status *status);

#endif
