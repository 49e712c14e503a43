/*
 * output_pane - what the traced command wrote, in a view of its own. UI thread only.
 */
#ifndef TUI_OUTPUT_PANE_H
#define TUI_OUTPUT_PANE_H

#include "tui/command_output.h"
#include "tui/pane.h"
#include "tui/view.h"

/* output is borrowed. */
void output_view_init(struct view *view, const struct command_output *output);

#endif
