/*
 * recording_play - a recording stops at a time and starts over (source_play.h).
 */
#include "engine/source/recording_private.h"

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

	if (recording->stands)
		return SOURCE_STANDS;
	if (recording->slice.end == READ_AHEAD_OVER)
		return SOURCE_ENDED;
	return recording->slice.end == READ_AHEAD_WAITS ? SOURCE_WAITS : SOURCE_READS;
}

static void play_seek(struct source *source, uint64_t from_ns)
{
	struct recording *recording = recording_of(source);

	(void)from_ns;
	/* At the start it is at its beginning already. */
	if (!recording->at_ns && !recording->stands)
		return;
	recording_halt(recording);
	perf_file_rewind(recording->file);
	/* What it learns now it learned before: it cannot fail but for want of memory. */
	if (recording_decode_anew(recording, NULL) < 0)
		recording->slice.end = READ_AHEAD_OVER;
}

static uint64_t play_at(const struct source *source)
{
	return ((const struct recording *)source)->at_ns;
}

static void play_extent(const struct source *source, struct source_extent *extent)
{
	struct recording *recording = (struct recording *)(uintptr_t)source;

	extent->last_known = recording->slice.end == READ_AHEAD_OVER;
	pthread_mutex_lock(&recording->mutex);
	extent->first_ns = recording->progress.first_ns;
	extent->last_ns = recording->progress.newest_ns;
	if (!extent->last_known && recording->progress.last_ns > extent->last_ns)
		extent->last_ns = recording->progress.last_ns;
	extent->bytes_read = recording->progress.bytes_read;
	extent->bytes = recording->progress.bytes;
	pthread_mutex_unlock(&recording->mutex);
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
