/*
 * snapshot - what the session knows of all processes at once: their sums, the calls in flight, the
 * deadlocks.
 *
 * With thousands of processes that takes tens of milliseconds to ask for, so a job does it; the
 * session has what the last one found. UI thread only.
 */
#ifndef SESSION_SNAPSHOT_H
#define SESSION_SNAPSHOT_H

#include <stdbool.h>

struct session;
struct snapshot;

struct snapshot *snapshot_new(void);
/* Waits for one that is being made. */
void snapshot_free(struct snapshot *snapshot);

/* Has made what the session is due for, unless one is being made. */
void snapshot_ask(struct session *session);
/* Gives the session what was found since; false: nothing. */
bool snapshot_take(struct session *session);

#endif
