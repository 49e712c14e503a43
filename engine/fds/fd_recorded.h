/*
 * fd_recorded - descriptors from the observations of a recording.
 *
 * During recording, observations arrived after the calls that they explain. When the recording is
 * read, they are known in advance. Descriptors that were open before the first call are applied at
 * once. Those that began with a fork, an exec or a call are applied when that is fed. Each
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
	size_t begun, cursor; /* next ones to apply: in advance, and at their time */
	bool changed; /* the table changed since this was last cleared */
};

/* Start with an empty table; the first fed record is at from_ns or later. */
void fd_recorded_start_over(struct fd_recorded *recorded, struct fd_table *table, uint64_t from_ns);
/* Apply the observations of descriptors that the process got by fork or exec at born_ns. */
void fd_recorded_born(struct fd_recorded *recorded, struct fd_table *table, uint32_t pid,
		      uint64_t born_ns);
/* Apply the observations of a descriptor that a call has just opened with incomplete facts. */
void fd_recorded_opened(struct fd_recorded *recorded, struct fd_table *table, uint64_t task,
			int fd);
/* Apply the observations up to until_ns: all records up to then have been fed. */
void fd_recorded_settle(struct fd_recorded *recorded, struct fd_table *table, uint64_t until_ns);

/* Describe a version as an observation with its text in `text`. False: the file is unknown. */
struct str;
bool fd_recorded_describe(const struct fd_version *version, uint64_t task, int fd,
			  struct observation *observation, struct str *text);

#endif
