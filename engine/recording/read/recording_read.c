/*
 * recording_read - decodes records of a file to records of the model, on the thread of
 * read_ahead.h.
 */
#include "engine/recording/perfdata_observations.h"
#include "engine/recording/read/recording_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of records per slice, few enough that queries of the model run in between. */
#define SLICE_RECORDS (1u << 12)
/* In a stxtop recording, a slice ends where a drain of the recorder ended, or at this bound. */
#define OWN_SLICE_RECORDS (1u << 20)

/* misc of PERF_RECORD_LOST_SAMPLES (PERF_RECORD_MISC_LOST_SAMPLES_BPF, tools/perf/util/event.h). */
#define MISC_LOST_SAMPLES_BPF (1 << 15)

/* Destination of records, and the build-ids that are stored apart from them. */
struct forward {
	/* Holds the build-ids; records can add more. */
	struct perfdata_header *header;
	record_fn *take;
	void *ctx;
};

static void forward_record(void *arg, const struct record *record)
{
	const struct forward *forward = arg;
	struct record reported;

	if (record->kind != RECORD_MAP || record->map.build_id) {
		forward->take(forward->ctx, record);
		return;
	}
	reported = *record;
	reported.map.build_id = perfdata_build_ids_find(perfdata_header_build_ids(forward->header),
							record->map.path,
							&reported.map.build_id_bytes);
	forward->take(forward->ctx, &reported);
}

/* Fast path for nearly all records. False: the record is of another kind or inconsistent. */
static bool decode_plain(struct recording *recording, const struct perf_event_header *header,
			 struct forward *forward)
{
	const struct perfdata_sample_layout *layout = perf_layouts_find(&recording->layouts,
									header);
	const unsigned char *raw;
	struct record record;
	uint32_t raw_bytes;

	raw = layout ? perfdata_sample_layout_take(layout, header, &record, &raw_bytes) : NULL;
	if (!raw)
		return false;
	perf_decode_sampled(&recording->decode, &layout->event, &record, raw, raw_bytes,
			    forward->take, forward->ctx);
	return true;
}

/*
 * At the end, perf writes how many samples each event lost (PERF_FORMAT_LOST). PERF_RECORD_LOST
 * records have reported most of these, when the ring of a CPU had room again. Report the remaining
 * ones, which were lost after the last record of a ring. After a seek, report none, as the earlier
 * reports are unknown.
 */
static void decode_lost_samples(struct recording *recording, const struct perf_event_header *header,
				struct forward *forward)
{
	struct perf_decode *decode = &recording->decode;
	struct record record = { .kind = RECORD_LOST,
				 .lost.kind = decode->loss,
				 .time_ns = perfdata_file_time(recording->file) };
	uint64_t count;

	/* Samples that a BPF filter of perf dropped are not lost. */
	if (header->misc & MISC_LOST_SAMPLES_BPF || recording->calls_from_ns)
		return;
	if (header->size < sizeof(*header) + sizeof(count)) {
		decode->malformed++;
		return;
	}
	memcpy(&count, header + 1, sizeof(count));
	if (count > UINT64_MAX - recording->lost_samples)
		count = UINT64_MAX - recording->lost_samples;
	recording->lost_samples += count;
	if (recording->lost_samples <= decode->lost)
		return;
	record.lost.count = recording->lost_samples - decode->lost;
	decode->lost = recording->lost_samples;
	perf_decode_pass(decode, &record, forward_record, forward);
}

static void decode_record(struct recording *recording, const struct perf_event_header *record,
			  struct forward *forward)
{
	struct perfdata_header *header = perfdata_file_header(recording->file);
	const struct perf_event_attr *attr = &perfdata_header_event(header, 0)->attr;
	uint64_t id;
	int event;

	if (decode_plain(recording, record, forward))
		return;
	if (record->type == PERF_RECORD_LOST_SAMPLES &&
	    perfdata_file_is_timeless(recording->file, record)) {
		decode_lost_samples(recording, record, forward);
		return;
	}
	id = perfdata_convert_id(record, attr);
	event = perfdata_header_event_of_id(header, id);
	if (event >= (int)recording->event_count)
		event = -1;
	if (event >= 0)
		attr = &perfdata_header_event(header, (size_t)event)->attr;
	else if (record->type == PERF_RECORD_SAMPLE) {
		recording->unknown++;
		return;
	}
	/* An id of 0: a file with one event, recorded without ids. */
	record = perfdata_convert(recording->relaid, record, attr, id ? id : 1,
				  event >= 0 ? recording->parts[event] : 0);
	if (record)
		perf_decode(&recording->decode, record, perfdata_convert_cpu(record),
			    forward_record, forward);
}

static void add_observation(void *ctx, const struct observation *observation)
{
	observations_add(ctx, observation);
}

/* True: the record ends a drain of the recorder. */
static bool decode_own(struct recording *recording, const struct perf_event_header *record,
		       struct forward *forward, uint64_t *reported_ns)
{
	uint64_t before;

	if (recording->observations &&
	    perfdata_observations_read(record, add_observation, recording->observations, &before))
		return false;
	return perfdata_ext_decode(recording->own, record, forward_record, forward, reported_ns);
}

void recording_read_observations(struct recording *recording, struct observations *observations)
{
	if (!observations || !recording->own)
		return;
	observations_set_began(observations, perfdata_file_own(recording->file)->began_ns);
	if (perfdata_file_observations(recording->file, add_observation, observations))
		observations_sort(observations);
	else
		recording->observations = observations;
}

static uint64_t malformed(const struct recording *recording)
{
	return recording->own ? perfdata_ext_decode_malformed(recording->own)
			      : recording->decode.malformed + recording->unknown;
}

/* Note problems of the file, and of single records. */
static void note_trouble(const struct recording *recording, struct recording_progress *progress)
{
	const char *trouble = perfdata_file_trouble(recording->file, &progress->damaged);
	uint64_t count = malformed(recording);
	size_t len = 0;

	progress->note[0] = '\0';
	if (trouble)
		len = (size_t)snprintf(progress->note, sizeof(progress->note), "%s", trouble);
	if (!count || len >= sizeof(progress->note))
		return;
	snprintf(progress->note + len, sizeof(progress->note) - len,
		 "%s%" PRIu64 " invalid record%s %s skipped, the first before byte %" PRIu64,
		 len ? "; " : "", count, count > 1 ? "s" : "", count > 1 ? "were" : "was",
		 recording->malformed_at);
	progress->damaged = true;
}

/* Return the wall clock at a time of the recording; 0: unknown. */
static uint64_t wall_of(const struct perfdata_header *header, uint64_t time_ns)
{
	uint64_t clock_ns, wall_ns;

	if (!time_ns || !perfdata_header_clocks(header, &clock_ns, &wall_ns))
		return 0;
	/* If time_ns is before clock_ns, the wraparound cancels out. */
	return wall_ns + (time_ns - clock_ns);
}

void recording_note_progress(struct recording *recording)
{
	const struct perfdata_header *header = perfdata_file_header(recording->file);
	struct recording_progress progress = {
		.reported = perfdata_file_delivered(recording->file),
		.first_ns = perfdata_file_first_ns(recording->file),
		.newest_ns = perfdata_file_newest_ns(recording->file),
		.last_ns = perfdata_header_last_ns(header),
		.events = (unsigned int)perfdata_header_event_count(header),
		.lost = recording->decode.lost,
		.tracepoints = recording->tracepoints,
		.waits = recording->has_switches,
		.wakings = recording->has_wakings,
	};

	progress.bytes_read = perfdata_file_progress(recording->file, &progress.bytes);
	if (!recording->malformed_at && malformed(recording))
		recording->malformed_at = progress.bytes_read;
	if (recording->own) {
		progress.lost = perfdata_ext_decode_lost(recording->own);
		progress.tracepoints = perfdata_ext_decode_tracepoints(recording->own);
		progress.waits = perfdata_ext_decode_switches(recording->own);
		progress.wakings = perfdata_ext_decode_wakings(recording->own);
	}
	progress.wall_ns = wall_of(header, progress.first_ns);
	note_trouble(recording, &progress);
	snprintf(progress.host, sizeof(progress.host), "%s", perfdata_header_hostname(header));
	snprintf(progress.release, sizeof(progress.release), "%s", perfdata_header_release(header));
	pthread_mutex_lock(&recording->mutex);
	recording->progress = progress;
	pthread_mutex_unlock(&recording->mutex);
}

static void read_slice(void *ctx, record_fn *take, void *take_ctx, struct read_ahead_slice *slice)
{
	struct recording *recording = ctx;
	struct forward forward = { perfdata_file_header(recording->file), take, take_ctx };
	size_t records = recording->own ? OWN_SLICE_RECORDS : SLICE_RECORDS;
	enum perfdata_file_state state = PERFDATA_FILE_READY;

	/* A slice of a stxtop recording ends where a drain ended: the model was settled there. */
	for (size_t i = 0; i < records && !read_ahead_stops(recording->ahead); i++) {
		const struct perf_event_header *record;

		state = perfdata_file_next(recording->file, &record);
		if (state != PERFDATA_FILE_READY)
			break;
		if (perfdata_file_time(recording->file) > slice->at_ns)
			slice->at_ns = perfdata_file_time(recording->file);
		if (!recording->own)
			decode_record(recording, record, &forward);
		else if (decode_own(recording, record, &forward, &slice->reported_ns))
			break;
	}
	slice->end = state == PERFDATA_FILE_END    ? READ_AHEAD_OVER
		     : state == PERFDATA_FILE_WAIT ? READ_AHEAD_WAITS
						   : READ_AHEAD_MORE;
	recording_note_progress(recording);
}

static void wait_for_file(void *ctx, int wake_fd)
{
	struct recording *recording = ctx;

	perfdata_file_wait(recording->file, wake_fd, -1);
}

const struct read_ahead_ops recording_read_ops = {
	.read = read_slice,
	.wait = wait_for_file,
};
