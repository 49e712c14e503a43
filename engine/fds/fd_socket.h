/*
 * fd_socket - text of a socket in the notation of strace -yy.
 *
 * "TCP:[127.0.0.1:5000->127.0.0.1:80]", "UNIX-STREAM:[4242,"/run/x"]", "UDP:[4242]"; unknown parts
 * are left out. Addresses are untrusted bytes: bounded here, escaped where they are displayed.
 */
#ifndef FDS_FD_SOCKET_H
#define FDS_FD_SOCKET_H

#include "engine/base/str.h"
#include "engine/fds/fd_table.h"

/* Return "TCP", "UDPv6" etc. for arguments of socket(2); "" if the kernel has no such name. */
const char *fd_socket_protocol(int domain, int type);
/*
 * Return the part of a local address that is known from the third argument of socket(2). For a
 * netlink socket, it is the protocol, such as "ROUTE"; "" for other families.
 */
const char *fd_socket_bare_address(int domain, int protocol);
/* Format a struct sockaddr; "" for none, for port 0 and for other families. */
void fd_socket_address(char out[FD_ADDRESS_BYTES], const void *sockaddr, size_t len);
void fd_socket_text(struct str *out, const struct fd_socket *socket);

#endif
