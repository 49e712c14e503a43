/*
 * futex_table - bounded table of futexes, by address space and address.
 *
 * A lookup is one hash; a new futex allocates. At FUTEX_TABLE_MAX, the least used of a few
 * candidates is evicted and its sums are added to `folded`. A futex with waiters is not evicted, so
 * the table can exceed the bound. Owned and locked by the model.
 */
#ifndef TASKS_FUTEX_TABLE_H
#define TASKS_FUTEX_TABLE_H

#include "engine/base/histogram.h"
#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUTEX_TABLE_MAX 65536
#define FUTEX_WAKERS_MAX 64 /* maximum number of wakers of a futex that have own counts */
#define FUTEX_RECENT_WAKES 4

/*
 * The kernel treats private and shared futexes at one address as two. A shared futex is identified
 * by its process until its mapping is known.
 */
struct futex_key {
	uint64_t uaddr; /* 0: stands for all futexes of the process with unknown addresses */
	uint32_t generation; /* of the address space, see struct process */
	bool shared;
};

/* A thread that ended waits. In the array, frequent wakers are near the front. */
struct futex_waker {
	uint32_t tid;
	uint32_t comm_id;
	uint64_t count;
};

/* A wake call, in flight or finished recently. */
struct futex_wake {
	uint64_t enter_ns; /* 0: none */
	uint64_t exit_ns; /* 0: in flight */
	uint32_t tid;
	uint32_t left; /* number of wakeups that are not attributed to a waiter yet */
};

/* A futex word in memory that processes share, and the recent wakes on it by all of them. */
struct futex_memory {
	uint64_t device, inode, offset;
	uint32_t users; /* number of struct futex that point here */
	struct futex_wake recent[FUTEX_RECENT_WAKES];
};

/* Whether the shared mapping of a futex is known. */
enum futex_backing {
	FUTEX_BACKING_NONE, /* private memory, or the process was gone */
	FUTEX_BACKING_UNKNOWN, /* not looked up yet */
	FUTEX_BACKING_ASKED, /* queued in futex_pending */
	FUTEX_BACKING_KNOWN,
};

struct futex_waiter;

struct futex {
	uint64_t id; /* never reused */
	struct futex_key key;
	uint32_t pid;
	uint32_t comm_id; /* comm_id of the process when the futex was first seen */
	struct futex *chain;
	uint32_t uses; /* number of uses; a search for a futex to evict halves those it compares */
	uint32_t holds; /* references by waiters; not evicted while > 0 */

	uint32_t epoch; /* value of futexes->epoch to which the sums belong */
	uint64_t waits; /* finished calls that may wait */
	uint64_t total_ns, max_ns;
	uint64_t contended_ns; /* sum of successful waits that were for a lock or under 100 ms */
	uint64_t errors; /* failed waits; includes would_block and timeouts */
	uint64_t would_block; /* EAGAIN: the value had changed */
	uint64_t timeouts;
	uint64_t wakes; /* wake calls */
	uint64_t woken; /* threads woken, by the results of these calls */
	uint64_t requeued; /* threads moved to another futex */
	struct histogram times;
	struct futex_waker *wakers;
	size_t waker_count, waker_cap;
	uint64_t other_wakers; /* counts of wakers that were evicted from `wakers` */

	/* recent wakes, unless `memory` is set: see futex_recent() */
	struct futex_wake own_recent[FUTEX_RECENT_WAKES];
	struct futex_waiter *first_waiter, *last_waiter; /* in flight, oldest first */
	uint32_t waiters;

	/* Time of the last end of a wait or wake here; futexes_count() leaves it unchanged. */
	uint64_t used_ns;
	enum futex_backing backing;
	struct futex_memory *memory; /* set if FUTEX_BACKING_KNOWN */
	char *label; /* name of the mapping, for display; NULL: unknown */
};

struct futex_folded {
	uint64_t futexes, waits, total_ns;
};

struct futex_table {
	struct futex **slots; /* heads of chains */
	size_t slot_count; /* a power of two, or 0 */
	struct futex **all;
	size_t count, cap;
	size_t hand; /* where the next search for a victim begins */
	uint64_t last_id;
	struct futex_folded folded;
	struct idmap memories;
};

void futex_table_init(struct futex_table *table);
void futex_table_release(struct futex_table *table);

struct futex *futex_table_find(const struct futex_table *table, const struct futex_key *key);
/* Find or create; a new futex is zeroed except id, key and histogram. */
struct futex *futex_table_get(struct futex_table *table, const struct futex_key *key);

/* Set the shared memory that contains the futex. Futexes of other processes can share it. */
void futex_table_place(struct futex_table *table, struct futex *futex, uint64_t device,
		       uint64_t inode, uint64_t offset);

/* Return the recent wakes: those by all processes if the shared memory is known. */
static inline struct futex_wake *futex_recent(struct futex *futex)
{
	return futex->memory ? futex->memory->recent : futex->own_recent;
}

#endif
