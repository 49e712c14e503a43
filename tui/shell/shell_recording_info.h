/*
 * shell_recording_info - a page of what the recording that is explored says of itself and its
 * machine.
 *
 * The file is looked at by a job. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_RECORDING_INFO_H
#define SHELL_SHELL_RECORDING_INFO_H

#include "tui/shell/shell_state.h"

void shell_recording_info_init(struct shell *shell);
void shell_recording_info_release(struct shell *shell);

bool shell_recording_info_act(struct shell *shell, enum action action);
/* At each tick: opens the page when it is there. */
void shell_recording_info_look(struct shell *shell);

#endif
