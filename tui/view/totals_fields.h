/* totals_fields - a row of totals as raw values, for exported files. UI thread only. */
#ifndef VIEW_TOTALS_FIELDS_H
#define VIEW_TOTALS_FIELDS_H

#include "engine/engine.h"
#include "engine/export/fields.h"

/*
 * Add all figures of the row. counted false: the figures belong to another filter, so null is
 * written.
 */
void totals_fields_add(struct fields *fields, const struct engine_row *row, bool counted);
/* Add the names and numbers that identify the row; null where unknown. has_nr: row->nr is valid. */
void totals_fields_add_whose(struct fields *fields, const struct engine_row *row, bool has_nr);

#endif
