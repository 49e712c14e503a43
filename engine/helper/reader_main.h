/*
 * reader_main - what runs in a reader: it answers requests until its socket ends.
 */
#ifndef HELPER_READER_MAIN_H
#define HELPER_READER_MAIN_H

#include "engine/helper/reader_wire.h"

/*
 * handlers[READER_WHAT_COUNT]; NULL: -ENOSYS. raised: with all rights that this program has, see
 * privilege.h.
 */
void reader_serve(int socket_fd, reader_handle_fn *const *handlers, bool raised);

/* One request, wherever that is; states[READER_WHAT_COUNT]. result->bytes is where it goes. */
void reader_handle(reader_handle_fn *const *handlers, void **states,
		   const struct reader_request *request, const void *payload, const int *fds,
		   struct reader_reply *reply, struct reader_result *result);

#endif
