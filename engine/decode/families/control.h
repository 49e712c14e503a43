/*
 * control - prints control messages, the msg_control of a struct msghdr.
 */
#ifndef FAMILIES_CONTROL_H
#define FAMILIES_CONTROL_H

#include "engine/decode/printer.h"

/* Print "[{cmsg_len=20, cmsg_level=SOL_SOCKET, cmsg_type=SCM_RIGHTS, cmsg_data=[3]}]". */
void print_control(struct printer *p, uint64_t address, uint64_t len);

#endif
