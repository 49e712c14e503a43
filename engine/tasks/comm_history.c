#include "engine/tasks/comm_history.h"

#include "engine/base/mem.h"

#include <stdlib.h>

#define WAKERS_MAX ((size_t)1 << 20)

void comm_history_init(struct comm_history *names)
{
	*names = (struct comm_history){ .ring = NULL };
	idmap_init(&names->last);
}

void comm_history_release(struct comm_history *names)
{
	idmap_release(&names->last);
	free(names->ring);
}

void comm_history_clear(struct comm_history *names)
{
	idmap_clear(&names->last);
	names->count = 0;
}

static uint64_t last_of(const struct comm_history *names, uint32_t tid, bool *wanted)
{
	uint64_t last = (uintptr_t)idmap_get(&names->last, tid);

	*wanted = last;
	return last ? last - 1 : 0;
}

static void set_last(struct comm_history *names, uint32_t tid, uint64_t last)
{
	idmap_put(&names->last, tid, (void *)(uintptr_t)(last + 1));
}

void comm_history_want(struct comm_history *names, uint32_t tid)
{
	bool wanted;

	last_of(names, tid, &wanted);
	if (!wanted && names->last.count < WAKERS_MAX)
		set_last(names, tid, 0);
}

static struct comm_history_entry *slot_of(const struct comm_history *names, uint64_t number)
{
	return &names->ring[number % COMM_HISTORY_MAX];
}

void comm_history_add(struct comm_history *names, uint32_t tid, uint32_t pid, uint32_t comm_id,
		      uint64_t until_ns)
{
	bool wanted;
	uint64_t last = last_of(names, tid, &wanted);

	if (!wanted)
		return;
	if (!names->ring)
		names->ring = mem_zalloc(COMM_HISTORY_MAX, sizeof(*names->ring));
	*slot_of(names, ++names->count) = (struct comm_history_entry){
		.until_ns = until_ns,
		.before = last,
		.tid = tid,
		.pid = pid,
		.comm_id = comm_id,
	};
	set_last(names, tid, names->count);
}

const struct comm_history_entry *comm_history_find(const struct comm_history *names, uint32_t tid,
						   uint64_t time_ns)
{
	const struct comm_history_entry *found = NULL;
	bool wanted;
	uint64_t number = last_of(names, tid, &wanted);

	while (number && number + COMM_HISTORY_MAX > names->count) {
		const struct comm_history_entry *name = slot_of(names, number);

		if (name->until_ns <= time_ns)
			break;
		found = name;
		number = name->before;
	}
	return found;
}
