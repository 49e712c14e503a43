/*
 * help_page - what F1 shows: the view, its columns and the keys that matter there, then every
 * action with its keys in the keymap in force, the filter language, the colours, and what is
 * probed in the kernel now. UI thread only.
 */
#ifndef DIALOGS_HELP_PAGE_H
#define DIALOGS_HELP_PAGE_H

#include "engine/engine.h"
#include "tui/config/bindings.h"
#include "tui/view/view.h"
#include "widgets/help.h"

/* Fills an empty page. source: what is probed now; of a recording, nothing is. */
void help_page_fill(struct help *help, const struct bindings *bindings, const struct view *view,
		    const struct source_status *source);

#endif
