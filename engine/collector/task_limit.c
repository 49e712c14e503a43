#include "engine/collector/task_limit.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (TASK_LIMIT_TIDS / 64)

void task_limit_init(struct task_limit *task_limit, size_t most)
{
	memset(task_limit, 0, sizeof(*task_limit));
	task_limit->most = most;
	task_limit->known = mem_zalloc(WORDS, sizeof(*task_limit->known));
}

void task_limit_release(struct task_limit *task_limit)
{
	free(task_limit->known);
	task_limit->known = NULL;
}

void task_limit_clear(struct task_limit *task_limit)
{
	memset(task_limit->known, 0, WORDS * sizeof(*task_limit->known));
	task_limit->count = 0;
	task_limit->next = 0;
}

/* Records of a task that no longer exists have tid -1. */
static bool may_be(uint32_t tid)
{
	return tid < TASK_LIMIT_TIDS || tid == UINT32_MAX;
}

static void meet(struct task_limit *task_limit, uint32_t tid)
{
	uint64_t bit = 1ULL << tid % 64;

	if (tid == UINT32_MAX || __builtin_expect((task_limit->known[tid / 64] & bit) != 0, 1))
		return;
	task_limit->known[tid / 64] |= bit;
	task_limit->count++;
}

static void part(struct task_limit *task_limit, uint32_t tid)
{
	uint64_t bit = 1ULL << tid % 64;

	if (tid == UINT32_MAX || !(task_limit->known[tid / 64] & bit))
		return;
	task_limit->known[tid / 64] &= ~bit;
	task_limit->count--;
}

static bool meet_both(struct task_limit *task_limit, uint32_t pid, uint32_t tid)
{
	if (__builtin_expect(!may_be(pid) || !may_be(tid), 0)) {
		task_limit->rejected++;
		return false;
	}
	meet(task_limit, tid);
	meet(task_limit, pid);
	return true;
}

bool task_limit_admit(struct task_limit *task_limit, const struct record *record)
{
	if (record->time_ns >= TASK_LIMIT_TIME_MAX) {
		task_limit->rejected++;
		return false;
	}
	if (!meet_both(task_limit, record->pid, record->tid))
		return false;
	switch (record->kind) {
	case RECORD_WAKING:
		return meet_both(task_limit, record->waking.pid, record->waking.tid);
	case RECORD_FORK:
		return meet_both(task_limit, record->fork.parent_pid, record->fork.parent_tid);
	case RECORD_TASK_EXIT:
		part(task_limit, record->tid);
		return true;
	default:
		return true;
	}
}

bool task_limit_next_evicted(struct task_limit *task_limit, uint64_t time_ns, struct record *record)
{
	uint32_t word = task_limit->next / 64;

	if (__builtin_expect(task_limit->count <= task_limit->most, 1))
		return false;
	while (!task_limit->known[word])
		word = (word + 1) % WORDS;
	*record = (struct record){
		.kind = RECORD_TASK_EXIT,
		.time_ns = time_ns,
		.tid = word * 64 + (uint32_t)__builtin_ctzll(task_limit->known[word]),
	};
	/* pid = tid: the record ends a process and also removes its mappings; a thread has none. */
	record->pid = record->tid;
	part(task_limit, record->tid);
	/* Lower tids that appear from now on are evicted in the next round. */
	task_limit->next = word * 64;
	task_limit->evicted++;
	return true;
}
