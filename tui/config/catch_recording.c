#include "tui/config/catch_recording.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_CALLS 256

int catch_recording_open(struct catch_recording *recording, const char *path, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	char shown[128];

	if (fd < 0)
		return err_set(err, -errno, "cannot create %s: %s",
			       escape_name(shown, sizeof(shown), path),
			       errno == EEXIST ? "the file exists; choose another name"
					       : strerror(errno));
	memset(recording, 0, sizeof(*recording));
	recording->open = true;
	if (output_is_recording(path)) {
		close(fd);
		recording->data_path = mem_strdup(path);
		return 0;
	}
	output_open(&recording->output, NULL, fd, path, err);
	recording->output.owns_fd = true;
	return 0;
}

/* Stop the recorder, unless the user ended this recording and started another one. */
static int end_data(struct catch_recording *recording, struct err *err)
{
	struct recorder_status *status = mem_alloc(sizeof(*status));
	int rc = 0;

	if (recording->began) {
		engine_record_status(recording->engine, status);
		if (status->recording && !strcmp(status->path, recording->data_path)) {
			engine_record_stop(recording->engine);
			if (recording->waits)
				engine_record_wait(recording->engine);
			engine_record_status(recording->engine, status);
		}
		if (status->error[0] && !strcmp(status->path, recording->data_path))
			rc = err_set(err, -EIO, "%s", status->error);
	}
	free(status);
	free(recording->data_path);
	recording->data_path = NULL;
	recording->open = recording->began = false;
	return rc;
}

int catch_recording_close(struct catch_recording *recording, struct err *err)
{
	int rc;

	if (!recording->open)
		return 0;
	if (recording->data_path)
		return end_data(recording, err);
	if (recording->began)
		lines_release(&recording->lines);
	rc = output_close(&recording->output, err);
	recording->open = recording->began = false;
	return rc;
}

/* Start the recorder. First remove the empty file that catch_recording_open() made as a test. */
static int begin_data(struct catch_recording *recording, const struct options *options,
		      const struct catch_hit *hit, struct err *err)
{
	const struct recorder_request request = {
		.path = recording->data_path,
		.level = options->engine.record.level,
		.fresh = true,
	};
	struct stat st;
	int rc;

	if (!stat(recording->data_path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(recording->data_path);
	rc = engine_record_from(recording->engine, &request, &hit->call, hit->seq, err);
	recording->began = !rc;
	recording->waits = options->batch;
	return rc;
}

int catch_recording_begin(struct catch_recording *recording, struct engine *engine,
			  const struct options *options, const struct catch_hit *hit,
			  struct err *err)
{
	if (!recording->open || recording->began)
		return 0;
	recording->engine = engine;
	if (recording->data_path)
		return begin_data(recording, options, hit, err);
	recording->first = hit->call;
	recording->seq = hit->seq;
	lines_init(&recording->lines, engine, options, LINES_JSON);
	recording->began = true;
	return 0;
}

static void add(struct catch_recording *recording, const struct call *calls, size_t count)
{
	lines_add(&recording->lines, &recording->output.text, calls, count);
	recording->written += count;
}

static bool is_first(const struct catch_recording *recording, const struct call *call)
{
	const struct call *first = &recording->first;

	return call->tid == first->tid && call->enter_ns == first->enter_ns &&
	       call->nr == first->nr;
}

void catch_recording_add(struct catch_recording *recording, const struct call *calls, size_t count)
{
	if (!recording->began || recording->data_path || output_ended(&recording->output))
		return;
	while (!recording->reached && count) {
		recording->reached = is_first(recording, calls);
		if (recording->reached)
			break;
		calls++;
		count--;
	}
	add(recording, calls, count);
	output_push(&recording->output);
}

/* Write a gap for the calls that the history evicted before they were written. */
static void report_loss(struct catch_recording *recording, uint64_t first)
{
	struct call gap = {
		.enter_ns = clock_now_ns(),
		.dur_ns = -1,
		.args = { first - recording->seq, LOSS_OF_ANYTHING },
		.state = CALL_GAP,
	};

	add(recording, &gap, 1);
	recording->seq = first;
}

bool catch_recording_follow(struct catch_recording *recording)
{
	struct call calls[BLOCK_CALLS];
	uint64_t seqs[BLOCK_CALLS], first, end;
	size_t count;
	bool caught_up;

	if (recording->data_path)
		return true;
	engine_calls_range(recording->engine, &first, &end);
	if (recording->seq < first)
		report_loss(recording, first);
	count = engine_calls_after(recording->engine, &recording->seq, NULL, calls, seqs,
				   BLOCK_CALLS);
	add(recording, calls, count);
	/* On a busy machine, a short block does not mean the end of the history. */
	caught_up = recording->seq >= end;
	if (caught_up)
		output_flush(&recording->output);
	else
		output_push(&recording->output);
	return caught_up || output_ended(&recording->output);
}
