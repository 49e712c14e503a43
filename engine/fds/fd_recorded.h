/*
 * fd_recorded - descriptors from the observations of a recording.
 *
 * During recording, observations arrived after the calls that they explain. When the recording is
 * read, all are available from the start. Descriptors that were open before the first call are
 * applied at once; those that began with a fork, an exec or a call are applied when it is fed. Each
 * observation is applied again at the time of its reply, since it may confirm a version after lost
 * records. Under the lock of fds.h.
 */
#ifndef FDS_FD_RECORDED_H
#define FDS_FD_RECORDED_H

#include "engine/fds/fd_resolve.h"
#include "engine/record/observations.h"

struct fd_recorded {
	struct observations *observations; /* borrowed; NULL: none */
	uint64_t from_ns; /* records before it are not fed; 0: all are fed */
	size_t begun, cursor; /* positions by time: applied in advance, and at their time */
	bool changed; /* since the flag was last cleared */
};

/* Start with an empty table; records are fed from from_ns on. */
void fd_recorded_start_over(struct fd_recorded *recorded, struct fd_table *table, uint64_t from_ns);
/* The process has new descriptors (fork, exec) from born_ns on. */
void fd_recorded_born(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid,
		      uint64_t born_ns);
/* A call has just opened a descriptor with incomplete facts. */
void fd_recorded_opened(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid, int fd);
/* All records up to until_ns have been fed. */
void fd_recorded_settle(struct fd_recorded *recorded, struct fd_table *table, uint64_t until_ns);

/* The reverse: describe a version as an observation, with its text in `text`. False: unknown. */
struct str;
bool fd_recorded_describe(const struct fd_version *version, uint32_t pid, int fd,
			  struct observation *observation, struct str *text);

#endif
