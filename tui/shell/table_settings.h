/*
 * table_settings - the columns and the order of every table of the shell, as names and texts for
 * a file.
 *
 * A table is called by its view and its own name: "columns.overview.processes" has a text of
 * widgets/table_columns.h, "sort.overview.processes" the name of a column and "up" or "down".
 * UI thread only.
 */
#ifndef SHELL_TABLE_SETTINGS_H
#define SHELL_TABLE_SETTINGS_H

#include "tui/shell/shell_state.h"

typedef void table_settings_fn(void *ctx, const char *name, const char *text);

/*
 * For the columns of each table that are not as by default, and the order of each that can be
 * sorted. Both texts are borrowed for the call.
 */
void table_settings_each(const struct shell *shell, table_settings_fn *each, void *ctx);
/* -ENOENT: there is no such table; -EINVAL: no such columns. Nothing changes then. */
int table_settings_set(struct shell *shell, const char *name, const char *text, struct err *err);

#endif
