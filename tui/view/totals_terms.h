/*
 * totals_terms - selection and filter terms of a row of totals, for filters, stacks and signals.
 * UI thread only.
 */
#ifndef VIEW_TOTALS_TERMS_H
#define VIEW_TOTALS_TERMS_H

#include "tui/view/row_terms.h"

/* Describe the row in a cleared *selection; `query` is the query that returned the row. */
void totals_selection(const struct engine_row *row, const struct engine_query *query,
		      struct selection *selection);
/* For a process or thread: add the terms that totals_selection() lacks, such as ppid and uid. */
void totals_add_terms(const struct engine_row *row, enum engine_group group,
		      struct row_terms *terms);

#endif
