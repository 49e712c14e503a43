/*
 * ipc_control - what semctl(2), shmctl(2) and msgctl(2) tell and take, by command.
 *
 * Constant data; any thread.
 */
#ifndef FAMILIES_IPC_CONTROL_H
#define FAMILIES_IPC_CONTROL_H

#include "engine/decode/printer.h"

struct layout;

struct ipc_control {
	uint8_t command_arg;
	uint8_t stat[3]; /* the commands that fill in a `state` */
	uint8_t info; /* … and the `usage`; IPC_INFO fills in the `limits` */
	const struct layout *state, *set, *limits, *usage;
};

extern const struct ipc_control shm_control, msg_control, sem_control;

show_fn show_ipc_control; /* data: one of them */

#endif
