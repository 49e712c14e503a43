/* totals_fields - a row of sums with its raw values, for other programs. UI thread only. */
#ifndef VIEW_TOTALS_FIELDS_H
#define VIEW_TOTALS_FIELDS_H

#include "engine/engine.h"
#include "engine/export/fields.h"

/* All there is but whose they are; not counted: its figures are of another filter, and null. */
void totals_fields_add(struct fields *fields, const struct engine_row *row, bool counted);
/* Names and numbers, as far as it has them. */
void totals_fields_add_whose(struct fields *fields, const struct engine_row *row, bool has_nr);

#endif
