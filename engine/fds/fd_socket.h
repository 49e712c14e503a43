/*
 * fd_socket - what a socket is called, in the notation of strace -yy.
 *
 * "TCP:[127.0.0.1:5000->127.0.0.1:80]", "UNIX-STREAM:[4242,"/run/x"]", "UDP:[4242]"; of what is
 * not known, less. Addresses are bytes of others: bounded here, escaped by who shows them.
 */
#ifndef FDS_FD_SOCKET_H
#define FDS_FD_SOCKET_H

#include "engine/base/str.h"
#include "engine/fds/fd_table.h"

/* "TCP", "UDPv6" for the arguments of socket(2); "" where they have no name of their own. */
const char *fd_socket_protocol(int domain, int type);
/*
 * What is known of a socket's own address by its third argument alone: "ROUTE" for a netlink
 * socket, whose protocol stands there; "" for all others.
 */
const char *fd_socket_bare_address(int domain, int protocol);
/* A struct sockaddr's text into out; "" for none, for no port and for families without. */
void fd_socket_address(char out[FD_ADDRESS_BYTES], const void *sockaddr, size_t len);
void fd_socket_text(struct str *out, const struct fd_socket *socket);

#endif
