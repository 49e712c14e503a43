/*
 * event_list - tracepoints as people write them: SYSTEM:NAME,... with *, ? and [] as in a shell.
 *
 * Which there are is what tracefs lists: those of the kernel, and those that were made of
 * functions by perf-probe(1) or in kprobe_events and uprobe_events. Any thread.
 */
#ifndef SOURCE_EVENT_LIST_H
#define SOURCE_EVENT_LIST_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define EVENT_LIST_MAX 256 /* watched at once: each has a descriptor for each CPU, or thread */

struct event_list {
	char **names; /* "SYSTEM:NAME", each once */
	size_t count, cap;
};

/* clang-format off */
#define EVENT_LIST_INIT { .names = NULL, .count = 0, .cap = 0 }
/* clang-format on */

void event_list_release(struct event_list *list);
bool event_list_has(const struct event_list *list, const char *name);

/* Whether the text can be a list at all; an empty one can. -EINVAL with a sentence. */
int event_list_check(const char *text, struct err *err);

/*
 * What the text means here, patterns replaced by what they match. -EINVAL, -ENOENT (with the
 * nearest name), -EACCES, -E2BIG with a sentence; the list is empty then.
 */
int event_list_expand(struct event_list *list, const char *text, const char *tracefs,
		      struct err *err);
/* All that there are, sorted. */
int event_list_read(struct event_list *list, const char *tracefs, struct err *err);

#endif
