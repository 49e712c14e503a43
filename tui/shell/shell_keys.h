/*
 * shell_keys - what keys do on the desk: in lines that are typed, lists, pages and views, alone
 * and as sequences. UI thread only.
 */
#ifndef SHELL_SHELL_KEYS_H
#define SHELL_SHELL_KEYS_H

#include "tui/shell/shell.h"

void desk_key(struct desk *desk, struct key key);
/* What is wrong in the keymap, until a key is pressed. */
void desk_say_keymap(struct desk *desk);
/* A sequence that has begun is given up; where text is typed, its keys are text. */
void desk_drop_keys(struct desk *desk);
/* Some times a second: what waited for more keys long enough is told, or typed. */
void desk_keys_tick(struct desk *desk);
/* The bottom line, and what may follow above it, while a sequence waits; false: none does. */
bool desk_draw_keys(struct desk *desk, struct canvas *canvas);

#endif
