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

struct shell;

struct shell_recording_info {
	struct job job;
	/* The errand's while it is away. */
	struct str path;
	struct recording_info about;
	struct err err;
	int rc;
};

void shell_recording_info_init(struct shell *shell);
void shell_recording_info_release(struct shell *shell);

bool shell_recording_info_act(struct shell *shell, enum action action);
/* At each tick: opens the page when it is there. */
void shell_recording_info_look(struct shell *shell);

#endif
