/*
 * shell_recording_info - a page of what the recording that is explored says of itself and its
 * machine.
 *
 * The file is looked at by an errand. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_RECORDING_INFO_H
#define SHELL_SHELL_RECORDING_INFO_H

#include "engine/base/job_queue.h"
#include "engine/recording_info.h"
#include "tui/config/actions.h"

struct desk;

struct desk_about {
	struct errand errand;
	/* The errand's while it is away. */
	struct str path;
	struct recording_about about;
	struct err err;
	int rc;
};

void desk_about_init(struct desk *desk);
void desk_about_release(struct desk *desk);

bool desk_about_act(struct desk *desk, enum action action);
/* At each tick: opens the page when it is there. */
void desk_about_look(struct desk *desk);

#endif
