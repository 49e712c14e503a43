/*
 * futex_table - a bounded number of futexes, found by address space and address.
 *
 * Look-up is one hash; making one allocates. At FUTEX_TABLE_MAX the least used of
 * those next in turn makes room and its sums are added up in `folded`; one that
 * somebody waits on stays, even if there are then more than that. Owned and
 * locked by the model.
 */
#ifndef TASKS_FUTEX_TABLE_H
#define TASKS_FUTEX_TABLE_H

#include "engine/base/histogram.h"
#include "engine/base/idmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUTEX_TABLE_MAX 65536
#define FUTEX_WAKERS_MAX 64 /* a futex tells so many apart */
#define FUTEX_RECENT_WAKES 4

/*
 * The kernel knows private and shared futexes at the same address as two. A shared
 * one is known by its process here, until somebody finds out what is mapped there.
 */
struct futex_key {
	uint64_t uaddr; /* 0: all those of a process whose address is not known */
	uint32_t generation; /* of the address space: struct process */
	bool shared;
};

/* Who ended waits, those with most of them near the front. */
struct futex_waker {
	uint32_t tid;
	uint32_t comm_id;
	uint64_t count;
};

/* A call that wakes, going on or a short time ago. */
struct futex_wake {
	uint64_t enter_ns; /* 0: none */
	uint64_t exit_ns; /* 0: it goes on */
	uint32_t tid;
	uint32_t left; /* how many waiters it may have woken that nobody accounted for */
};

/* Memory that processes share: what is known of a futex there from all of them. */
struct futex_memory {
	uint64_t device, inode, offset;
	uint32_t users; /* futexes */
	struct futex_wake recent[FUTEX_RECENT_WAKES];
};

/* Whether it is known what memory that others may share it is in. */
enum futex_backing {
	FUTEX_BACKING_NONE, /* in none, or the process was gone */
	FUTEX_BACKING_UNKNOWN, /* nobody looked yet */
	FUTEX_BACKING_ASKED, /* it is among those to look up */
	FUTEX_BACKING_KNOWN,
};

struct futex_waiter;

struct futex {
	uint64_t id; /* never used twice */
	struct futex_key key;
	uint32_t pid;
	uint32_t comm_id; /* of the process when it was first seen */
	struct futex *chain;
	uint32_t uses; /* how much it is worth keeping */
	uint32_t holds; /* waiters that speak of it */

	uint32_t epoch; /* the sums are of then */
	uint64_t waits; /* calls that may wait, and ended */
	uint64_t total_ns, max_ns;
	uint64_t contended_ns; /* in waits that were ended: for a lock, or shorter than that */
	uint64_t errors; /* of waits, the next two among them */
	uint64_t would_block; /* EAGAIN: the value had changed */
	uint64_t timeouts;
	uint64_t wakes; /* calls */
	uint64_t woken; /* threads, as those calls returned */
	uint64_t requeued; /* threads moved away from here */
	struct histogram times;
	struct futex_waker *wakers;
	size_t waker_count, waker_cap;
	uint64_t other_wakers; /* what those counted that had to make room */

	struct futex_wake own_recent[FUTEX_RECENT_WAKES]; /* without memory; futex_recent() */
	struct futex_waiter *first_waiter, *last_waiter; /* in flight, oldest first */
	uint32_t waiters;

	uint64_t used_ns; /* when a wait here ended or a wake was made last; not in sums alone */
	enum futex_backing backing;
	struct futex_memory *memory; /* FUTEX_BACKING_KNOWN */
	char *label; /* what is mapped there, for people; NULL: not known */
};

struct futex_folded {
	uint64_t futexes, waits, total_ns;
};

struct futex_table {
	struct futex **slots; /* chains */
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
/* Finds or makes; a new one is all zero but for its id and key. */
struct futex *futex_table_get(struct futex_table *table, const struct futex_key *key);

/* The futex is in that memory, as others may be. */
void futex_table_place(struct futex_table *table, struct futex *futex, uint64_t device,
		       uint64_t inode, uint64_t offset);

/* The latest wakes, from whichever process. */
static inline struct futex_wake *futex_recent(struct futex *futex)
{
	return futex->memory ? futex->memory->recent : futex->own_recent;
}

#endif
