/* descriptor - sends and receives packets with file descriptors on a unix socket. Any thread. */
#ifndef HELPER_DESCRIPTOR_H
#define HELPER_DESCRIPTOR_H

#include <stddef.h>
#include <sys/types.h>

#define DESCRIPTORS_MAX 2 /* per packet */

/* Send one packet and, unless fd is -1, the descriptor fd. 0 or -errno. */
int descriptor_send(int socket_fd, const void *bytes, size_t len, int fd);
/* Send one packet and two descriptors; fds[1], or both, may be -1. */
int descriptor_send_both(int socket_fd, const void *bytes, size_t len,
			 const int fds[DESCRIPTORS_MAX]);

/*
 * Receive one packet. *fd is its descriptor, or -1; fd NULL: discard it. Return the length, 0 at
 * end of file, or -errno; -EMSGSIZE if the packet was truncated.
 */
ssize_t descriptor_receive(int socket_fd, void *bytes, size_t max, int *fd);
ssize_t descriptor_receive_both(int socket_fd, void *bytes, size_t max, int fds[DESCRIPTORS_MAX]);

#endif
