/*
 * quick_terms - the keys that narrow to the selected row, or leave it out. UI thread only.
 */
#ifndef TUI_QUICK_TERMS_H
#define TUI_QUICK_TERMS_H

#include "tui/session.h"

/* False: not such an action. Says so where the row has no such property. */
bool quick_term_act(struct session *session, enum action action);

#endif
