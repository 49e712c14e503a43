/*
 * help_page - what F1 shows: every action with its keys in the keymap in force, the
 * colours, the filter language. UI thread only.
 */
#ifndef TUI_HELP_PAGE_H
#define TUI_HELP_PAGE_H

#include "tui/bindings.h"
#include "widgets/help.h"

/* Fills an empty page. */
void help_page_fill(struct help *help, const struct bindings *bindings);

#endif
