/*
 * table_columns - the columns of a table, and the user's choice of columns, order and widths.
 *
 * The choice has a text form for files: names in display order. A suffix ":20" sets a width, a
 * prefix "-" hides a column, "-*" hides all columns without a name in the text:
 *
 *	pid comm:20 calls -user
 *
 * A column that the text does not name stays at its default position, after its default
 * predecessor. It is shown only if it is shown by default, so that a column added by a later
 * version is visible. UI thread only.
 */
#ifndef WIDGETS_TABLE_COLUMNS_H
#define WIDGETS_TABLE_COLUMNS_H

#include "engine/base/err.h"
#include "widgets/table_types.h"

/*
 * Copy the indices into table->columns in display order, including columns not shown. Return their
 * number.
 */
size_t table_columns_order(const struct table *table, size_t order[TABLE_COLUMNS_MAX]);
/*
 * As table_columns_order(), but only the shown columns, of which narrow screens omit some.
 */
size_t table_columns_shown(const struct table *table, size_t order[TABLE_COLUMNS_MAX]);
/* True if the user chose the column, or made no choice and it is shown by default. */
bool table_column_is_on(const struct table *table, size_t index);
/* Return the width set by the user; 0: none. */
int table_column_cols(const struct table *table, size_t index);

/* The next three functions ignore an id that the table does not have. */
void table_column_switch(struct table *table, int id, bool on);
/* Move one place to the left (step -1) or right (1) among the shown columns. */
void table_column_move(struct table *table, int id, int step);
/* cols 0: default width. Bounded by TABLE_COLUMN_COLS_MAX. */
void table_column_resize(struct table *table, int id, int cols);
void table_columns_reset(struct table *table);

/*
 * Set the choice from its text form; "": as table_columns_reset(). If the text is invalid, change
 * nothing; -EINVAL with a message.
 */
int table_columns_parse(struct table *table, const char *text, struct err *err);
/* Append the text form of the choice; nothing if it is the default. */
void table_columns_format(const struct table *table, struct str *out);

#endif
