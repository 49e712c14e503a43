/*
 * fd_recorded - descriptors of processes that cannot be asked any more, as a recording tells of
 * them.
 *
 * While it was made, the answers came after the calls that they explain. Here they are known
 * from the start, and are put where they belong as soon as that is there: what was open before
 * the first call at once, what a fork, an exec or a call began when it comes by. And each is
 * taken again at the time at which it was given, as it may have made sure what was in doubt.
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_RECORDED_H
#define FDS_FD_RECORDED_H

#include "engine/fds/fd_resolve.h"
#include "engine/record/observations.h"

struct fd_recorded {
	struct observations *observations; /* borrowed; NULL: nobody tells anything */
	uint64_t from_ns; /* what was before is not fed; 0: all is */
	size_t begun, cursor; /* in their order: put at once, taken at their time */
	bool changed; /* since it was set to false */
};

/* Nothing is in the table yet, and what comes is of from_ns and later. */
void fd_recorded_start_over(struct fd_recorded *recorded, struct fd_table *table, uint64_t from_ns);
/* The process has another table of descriptors from that time on. */
void fd_recorded_born(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid,
		      uint64_t born_ns);
/* Little is known of a number that a call has just opened. */
void fd_recorded_opened(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid, int fd);
/* Everything up to then was fed. */
void fd_recorded_settle(struct fd_recorded *recorded, struct fd_table *table, uint64_t until_ns);

/* The other way round: what there is to say of a version. False: nothing. Its text is in `text`. */
struct str;
bool fd_recorded_describe(const struct fd_version *version, uint32_t pid, int fd,
			  struct observation *observation, struct str *text);

#endif
