/*
 * recording_private - a recording's own fields.
 *
 * For recording.c (its records as those of the model) and recording_play.c (moving about in it).
 */
#ifndef SOURCE_RECORDING_PRIVATE_H
#define SOURCE_RECORDING_PRIVATE_H

#include "engine/source/perf_decode.h"
#include "engine/source/perf_own_decode.h"
#include "engine/source/perf_relayout.h"
#include "engine/source/recording.h"

struct recording {
	struct source source;
	struct perf_file *file;
	struct recording_options options; /* what of these is for decoding */
	struct perf_own_decode *own; /* of a file of ours; NULL: another's, and the next four */
	struct findings *findings; /* that are not known yet; NULL: they all are */
	struct perf_decode decode;
	struct perf_relaid *relaid;
	uint64_t *parts; /* of each event: which parts of its samples go on */
	size_t event_count;
	int wake_fd;
	bool waits, at_end;
	uint64_t unknown; /* samples of events that it does not name */
	uint64_t malformed_at; /* how far reading was with the first record that made no sense */
	uint64_t drained_ns; /* of ours: when what was handed over last was */
	bool has_switches, has_wakings, has_user_stacks;
	unsigned int tracepoints; /* others */

	/* Moving about. */
	bool single; /* a drain is one record */
	uint64_t limit_ns; /* nothing of that time or later is handed over */
	const struct perf_event_header *next; /* was read, and is beyond that; NULL: none */
	bool stands; /* at the limit */
	uint64_t at_ns; /* of the newest record handed over */
};

static inline struct recording *recording_of(struct source *source)
{
	return (struct recording *)source;
}

/*
 * Records of a drain: a slice that leaves room for readers in between. One of ours ends where it
 * ended when it was collected, if it says so.
 */
static inline size_t recording_slice(const struct recording *recording)
{
	return recording->single ? 1 : recording->own ? 1u << 20 : 1u << 14;
}

/* The next record, or with recording->stands none before the limit. */
enum perf_file_state recording_next(struct recording *recording,
				    const struct perf_event_header **record);
/* As if nothing of it was read; 0 or -errno. */
int recording_decode_anew(struct recording *recording, struct err *err);

extern const struct source_play_ops recording_play_ops;

#endif
