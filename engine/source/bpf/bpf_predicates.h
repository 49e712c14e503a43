/*
 * bpf_predicates - the part of target and filter that the BPF programs test.
 *
 * A filter becomes a bank of settings (shared.h) and bits by pid and tid, written beside those in
 * force. Then settings->change is set, which selects the bank: every call that begins or ends
 * afterwards is tested by the new filter. stxtop's own threads are set once, before the programs
 * run; targets are set then and on every change. The programs add descendants themselves.
 *
 * Cgroups are matched by id. In a mixed hierarchy, tasks at the root of the unified one pass, as
 * /proc may show another cgroup.
 *
 * One thread.
 */
#ifndef BPF_BPF_PREDICATES_H
#define BPF_BPF_PREDICATES_H

#include "engine/base/err.h"
#include "engine/process/cgroups.h"
#include "engine/process/proc_tasks.h"
#include "engine/process/target.h"
#include "engine/process/target_change.h"
#include "engine/record/kernel_filter.h"
#include "engine/source/bpf/bpf_load.h"

struct bpf_predicates {
	struct bpf_load *load; /* borrowed */
	uint32_t change; /* number of the filter in force */
	struct task_list named; /* every id in the chosen map */
	uint32_t *bits; /* ... and its bits: as many as named.capacity */
	size_t bits_capacity;
	const struct cgroups *cgroups; /* borrowed */
	uint64_t ids[BPF_BANKS][BPF_CGROUPS]; /* ids in the cgroups map, by bank */
	int id_count[BPF_BANKS];
	struct kernel_filter filter; /* filter in force, if it has cgroups */
};

void bpf_predicates_init(struct bpf_predicates *predicates, struct bpf_load *load,
			 const struct cgroups *cgroups);
void bpf_predicates_release(struct bpf_predicates *predicates);

/* Call before the programs run. -errno with a message. */
int bpf_predicates_set_target(struct bpf_predicates *predicates, const struct target *target,
			      const uint32_t *own_tids, size_t own_tid_count, struct err *err);

/*
 * Change the target while the programs run. Puts the filter in force again, so that all threads are
 * judged again. On failure return -errno with a message; added tasks can be watched nevertheless.
 */
int bpf_predicates_change_target(struct bpf_predicates *predicates, const struct target *target,
				 const struct target_change *change,
				 const struct kernel_filter *filter, struct err *err);

/* Put a filter in force. On failure return -errno with a message; the old one stays in force. */
int bpf_predicates_set_filter(struct bpf_predicates *predicates, const struct kernel_filter *filter,
			      struct err *err);

/*
 * If cgroups were created since the last lookup, look up again which ones the filter in force
 * matches. Until then the programs pass every cgroup. -errno with a message.
 */
int bpf_predicates_refresh(struct bpf_predicates *predicates, struct err *err);

/* Fill in the part of a filter without tasks and cgroups; for bpf_predicates.c and tests. */
void bpf_predicates_fill_bank(struct bpf_bank *bank, const struct kernel_filter *filter);

#endif
