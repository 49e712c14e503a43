/*
 * shell_flight - the desk's part of the flight recorder: its panel, what the header says of it, and
 * what became of it. UI thread only.
 */
#ifndef SHELL_SHELL_FLIGHT_H
#define SHELL_SHELL_FLIGHT_H

#include "tui/shell/shell.h"

void desk_flight_init(struct desk *desk);
void desk_flight_release(struct desk *desk);

/* Each false: not its business. */
bool desk_flight_act(struct desk *desk, enum action action);
bool desk_flight_choose(struct desk *desk, int id);
bool desk_flight_accept(struct desk *desk);
bool desk_flight_cancel(struct desk *desk);

/* The engine has started: of a recording that a flight recorder saved, why and when. */
void desk_flight_start(struct desk *desk);
/* At each tick: what has become of it, and what the header says of it. */
void desk_flight_look(struct desk *desk);
/* SIGUSR1 came. */
void desk_flight_signal(struct desk *desk);

#endif
