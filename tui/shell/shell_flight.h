/* shell_flight - panel, header text and results of the flight recorder. UI thread only. */
#ifndef SHELL_SHELL_FLIGHT_H
#define SHELL_SHELL_FLIGHT_H

#include "tui/shell/shell_state.h"

void shell_flight_init(struct shell *shell);
void shell_flight_release(struct shell *shell);

/* False: not an action, a menu or a prompt of this module. */
bool shell_flight_act(struct shell *shell, enum action action);
bool shell_flight_choose(struct shell *shell, int id);
bool shell_flight_accept(struct shell *shell);
bool shell_flight_cancel(struct shell *shell);

/*
 * Call after the engine has started. In a recording saved by a flight recorder, reads why and when
 * it was saved.
 */
void shell_flight_start(struct shell *shell);
/* Call at each tick: report saved files and update the header. */
void shell_flight_look(struct shell *shell);
/* Handle SIGUSR1: save now. */
void shell_flight_signal(struct shell *shell);

#endif
