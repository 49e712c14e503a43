/*
 * fd_sockets - addresses of a socket by inode, as the kernel lists them.
 *
 * Internet sockets come from /proc/PID/net, in the network namespace of the process. A file there
 * lists all sockets of a protocol, so the list is cached for up to 200 ms. Unix sockets come one by
 * one from sock_diag(7), in the namespace of stxtop only. Runs in a reader process (fd_probe.h).
 */
#ifndef FDS_FD_SOCKETS_H
#define FDS_FD_SOCKETS_H

#include "engine/fds/fd_table.h"

struct fd_sockets;

struct fd_sockets *fd_sockets_new(void);

/* Fill in the known addresses of socket->inode, a socket of socket->protocol. */
void fd_sockets_find(struct fd_sockets *sockets, uint32_t pid, struct fd_socket *socket);

#endif
