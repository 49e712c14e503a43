/*
 * user_stack_focus - enables user-stack sampling for the process in focus.
 *
 * The process in focus is the one that the filter selects, else the one of the selected call, else
 * the one whose detail is open. A row that is selected only by default does not count. Each context
 * switch of the process costs kilobytes, so sampling ends when the process loses the focus. UI
 * thread only.
 */
#ifndef DIALOGS_USER_STACK_FOCUS_H
#define DIALOGS_USER_STACK_FOCUS_H

#include "tui/session/session.h"

struct user_stack_focus {
	uint32_t armed; /* process being sampled; 0: none */
	uint32_t wanted; /* process in focus since wanted_ns, perhaps only briefly */
	uint64_t wanted_ns;
	bool said; /* a limit on the stacks of `armed` was reported */
};

/* Call at each tick. detail: the detail of the selected row is open. */
void user_stack_focus_look(struct user_stack_focus *watch, struct session *session, bool detail);

/*
 * Append "dwarf 3.2 MB/s" for the header; nothing if user stacks are not sampled. True: the budget
 * limits the samples.
 */
bool user_stack_focus_text(const struct engine_status *status, struct str *out);

#endif
