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
#include "engine/base/str.h"
#include "widgets/canvas/canvas.h"

struct table;

#define TABLE_COLUMNS_MAX 64
#define TABLE_COLUMN_COLS_MAX 500

struct table_column {
	int id; /* the caller's name for it, >= 0 */
	const char *name; /* in text: lower case, one word; NULL: it is not to be chosen */
	const char *title;
	const char *help; /* what it says, for the help page; NULL: nothing to say */
	int min_cols;
	int flex; /* share of spare columns; 0: always min_cols */
	int flex_cols; /* no wider by that than so much; 0: as wide as there is room */
	int first_cols; /* its share comes before the others' until it is so wide */
	int lend_cols; /* > 0: a row lends room to the next cell until so much is left */
	enum align align;
	bool descending; /* the direction a first sort by it takes; for the caller */
	bool hidden; /* there is nothing to show in it now, whatever was chosen */
	bool optional; /* shown only where it was chosen */
	int drop; /* > 0: left out on narrow screens, the highest first */
};

struct table_columns {
	struct table_columns_item {
		int id;
		int cols; /* 0: as it is by default */
		bool off;
	} items[TABLE_COLUMNS_MAX]; /* all of the table's, in the order wanted */
	size_t count; /* 0: nothing was chosen */
};

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
