/*
 * source_play - what a recording does as a source beside handing over its records: it stops at a
 * time, and starts over.
 *
 * The collector's thread, but for source_density().
 */
#ifndef SOURCE_SOURCE_PLAY_H
#define SOURCE_SOURCE_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source;

enum source_play_state {
	SOURCE_READS, /* the next drain has more, or may have */
	SOURCE_STANDS, /* what comes next is of the limit or later */
	SOURCE_WAITS, /* a pipe has nothing now */
	SOURCE_ENDED, /* there is no more */
};

/* What is known by now of the whole. */
struct source_extent {
	uint64_t first_ns, last_ns; /* of its records */
	bool last_known;
	uint64_t bytes; /* of the file; 0: not known */
	uint64_t bytes_read, bytes_indexed;
	bool indexing; /* more of the file will be in the index */
	bool incomplete; /* after a seek: not all calls that were in flight there are known */
};

struct source_play_ops {
	/* Why it can only be read once, a sentence; NULL: it can be started over. */
	const char *(*refusal)(const struct source *source);
	/* Drains hand over nothing of that time or later; UINT64_MAX: all. `single`: one by one. */
	void (*limit)(struct source *source, uint64_t before_ns, bool single);
	enum source_play_state (*state)(const struct source *source);
	/*
	 * The next drain starts over, for somebody who wants the calls that begin at from_ns or
	 * later: it hands over first what has to be known of the time before. At the start it is
	 * at 0, and one that refuses to start over may still be told once then.
	 */
	void (*seek)(struct source *source, uint64_t from_ns);
	/*
	 * After a seek: calls that began earlier are not told, but who made them, and those that
	 * were in flight there; 0: all are.
	 */
	uint64_t (*calls_from)(const struct source *source);
	uint64_t (*at)(const struct source *source); /* of the newest record told; 0: none */
	void (*extent)(const struct source *source, struct source_extent *extent);
	/* See engine_play_density(); any thread. NULL: it is not known. */
	size_t (*density)(struct source *source, uint64_t from_ns, uint64_t until_ns,
			  uint32_t *records, size_t count);
};

#endif
