/*
 * table_columns - what columns a table has, and which of them a person wants to see, in what
 * order and how wide.
 *
 * A choice is text too, for a file: names in the order wanted, ":20" behind one that is to be so
 * wide, "-" before one that is not to be shown, "-*" for all that are not named:
 *
 *	pid comm:20 calls -user
 *
 * Columns that the text does not name stay where they are by default: behind the one before
 * them, shown if they are shown otherwise. So a column that a later version adds is seen.
 * UI thread only.
 */
#ifndef WIDGETS_TABLE_COLUMNS_H
#define WIDGETS_TABLE_COLUMNS_H

#include "engine/base/err.h"
#include "widgets/table_types.h"

/* Indices into table->columns in the order wanted, those not shown too; returns how many. */
size_t table_columns_order(const struct table *table, size_t order[TABLE_COLUMNS_MAX]);
/* The same without those. On narrow screens some of them still have no room. */
size_t table_columns_shown(const struct table *table, size_t order[TABLE_COLUMNS_MAX]);
/* Whether it was chosen, or nobody chose and it is by default. */
bool table_column_is_on(const struct table *table, size_t index);
/* How wide it was made; 0: nobody did. */
int table_column_cols(const struct table *table, size_t index);

/* Each does nothing for an id that the table has not. */
void table_column_switch(struct table *table, int id, bool on);
/* One place to the left (step -1) or to the right (1) among those shown. */
void table_column_move(struct table *table, int id, int step);
/* 0: as by default. Bounded. */
void table_column_resize(struct table *table, int id, int cols);
void table_columns_reset(struct table *table);

/* -EINVAL with a sentence, and nothing changes. "": as table_columns_reset(). */
int table_columns_parse(struct table *table, const char *text, struct err *err);
/* Appends; nothing if it is as by default. */
void table_columns_format(const struct table *table, struct str *out);

#endif
