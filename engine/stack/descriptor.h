/*
 * descriptor - packets with file descriptors over a unix socket. Any thread.
 */
#ifndef STACK_DESCRIPTOR_H
#define STACK_DESCRIPTOR_H

#include <stddef.h>
#include <sys/types.h>

/* Sends one packet and, unless fd is -1, that descriptor. 0 or -errno. */
int descriptor_send(int socket_fd, const void *bytes, size_t len, int fd);

/*
 * Receives one packet; *fd (NULL: none is wanted) is the descriptor that came, or -1.
 * Returns its length, 0 at the end, or -errno; -EMSGSIZE if it was cut.
 */
ssize_t descriptor_receive(int socket_fd, void *bytes, size_t max, int *fd);

#endif
