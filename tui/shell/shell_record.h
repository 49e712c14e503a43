/*
 * shell_record - the desk's part of recording: a name for the file, and what becomes of it.
 *
 * R asks for a name and records from then on; again, it ends. The engine writes the file on a
 * thread of its own; opening it is an errand, as the disk may be far away. UI thread only.
 */
#ifndef SHELL_SHELL_RECORD_H
#define SHELL_SHELL_RECORD_H

#include "tui/shell/shell.h"

void desk_record_init(struct desk *desk);
void desk_record_release(struct desk *desk);

/* Each false: not its business. */
bool desk_record_act(struct desk *desk, enum action action);
bool desk_record_accept(struct desk *desk);

/* What has become of it, and what the header says of it. */
void desk_record_look(struct desk *desk);

#endif
