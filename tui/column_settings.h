/*
 * column_settings - the columns that were chosen in every table of the desk, as names and texts
 * for a file.
 *
 * A table is called by its view and its own name, "overview.processes"; its text is that of
 * widgets/table_columns.h. UI thread only.
 */
#ifndef TUI_COLUMN_SETTINGS_H
#define TUI_COLUMN_SETTINGS_H

#include "tui/desk.h"

typedef void column_settings_fn(void *ctx, const char *name, const char *text);

/* For each table that is not as it is by default. Both texts are borrowed for the call. */
void column_settings_each(const struct desk *desk, column_settings_fn *each, void *ctx);
/* -ENOENT: there is no such table; -EINVAL: no such columns. Nothing changes then. */
int column_settings_set(struct desk *desk, const char *name, const char *text, struct err *err);

#endif
