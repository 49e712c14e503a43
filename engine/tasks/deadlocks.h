/*
 * deadlocks - cycles of threads, each waiting for a lock that the next one holds.
 *
 * Owners are guesses read from memory that changes meanwhile, so a cycle counts
 * only when it was found twice, DEADLOCKS_CONFIRM_NS apart, by the same calls of
 * the same threads: a lock that is merely contended changes hands. Not thread-safe.
 */
#ifndef TASKS_DEADLOCKS_H
#define TASKS_DEADLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEADLOCKS_CONFIRM_NS (100 * 1000000ULL)
/* Longer cycles are cut for showing. */
#define DEADLOCKS_MAX 64

struct deadlock_wait {
	uint32_t pid, tid;
	uint64_t uaddr;
	uint64_t enter_ns; /* of the call: another call is another wait */
	uint32_t owner; /* who holds it; 0: not known */
};

struct deadlock {
	struct deadlock_wait *waits; /* each waits for the next one, the last for the first */
	size_t count;
	uint64_t found_ns; /* the first time */
	bool confirmed;
	uint32_t recorded_file; /* who looks has told that recording of it; 0: none */
};

struct deadlocks {
	struct deadlock found[DEADLOCKS_MAX];
	size_t count;
};

void deadlocks_init(struct deadlocks *deadlocks);
void deadlocks_release(struct deadlocks *deadlocks);

/* Whether a wait that is part of a cycle goes on; asked of each before it is confirmed. */
typedef bool deadlocks_check_fn(void *ctx, const struct deadlock_wait *wait);

/*
 * One more look: waits (sorted by this) are all that are known now, at most one of each
 * thread. What was found before and is no more is forgotten.
 */
void deadlocks_look(struct deadlocks *deadlocks, struct deadlock_wait *waits, size_t count,
		    uint64_t now_ns, deadlocks_check_fn *check, void *ctx);
/* How many wait for their confirmation. */
size_t deadlocks_doubtful(const struct deadlocks *deadlocks);

#endif
