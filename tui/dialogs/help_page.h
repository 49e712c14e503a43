/*
 * help_page - the page of F1: the view, its columns and main keys; every action with its keys in
 * the current keymap; the filter language, the marks, the colours, and the active kernel probes. UI
 * thread only.
 */
#ifndef DIALOGS_HELP_PAGE_H
#define DIALOGS_HELP_PAGE_H

#include "engine/engine.h"
#include "tui/config/bindings.h"
#include "tui/view/view.h"
#include "widgets/help.h"

/* Fill an empty page. source: active probes; a recording has none. */
void help_page_fill(struct help *help, const struct bindings *bindings, const struct view *view,
		    const struct source_status *source);

#endif
