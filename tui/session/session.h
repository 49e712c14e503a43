/*
 * session - starts, refreshes and ends what every part of the interface shares (session_state.h).
 *
 * UI thread only.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "tui/session/session_state.h"
#include "tui/session/targets.h"

void session_init(struct session *session, struct engine *engine, const struct options *options,
		  struct command *command);

void session_release(struct session *session);

/* The engine has started: it may be asked from now on. */
void session_started(struct session *session);

/* The engine could not be started, as this user may not. */
void session_refused(struct session *session, const char *why);

/* Why there is nothing to show yet, NULL: the engine runs. */
const char *session_not_running(const struct session *session);

/* Asks the engine for its state and, unless paused, for the sums, which come later. */
void session_refresh(struct session *session);

/*
 * Between two of these, with ->work: looks whether sums of another filter are there by now. With
 * what it finds the panes are refreshed as for new data.
 */
void session_count_on(struct session *session);

void session_pause(struct session *session, bool paused);

void session_toggle_collection(struct session *session);

void session_zero(struct session *session);

/* How old the oldest table is, in seconds; 0: all are as new as they should be. */
unsigned session_age_s(const struct session *session);

#endif
