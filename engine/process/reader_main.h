/*
 * reader_main - what runs in a reader: it answers requests until its socket ends.
 */
#ifndef PROCESS_READER_MAIN_H
#define PROCESS_READER_MAIN_H

#include "engine/process/reader_wire.h"

/* handlers[READER_WHAT_COUNT]; NULL: -ENOSYS. */
void reader_serve(int socket_fd, reader_handle_fn *const *handlers);

/* One request, wherever that is; states[READER_WHAT_COUNT]. */
void reader_handle(reader_handle_fn *const *handlers, void **states,
		   const struct reader_request *request, const void *payload, int fd,
		   struct reader_reply *reply, unsigned char *bytes);

#endif
