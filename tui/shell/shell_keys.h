/*
 * shell_keys - handles keys and key sequences in prompts, menus, pages and views. UI thread only.
 */
#ifndef SHELL_SHELL_KEYS_H
#define SHELL_SHELL_KEYS_H

#include "tui/shell/shell_state.h"

void shell_key(struct shell *shell, struct key key);
/* Cancel a pending sequence; where text is typed, insert its keys as text. */
void shell_drop_keys(struct shell *shell);
/*
 * Call at each tick: show hints for a pending sequence. Where text is typed, insert a sequence that
 * waited too long as text.
 */
void shell_keys_tick(struct shell *shell);
/*
 * Draw the bottom line while a key sequence is incomplete, with key hints above it, or while the
 * next key is to be described. False: neither.
 */
bool shell_draw_keys(struct shell *shell, struct canvas *canvas);

#endif
