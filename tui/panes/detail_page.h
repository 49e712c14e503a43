/*
 * detail_page - details of one call or of a row of totals, updated while the page is open.
 *
 * A call in flight is followed to its return. A call that the history evicts stays on the page. UI
 * thread only.
 */
#ifndef PANES_DETAIL_PAGE_H
#define PANES_DETAIL_PAGE_H

#include "tui/calls/call_lock_owner.h"
#include "tui/calls/history_walk.h"
#include "tui/session/session.h"
#include "tui/view/totals_detail.h"
#include "widgets/help.h"

enum detail_kind { DETAIL_NOTHING, DETAIL_CALL, DETAIL_TOTALS };

struct detail_page {
	enum detail_kind kind;
	struct selection selection; /* subject; for a call, with its sequence number once known */
	struct totals_detail totals; /* of DETAIL_TOTALS */
	struct call call;
	struct call_lock_owner holder; /* while the call is in flight */
	uint64_t version; /* engine_bytes_version() at the last copy */
	struct engine_bytes bytes, newer; /* copy of the call's data; newer: scratch */
	bool bytes_gone; /* the data was copied with the call and evicted since */
	bool has_bytes;
	struct history_walk walk; /* searches the history for the return of the call */
	bool walking;
	const char *note; /* state of the call or its data; NULL: nothing to report */
	uint64_t symbols_version;
	int cols;
	struct help next;
};

void detail_page_init(struct detail_page *page);
void detail_page_release(struct detail_page *page);

/* Fill `help` with the subject of the session; false: nothing is selected. */
bool detail_page_open(struct detail_page *page, struct session *session, int cols,
		      struct help *help);
/* Update the page; the scroll position stays. */
void detail_page_refresh(struct detail_page *page, struct session *session, int cols,
			 struct help *help);

#endif
