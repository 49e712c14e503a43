/*
 * shell_compare - keys that compare with another recording. For tui/shell/shell*.c and app.c; UI
 * thread.
 */
#ifndef SHELL_SHELL_COMPARE_H
#define SHELL_SHELL_COMPARE_H

#include "tui/shell/shell.h"

/* False: not an action, or a line, of these. */
bool desk_compare_act(struct desk *desk, enum action action);
bool desk_compare_accept(struct desk *desk);
/* At each tick. */
void desk_compare_look(struct desk *desk);

#endif
