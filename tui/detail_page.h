/*
 * detail_page - everything that is known of one call, or of a row of sums. UI thread only.
 */
#ifndef TUI_DETAIL_PAGE_H
#define TUI_DETAIL_PAGE_H

#include "tui/session.h"
#include "widgets/help.h"

/* Fills an empty page with the session's subject; false: nothing is selected. */
bool detail_page_fill(struct help *help, struct session *session);

#endif
