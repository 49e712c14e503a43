/*
 * worker - stxtop's side of one stack worker: sends requests, waits, replaces the process.
 *
 * One request at a time. A worker that dies, sends a malformed reply or misses the deadline
 * (worker_timeout.h) is killed. The next request starts a new one, which has no files open;
 * worker_serial() shows the change. One thread at a time.
 */
#ifndef STACK_WORKER_H
#define STACK_WORKER_H

#include "engine/helper/fork_server.h"
#include "engine/helper/worker_wire.h"

#include <stdint.h>

struct reader;
struct worker;

struct worker *worker_new(struct fork_server *fork_server); /* starts no process yet */
void worker_free(struct worker *worker);

/* Call before the worker starts if requests concern a recording, see worker_timeout.h. */
void worker_set_recorded(struct worker *worker);
/* Call before the worker starts. Set the reader that hands over files (file_probe.h); borrowed. */
void worker_set_reader(struct worker *worker, struct reader *reader);
/* Stop waiting for replies: requests fail with -ECANCELED. Any thread. */
void worker_cancel(struct worker *worker);

/* Start the process unless it runs: 0, or -errno with *err set. */
int worker_start(struct worker *worker, struct err *err);
/* End the process; the next request starts a new one. */
void worker_stop(struct worker *worker);
/* Return a number that changes with each new process; 0: none yet. */
uint32_t worker_serial(const struct worker *worker);
pid_t worker_pid(const struct worker *worker); /* 0: none; any thread */

/*
 * Send a request with a descriptor (-1: none) and wait for its reply. The payload is
 * data[reply->bytes], borrowed until the next request.
 * Return 0 or one of:
 * - -ETIMEDOUT, -EPIPE (it crashed) or -EPROTO (malformed reply); the worker has been ended;
 * - -ECANCELED: it was killed from outside, or cancelled;
 * - -EBADMSG: the reader cannot hand over the file;
 * - -ESTALE: it was dead before the request.
 */
int worker_ask(struct worker *worker, const struct wire_request *request, int fd,
	       struct wire_reply *reply, const unsigned char **data);

/*
 * Hand over the file `fd` with WIRE_OPEN; the caller retains it. 0 with a description in *file.
 * -EBADMSG: unreadable, or it does not belong to the files handed over before. Otherwise as
 * worker_ask().
 */
int worker_open(struct worker *worker, uint32_t number, enum wire_role role, int fd,
		struct wire_file *file);

#endif
