/*
 * reader - stxtop's side of a process that reads data of other processes.
 *
 * A page, file or directory of another process can be on a server that does not answer. A task that
 * waits for such a server in the kernel cannot even be killed. So stxtop leaves such accesses to a
 * reader process. A reader serves one request at a time (reader_wire.h) and has a second to answer.
 * A reader that does not answer is abandoned, and the next request starts another one. For 30 s
 * after that, all readers refuse requests about the same process. Callers must handle a failed read
 * as an ordinary result.
 *
 * Each client has its own reader, so that clients do not wait for each other.
 */
#ifndef HELPER_READER_H
#define HELPER_READER_H

#include "engine/helper/reader_wire.h"

#include <sys/types.h>

struct fork_server;
struct readers; /* state shared by all readers of stxtop */
struct reader;

/* `serve` is the main function of a reader and calls reader_serve(). Both are borrowed. */
struct readers *readers_new(struct fork_server *fork_server, void (*serve)(int socket_fd));
/* Set `serve`. Call before the first reader is started. */
void readers_set_serve(struct readers *readers, void (*serve)(int socket_fd));
/* Free all readers first. NULL is allowed. */
void readers_free(struct readers *readers);
/* From now on, requests return -ECANCELED instead of waiting for a reply. Any thread. */
void readers_cancel(struct readers *readers);

/* Does not start a process yet. */
struct reader *reader_new(struct readers *readers);
/*
 * Create a reader without a process: the calling thread serves the requests. For tests, and where a
 * fork is impossible.
 */
struct reader *reader_new_here(reader_handle_fn *const *handlers);
void reader_free(struct reader *reader); /* NULL is allowed */
/* Start the process now, so that tracing can exclude it at once. Return its pid; 0: no process. */
pid_t reader_start(struct reader *reader);

/*
 * Send a request with its payload (request->payload_bytes) and two descriptors (fds NULL: none),
 * and wait for the reply. Return 0 or the handler's -errno; -ETIMEDOUT: no reply; -EHOSTDOWN:
 * refused after an earlier request about the process got no reply; -ECANCELED; -EPIPE: no reader.
 * *result is borrowed until the next request; the caller owns result->fd, if any. A reader that
 * several threads share must be locked: reader_lock() to reader_unlock().
 */
int reader_ask(struct reader *reader, const struct reader_request *request, const void *payload,
	       const int *fds, struct reader_result *result);
void reader_lock(struct reader *reader);
void reader_unlock(struct reader *reader);

/*
 * Copy memory of a process: up to `len` bytes from `address` to the first page that is not in RAM.
 * Return the count; 0: none. Locks the reader, so any number of threads may share it.
 */
size_t reader_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len);

/* -- Without waiting: at most one request in flight ----------------------------------------- */

/*
 * Send a request. 0: sent; -EAGAIN: the reader is starting, retry later; otherwise as reader_ask().
 */
int reader_send(struct reader *reader, const struct reader_request *request, const void *payload);
/*
 * Receive the reply. -EAGAIN: none yet after timeout_us; otherwise as reader_ask(), including
 * -ETIMEDOUT. After any other result than -EAGAIN no request is in flight.
 */
int reader_receive(struct reader *reader, int timeout_us, struct reader_result *result);

#endif
