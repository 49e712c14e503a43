/*
 * session - starts, refreshes and ends the state that all parts of the interface share
 * (session_state.h). UI thread only.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "tui/session/session_state.h"
#include "tui/session/targets.h"

void session_init(struct session *session, struct engine *engine, const struct options *options,
		  struct command *command);

void session_release(struct session *session);

/* Note that the engine has started: the session can query it now. */
void session_started(struct session *session);

/* Note that the engine could not start for lack of permission; `why` is copied. */
void session_refused(struct session *session, const char *why);

/* Return the reason why there is no data yet; NULL: the engine runs. */
const char *session_not_running(const struct session *session);

/* Query the engine status. Unless paused, also request the totals, which arrive later. */
void session_refresh(struct session *session);

/*
 * Call between two refreshes if ->busy is set. If the totals of a new filter have become complete,
 * the panes are refreshed as for new data.
 */
void session_count_on(struct session *session);

void session_pause(struct session *session, bool paused);

void session_toggle_collection(struct session *session);

void session_zero(struct session *session);

/* Return the age of the oldest table in seconds; 0: all are recent enough. */
unsigned session_age_s(const struct session *session);

#endif
