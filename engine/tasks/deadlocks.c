#include "engine/tasks/deadlocks.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

void deadlocks_init(struct deadlocks *deadlocks)
{
	memset(deadlocks, 0, sizeof(*deadlocks));
}

void deadlocks_release(struct deadlocks *deadlocks)
{
	for (size_t i = 0; i < deadlocks->count; i++)
		free(deadlocks->found[i].waits);
	deadlocks->count = 0;
}

static int compare_tid(const void *a, const void *b)
{
	const struct deadlock_wait *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

/* Return the index of the wait of a thread; `count`: none. */
static size_t wait_of(const struct deadlock_wait *waits, size_t count, uint32_t tid)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (waits[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && waits[low].tid == tid ? low : count;
}

static void add_cycle(struct deadlocks *deadlocks, const struct deadlock_wait *waits, size_t count,
		      size_t first, uint64_t now_ns)
{
	struct deadlock *deadlock;
	size_t cap = 0, at = first;

	if (deadlocks->count == DEADLOCKS_MAX)
		return;
	deadlock = &deadlocks->found[deadlocks->count++];
	*deadlock = (struct deadlock){ .found_ns = now_ns };
	do {
		deadlock->waits = mem_grow(deadlock->waits, &cap, deadlock->count + 1,
					   sizeof(*deadlock->waits));
		deadlock->waits[deadlock->count++] = waits[at];
		at = wait_of(waits, count, waits[at].owner);
	} while (at != first);
}

/*
 * Each thread waits for at most one owner, so each path ends or enters one cycle. Waits are walked
 * in the order of their tids. A new cycle is rotated to begin with its smallest tid.
 */
static void find_cycles(struct deadlocks *deadlocks, const struct deadlock_wait *waits,
			size_t count, uint64_t now_ns)
{
	uint32_t *seen = mem_zalloc(count + 1, sizeof(*seen));

	for (size_t start = 0; start < count; start++) {
		uint32_t round = (uint32_t)start + 1;
		size_t at = start, first;

		while (at < count && !seen[at]) {
			seen[at] = round;
			at = waits[at].owner ? wait_of(waits, count, waits[at].owner) : count;
		}
		if (at == count || seen[at] != round)
			continue;
		first = at;
		for (size_t next = wait_of(waits, count, waits[at].owner); next != at;
		     next = wait_of(waits, count, waits[next].owner))
			if (next < first)
				first = next;
		add_cycle(deadlocks, waits, count, first, now_ns);
	}
	free(seen);
}

static bool is_same(const struct deadlock *a, const struct deadlock *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct deadlock_wait *one = &a->waits[i], *other = &b->waits[i];

		if (one->tid != other->tid || one->uaddr != other->uaddr ||
		    one->enter_ns != other->enter_ns || one->owner != other->owner)
			return false;
	}
	return true;
}

static bool all_wait(const struct deadlock *deadlock, deadlocks_check_fn *check, void *ctx)
{
	for (size_t i = 0; i < deadlock->count; i++)
		if (!check(ctx, &deadlock->waits[i]))
			return false;
	return true;
}

void deadlocks_look(struct deadlocks *deadlocks, struct deadlock_wait *waits, size_t count,
		    uint64_t now_ns, deadlocks_check_fn *check, void *ctx)
{
	struct deadlocks *former = mem_alloc(sizeof(*former));

	*former = *deadlocks;
	deadlocks_init(deadlocks);
	if (count)
		qsort(waits, count, sizeof(*waits), compare_tid);
	find_cycles(deadlocks, waits, count, now_ns);
	for (size_t i = 0; i < deadlocks->count; i++) {
		struct deadlock *deadlock = &deadlocks->found[i];

		for (size_t j = 0; j < former->count; j++)
			if (is_same(deadlock, &former->found[j])) {
				deadlock->found_ns = former->found[j].found_ns;
				deadlock->confirmed = former->found[j].confirmed;
				deadlock->recorded_file = former->found[j].recorded_file;
			}
		if (!deadlock->confirmed && now_ns - deadlock->found_ns >= DEADLOCKS_CONFIRM_NS)
			deadlock->confirmed = all_wait(deadlock, check, ctx);
	}
	deadlocks_release(former);
	free(former);
}

size_t deadlocks_doubtful(const struct deadlocks *deadlocks)
{
	size_t doubtful = 0;

	for (size_t i = 0; i < deadlocks->count; i++)
		doubtful += !deadlocks->found[i].confirmed;
	return doubtful;
}
