/* output_pane - output of the traced command, in a view of its own. UI thread only. */
#ifndef PANES_OUTPUT_PANE_H
#define PANES_OUTPUT_PANE_H

#include "tui/session/command_output.h"
#include "tui/view/pane.h"
#include "tui/view/view.h"

/* output is borrowed. */
void output_view_init(struct view *view, const struct command_output *output);

#endif
