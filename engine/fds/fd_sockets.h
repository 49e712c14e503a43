/*
 * fd_sockets - the addresses of a socket by its inode, as the kernel lists them.
 *
 * Internet sockets from /proc/PID/net, which is of the process's own network namespace; read at
 * most some times a second, since it lists all there are. Unix sockets one by one from
 * sock_diag(7), of this program's namespace alone. In a reader's process (fd_probe.h).
 */
#ifndef FDS_FD_SOCKETS_H
#define FDS_FD_SOCKETS_H

#include "engine/fds/fd_table.h"

struct fd_sockets;

struct fd_sockets *fd_sockets_new(void);

/* Fills in what is known of socket->inode, a socket of socket->protocol. */
void fd_sockets_find(struct fd_sockets *sockets, uint32_t pid, struct fd_socket *socket);

#endif
