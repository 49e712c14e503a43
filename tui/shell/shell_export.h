/* shell_export - export of a view to a file: content, path and progress. UI thread only. */
#ifndef SHELL_SHELL_EXPORT_H
#define SHELL_SHELL_EXPORT_H

#include "tui/shell/shell_state.h"

void shell_export_init(struct shell *shell);
void shell_export_release(struct shell *shell);

/* False: not an action, a menu or a prompt of this module. */
bool shell_export_act(struct shell *shell, enum action action);
bool shell_export_choose(struct shell *shell, int id);
bool shell_export_accept(struct shell *shell);
bool shell_export_cancel(struct shell *shell);
/*
 * Cancel the export in progress ("back"). False: none is in progress, or it is being cancelled
 * already.
 */
bool shell_export_stop(struct shell *shell);

/* Report progress and results; call between keys. */
void shell_export_work(struct shell *shell);
/* True while the rows of a pane are read: the pane must not change. */
bool shell_export_reads(const struct shell *shell);
/* Draw the progress at the right end of a row. */
void shell_export_draw(const struct shell *shell, struct canvas *canvas, int row);

#endif
