/* desk_compare - keys that compare with another recording. For tui/desk*.c and app.c; UI thread. */
#ifndef TUI_DESK_COMPARE_H
#define TUI_DESK_COMPARE_H

#include "tui/desk.h"

/* False: not an action, or a line, of these. */
bool desk_compare_act(struct desk *desk, enum action action);
bool desk_compare_accept(struct desk *desk);
/* At each tick. */
void desk_compare_look(struct desk *desk);

#endif
