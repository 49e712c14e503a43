#include "tui/catch_recording.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_CALLS 256

int catch_recording_open(struct catch_recording *recording, const char *path, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
	char shown[128];

	if (fd < 0)
		return err_set(err, -errno, "cannot make %s: %s",
			       escape_name(shown, sizeof(shown), path), errno == EEXIST
			       ? "there is such a file; choose another name" : strerror(errno));
	memset(recording, 0, sizeof(*recording));
	output_open(&recording->output, NULL, fd, path, err);
	recording->output.owns_fd = true;
	recording->open = true;
	return 0;
}

int catch_recording_close(struct catch_recording *recording, struct err *err)
{
	int rc;

	if (!recording->open)
		return 0;
	if (recording->began)
		lines_release(&recording->lines);
	rc = output_close(&recording->output, err);
	recording->open = recording->began = false;
	return rc;
}

void catch_recording_begin(struct catch_recording *recording, struct engine *engine,
			   const struct options *options, const struct catch_hit *hit)
{
	if (!recording->open || recording->began)
		return;
	recording->engine = engine;
	recording->first = hit->call;
	recording->seq = hit->seq;
	lines_init(&recording->lines, engine, options, LINES_JSON);
	recording->began = true;
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

void catch_recording_add(struct catch_recording *recording, const struct call *calls,
			 size_t count)
{
	if (!recording->began || output_ended(&recording->output))
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

/* What the history dropped before it was written is missing, and said to be. */
static void tell_loss(struct catch_recording *recording, uint64_t first)
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

	engine_calls_range(recording->engine, &first, &end);
	if (recording->seq < first)
		tell_loss(recording, first);
	count = engine_calls_after(recording->engine, &recording->seq, NULL, calls, seqs,
				   BLOCK_CALLS);
	add(recording, calls, count);
	if (count < BLOCK_CALLS)
		output_flush(&recording->output);
	else
		output_push(&recording->output);
	return count < BLOCK_CALLS || output_ended(&recording->output);
}
