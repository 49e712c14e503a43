/*
 * shell_record - start and stop of a recording: file name prompt and status.
 *
 * R prompts for a name and starts recording; R again stops it. The engine writes the file on a
 * thread of its own. A job opens the file, as its disk can be remote. UI thread only.
 */
#ifndef SHELL_SHELL_RECORD_H
#define SHELL_SHELL_RECORD_H

#include "tui/shell/shell_state.h"

void shell_record_init(struct shell *shell);
void shell_record_release(struct shell *shell);

/* False: not an action or a prompt of this module. */
bool shell_record_act(struct shell *shell, enum action action);
bool shell_record_accept(struct shell *shell);

/* Take the status of the recording, and set its text in the header. */
void shell_record_look(struct shell *shell);

#endif
