#include "engine/engine_state.h"

#include "engine/base/mem.h"
#include "engine/base/privilege.h"
#include "engine/source/tracefs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void engine_set_events(struct engine *e, const char *list)
{
	if (atomic_load(&e->ready))
		collector_set_events(e->collector, list);
}

int engine_list_events(struct event_list *list, struct err *err)
{
	char tracefs[PATH_MAX];
	uint64_t before = privilege_raise();
	int ret;

	*list = (struct event_list)EVENT_LIST_INIT;
	ret = tracefs_find(tracefs, sizeof(tracefs), err);
	if (!ret)
		ret = event_list_read(list, tracefs, err);
	privilege_restore(before);
	return ret;
}

const char *engine_event_name(const struct engine *e, const struct call *call)
{
	const char *name = NULL;

	if (call->state == CALL_EVENT)
		name = event_names_get(e->event_names, call->args[0]);
	return name ? name : "";
}

bool engine_event_text(struct engine *e, const struct call *call, const struct call_bytes *bytes,
		       struct str *out)
{
	const struct captured_bytes *fields = bytes ? bytes->ctx : NULL;

	return fields && fields->len &&
	       event_formats_text(e->event_formats, call->args[0], fields->chunks, fields->len,
				  call->cpu, out);
}

bool engine_event_fields(struct engine *e, const struct call *call, const struct call_bytes *bytes,
			 event_field_fn *each, void *ctx)
{
	const struct captured_bytes *fields = bytes ? bytes->ctx : NULL;

	return fields && fields->len &&
	       event_formats_fields(e->event_formats, call->args[0], fields->chunks, fields->len,
				    each, ctx);
}

/* Order by count, then by name. */
static int compare_sums(const void *a, const void *b)
{
	const struct engine_event *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* Add hits to the row of a tracepoint, found by name: its id can change over time. */
static size_t add_sum(struct engine_event *rows, size_t count, const char *name, uint64_t hits)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].name, name)) {
			rows[i].count += hits;
			return count;
		}
	rows[count] = (struct engine_event){ .name = name, .count = hits };
	return count + 1;
}

size_t engine_event_sums(struct engine *e, struct engine_event **out)
{
	size_t numbers = event_names_count(e->event_names), count = 0;
	struct engine_event *rows = mem_zalloc(numbers + 1, sizeof(*rows));
	const struct events *events;

	if (atomic_load(&e->ready)) {
		collector_lock(e->collector);
		events = model_events(e->model);
		for (size_t i = 0; i < events->count && i < numbers; i++)
			if (events->totals[i].matched)
				count = add_sum(rows, count, event_names_get(e->event_names, i),
						events->totals[i].matched);
		collector_unlock(e->collector);
	}
	if (count)
		qsort(rows, count, sizeof(*rows), compare_sums);
	free(*out);
	*out = rows;
	return count;
}
