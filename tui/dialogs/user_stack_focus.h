/*
 * user_stack_focus - has the engine take whole stacks of the process that somebody looks at.
 *
 * That is the one that the filter is narrowed to, or whose call is selected, or whose
 * detail is open; a row that merely happens to be the first one is not looked at.
 * Kilobytes go with each of its switches, so it ends when nobody looks any more. UI
 * thread only.
 */
#ifndef DIALOGS_USER_STACK_FOCUS_H
#define DIALOGS_USER_STACK_FOCUS_H

#include "tui/session/session.h"

struct user_stack_focus {
	uint32_t armed; /* the process; 0: none */
	uint32_t wanted; /* looked at since then, perhaps only in passing */
	uint64_t wanted_ns;
	bool said; /* what stands in the way, of the one armed */
};

/* Often. detail: the detail of the selected row is open. */
void user_stack_focus_look(struct user_stack_focus *watch, struct session *session, bool detail);

/* "dwarf 3.2 MB/s" for the header; nothing where no such stacks come. True: it bites. */
bool user_stack_focus_text(const struct engine_status *status, struct str *out);

#endif
