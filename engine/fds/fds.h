/*
 * fds - the descriptors of all processes, as calls and /proc tell of them.
 *
 * The collector feeds it with the calls that change something, and with forks, execs and ends;
 * one thread that may block asks /proc about what those leave open (fd_reader.h); any thread
 * asks it what a number was at the time of a call. It has its own lock, held for a few
 * hundred instructions. A call that changes nothing costs a bit test (fds_changed_by()).
 */
#ifndef FDS_FDS_H
#define FDS_FDS_H

#include "engine/fds/fd_calls.h"
#include "engine/fds/fd_resolve.h"
#include "engine/record/call.h"
#include "engine/record/observations.h"

struct fds;

struct fds *fds_new(size_t max_bytes);
void fds_free(struct fds *fds);

/* -- The collector ----------------------------------------------------------------------- */

/* Whether calls of this number change what descriptors are. */
bool fds_changed_by(uint32_t nr);
/* A call that ended, of a number of which that is true, with what it pointed to. */
void fds_call(struct fds *fds, const struct call *call, const struct fd_chunks pointed[2]);
void fds_fork(struct fds *fds, uint32_t parent, uint32_t pid, uint64_t time_ns);
void fds_exec(struct fds *fds, uint32_t pid, uint64_t time_ns);
void fds_exit(struct fds *fds, uint32_t pid, uint64_t time_ns);
/* Calls may have been missed then. */
void fds_lose(struct fds *fds, uint64_t time_ns);
/* The same, for no reason that the records tell. */
void fds_miss(struct fds *fds, uint64_t time_ns);
/* Whether calls that change descriptors are missed, as the filter has it, from now on. */
void fds_set_blind(struct fds *fds, bool blind, uint64_t now_ns);
/* As if nothing was fed; of what /proc was never asked. */
void fds_start_over(struct fds *fds, uint64_t from_ns);
/* Everything up to then was fed; UINT64_MAX: nothing more will be. */
void fds_settle(struct fds *fds, uint64_t until_ns);

/* -- Who asks /proc ------------------------------------------------------------------------ */

#define FDS_ALL INT32_MIN /* as `fd`: all that the process has */

struct fd_request {
	uint32_t pid;
	int fd;
};

/* What the process has, if that was never asked: before it is looked at. */
void fds_ask_once(struct fds *fds, uint32_t pid);
/* Waits for questions and takes some; 0: fds_shutdown(), there will be no more. */
size_t fds_next_requests(struct fds *fds, struct fd_request *requests, size_t max);
/*
 * Waits until what happened before told_ns was fed, but two seconds at most, and takes the
 * answers, which were got between the two times. Once for each question.
 */
void fds_reply(struct fds *fds, uint32_t pid, const struct fd_reply *replies, size_t count,
	       uint64_t asked_ns, uint64_t reported_ns);
void fds_shutdown(struct fds *fds);

/* -- Recordings ----------------------------------------------------------------------------- */

/* Is told whatever /proc says that was not known; under the lock. NULL: nobody is. */
void fds_set_observer(struct fds *fds, observation_fn *observer, void *ctx);
/* Tells all that is known now, to a recording that began at since_ns. Any thread. */
void fds_report_all(struct fds *fds, uint64_t since_ns);
/* Nobody can be asked, but this tells; borrowed. Before anything is fed. */
void fds_set_observations(struct fds *fds, struct observations *observations);

/* -- Who looks ----------------------------------------------------------------------------- */

/*
 * What a descriptor of the caller's was when the call entered or, `after`, had returned: its
 * bytes, at most out_bytes of them; 0: not known, or not open. Behind a NUL is what does not
 * belong to a path: "<char 1:3>", "(deleted)". Whatever /proc may know better is asked
 * for, so that the next one learns of it.
 */
size_t fds_text(struct fds *fds, const struct call *call, int fd, bool after, char *out,
		size_t out_bytes);
/* Changes when anything that was looked for became known. */
uint64_t fds_version(struct fds *fds);
/* Waits until all questions of now were answered; false: not in that time. */
bool fds_wait(struct fds *fds, int timeout_ms);

size_t fds_bytes(struct fds *fds); /* of memory */

#endif
