/*
 * reader - the program's side of a process that reads what belongs to other processes.
 *
 * A page, a file or a folder of another process may be on a server that does not answer, and who
 * waits for it in the kernel cannot even be killed. So it is not this program that touches them,
 * but a reader: a process that is asked one question at a time (reader_wire.h), has a second to
 * answer, and is left behind if it does not. The next request starts another one; the process
 * that was asked about is not asked about again for a while, by none of them. What could not be
 * read is not known, and for who asks that is one of the ordinary answers.
 *
 * There are several, one for each of those who ask, so that they do not wait for each other.
 */
#ifndef HELPER_READER_H
#define HELPER_READER_H

#include "engine/helper/reader_wire.h"

#include <sys/types.h>

struct fork_server;
struct readers; /* what all of a program's have in common */
struct reader;

/* `serve` is what a reader runs: code that calls reader_serve(). Both are borrowed. */
struct readers *readers_new(struct fork_server *fork_server, void (*serve)(int socket_fd));
/* Before the first reader is started: what each runs. */
void readers_set_serve(struct readers *readers, void (*serve)(int socket_fd));
/* After all readers. NULL is fine. */
void readers_free(struct readers *readers);
/* From now on no answer is waited for: -ECANCELED. Any thread. */
void readers_cancel(struct readers *readers);

/* Starts nothing yet. */
struct reader *reader_new(struct readers *readers);
/* Without a process: what is asked is answered here. For tests, and where nothing can be forked. */
struct reader *reader_new_here(reader_handle_fn *const *handlers);
void reader_free(struct reader *reader); /* NULL is fine */
/* So that what watches processes can leave it out from its beginning. 0: there is none. */
pid_t reader_start(struct reader *reader);

/*
 * Asks, with `payload_bytes` of the request and two descriptors (fds NULL: none), and waits. 0 or
 * the handler's -errno; -ETIMEDOUT: it did not answer; -EHOSTDOWN: it did not the last time;
 * -ECANCELED; -EPIPE: there is no reader. What it answered is in *result, borrowed until the
 * next request; result->fd, if any, is the caller's. Others wait from reader_lock() to
 * reader_unlock(); who has a reader alone needs neither.
 */
int reader_ask(struct reader *reader, const struct reader_request *request, const void *payload,
	       const int *fds, struct reader_result *result);
void reader_lock(struct reader *reader);
void reader_unlock(struct reader *reader);

/*
 * Memory of a process, by a reader of any number of threads: as much from `address` on as is
 * present, up to len; 0: nothing, or nobody knows.
 */
size_t reader_memory(struct reader *reader, uint32_t pid, uint64_t address, void *to, size_t len);

/* -- For who must not wait: one question is under way at most ------------------------------ */

/* 0: it was asked; -EAGAIN: a reader is being started, ask later; otherwise as reader_ask(). */
int reader_send(struct reader *reader, const struct reader_request *request, const void *payload);
/*
 * -EAGAIN: nothing yet, after timeout_us at most; otherwise as reader_ask(), also -ETIMEDOUT,
 * after which nothing is under way.
 */
int reader_receive(struct reader *reader, int timeout_us, struct reader_result *result);

#endif
