/*
 * bpf_predicates - what the programs in the kernel are told to leave out.
 *
 * A filter becomes a bank of settings (shared.h) and bits by pid and tid, written
 * beside those in force; then one number is changed, and every call that begins or
 * ends from then on is judged by the new one. This program's own threads are said once, before the
 * programs run, the targets then and whenever they change; what a target starts, the kernel adds
 * by itself.
 * Cgroups are told by number: in a mixed hierarchy, who is at the root of the unified one gets
 * through, since /proc may say otherwise.
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
	uint32_t change; /* in force */
	struct task_list named; /* everybody of whom the chosen map says anything */
	uint32_t *bits; /* ... and what: as many as named.capacity */
	size_t bits_capacity;
	const struct cgroups *cgroups; /* borrowed */
	uint64_t ids[BPF_BANKS][BPF_CGROUPS]; /* that the cgroups map has for each bank */
	int id_count[BPF_BANKS];
	struct kernel_filter filter; /* in force, if it names cgroups */
};

void bpf_predicates_init(struct bpf_predicates *predicates, struct bpf_load *load,
			 const struct cgroups *cgroups);
void bpf_predicates_release(struct bpf_predicates *predicates);

/* Before the programs run. -errno with a sentence. */
int bpf_predicates_set_target(struct bpf_predicates *predicates, const struct target *target,
			      const uint32_t *own_tids, size_t own_tid_count, struct err *err);

/*
 * Another target while they run, with what it changes; the filter in force is put in force once
 * more, so that threads are judged anew. -errno with a sentence; who is new may be watched then.
 */
int bpf_predicates_change_target(struct bpf_predicates *predicates, const struct target *target,
				 const struct target_change *change,
				 const struct kernel_filter *filter, struct err *err);

/* Puts a filter in force. -errno with a sentence; then the old one stays. */
int bpf_predicates_set_filter(struct bpf_predicates *predicates, const struct kernel_filter *filter,
			      struct err *err);

/*
 * Looks up again what cgroups the filter in force means, if some were made meanwhile: until
 * then, the kernel lets all through. -errno with a sentence.
 */
int bpf_predicates_refresh(struct bpf_predicates *predicates, struct err *err);

/* The part of a filter that is not about tasks or cgroups; for the above, and for tests. */
void bpf_predicates_fill_bank(struct bpf_bank *bank, const struct kernel_filter *filter);

#endif
