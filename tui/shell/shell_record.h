/*
 * shell_record - the shell's part of recording: a name for the file, and what becomes of it.
 *
 * R asks for a name and records from then on; again, it ends. The engine writes the file on a
 * thread of its own; opening it is a job, as the disk may be far away. UI thread only.
 */
#ifndef SHELL_SHELL_RECORD_H
#define SHELL_SHELL_RECORD_H

#include "tui/shell/shell_state.h"

void shell_record_init(struct shell *shell);
void shell_record_release(struct shell *shell);

/* Each false: not its business. */
bool shell_record_act(struct shell *shell, enum action action);
bool shell_record_accept(struct shell *shell);

/* What has become of it, and what the header says of it. */
void shell_record_look(struct shell *shell);

#endif
