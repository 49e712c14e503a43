/*
 * descriptor - packets with file descriptors over a unix socket. Any thread.
 */
#ifndef HELPER_DESCRIPTOR_H
#define HELPER_DESCRIPTOR_H

#include <stddef.h>
#include <sys/types.h>

#define DESCRIPTORS_MAX 2 /* with one packet */

/* Sends one packet and, unless fd is -1, that descriptor. 0 or -errno. */
int descriptor_send(int socket_fd, const void *bytes, size_t len, int fd);
/* The same with two; the second alone may be -1, or both. */
int descriptor_send_both(int socket_fd, const void *bytes, size_t len,
			 const int fds[DESCRIPTORS_MAX]);

/*
 * Receives one packet; *fd (NULL: none is wanted) is the descriptor that came, or -1.
 * Returns its length, 0 at the end, or -errno; -EMSGSIZE if it was cut.
 */
ssize_t descriptor_receive(int socket_fd, void *bytes, size_t max, int *fd);
ssize_t descriptor_receive_both(int socket_fd, void *bytes, size_t max, int fds[DESCRIPTORS_MAX]);

#endif
