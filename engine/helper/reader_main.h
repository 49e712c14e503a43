/* reader_main - the main loop of a reader: serves requests until its socket closes. */
#ifndef HELPER_READER_MAIN_H
#define HELPER_READER_MAIN_H

#include "engine/helper/reader_wire.h"

/*
 * handlers[READER_WHAT_COUNT]: a request whose handler is NULL gets -ENOSYS. raised: raise all
 * privileges that stxtop has, see privilege.h.
 */
void reader_serve(int socket_fd, reader_handle_fn *const *handlers, bool raised);

/*
 * Serve one request, in a reader or in stxtop itself. states[READER_WHAT_COUNT]: see
 * reader_handle_fn. The caller provides the buffer result->bytes.
 */
void reader_handle(reader_handle_fn *const *handlers, void **states,
		   const struct reader_request *request, const void *payload, const int *fds,
		   struct reader_reply *reply, struct reader_result *result);

#endif
