/*
 * palette - every action by its name, to be typed: `:quit`.
 *
 * Some actions open a list or a prompt. A blank after the name of such an action opens it at once,
 * and further text is typed into it: `:sort blocked`, `:view calls`, `:filter dur > 1ms`. Some
 * actions have aliases, known from vi and shells. UI thread only.
 */
#ifndef SHELL_PALETTE_H
#define SHELL_PALETTE_H

#include "tui/shell/shell_state.h"

void palette_open(struct menus *menus, const struct bindings *bindings);
/* Handle a typed character. True: a blank ended the name of an action, and the action has run. */
bool palette_type(struct shell *shell, uint32_t code);
/* Replace the typed text by the name of the selected action. */
void palette_complete(struct menus *menus);

#endif
