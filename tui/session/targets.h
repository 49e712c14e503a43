/*
 * targets - the tasks that are watched, as the user changes them at run time.
 *
 * Processes, threads and the command are the engine's target. Users and cgroups are terms of the
 * filter (owner_terms.h). An entry is a task, a user or a cgroup. For each of these kinds that has
 * entries, a watched task matches one of them. If the kernel rejects a change, a message appears
 * and the old target stays. UI thread only.
 */
#ifndef SESSION_TARGETS_H
#define SESSION_TARGETS_H

#include "tui/session/targets_types.h"

#include <stdbool.h>

struct session;

void targets_init(struct targets *targets, const struct target *first);
void targets_release(struct targets *targets);

/*
 * Add targets: "+pid 12,13", "tid 14", "user www-data", "cgroup nginx.service". The sign is
 * optional, and a number alone is a pid. -errno with a message; nothing changes then.
 */
int targets_add(struct session *session, const char *text, struct err *err);
/* Return "pid", "user" ... by index, for completion; NULL past the end. */
const char *targets_kind(size_t index);

/* Remove a named task or the command from the target. False: it was not in the target. */
bool targets_remove_pid(struct session *session, uint32_t pid);
bool targets_remove_tid(struct session *session, uint32_t tid);
bool targets_remove_command(struct session *session);
/* Remove the user or cgroup at `index` of .owners from the filter. */
bool targets_remove_owner(struct session *session, size_t index);

/* Add the process of the selected row to the target, or remove it, with a message. */
void targets_toggle(struct session *session);

/*
 * Report tasks that ended, removed cgroups and the result of the last change. Call a few times a
 * second.
 */
void targets_look(struct session *session);

/* Update .owners from the filter, which can have changed since the last look. */
void targets_list_owners(struct session *session);

/* True if all named tasks, including the command, have ended. */
bool targets_are_gone(const struct session *session);

#endif
