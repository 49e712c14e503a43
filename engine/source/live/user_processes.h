/* user_processes - watches the user's own processes where watching whole CPUs is not permitted. */
#ifndef LIVE_USER_PROCESSES_H
#define LIVE_USER_PROCESSES_H

#include "engine/source/source.h"

/*
 * Call source_open_live(). If the kernel refuses and the filter matches only calls of stxtop's
 * effective user, each permitted process of this user becomes a target. Their descendants are
 * watched too. Later processes of this user with another parent are not watched.
 */
int own_processes_open(struct source **source, const struct source_options *options,
		       struct err *err);

#endif
