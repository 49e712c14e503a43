/*
 * event_choice - list of other tracepoints to watch, edited while stxtop runs.
 *
 * A thread of its own reads the available tracepoints each time the line opens: the kernel can hold
 * its tracepoint locks longer than a user should wait for a key. The engine reports later whether
 * it accepted the list; the message line shows the result. UI thread only.
 */
#ifndef DIALOGS_EVENT_CHOICE_H
#define DIALOGS_EVENT_CHOICE_H

#include "tui/session/session.h"
#include "widgets/prompt.h"

#include <pthread.h>
#include <stdatomic.h>

struct event_choice {
	struct str list; /* in force or pending */
	struct str before; /* list that is restored if the engine rejects `list` */
	uint32_t version; /* last engine_status.events_version processed */
	bool waiting; /* the engine has not answered the last list yet */
	/* Owned by the thread until has_read. Only event_choice_release() waits for the thread. */
	pthread_t thread;
	bool reading;
	atomic_bool has_read;
	struct event_list available;
	struct err err;
};

void event_choice_init(struct event_choice *choice, const struct options *options);
void event_choice_release(struct event_choice *choice);

/* Return the text for the line that is about to open; NULL after a message if it cannot open. */
const char *event_choice_begin(struct event_choice *choice, struct session *session);
/* Set the list. -EINVAL, with err, if the text is not a list of tracepoints. */
int event_choice_take(struct event_choice *choice, struct session *session, const char *text,
		      struct err *err);
/* Call after each query of the engine status. Shows whether the engine accepted the list. */
void event_choice_look(struct event_choice *choice, struct session *session);

/* A prompt_complete_fn; data is the choice. */
void event_choice_complete(void *data, const char *text, size_t cursor,
			   struct prompt_candidates *candidates);

#endif
