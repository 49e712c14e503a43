/*
 * shell_flight - the shell's part of the flight recorder: its panel, what the header says of it,
 * and what became of it. UI thread only.
 */
#ifndef SHELL_SHELL_FLIGHT_H
#define SHELL_SHELL_FLIGHT_H

#include "tui/shell/shell_state.h"

void shell_flight_init(struct shell *shell);
void shell_flight_release(struct shell *shell);

/* Each false: not its business. */
bool shell_flight_act(struct shell *shell, enum action action);
bool shell_flight_choose(struct shell *shell, int id);
bool shell_flight_accept(struct shell *shell);
bool shell_flight_cancel(struct shell *shell);

/* The engine has started: of a recording that a flight recorder saved, why and when. */
void shell_flight_start(struct shell *shell);
/* At each tick: what has become of it, and what the header says of it. */
void shell_flight_look(struct shell *shell);
/* SIGUSR1 came. */
void shell_flight_signal(struct shell *shell);

#endif
