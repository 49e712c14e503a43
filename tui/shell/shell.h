/*
 * shell - everything on the screen: header, views, and what is opened above them.
 *
 * Takes what the person does and draws what there is; what only the program can
 * do (leave, stop, copy) it asks for in `request`. UI thread only.
 */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "tui/shell/shell_state.h"

void shell_init(struct shell *shell, struct engine *engine, const struct options *options,
		struct command *command, struct bindings *bindings,
		const struct command_output *output);
void shell_release(struct shell *shell);

/* Takes what changed in the engine; a tick comes some times a second. */
void shell_refresh(struct shell *shell, bool tick);
/* Between ticks, while it has work: goes on with what takes long. */
void shell_work(struct shell *shell);
/* *hurry: a person waits for it. */
bool shell_has_work(const struct shell *shell, bool *hurry);
/* Draws on the whole canvas; *cursor_row -1: no cursor. */
void shell_draw(struct shell *shell, struct canvas *canvas, int *cursor_row, int *cursor_col);

/* Nothing may be watched: what could be is shown instead. */
void shell_refuse(struct shell *shell, const char *why);

void shell_event(struct shell *shell, const struct input_event *event);

#endif
