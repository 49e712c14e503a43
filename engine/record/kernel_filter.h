/*
 * kernel_filter - the part of a filter that the kernel can test by itself.
 *
 * A superset: whatever the whole filter accepts passes this one too; the rest
 * is tested on the finished call. Plain data; owns its arrays.
 */
#ifndef RECORD_KERNEL_FILTER_H
#define RECORD_KERNEL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL_FILTER_UIDS 16 /* ranges at most */
#define KERNEL_FILTER_CGROUPS 64 /* words at most */
#define SYSCALL_NR_MAX 1024 /* numbers at and above are never filtered out */

/* Numbers from lo to hi, both included. */
struct id_range {
	uint32_t lo, hi;
};

struct kernel_filter {
	bool by_syscall; /* only the numbers set in `syscalls` */
	uint8_t syscalls[SYSCALL_NR_MAX / 8];
	uint32_t *pids; /* only these processes ... */
	size_t pid_count;
	uint32_t *tids; /* ... or these threads; both empty: any */
	size_t tid_count;
	uint32_t *not_pids; /* and none of these */
	size_t not_pid_count;
	/* What programs in the kernel can test, and nothing else lets less through for. */
	bool by_uid; /* only threads whose effective user is in one of these, which are sorted */
	struct id_range *uids;
	size_t uid_count;
	char **cgroups; /* only threads in what these words mean, see cgroup_path.h; none: any */
	size_t cgroup_count;
	/* Something of the filter, here or not, asks for the user or cgroup at each call. */
	bool owners;
	bool nothing; /* no call can match at all */
	bool exact; /* all of the above is the whole filter: nothing is left to be tested */
	bool totals_exact; /* ... of calls that are counted, not told: those have returned */
	/* Of calls that ended; what cannot test these lets all of them through. */
	uint64_t min_dur_ns; /* only calls that took at least so long */
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

/* Whether a call of that thread gets through. */
bool kernel_filter_passes(const struct kernel_filter *filter, uint32_t pid, uint32_t tid,
			  uint32_t nr);

void kernel_filter_init(struct kernel_filter *filter);
void kernel_filter_release(struct kernel_filter *filter);
void kernel_filter_copy(struct kernel_filter *to, const struct kernel_filter *from);

#endif
