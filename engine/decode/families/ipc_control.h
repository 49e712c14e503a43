/*
 * ipc_control - arguments and results of semctl(2), shmctl(2) and msgctl(2), by command.
 *
 * Constant data; any thread.
 */
#ifndef FAMILIES_IPC_CONTROL_H
#define FAMILIES_IPC_CONTROL_H

#include "engine/decode/printer.h"

struct layout;

struct ipc_control {
	uint8_t command_arg;
	uint8_t stat[3]; /* commands that fill in a `state` */
	uint8_t info; /* command that fills in `usage`; IPC_INFO fills in `limits` */
	const struct layout *state, *set, *limits, *usage;
};

extern const struct ipc_control shm_control, msg_control, sem_control;

show_fn show_ipc_control; /* data: a struct ipc_control */

#endif
