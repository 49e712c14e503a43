/*
 * shell - everything on the screen: header, views, and the pages and menus above them.
 *
 * Handles input events and draws the screen. Sets `request` for what only the program can do: quit,
 * suspend, copy. UI thread only.
 */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "tui/shell/shell_state.h"

void shell_init(struct shell *shell, struct engine *engine, const struct options *options,
		struct command *command, struct bindings *bindings,
		const struct command_output *output);
void shell_release(struct shell *shell);

/* Take new data from the engine. tick: the periodic refresh, usually several times per second. */
void shell_refresh(struct shell *shell, bool tick);
/* Continue slow work between ticks, while shell_has_work(). */
void shell_work(struct shell *shell);
/* True if shell_work() has work to do. *hurry: the user is waiting for it. */
bool shell_has_work(const struct shell *shell, bool *hurry);
/* Draw on the whole canvas; *cursor_row -1: no cursor. */
void shell_draw(struct shell *shell, struct canvas *canvas, int *cursor_row, int *cursor_col);

/* Tracing is not permitted, because of `why`: show the access view. */
void shell_refuse(struct shell *shell, const char *why);

void shell_event(struct shell *shell, const struct input_event *event);

#endif
