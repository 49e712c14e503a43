/*
 * event_choice - which other tracepoints are watched, as a list that is typed while it runs.
 *
 * What there are to choose from is read on a thread of its own when the list is first asked for:
 * the kernel may be busy with its tracepoints for longer than a key may take. Whether the list
 * took is told by the engine later, and said in the message line. UI thread only.
 */
#ifndef DIALOGS_EVENT_CHOICE_H
#define DIALOGS_EVENT_CHOICE_H

#include "tui/session/session.h"
#include "widgets/prompt.h"

#include <pthread.h>
#include <stdatomic.h>

struct event_choice {
	struct str list; /* in force, or being set */
	struct str before; /* in force if the engine refuses that */
	uint32_t version; /* engine_status.events_version that was looked at */
	bool waiting; /* for another one */
	/* Of the thread, which nobody waits for but release. */
	pthread_t thread;
	bool reading;
	atomic_bool has_read;
	struct event_list available;
	struct err err;
};

void event_choice_init(struct event_choice *choice, const struct options *options);
void event_choice_release(struct event_choice *choice);

/* The line is about to be opened: what it says, or NULL after a message why it cannot be. */
const char *event_choice_begin(struct event_choice *choice, struct session *session);
/* Sets the list; -EINVAL with a sentence for text that can be none. */
int event_choice_take(struct event_choice *choice, struct session *session, const char *text,
		      struct err *err);
/* With each look at the engine: says what became of the list. */
void event_choice_look(struct event_choice *choice, struct session *session);

/* A prompt_complete_fn; data is the choice. */
void event_choice_complete(void *data, const char *text, size_t cursor,
			   struct prompt_candidates *candidates);

#endif
