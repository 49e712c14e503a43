/*
 * owner_detail - whose a process or a call is, as lines of a page: its number inside a
 * pid namespace, its container and pod, its control group. UI thread only.
 */
#ifndef CALLS_OWNER_DETAIL_H
#define CALLS_OWNER_DETAIL_H

#include "tui/session/session.h"
#include "widgets/help.h"

/* number: as engine_owner() wants it. What is not known has no line. */
void owner_detail_add(struct help *help, const struct session *session, uint32_t pid,
		      uint32_t number);

#endif
