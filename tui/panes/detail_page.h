/*
 * detail_page - everything that is known of one call, or of a row of sums, kept up to date
 * while somebody reads it.
 *
 * A call in flight is followed to its return; one that the history drops stays as it was.
 * UI thread only.
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
	struct selection
		selection; /* what it is about; of a call with its number once that is known */
	struct totals_detail totals; /* of DETAIL_TOTALS */
	struct call call;
	struct call_lock_owner holder; /* while it is in flight */
	uint64_t version; /* of what was known of bytes and descriptors */
	struct engine_bytes bytes, newer; /* what the call points to, a copy */
	bool bytes_gone; /* it was copied with the call, and is not kept */
	bool has_bytes;
	struct history_walk walk; /* after a call that returned */
	bool walking;
	const char *note; /* what became of it; NULL: nothing to say */
	uint64_t symbols_version;
	int cols;
	struct help next;
};

void detail_page_init(struct detail_page *page);
void detail_page_release(struct detail_page *page);

/* Fills `help` with the session's subject; false: nothing is selected. */
bool detail_page_open(struct detail_page *page, struct session *session, int cols,
		      struct help *help);
/* Takes what is new; what is in sight stays where it is. */
void detail_page_refresh(struct detail_page *page, struct session *session, int cols,
			 struct help *help);

#endif
