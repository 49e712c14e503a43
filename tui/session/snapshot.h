/*
 * snapshot - processes with their totals, calls in flight and deadlocks from one query.
 *
 * With thousands of processes the query takes tens of milliseconds, so a job runs it. The session
 * holds the result of the last job. UI thread only.
 */
#ifndef SESSION_SNAPSHOT_H
#define SESSION_SNAPSHOT_H

#include <stdbool.h>

struct session;
struct snapshot;

struct snapshot *snapshot_new(void);
/* Waits for a running job. */
void snapshot_free(struct snapshot *snapshot);

/* Store the result of a finished job in the session. False: nothing was stored. */
bool snapshot_take(struct session *session);
/* Call snapshot_take(). Then submit the needed queries, unless a job is pending. */
void snapshot_refresh(struct session *session);

#endif
