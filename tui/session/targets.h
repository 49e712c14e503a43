/*
 * targets - who is watched, as the person changes it while it runs.
 *
 * Processes, threads and the command are the engine's target; users and control groups are terms
 * of the filter (owner_terms.h), which narrow it. Of each kind any, of all kinds every one holds.
 * What the kernel refuses is taken back and said. UI thread only.
 */
#ifndef SESSION_TARGETS_H
#define SESSION_TARGETS_H

#include "tui/session/targets_types.h"

#include <stdbool.h>

struct session;

void targets_init(struct targets *targets, const struct target *first);
void targets_release(struct targets *targets);

/*
 * "+pid 12,13", "tid 14", "user www-data", "cgroup nginx.service": the sign is for those who
 * expect one, and a number alone is a pid. -errno with a sentence: nothing has changed.
 */
int targets_add(struct session *session, const char *text, struct err *err);
/* "pid", "user" ... by their beginning, for completion; NULL past the end. */
const char *targets_kind(size_t index);

/* Who was named already is no target any more; false: it was none. */
bool targets_remove_pid(struct session *session, uint32_t pid);
bool targets_remove_tid(struct session *session, uint32_t tid);
bool targets_remove_command(struct session *session);
/* The one at an index of .owners. */
bool targets_remove_owner(struct session *session, size_t index);

/* Watches the selected row's process too, or stops that. Says what became of it. */
void targets_toggle(struct session *session);

/* What ended, was removed, or came of the last change: says so. A few times a second. */
void targets_look(struct session *session);

/* .owners as the filter has them now: it may have changed since the last look. */
void targets_list_owners(struct session *session);

/* Nobody who was named lives, the command included. */
bool targets_are_gone(const struct session *session);

#endif
