/*
 * kernel_filter - the pushdown: the part of a filter that the kernel tests.
 *
 * It passes a superset of the calls that the filter passes; the remaining terms are tested on the
 * finished call. Plain data; owns its arrays.
 */
#ifndef RECORD_KERNEL_FILTER_H
#define RECORD_KERNEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_FILTER_UIDS 16 /* maximum number of ranges */
#define KERNEL_FILTER_CGROUPS 64 /* maximum number of words */
#define SYSCALL_NR_MAX 1024 /* this and higher numbers are never dropped */

/* Inclusive range. */
struct id_range {
	uint32_t lo, hi;
};

struct kernel_filter {
	bool by_syscall; /* only the syscalls whose bits are set in `syscalls` */
	uint8_t syscalls[SYSCALL_NR_MAX / 8];
	uint32_t *pids; /* only these processes ... */
	size_t pid_count;
	uint32_t *tids; /* ... or these threads; both empty: any */
	size_t tid_count;
	uint32_t *not_pids; /* and never these processes */
	size_t not_pid_count;
	/* Only BPF programs test uids and cgroups; other sources ignore both. */
	bool by_uid; /* only threads with an effective uid in `uids`, which is sorted */
	struct id_range *uids;
	size_t uid_count;
	char **cgroups; /* only threads in matching cgroups, see cgroup_path.h; empty: any */
	size_t cgroup_count;
	/* A term, pushed down or not, needs the uid or cgroup of each call. */
	bool owners;
	bool nothing; /* no call can match */
	bool exact; /* the pushdown is the whole filter: no terms remain */
	bool totals_exact; /* no terms remain for aggregated calls, which have all returned */
	/* Conditions on finished calls; sources that cannot test them pass all calls. */
	uint64_t min_dur_ns; /* only calls of at least this duration */
	bool failed; /* only calls that returned an error */
};

static inline void kernel_filter_allow(struct kernel_filter *filter, uint32_t nr)
{
	if (nr < SYSCALL_NR_MAX)
		filter->syscalls[nr / 8] |= (uint8_t)(1u << (nr % 8));
}

static inline bool kernel_filter_allows(const struct kernel_filter *filter, uint32_t nr)
{
	return !filter->by_syscall || nr >= SYSCALL_NR_MAX ||
	       (filter->syscalls[nr / 8] >> (nr % 8) & 1);
}

/* True if the syscall, process and thread pass. Does not test uid, cgroup, duration and result. */
bool kernel_filter_passes(const struct kernel_filter *filter, uint32_t pid, uint32_t tid,
			  uint32_t nr);

void kernel_filter_init(struct kernel_filter *filter);
void kernel_filter_release(struct kernel_filter *filter);
void kernel_filter_copy(struct kernel_filter *to, const struct kernel_filter *from);

#endif
