/*
 * shell_memory_usage - a page of the memory and the CPU that this program takes, by owner, each
 * second anew.
 *
 * A job asks. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_MEMORY_USAGE_H
#define SHELL_SHELL_MEMORY_USAGE_H

#include "tui/shell/shell_state.h"

void shell_memory_usage_init(struct shell *shell);
void shell_memory_usage_release(struct shell *shell);

void shell_memory_usage_open(struct shell *shell);
bool shell_memory_usage_act(struct shell *shell, enum action action);
/* At each tick: the page anew, and the header's line where the settings want it. */
void shell_memory_usage_look(struct shell *shell);

#endif
