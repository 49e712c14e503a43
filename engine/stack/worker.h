/*
 * worker - the program's side of one stack worker: ask, wait, replace.
 *
 * One question at a time. A worker that dies, answers nonsense or does not
 * answer in time (worker_timeout.h) is killed, and the next question starts another one; what it
 * had open is gone then, which worker_serial() tells. One thread at a time.
 */
#ifndef STACK_WORKER_H
#define STACK_WORKER_H

#include "engine/helper/fork_server.h"
#include "engine/helper/worker_wire.h"

#include <stdint.h>

struct reader;
struct worker;

struct worker *worker_new(struct fork_server *fork_server); /* starts nothing yet */
void worker_free(struct worker *worker);

/* Before it is started: it is asked about a recording, see worker_timeout.h. */
void worker_set_recorded(struct worker *worker);
/* The same: files are handed over by a reader, borrowed; see file_probe.h. */
void worker_set_reader(struct worker *worker, struct reader *reader);
/* From now on no answer is waited for: -ECANCELED. Any thread. */
void worker_cancel(struct worker *worker);

/* Makes sure that one runs: 0, or -errno with a sentence. */
int worker_start(struct worker *worker, struct err *err);
/* Ends it, so that the next question meets a fresh one. */
void worker_stop(struct worker *worker);
/* Changes whenever another process takes over; 0: none yet. */
uint32_t worker_serial(const struct worker *worker);
pid_t worker_pid(const struct worker *worker); /* 0: none; any thread */

/*
 * Sends a request with a descriptor (-1: none) and waits for its reply, whose
 * text is in data[reply->bytes], borrowed until the next question. 0;
 * -ETIMEDOUT, -EPIPE (it died over it) or -EPROTO (it lied): it has been ended then.
 * -ECANCELED: it was killed from outside, or cancelled. -ESTALE: it was dead before the question.
 */
int worker_ask(struct worker *worker, const struct wire_request *request, int fd,
	       struct wire_reply *reply, const unsigned char **data);

/*
 * Hands over the file `fd`, which stays the caller's, as WIRE_OPEN. 0 with what is in it;
 * -EBADMSG: it cannot be read, or does not belong to what was handed over before;
 * otherwise as worker_ask().
 */
int worker_open(struct worker *worker, uint32_t number, enum wire_role role, int fd,
		struct wire_file *file);

#endif
