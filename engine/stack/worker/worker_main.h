/*
 * worker_main - main loop of a stack worker: enters its sandbox, then serves requests.
 */
#ifndef WORKER_WORKER_MAIN_H
#define WORKER_WORKER_MAIN_H

#include "engine/helper/worker_wire.h"

/* Serve requests until the socket is closed. Runs in the worker process. */
void worker_serve(int socket_fd);

struct symbol_files;

/*
 * For tests: as worker_serve(), with another handler. `handle` replies itself or calls
 * worker_handle(). It takes ownership of fd (-1: none), fills in reply except kind and bytes, and
 * returns the number of bytes written to data[max].
 */
typedef size_t worker_handle_fn(struct symbol_files *files, const struct wire_request *request,
				int fd, struct wire_reply *reply, unsigned char *data, size_t max);
void worker_serve_with(int socket_fd, worker_handle_fn *handle);
worker_handle_fn worker_handle;

#endif
