/*
 * recording_play - a recording stops at a time and starts over (source_play.h).
 */
#include "engine/source/recording_private.h"

enum perf_file_state recording_next(struct recording *recording,
				    const struct perf_event_header **record)
{
	enum perf_file_state state = PERF_FILE_READY;
	uint64_t time_ns;

	recording->stands = false;
	*record = recording->next;
	recording->next = NULL;
	if (!*record)
		state = perf_file_next(recording->file, record);
	if (state != PERF_FILE_READY)
		return state;
	time_ns = perf_file_time(recording->file);
	if (time_ns >= recording->limit_ns) {
		recording->next = *record;
		recording->stands = true;
	} else if (time_ns > recording->at_ns) {
		recording->at_ns = time_ns;
	}
	return state;
}

static const char *play_refusal(const struct source *source)
{
	const struct recording *recording = (const struct recording *)source;

	return perf_file_can_rewind(recording->file) ? NULL :
	       "what comes out of a pipe passes once; keep it in a file to move about in it";
}

static void play_limit(struct source *source, uint64_t before_ns, bool single)
{
	struct recording *recording = recording_of(source);

	recording->limit_ns = before_ns;
	recording->single = single;
	recording->stands = false;
}

static enum source_play_state play_state(const struct source *source)
{
	const struct recording *recording = (const struct recording *)source;

	if (recording->at_end)
		return SOURCE_ENDED;
	if (recording->stands)
		return SOURCE_STANDS;
	return recording->waits ? SOURCE_WAITS : SOURCE_READS;
}

static void play_seek(struct source *source, uint64_t from_ns)
{
	struct recording *recording = recording_of(source);

	(void)from_ns;
	/* At the start it is at its beginning already. */
	if (!recording->at_ns && !recording->next)
		return;
	recording->next = NULL;
	recording->stands = recording->at_end = recording->waits = false;
	recording->at_ns = recording->drained_ns = 0;
	perf_file_rewind(recording->file);
	/* What it learns now it learned before: it cannot fail but for want of memory. */
	recording->at_end = recording_decode_anew(recording, NULL) < 0;
}

static uint64_t play_at(const struct source *source)
{
	return ((const struct recording *)source)->at_ns;
}

static void play_extent(const struct source *source, struct source_extent *extent)
{
	const struct recording *recording = (const struct recording *)source;
	uint64_t last_ns = perf_header_last_ns(perf_file_header(recording->file));

	extent->first_ns = perf_file_first_ns(recording->file);
	extent->last_ns = perf_file_newest_ns(recording->file);
	extent->last_known = recording->at_end;
	if (!recording->at_end && last_ns > extent->last_ns)
		extent->last_ns = last_ns;
	extent->bytes_read = perf_file_progress(recording->file, &extent->bytes);
	extent->bytes_indexed = 0;
}

const struct source_play_ops recording_play_ops = {
	.refusal = play_refusal,
	.limit = play_limit,
	.state = play_state,
	.seek = play_seek,
	.at = play_at,
	.extent = play_extent,
};
