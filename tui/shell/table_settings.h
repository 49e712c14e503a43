/*
 * table_settings - columns and sort order of each table of the shell, as names and texts for a
 * file.
 *
 * A name consists of a family, the view and the table. "columns.overview.processes" has a text of
 * widgets/table_columns.h. "sort.overview.processes" has the name of a column and "up" or "down".
 * UI thread only.
 */
#ifndef SHELL_TABLE_SETTINGS_H
#define SHELL_TABLE_SETTINGS_H

#include "tui/shell/shell_state.h"

typedef void table_settings_fn(void *ctx, const char *name, const char *text);

/*
 * Call `each` for the columns of each table that differ from the default, and for the order of each
 * sortable table. Both texts are borrowed for the call.
 */
void table_settings_each(const struct shell *shell, table_settings_fn *each, void *ctx);
/* -ENOENT: unknown table; -EINVAL: invalid columns or order. On error nothing changes. */
int table_settings_set(struct shell *shell, const char *name, const char *text, struct err *err);

#endif
