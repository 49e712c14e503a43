/*
 * deadlocks - cycles of threads, each of which waits for a lock that the next one holds.
 *
 * Lock owners are derived from memory that changes during the reads. A cycle is confirmed only if
 * it is found twice, DEADLOCKS_CONFIRM_NS apart, with the same calls of the same threads. The owner
 * of a lock that is merely contended changes. Not thread-safe.
 */
#ifndef TASKS_DEADLOCKS_H
#define TASKS_DEADLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEADLOCKS_CONFIRM_NS (100 * 1000000ULL)
/* Maximum number of stored cycles; further ones are ignored. */
#define DEADLOCKS_MAX 64

struct deadlock_wait {
	uint32_t pid, tid;
	uint64_t uaddr;
	uint64_t enter_ns; /* enter of the waiting call: another call is another wait */
	uint32_t owner; /* tid of the lock owner; 0: unknown */
};

struct deadlock {
	struct deadlock_wait *waits; /* each thread waits for the next, the last for the first */
	size_t count;
	uint64_t found_ns; /* time of the first search that found it */
	bool confirmed;
	uint32_t recorded_file; /* set by the caller: recording that has this deadlock; 0: none */
};

struct deadlocks {
	struct deadlock found[DEADLOCKS_MAX];
	size_t count;
};

void deadlocks_init(struct deadlocks *deadlocks);
void deadlocks_release(struct deadlocks *deadlocks);

/* True if a wait of a cycle continues. Called for each wait before a cycle is confirmed. */
typedef bool deadlocks_check_fn(void *ctx, const struct deadlock_wait *wait);

/*
 * Search again. waits: all waits that are known now, at most one for each thread; sorted in place.
 * Cycles of the last search that are not found again are discarded.
 */
void deadlocks_look(struct deadlocks *deadlocks, struct deadlock_wait *waits, size_t count,
		    uint64_t now_ns, deadlocks_check_fn *check, void *ctx);
/* Number of cycles that are not confirmed. */
size_t deadlocks_doubtful(const struct deadlocks *deadlocks);

#endif
