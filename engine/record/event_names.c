#include "engine/record/event_names.h"

#include "engine/base/mem.h"

#include <errno.h>
#include <stdlib.h>

struct event_names *event_names_new(void)
{
	return mem_zalloc(1, sizeof(struct event_names));
}

void event_names_free(struct event_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < EVENT_NAMES_MAX; i++)
		free(names->names[i]);
	free(names);
}

int event_names_add(struct event_names *names, const char *name)
{
	unsigned int number = atomic_load(&names->count);

	if (number == EVENT_NAMES_MAX)
		return -ENOSPC;
	atomic_store_explicit(&names->names[number], mem_strdup(name), memory_order_release);
	atomic_store_explicit(&names->count, number + 1, memory_order_release);
	return (int)number;
}
