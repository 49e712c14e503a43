#include "engine/tasks/futex_pending.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

static struct futex_pending_entry_list *list_of(struct futex_pending *questions, bool shared)
{
	return shared ? &questions->shared : &questions->own;
}

void futex_pending_add(struct futex_pending *questions, struct futex *futex)
{
	struct futex_pending_entry_list *list = list_of(questions, futex->key.shared);

	if (futex->backing != FUTEX_BACKING_UNKNOWN || list->count == FUTEX_PENDING_MAX)
		return;
	list->items[list->count++] = (struct futex_pending_entry){
		.key = futex->key,
		.pid = futex->pid,
	};
	futex->backing = FUTEX_BACKING_ASKED;
}

size_t futex_pending_take(struct futex_pending *questions, bool shared,
			  struct futex_pending_entry *out, size_t max)
{
	struct futex_pending_entry_list *list = list_of(questions, shared);
	size_t count = list->count < max ? list->count : max;

	if (!count)
		return 0;
	list->count -= count;
	memcpy(out, list->items, count * sizeof(*out));
	memmove(list->items, list->items + count, list->count * sizeof(*out));
	return count;
}

void futex_pending_answer(struct futex_table *table, const struct futex_pending_entry *question,
			  const struct futex_answer *answer)
{
	struct futex *futex = futex_table_find(table, &question->key);

	if (!futex)
		return;
	futex->backing = FUTEX_BACKING_NONE;
	if (!answer->found)
		return;
	free(futex->label);
	futex->label = mem_strdup(answer->label);
	if (!question->key.shared || !answer->shared)
		return;
	futex->backing = FUTEX_BACKING_KNOWN;
	futex_table_place(table, futex, answer->device, answer->inode, answer->offset);
}
