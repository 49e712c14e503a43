#include "engine/recording/read/recording.h"

#include "engine/base/escape.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/recording/read/recording_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void recording_close(struct source *source)
{
	struct recording *recording = recording_of(source);

	read_ahead_free(recording->ahead);
	perfdata_scan_free(recording->scan);
	recording_forget(recording);
	pthread_mutex_destroy(&recording->mutex);
	perfdata_file_close(recording->file);
	free(recording->relaid);
	free(recording);
}

void recording_halt(struct recording *recording)
{
	read_ahead_stop(recording->ahead);
	recording->slice = (struct read_ahead_slice){ .end = READ_AHEAD_MORE };
	recording->reported_ns = 0;
	recording->stands = false;
	recording->at_ns = 0;
}

static int read_on(struct recording *recording, struct err *err)
{
	if (read_ahead_runs(recording->ahead) || recording->slice.end == READ_AHEAD_OVER)
		return 0;
	return read_ahead_start(recording->ahead, err);
}

static int recording_start(struct source *source, struct err *err)
{
	return read_on(recording_of(source), err);
}

static int recording_wait(struct source *source, int timeout_ms)
{
	struct recording *recording = recording_of(source);

	/* Reading begins with the next drain. */
	if (!read_ahead_runs(recording->ahead) && recording->slice.end != READ_AHEAD_OVER)
		return 1;
	return read_ahead_wait(recording->ahead, recording->wake_fd, timeout_ms);
}

static int recording_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	struct recording *recording = recording_of(source);
	const struct record *record;
	int rc;

	if (recording->seeks) {
		recording_begin(recording);
		return 0;
	}
	rc = read_on(recording, err);
	/* A drain does not wait for a pipe. */
	if (rc < 0 || (recording->slice.end == READ_AHEAD_WAITS &&
		       read_ahead_wait(recording->ahead, -1, 0) <= 0))
		return rc;
	recording->stands = false;
	while ((record = read_ahead_next(recording->ahead, &recording->slice))) {
		/* Deliver a record with an impossible time, or reading would stop here forever. */
		if (record->time_ns >= recording->limit_ns &&
		    record->time_ns < PERFDATA_FILE_TIME_MAX) {
			recording->stands = true;
			return 0;
		}
		recording->at_ns = record->time_ns < PERFDATA_FILE_TIME_MAX ? record->time_ns
									    : recording->at_ns;
		take(ctx, record);
		read_ahead_pass(recording->ahead);
		if (recording->single)
			return 0;
	}
	/*
	 * A slice can end between two drains of the recorder: then reported_ns stays at the time of
	 * the earlier drain.
	 */
	if (recording->slice.reported_ns)
		recording->reported_ns = recording->slice.reported_ns;
	recording->was_at_end = recording->was_at_end || recording->slice.end == READ_AHEAD_OVER;
	/* Records without an effect on the model advance the time too. */
	if (recording->slice.at_ns > recording->at_ns)
		recording->at_ns = recording->slice.at_ns < recording->limit_ns
					   ? recording->slice.at_ns
					   : recording->limit_ns - 1;
	return 0;
}

/* No pushdown: the records exist already. */
static int recording_set_filter(struct source *source, const struct kernel_filter *filter,
				struct err *err)
{
	(void)source;
	(void)filter;
	(void)err;
	return 0;
}

static int recording_set_running(struct source *source, bool running, struct err *err)
{
	(void)source;
	(void)running;
	(void)err;
	return 0;
}

static void recording_status(struct source *source, struct source_status *status)
{
	struct recording *recording = recording_of(source);
	struct recording_progress progress;

	pthread_mutex_lock(&recording->mutex);
	progress = recording->progress;
	pthread_mutex_unlock(&recording->mutex);
	memset(status, 0, sizeof(*status));
	status->name = source->ops->name;
	status->events = progress.events;
	status->tracepoints = progress.tracepoints;
	snprintf(status->plan, sizeof(status->plan), "recording of %" PRIu64 " records",
		 progress.reported);
	snprintf(status->note, sizeof(status->note), "%s", progress.note);
	recording_note_index(recording, status->note, sizeof(status->note));
	status->damaged = progress.damaged;
	status->has_waits = progress.waits;
	status->has_wakers = progress.wakings;
	status->has_user_stacks = recording->own ? progress.waits : recording->has_user_stacks;
	status->lost = progress.lost;
	status->finished = recording->slice.end == READ_AHEAD_OVER;
	snprintf(status->host, sizeof(status->host), "%s", progress.host);
	snprintf(status->release, sizeof(status->release), "%s", progress.release);
	status->from_ns = progress.first_ns;
	status->wall_ns = progress.wall_ns;
	status->until_ns = recording->at_ns ? recording->at_ns : status->from_ns;
}

static uint64_t recording_delivered_ns(const struct source *source)
{
	return ((const struct recording *)source)->reported_ns;
}

const struct source_ops recording_ops = {
	.name = "recording",
	.close = recording_close,
	.start = recording_start,
	.wait = recording_wait,
	.drain = recording_drain,
	.set_filter = recording_set_filter,
	.set_running = recording_set_running,
	.status = recording_status,
	.reported_ns = recording_delivered_ns,
	.play = &recording_play_ops,
};

#if defined(__aarch64__)
#define OWN_ARCH "aarch64"
#else
#define OWN_ARCH "x86_64"
#endif

/* Other machines have other system call numbers, registers and sizes of long. */
static int check_machine(const struct perfdata_header *header, struct err *err)
{
	const char *arch = perfdata_header_arch(header);
	char shown[65];

	if (*arch && strcmp(arch, OWN_ARCH) != 0)
		return err_set(err, -ENOTSUP,
			       "this recording was made on %s, whose system call numbers differ "
			       "from those of " OWN_ARCH "; open it with stxtop on such a machine",
			       escape_name(shown, sizeof(shown), arch));
	if (perfdata_header_long_bytes(header) == 4)
		return err_set(err, -ENOTSUP,
			       "this recording was made on a 32-bit machine, whose system call "
			       "numbers differ from those of " OWN_ARCH
			       "; open it with stxtop on such a machine");
	return 0;
}

int source_open_recording(struct source **source, const struct recording_options *options,
			  struct err *err)
{
	struct recording *recording = mem_zalloc(1, sizeof(*recording));
	int result;

	recording->source.ops = &recording_ops;
	recording->options = *options;
	recording->limit_ns = UINT64_MAX;
	recording->wake_fd = options->wake_fd ? options->wake_fd : -1;
	recording->relaid = mem_alloc(sizeof(*recording->relaid));
	lock_init(&recording->mutex);
	result = perfdata_file_open(&recording->file, &options->file, err);
	if (!result)
		result = check_machine(perfdata_file_header(recording->file), err);
	if (!result)
		result = recording_decode_anew(recording, err);
	if (!result)
		recording_read_observations(recording, options->observations);
	if (!result)
		result = read_ahead_new(&recording->ahead, &recording_read_ops, recording, err);
	if (result) {
		recording_close(&recording->source);
		return result;
	}
	recording_note_progress(recording);
	if (perfdata_file_can_rewind(recording->file) && options->indexed)
		recording->scan = perfdata_scan_start(
			recording->file, recording->own ? NULL : &recording->decode.ids);
	*source = &recording->source;
	return 0;
}
