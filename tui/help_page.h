/*
 * help_page - what F1 shows: the view, its columns and the keys that matter there, then every
 * action with its keys in the keymap in force, the filter language, the colours. UI thread
 * only.
 */
#ifndef TUI_HELP_PAGE_H
#define TUI_HELP_PAGE_H

#include "tui/bindings.h"
#include "tui/view.h"
#include "widgets/help.h"

/* Fills an empty page. */
void help_page_fill(struct help *help, const struct bindings *bindings, const struct view *view);

#endif
