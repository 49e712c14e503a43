/*
 * bpf_calls - enters and exits by programs in the kernel, in place of events.
 *
 * What perf_calls is to perf events: the calls of the same source, which follow the filter,
 * while everything else (names, births, switches, wakings, stacks) comes from events as
 * ever. Each CPU has a ring, which is an input of the source's merge. Calls that a ring had no
 * room for are in sums that settle hands over.
 * The source's thread only; open and close may be on another one.
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
	struct perf_decode *decode; /* borrowed: whom nobody wants, and the order */
	uint64_t refreshed_ns; /* when the predicates were */
	uint64_t list_next_ns; /* when calls in flight for long are asked for again */
	bool busy; /* a ring had much at the last drain */
	uint64_t malformed;
};

/* -errno with a sentence that says what is missing. */
int bpf_calls_open(struct bpf_calls **calls, const struct source_options *options,
		   struct perf_decode *decode, struct err *err);
void bpf_calls_close(struct bpf_calls *calls); /* NULL is fine */

int bpf_calls_start(struct bpf_calls *calls, struct err *err);
/* How long to wait, if timeout_ms was the plan. */
int bpf_calls_wait_ms(const struct bpf_calls *calls, int timeout_ms);
void bpf_calls_set_running(struct bpf_calls *calls, bool running);
/* In force at once, but that calls which no program has seen so far come a little later. */
int bpf_calls_set_filter(struct bpf_calls *calls, const struct kernel_filter *filter,
			 struct err *err);
/* Others are watched from now on; filter: in force. -errno with a sentence. */
int bpf_calls_change_target(struct bpf_calls *calls, const struct target *target,
			    const struct target_change *change, const struct kernel_filter *filter,
			    struct err *err);
/* Whether all calls that are wanted are seen by now. */
bool bpf_calls_are_seen(struct bpf_calls *calls);

static inline uint32_t bpf_calls_inputs(const struct bpf_calls *calls)
{
	return calls ? calls->load.ring_count : 0;
}

/* Puts the rings into the merge as inputs from first_input on. */
void bpf_calls_begin(struct bpf_calls *calls, struct merge *merge, uint32_t first_input);
/* The merge's earliest input is ring number `ring`: hands over what is there. */
void bpf_calls_drain(struct bpf_calls *calls, struct merge *merge, uint32_t ring, record_fn *take,
		     void *ctx);
/* Everything up to the horizon was handed over; `last`: nothing more is to come. */
void bpf_calls_settle(struct bpf_calls *calls, uint64_t horizon_ns, bool last, record_fn *take,
		      void *ctx);

/* A blocked_regs_fn; ctx is these. */
bool bpf_calls_registers(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS], uint64_t *mask);

void bpf_calls_describe(struct bpf_calls *calls, struct source_status *status);

#endif
