/*
 * user_processes - the calls of one's own user, for who may not watch whole CPUs.
 */
#ifndef LIVE_USER_PROCESSES_H
#define LIVE_USER_PROCESSES_H

#include "engine/source/source.h"

/*
 * As source_open_live(). Where that is refused, and the filter lets nobody's calls through but
 * this program's user's, each process of this user is a target, as far as it may be watched:
 * what they start is watched with them, what others start as this user later is not known.
 */
int own_processes_open(struct source **source, const struct source_options *options,
		       struct err *err);

#endif
