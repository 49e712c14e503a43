/*
 * shell_memory_usage - page with the memory by owner and the CPU usage of stxtop, updated every
 * second.
 *
 * A job collects the numbers. For tui/shell/shell*.c; UI thread only.
 */
#ifndef SHELL_SHELL_MEMORY_USAGE_H
#define SHELL_SHELL_MEMORY_USAGE_H

#include "tui/shell/shell_state.h"

void shell_memory_usage_init(struct shell *shell);
void shell_memory_usage_release(struct shell *shell);

void shell_memory_usage_open(struct shell *shell);
bool shell_memory_usage_act(struct shell *shell, enum action action);
/* Call at each tick: update the page, and the header if the settings show the usage there. */
void shell_memory_usage_look(struct shell *shell);

#endif
