/*
 * palette - every action by its name, to be typed: `:quit`.
 *
 * A blank behind the name of an action that asks for something has it ask now, and what is typed
 * further is the answer: `:sort blocked`, `:view calls`, `:filter dur > 1ms`. Some actions have
 * other names too, those that fingers know from vi and shells. UI thread only.
 */
#ifndef SHELL_PALETTE_H
#define SHELL_PALETTE_H

#include "tui/shell/shell_state.h"

void palette_open(struct menus *menus, const struct bindings *bindings);
/* A character was typed; true: it was the blank that ends a name, and has been acted upon. */
bool palette_type(struct shell *shell, uint32_t code);
/* Puts the name of the chosen action in place of what was typed. */
void palette_complete(struct menus *menus);

#endif
