/*
 * worker_main - what runs in a stack worker: it locks itself in, then answers.
 */
#ifndef WORKER_WORKER_MAIN_H
#define WORKER_WORKER_MAIN_H

#include "engine/helper/worker_wire.h"

/* Answers requests until the socket ends. Runs in the worker process. */
void worker_serve(int socket_fd);

struct symbol_files;

/*
 * The same with another hand on the requests, for tests: `handle` may answer one
 * itself or leave it to worker_handle(). It takes fd (-1: none came), fills reply
 * but for kind and bytes, and returns how many bytes it wrote to data[max].
 */
typedef size_t worker_handle_fn(struct symbol_files *files, const struct wire_request *request,
				int fd, struct wire_reply *reply, unsigned char *data, size_t max);
void worker_serve_with(int socket_fd, worker_handle_fn *handle);
worker_handle_fn worker_handle;

#endif
