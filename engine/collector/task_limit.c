#include "engine/collector/task_limit.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (CROWD_IDS / 64)

void crowd_init(struct crowd *crowd, size_t most)
{
	memset(crowd, 0, sizeof(*crowd));
	crowd->most = most;
	crowd->known = mem_zalloc(WORDS, sizeof(*crowd->known));
}

void crowd_release(struct crowd *crowd)
{
	free(crowd->known);
	crowd->known = NULL;
}

void crowd_clear(struct crowd *crowd)
{
	memset(crowd->known, 0, WORDS * sizeof(*crowd->known));
	crowd->count = 0;
	crowd->next = 0;
}

/* One that is no more has the number -1. */
static bool may_be(uint32_t tid)
{
	return tid < CROWD_IDS || tid == UINT32_MAX;
}

static void meet(struct crowd *crowd, uint32_t tid)
{
	uint64_t bit = 1ULL << tid % 64;

	if (tid == UINT32_MAX || __builtin_expect((crowd->known[tid / 64] & bit) != 0, 1))
		return;
	crowd->known[tid / 64] |= bit;
	crowd->count++;
}

static void part(struct crowd *crowd, uint32_t tid)
{
	uint64_t bit = 1ULL << tid % 64;

	if (tid == UINT32_MAX || !(crowd->known[tid / 64] & bit))
		return;
	crowd->known[tid / 64] &= ~bit;
	crowd->count--;
}

static bool meet_both(struct crowd *crowd, uint32_t pid, uint32_t tid)
{
	if (__builtin_expect(!may_be(pid) || !may_be(tid), 0)) {
		crowd->nobody++;
		return false;
	}
	meet(crowd, tid);
	meet(crowd, pid);
	return true;
}

bool crowd_take(struct crowd *crowd, const struct record *record)
{
	if (record->time_ns >= CROWD_TIME_MAX) {
		crowd->nobody++;
		return false;
	}
	if (!meet_both(crowd, record->pid, record->tid))
		return false;
	switch (record->kind) {
	case RECORD_WAKING:
		return meet_both(crowd, record->waking.pid, record->waking.tid);
	case RECORD_FORK:
		return meet_both(crowd, record->fork.parent_pid, record->fork.parent_tid);
	case RECORD_TASK_EXIT:
		part(crowd, record->tid);
		return true;
	default:
		return true;
	}
}

bool crowd_next_gone(struct crowd *crowd, uint64_t time_ns, struct record *record)
{
	uint32_t word = crowd->next / 64;

	if (__builtin_expect(crowd->count <= crowd->most, 1))
		return false;
	while (!crowd->known[word])
		word = (word + 1) % WORDS;
	*record = (struct record){
		.kind = RECORD_TASK_EXIT,
		.time_ns = time_ns,
		.tid = word * 64 + (uint32_t)__builtin_ctzll(crowd->known[word]),
	};
	/* As that of a process its mappings go with it; one of a thread has none. */
	record->pid = record->tid;
	part(crowd, record->tid);
	/* Those of lower numbers that are met from now on wait for their turn. */
	crowd->next = word * 64;
	crowd->gone++;
	return true;
}
