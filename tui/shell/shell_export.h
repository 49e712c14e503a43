/*
 * shell_export - the desk's part of writing a view to a file: what can be written, where to, and
 * how far it is. UI thread only.
 */
#ifndef SHELL_SHELL_EXPORT_H
#define SHELL_SHELL_EXPORT_H

#include "tui/shell/shell.h"

void desk_export_init(struct desk *desk);
void desk_export_release(struct desk *desk);

/* Each false: not its business. */
bool desk_export_act(struct desk *desk, enum action action);
bool desk_export_choose(struct desk *desk, int id);
bool desk_export_accept(struct desk *desk);
bool desk_export_cancel(struct desk *desk);
/* "Back" gives up what is being written. */
bool desk_export_stop(struct desk *desk);

/* What has become of it; between keys. */
void desk_export_work(struct desk *desk);
/* The pane whose rows are read must stand still. */
bool desk_export_reads(const struct desk *desk);
/* At the right end of a row. */
void desk_export_draw(const struct desk *desk, struct canvas *canvas, int row);

#endif
