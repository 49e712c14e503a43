/*
 * totals_terms - what a row of sums speaks of: for narrowing, stacks, signals. UI thread only.
 */
#ifndef VIEW_TOTALS_TERMS_H
#define VIEW_TOTALS_TERMS_H

#include "tui/view/row_terms.h"

/* In a cleared *pick; the query is that of the rows. */
void totals_selection(const struct engine_row *row, const struct engine_query *query,
		      struct selection *selection);
/* What else the row gives to narrow by than its pick. */
void totals_add_terms(const struct engine_row *row, enum engine_group group,
		      struct row_terms *terms);

#endif
