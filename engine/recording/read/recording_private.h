/*
 * recording_private - the fields of a recording.
 *
 * For recording.c (the source), recording_read.c (decoding to records of the model),
 * recording_setup.c (meaning of its events), recording_metadata.c (its descriptions) and
 * recording_play.c (limits and seeks).
 */
#ifndef READ_RECORDING_PRIVATE_H
#define READ_RECORDING_PRIVATE_H

#include "engine/recording/perfdata_convert.h"
#include "engine/recording/perfdata_sample_layout.h"
#include "engine/recording/read/perfdata_ext_decode.h"
#include "engine/recording/read/perfdata_scan.h"
#include "engine/recording/read/read_ahead.h"
#include "engine/recording/read/recording.h"
#include "engine/source/perf/perf_decode.h"

#include <pthread.h>

/* Progress of reading, for queries of other threads. */
struct recording_progress {
	uint64_t reported, first_ns, newest_ns, lost;
	uint64_t last_ns; /* final newest_ns according to the recorder; 0: unknown */
	uint64_t bytes_read, bytes;
	/* events: number of all events; tracepoints: other than those of calls and waits */
	unsigned int events, tracepoints;
	bool waits, wakings; /* the recording has switches, wakings */
	bool damaged; /* the file differs from what its recorder wrote */
	char note[256]; /* problems; "": none */
	char host[65], release[65];
	uint64_t wall_ns; /* wall clock at first_ns; 0: unknown */
};

struct recording {
	struct source source;
	struct recording_options options; /* options for decoding */
	struct read_ahead *ahead;
	pthread_mutex_t mutex;
	struct recording_progress progress; /* protected by the mutex */

	/* Owned by the reading thread (read_ahead.h), or by the thread that stopped it. */
	struct perfdata_file *file;
	/*
	 * decoder of a stxtop recording; NULL: another recorder, and the members `decode` to
	 * `parts` are used instead
	 */
	struct perfdata_ext_decode *own;
	/* destination of observations among the records; NULL: all are known already */
	struct observations *observations;
	struct perf_decode decode;
	struct perf_layouts layouts; /* layouts of enters and exits */
	struct perf_relaid *relaid;
	uint64_t *parts; /* by event: parts of its samples for perfdata_convert() */
	size_t event_count;
	uint64_t lost_samples; /* sum of perf's totals at the end, see recording_read.c */
	uint64_t unknown; /* number of samples of events that the header lacks */
	/* file offset that reading had reached at the first malformed record */
	uint64_t malformed_at;
	bool has_switches, has_wakings, has_user_stacks;
	unsigned int tracepoints; /* tracepoints other than of calls and waits */

	/* Owned by the draining thread. */
	int wake_fd;
	struct read_ahead_slice slice; /* last slice */
	uint64_t reported_ns; /* see source_delivered_ns() */
	bool single; /* a drain delivers one record */
	uint64_t limit_ns; /* records at or after this time are not delivered */
	bool stands; /* reading stopped at the limit */
	uint64_t at_ns; /* time up to which records were delivered */
	struct perfdata_scan *scan; /* NULL: no index, now or later */
	bool seeks; /* a seek is pending until the index reaches seek_ns */
	uint64_t seek_ns; /* target of the seek */
	/* calls that began before this time are delivered only if in flight at this time */
	uint64_t calls_from_ns;
	bool incomplete; /* some of these calls in flight can be missing */
	bool was_at_end; /* the end was reached once, so the last record is known */
};

static inline struct recording *recording_of(struct source *source)
{
	return (struct recording *)source;
}

/*
 * Stop the reading thread and discard records not taken. The caller then owns `file` and the
 * decoders. The next drain continues reading from their state.
 */
void recording_halt(struct recording *recording);
/* Start the pending seek, or wait up to 5 ms for the index; `seeks` is false after the start. */
void recording_begin(struct recording *recording);
/* Reset the decoders to their initial state; 0 or -errno. Stop the reading thread first. */
int recording_decode_anew(struct recording *recording, struct err *err);

/* Free the decoders and all state about events. */
void recording_forget(struct recording *recording);

/* Add the embedded observations; those among the records are added as they are read. */
void recording_read_observations(struct recording *recording, struct observations *observations);
/* Publish the progress of reading. */
void recording_note_progress(struct recording *recording);

/* Append to `note` a text about an invalid embedded index, if any. */
void recording_note_index(const struct recording *recording, char *note, size_t size);

extern const struct read_ahead_ops recording_read_ops;
extern const struct source_ops recording_ops;
extern const struct source_play_ops recording_play_ops;

#endif
