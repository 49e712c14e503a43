/*
 * filter_draft - feedback on a filter while the user types it.
 *
 * Shows how many calls of the history match and which part the kernel would test, or what the
 * parser expected and where. While the text is not a valid filter, the count of the last valid one
 * stays. UI thread only.
 */
#ifndef DIALOGS_FILTER_DRAFT_H
#define DIALOGS_FILTER_DRAFT_H

#include "tui/session/match_count.h"
#include "tui/session/session.h"
#include "widgets/prompt.h"

/* What the text describes. */
enum draft_kind { DRAFT_FILTER, DRAFT_TERM, DRAFT_CATCH, DRAFT_FLIGHT };

struct filter_draft {
	struct match_count count;
	struct str text; /* last text that was parsed */
	bool looked, is_filter;
	enum draft_kind kind;
	size_t term; /* for DRAFT_TERM: index as in filter_stack_set_term() */
};

void filter_draft_init(struct filter_draft *draft);
void filter_draft_release(struct filter_draft *draft);

/* Reset for a newly opened line. term: for DRAFT_TERM. */
void filter_draft_begin(struct filter_draft *draft, enum draft_kind kind, size_t term);
/* Parse the text if it changed, and show the result in the prompt. Fast; call after each key. */
void filter_draft_look(struct filter_draft *draft, struct session *session, struct prompt *prompt);
/* Continue the count for a few milliseconds. False: there is no count in progress. */
bool filter_draft_work(struct filter_draft *draft, struct session *session, struct prompt *prompt);

#endif
