/*
 * recording_private - a recording's own fields.
 *
 * For recording.c (the source), recording_read.c (its records as those of the model),
 * recording_setup.c (what its events mean), recording_metadata.c (what it says of itself) and
 * recording_play.c (moving about in it).
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

/* How far reading is, for those who ask while it goes on. */
struct recording_progress {
	uint64_t reported, first_ns, newest_ns, lost;
	uint64_t last_ns; /* what the recorder said that newest_ns will be; 0: nothing */
	uint64_t bytes_read, bytes;
	unsigned int events, tracepoints; /* of all, others than of calls and waits */
	bool waits, wakings; /* there are any */
	bool damaged; /* not as its recorder left it */
	char note[256]; /* what is wrong with it; "": nothing */
	char host[65], release[65];
	uint64_t wall_ns; /* the time of day at first_ns; 0: not told */
};

struct recording {
	struct source source;
	struct recording_options options; /* what of these is for decoding */
	struct read_ahead *ahead;
	pthread_mutex_t mutex;
	struct recording_progress progress; /* with the mutex */

	/* Of who reads: a thread of read_ahead.h, or who stopped it. */
	struct perfdata_file *file;
	struct perfdata_ext_decode *own; /* of a file of ours; NULL: another's, and the next four */
	struct observations *observations; /* that are not known yet; NULL: they all are */
	struct perf_decode decode;
	struct perf_layouts layouts; /* of enters and exits */
	struct perf_relaid *relaid;
	uint64_t *parts; /* of each event: which parts of its samples go on */
	size_t event_count;
	uint64_t lost_samples; /* of perf's sums at the end, see recording_read.c */
	uint64_t unknown; /* samples of events that it does not name */
	uint64_t malformed_at; /* how far reading was with the first record that made no sense */
	bool has_switches, has_wakings, has_user_stacks;
	unsigned int tracepoints; /* others */

	/* Of who takes. */
	int wake_fd;
	struct read_ahead_slice slice; /* the last one */
	uint64_t reported_ns; /* see source_delivered_ns() */
	bool single; /* a drain is one record */
	uint64_t limit_ns; /* nothing of that time or later is handed over */
	bool stands; /* at the limit */
	uint64_t at_ns; /* of the newest record handed over */
	struct perfdata_scan *scan; /* NULL: there is no index, nor will there be */
	bool seeks; /* it starts over once the index says where: */
	uint64_t seek_ns; /* ... from there */
	uint64_t calls_from_ns; /* calls that began earlier are not told, but those in flight */
	bool incomplete; /* ... of which not all may be */
	bool was_at_end; /* once: its last record is known */
};

static inline struct recording *recording_of(struct source *source)
{
	return (struct recording *)source;
}

/*
 * Nobody reads from here on, and what was read and not taken is lost: `file` and what decodes it
 * are the caller's. Reading goes on from where these are with the next drain.
 */
void recording_halt(struct recording *recording);
/* It starts over, or waits some time for the index to say where: `seeks` tells. */
void recording_begin(struct recording *recording);
/* While nobody reads: as if nothing of it was read; 0 or -errno. */
int recording_decode_anew(struct recording *recording, struct err *err);

/* What was learned of its events, and what its decoders keep, is forgotten. */
void recording_forget(struct recording *recording);

/* What it tells beside its records; those that come among them are kept as they are read. */
void recording_read_observations(struct recording *recording, struct observations *observations);
/* How far reading is, for others. */
void recording_note_progress(struct recording *recording);

/* Appends what is wrong with the index that it brought. */
void recording_note_index(const struct recording *recording, char *note, size_t size);

extern const struct read_ahead_ops recording_read_ops;
extern const struct source_ops recording_ops;
extern const struct source_play_ops recording_play_ops;

#endif
