/*
 * owner_detail - owner of a process or call, as lines of a page.
 *
 * The lines show container, pod, cgroup, and the pid inside a pid namespace. UI thread only.
 */
#ifndef CALLS_OWNER_DETAIL_H
#define CALLS_OWNER_DETAIL_H

#include "tui/session/session.h"
#include "widgets/help.h"

/* `number`: as for engine_owner(). Unknown facts have no line. */
void owner_detail_add(struct help *help, const struct session *session, uint32_t pid,
		      uint32_t number);

#endif
