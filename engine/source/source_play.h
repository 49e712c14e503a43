/*
 * source_play - additional operations of a recording: stop at a time, start over.
 *
 * Collector thread only, except density(): any thread.
 */
#ifndef SOURCE_SOURCE_PLAY_H
#define SOURCE_SOURCE_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source;

enum source_play_state {
	SOURCE_READS, /* the next drain can deliver records */
	SOURCE_STANDS, /* the next record is at the limit or later */
	SOURCE_WAITS, /* the recording comes from a pipe, which is empty */
	SOURCE_ENDED, /* the source has no more records */
};

/* Facts known so far about the whole recording. */
struct source_extent {
	uint64_t first_ns, last_ns; /* times of the first and the last record */
	bool last_known;
	uint64_t bytes; /* of the file; 0: unknown */
	uint64_t bytes_read, bytes_indexed;
	bool indexing; /* the index is still growing */
	bool incomplete; /* after a seek: some calls in flight at that time are unknown */
};

struct source_play_ops {
	/* Return the reason why the source can be read only once; NULL: it can start over. */
	const char *(*refusal)(const struct source *source);
	/* Deliver only records before before_ns; UINT64_MAX: no limit. single: one per drain. */
	void (*limit)(struct source *source, uint64_t before_ns, bool single);
	enum source_play_state (*state)(const struct source *source);
	/*
	 * Make the next drain start over, for calls that begin at from_ns or later. That drain
	 * first delivers the earlier records that those calls need. At the start of the source a
	 * seek is a no-op and is permitted even if refusal() is not NULL.
	 */
	void (*seek)(struct source *source, uint64_t from_ns);
	/*
	 * Return the time from which all calls are delivered after a seek; 0: from the start. An
	 * earlier call is delivered only if it was in flight at that time. Tasks are always
	 * delivered.
	 */
	uint64_t (*calls_from)(const struct source *source);
	uint64_t (*at)(const struct source *source); /* time of the newest delivered record */
	void (*extent)(const struct source *source, struct source_extent *extent);
	/* See engine_play_density(). Any thread. NULL: the density is unknown. */
	size_t (*density)(struct source *source, uint64_t from_ns, uint64_t until_ns,
			  uint32_t *records, size_t count);
};

#endif
