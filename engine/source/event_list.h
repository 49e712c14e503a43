/*
 * event_list - lists of tracepoints as the user writes them: SYSTEM:NAME,... with *, ? and [] as in
 * a shell.
 *
 * The available tracepoints are those that tracefs lists: those of the kernel, and probes created
 * by perf-probe(1) or through kprobe_events and uprobe_events. Any thread.
 */
#ifndef SOURCE_EVENT_LIST_H
#define SOURCE_EVENT_LIST_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define EVENT_LIST_MAX 256 /* tracepoints open at once; each needs a descriptor per CPU or thread */

struct event_list {
	char **names; /* "SYSTEM:NAME", without duplicates */
	size_t count, cap;
};

/* clang-format off */
#define EVENT_LIST_INIT { .names = NULL, .count = 0, .cap = 0 }
/* clang-format on */

void event_list_release(struct event_list *list);
bool event_list_has(const struct event_list *list, const char *name);

/* Check the syntax of a list; an empty one is valid. -EINVAL with a message. */
int event_list_check(const char *text, struct err *err);

/*
 * Expand the patterns of a list into the tracepoints of this kernel. On failure the list is empty:
 * -EINVAL, -ENOENT (with the nearest name), -EACCES or -E2BIG, with a message.
 */
int event_list_expand(struct event_list *list, const char *text, const char *tracefs,
		      struct err *err);
/* List all tracepoints of this kernel, sorted. -errno with a message. */
int event_list_read(struct event_list *list, const char *tracefs, struct err *err);

#endif
