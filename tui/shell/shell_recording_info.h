/*
 * shell_recording_info - page of facts about the explored recording and its machine.
 *
 * A job reads the file. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_RECORDING_INFO_H
#define SHELL_SHELL_RECORDING_INFO_H

#include "tui/shell/shell_state.h"

void shell_recording_info_init(struct shell *shell);
void shell_recording_info_release(struct shell *shell);

bool shell_recording_info_act(struct shell *shell, enum action action);
/* Call at each tick: opens the page when the job is done. */
void shell_recording_info_look(struct shell *shell);

#endif
