/*
 * filter_draft - what is said about a filter while it is being typed: how many calls of the
 * history match it, what of it the kernel would test, or what is expected where.
 *
 * A text that is no filter yet keeps the count of the last one that was. UI thread only.
 */
#ifndef DIALOGS_FILTER_DRAFT_H
#define DIALOGS_FILTER_DRAFT_H

#include "tui/session/match_count.h"
#include "tui/session/session.h"
#include "widgets/prompt.h"

/* What the text is of. */
enum draft_kind { DRAFT_FILTER, DRAFT_TERM, DRAFT_CATCH, DRAFT_FLIGHT };

struct filter_draft {
	struct match_count count;
	struct str text; /* that was looked at last */
	bool looked, is_filter;
	enum draft_kind kind;
	size_t term; /* of DRAFT_TERM: which, as for filter_stack_set_term() */
};

void filter_draft_init(struct filter_draft *draft);
void filter_draft_release(struct filter_draft *draft);

/* Another line has been opened. term: of DRAFT_TERM. */
void filter_draft_begin(struct filter_draft *draft, enum draft_kind kind, size_t term);
/* After anything that may have changed the text; quick. Says it in the prompt. */
void filter_draft_look(struct filter_draft *draft, struct session *session, struct prompt *prompt);
/* Counts on, for some milliseconds; true: there was something to count. */
bool filter_draft_work(struct filter_draft *draft, struct session *session, struct prompt *prompt);

#endif
