/*
 * shell_keys - what keys do on the shell: in lines that are typed, lists, pages and views, alone
 * and as sequences. UI thread only.
 */
#ifndef SHELL_SHELL_KEYS_H
#define SHELL_SHELL_KEYS_H

#include "tui/shell/shell_state.h"

void shell_key(struct shell *shell, struct key key);
/* A sequence that has begun is given up; where text is typed, its keys are text. */
void shell_drop_keys(struct shell *shell);
/* Some times a second: what waited for more keys long enough is told, or typed. */
void shell_keys_tick(struct shell *shell);
/* The bottom line, and what may follow above it, while a sequence waits; false: none does. */
bool shell_draw_keys(struct shell *shell, struct canvas *canvas);

#endif
