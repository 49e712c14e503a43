#include "engine/tasks/comm_history.h"

#include "engine/base/mem.h"

#include <stdlib.h>

#define WAKERS_MAX ((size_t)1 << 20)

void former_names_init(struct former_names *names)
{
	*names = (struct former_names){ .ring = NULL };
	idmap_init(&names->last);
}

void former_names_release(struct former_names *names)
{
	idmap_release(&names->last);
	free(names->ring);
}

void former_names_clear(struct former_names *names)
{
	idmap_clear(&names->last);
	names->count = 0;
}

static uint64_t last_of(const struct former_names *names, uint32_t tid, bool *wanted)
{
	uint64_t last = (uintptr_t)idmap_get(&names->last, tid);

	*wanted = last;
	return last ? last - 1 : 0;
}

static void set_last(struct former_names *names, uint32_t tid, uint64_t last)
{
	idmap_put(&names->last, tid, (void *)(uintptr_t)(last + 1));
}

void former_names_want(struct former_names *names, uint32_t tid)
{
	bool wanted;

	last_of(names, tid, &wanted);
	if (!wanted && names->last.count < WAKERS_MAX)
		set_last(names, tid, 0);
}

static struct former_name *slot_of(const struct former_names *names, uint64_t number)
{
	return &names->ring[number % FORMER_NAMES_MAX];
}

void former_names_add(struct former_names *names, uint32_t tid, uint32_t pid, uint32_t comm_id,
		      uint64_t until_ns)
{
	bool wanted;
	uint64_t last = last_of(names, tid, &wanted);

	if (!wanted)
		return;
	if (!names->ring)
		names->ring = mem_zalloc(FORMER_NAMES_MAX, sizeof(*names->ring));
	*slot_of(names, ++names->count) = (struct former_name){
		.until_ns = until_ns,
		.before = last,
		.tid = tid,
		.pid = pid,
		.comm_id = comm_id,
	};
	set_last(names, tid, names->count);
}

const struct former_name *former_names_find(const struct former_names *names, uint32_t tid,
					    uint64_t time_ns)
{
	const struct former_name *found = NULL;
	bool wanted;
	uint64_t number = last_of(names, tid, &wanted);

	while (number && number + FORMER_NAMES_MAX > names->count) {
		const struct former_name *name = slot_of(names, number);

		if (name->until_ns <= time_ns)
			break;
		found = name;
		number = name->before;
	}
	return found;
}
