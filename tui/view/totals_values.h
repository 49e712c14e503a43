/* totals_values - cell texts and sort order of rows of totals. Any thread. */
#ifndef VIEW_TOTALS_VALUES_H
#define VIEW_TOTALS_VALUES_H

#include "engine/base/units.h"
#include "engine/engine.h"
#include "tui/view/totals_column.h"
#include "widgets/table.h"

/* Compare by a column: <0, 0, >0 in ascending order. */
int totals_compare(const struct engine_row *a, const struct engine_row *b,
		   enum totals_column column);
/*
 * Set *key to a number that sorts like totals_compare(), for fast sorting. False: the column is
 * text.
 */
bool totals_key(const struct engine_row *row, enum totals_column column, uint64_t *key);
/* Return the text by which a text column is compared. */
const char *totals_text(const struct engine_row *row, enum totals_column column);
void totals_cell_text(const struct engine_row *row, enum engine_group group,
		      enum totals_column column, struct table_cell *cell);
/* True if the row sums up ended processes, which have no pid of their own. */
bool totals_is_ended_group(const struct engine_row *row);
/* Return the longest duration, calls in flight included. */
uint64_t totals_longest_ns(const struct engine_row *row);
/* Return the number of calls whose duration is known. */
uint64_t totals_timed(const struct engine_row *row);
/* Format the time in calls: ">1.2s" if some durations are unknown, "?" instead of ">0". */
const char *totals_format_total(char text[UNITS_TEXT_BYTES], const struct engine_row *row);
/* Format a minimum, mean, percentile or maximum; "?": no call has a known duration. */
const char *totals_format_duration(char text[UNITS_TEXT_BYTES], const struct engine_row *row,
				   uint64_t ns);
/* True if the column describes calls, false if it describes the task. */
bool totals_is_figure(enum totals_column column);
/* Return the width of "PID (INSIDE)" for a process in a nested pid namespace; 0: not nested. */
int totals_nested_cols(const struct engine_row *row, enum engine_group group);

#endif
