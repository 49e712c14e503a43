/*
 * shell_export - the shell's part of writing a view to a file: what can be written, where to, and
 * how far it is. UI thread only.
 */
#ifndef SHELL_SHELL_EXPORT_H
#define SHELL_SHELL_EXPORT_H

#include "tui/shell/shell_state.h"

void shell_export_init(struct shell *shell);
void shell_export_release(struct shell *shell);

/* Each false: not its business. */
bool shell_export_act(struct shell *shell, enum action action);
bool shell_export_choose(struct shell *shell, int id);
bool shell_export_accept(struct shell *shell);
bool shell_export_cancel(struct shell *shell);
/* "Back" gives up what is being written. */
bool shell_export_stop(struct shell *shell);

/* What has become of it; between keys. */
void shell_export_work(struct shell *shell);
/* The pane whose rows are read must stand still. */
bool shell_export_reads(const struct shell *shell);
/* At the right end of a row. */
void shell_export_draw(const struct shell *shell, struct canvas *canvas, int row);

#endif
