/*
 * fds - descriptors of all processes, from calls and /proc.
 *
 * The collector feeds forks, execs, exits and the calls that change descriptors. One thread that
 * may block (fd_reader.h) queries /proc for descriptors that remain unknown. Any thread may look up
 * a descriptor at the time of a call. The lock of fds is held for a few hundred instructions. A
 * call that changes no descriptor costs a bit test (fds_changed_by()).
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

/* True if calls of this number change descriptors. */
bool fds_changed_by(uint32_t nr);
/* Feed a finished call for which fds_changed_by() is true, with its captured memory. */
void fds_call(struct fds *fds, const struct call *call, const struct fd_chunks pointed[2]);
/* Tasks: see fd_task(). A child with the pid of its parent is a thread. */
void fds_fork(struct fds *fds, uint64_t parent, uint64_t child, uint64_t time_ns);
void fds_exec(struct fds *fds, uint32_t pid, uint64_t time_ns);
/* End a thread. last: its process has ended, too. */
void fds_exit(struct fds *fds, uint64_t task, bool last, uint64_t time_ns);
/* Calls may have been lost at time_ns. */
void fds_lose(struct fds *fds, uint64_t time_ns);
/* As fds_lose(), for a loss that no record reports. */
void fds_miss(struct fds *fds, uint64_t time_ns);
/* Note that at now_ns the filter began (blind) or ceased to drop calls that change descriptors. */
void fds_set_blind(struct fds *fds, bool blind, uint64_t now_ns);
/* Reset to the state before any record; only for a source without /proc queries (a recording). */
void fds_start_over(struct fds *fds, uint64_t from_ns);
/* All records up to until_ns have been fed; UINT64_MAX: there are no more. */
void fds_settle(struct fds *fds, uint64_t until_ns);

/* -- Queries to /proc ------------------------------------------------------------------------- */

#define FDS_ALL INT32_MIN /* `fd` of a request for all descriptors of a process */

struct fd_request {
	uint64_t task;
	int fd;
};

/* Request all descriptors of a process that is soon displayed, unless requested before. */
void fds_ask_once(struct fds *fds, uint32_t pid);
/* Wait for requests and take up to `max`. 0: fds_shutdown() was called. */
size_t fds_next_requests(struct fds *fds, struct fd_request *requests, size_t max);
/*
 * Reply to one request with entries that were read from asked_ns to reported_ns. Call once per
 * request. Waits until the records before reported_ns have been fed, at most two seconds.
 */
void fds_reply(struct fds *fds, const struct fd_request *request, const struct fd_reply *replies,
	       size_t count, uint64_t asked_ns, uint64_t reported_ns);
void fds_shutdown(struct fds *fds);

/* -- Recordings ----------------------------------------------------------------------------- */

/* Called under the lock with each new fact from /proc. NULL: none. */
void fds_set_observer(struct fds *fds, observation_fn *observer, void *ctx);
/* Report all known descriptors to a recording that began at since_ns. Any thread. */
void fds_report_all(struct fds *fds, uint64_t since_ns);
/* Use these observations instead of /proc; borrowed. Call before records are fed. */
void fds_set_observations(struct fds *fds, struct observations *observations);

/* -- Lookup ----------------------------------------------------------------------------------- */

/*
 * Copy the text of a descriptor at the enter of the call or, with `after`, at its exit. Return its
 * length, at most out_bytes; 0: unknown or not open. After a NUL follow suffixes outside the path:
 * "<char 1:3>", "(deleted)". Requests unknown or inexact facts from /proc, for later lookups.
 */
size_t fds_text(struct fds *fds, const struct call *call, int fd, bool after, char *out,
		size_t out_bytes);
/* As fds_text(). *pending: set if a later reply from /proc may change the text; else unchanged. */
size_t fds_text_pending(struct fds *fds, const struct call *call, int fd, bool after, char *out,
			size_t out_bytes, bool *pending);
/* True if the thread of the call did not share that descriptor with its process. */
bool fds_is_own(struct fds *fds, const struct call *call, int fd);
/* Changes when new facts about descriptors arrive. */
uint64_t fds_version(struct fds *fds);
/* Number of replies so far. Also a reply without facts can make a pending text final. */
uint64_t fds_replies(struct fds *fds);
/* Wait for the replies to all requests made so far. False: timeout. */
bool fds_wait(struct fds *fds, int timeout_ms);

size_t fds_bytes(struct fds *fds); /* memory in use */

#endif
