#include "tui/session/row_set.h"

#include "engine/base/mem.h"

#include <stdlib.h>

struct row_set *row_set_new(struct engine_row *rows, size_t count)
{
	struct row_set *set = mem_alloc(sizeof(*set));

	*set = (struct row_set){ .rows = rows, .count = count, .refs = 1 };
	return set;
}

struct row_set *row_set_ref(struct row_set *set)
{
	if (set)
		set->refs++;
	return set;
}

void row_set_unref(struct row_set *set)
{
	if (!set || --set->refs)
		return;
	free(set->rows);
	free(set);
}
