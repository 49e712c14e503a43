/*
 * recording_play - limits and seeks of a recording (source_play.h).
 */
#include "engine/recording/read/recording_private.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define INDEX_MS 5 /* interval of index queries while the index does not reach the target */

static const char *play_refusal(const struct source *source)
{
	const struct recording *recording = (const struct recording *)source;

	return perfdata_file_can_rewind(recording->file)
		       ? NULL
		       : "a pipe can be read only once; save it to a file to seek in it";
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

	if (recording->seeks)
		return SOURCE_READS;
	if (recording->stands)
		return SOURCE_STANDS;
	if (recording->slice.end == READ_AHEAD_OVER)
		return SOURCE_ENDED;
	return recording->slice.end == READ_AHEAD_WAITS ? SOURCE_WAITS : SOURCE_READS;
}

static void play_seek(struct source *source, uint64_t from_ns)
{
	struct recording *recording = recording_of(source);

	/* Nothing was read yet: the recording is at its beginning already. */
	if (!recording->at_ns && !recording->stands && !recording->seeks && !recording->scan)
		return;
	recording_halt(recording);
	recording->seeks = true;
	recording->seek_ns = from_ns;
}

void recording_begin(struct recording *recording)
{
	struct pollfd wake = { .fd = recording->wake_fd, .events = POLLIN };
	struct perfdata_file_seek seek = { 0 };

	if (recording->scan && recording->seek_ns > perfdata_file_first_ns(recording->file) &&
	    !perfdata_scan_find(recording->scan, recording->seek_ns, &seek)) {
		poll(&wake, 1, INDEX_MS);
		return;
	}
	recording->seeks = false;
	recording->calls_from_ns = seek.after_ns;
	recording->incomplete = seek.incomplete;
	perfdata_file_seek(recording->file, &seek);
	/* The open accepted the same events, so only lack of memory can cause a failure. */
	if (recording_decode_anew(recording, NULL) < 0)
		recording->slice.end = READ_AHEAD_OVER;
	else if (recording->own && seek.at)
		perfdata_ext_decode_begin_within(recording->own);
}

static uint64_t play_calls_from(const struct source *source)
{
	return ((const struct recording *)source)->calls_from_ns;
}

static uint64_t play_at(const struct source *source)
{
	return ((const struct recording *)source)->at_ns;
}

static void play_extent(const struct source *source, struct source_extent *extent)
{
	struct recording *recording = (struct recording *)(uintptr_t)source;

	struct perfdata_scan_status scan = { 0 };

	if (recording->scan)
		perfdata_scan_status(recording->scan, &scan);
	extent->last_known = recording->was_at_end || scan.whole;
	pthread_mutex_lock(&recording->mutex);
	extent->first_ns = recording->progress.first_ns;
	extent->last_ns = recording->progress.newest_ns;
	if (!extent->last_known && recording->progress.last_ns > extent->last_ns)
		extent->last_ns = recording->progress.last_ns;
	extent->bytes_read = recording->progress.bytes_read;
	extent->bytes = recording->progress.bytes;
	pthread_mutex_unlock(&recording->mutex);
	/* Feature sections follow the records: count them as read. */
	if (recording->slice.end == READ_AHEAD_OVER)
		extent->bytes_read = extent->bytes;
	if (scan.newest_ns > extent->last_ns)
		extent->last_ns = scan.newest_ns;
	extent->incomplete = recording->incomplete;
	extent->indexing = scan.running;
	extent->bytes_indexed = scan.whole ? extent->bytes : scan.bytes;
}

void recording_note_index(const struct recording *recording, char *note, size_t size)
{
	struct perfdata_scan_status scan = { 0 };
	size_t len = strlen(note);

	if (recording->scan)
		perfdata_scan_status(recording->scan, &scan);
	if (scan.dropped && len < size)
		snprintf(note + len, size - len,
			 "%sthe seek index of the file is wrong at byte %" PRIu64 " and is rebuilt",
			 len ? "; " : "", scan.wrong_at);
}

static size_t play_density(struct source *source, uint64_t from_ns, uint64_t until_ns,
			   uint32_t *records, size_t count)
{
	struct recording *recording = recording_of(source);

	return recording->scan
		       ? perfdata_scan_density(recording->scan, from_ns, until_ns, records, count)
		       : 0;
}

const struct source_play_ops recording_play_ops = {
	.refusal = play_refusal,
	.limit = play_limit,
	.state = play_state,
	.seek = play_seek,
	.calls_from = play_calls_from,
	.at = play_at,
	.extent = play_extent,
	.density = play_density,
};
