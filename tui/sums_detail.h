/*
 * sums_detail - what is known of a row of sums: a process, a thread or a system call, as lines
 * of a page. UI thread only.
 */
#ifndef TUI_SUMS_DETAIL_H
#define TUI_SUMS_DETAIL_H

#include "tui/session.h"
#include "widgets/help.h"

void sums_detail_fill(const struct engine_row *row, const struct pick *pick, struct help *help,
		      struct session *session);

#endif
