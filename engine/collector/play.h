/*
 * play - navigates a recording: a span of its time, a present in it, and a speed.
 *
 * There is always a span [from, until), by default the whole recording, and a present `at` in it.
 * All that the engine reports (calls, totals, histories, waits) covers the span up to its present.
 * A call belongs to the span if it began in it. Calls in flight at the start of the span are shown
 * while they are in flight, as far as the recording has them.
 *
 * Reading continues from the present to the end of the span: at full speed, at a set speed, or not
 * at all. Going to a later time reads on to that time. Going to an earlier time, or to a span with
 * another start, starts over. The model is emptied and the span is read again from its start. Then
 * play_status.version changes; sequence numbers of calls continue. Views may show the old contents
 * until `moving` is PLAY_STILL. On reaching a requested time, playing pauses.
 *
 * Times are those of the recording, as in calls (CLOCK_MONOTONIC of its machine). Requests return
 * at once, from any thread; a later request replaces one in progress. Requests for a live source or
 * a pipe are no-ops: see play_status.possible.
 */
#ifndef COLLECTOR_PLAY_H
#define COLLECTOR_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;

#define PLAY_FROM_START 0ULL
#define PLAY_TO_END UINT64_MAX

#define PLAY_UNLIMITED 0.0
#define PLAY_SPEED_MIN 0.01
#define PLAY_SPEED_MAX 1000.0

enum play_moving {
	PLAY_STILL, /* nothing is in progress except playing */
	PLAY_GOING, /* reading up to the requested time */
	PLAY_FILTERING, /* reading the span again: evicted calls may match the new filter */
};

struct play_status {
	bool recorded; /* false: the source is live, and the other members are undefined */
	bool possible; /* navigation is possible; otherwise why_not has the reason */
	char why_not[128];
	/* First and last record of the recording; last_ns can still grow unless last_known. */
	uint64_t first_ns, last_ns;
	bool last_known;
	/* The span, clamped to the recording. */
	uint64_t from_ns, until_ns;
	bool whole; /* the span is the whole recording */
	uint64_t beyond_ns; /* start of the span, if it is after the last record; else 0 */
	bool incomplete; /* some calls in flight at the start of the span are unknown */
	uint64_t at_ns;
	double speed; /* recorded seconds per second of wall time; PLAY_UNLIMITED */
	bool paused;
	bool at_end; /* the present is the end of the span: playing does not continue */
	/* Size of the file, 0: unknown; how much of it was read, and how much was indexed. */
	uint64_t bytes, bytes_read, bytes_indexed;
	bool indexing; /* bytes_indexed still grows */
	bool asked; /* a request is pending that the collector has not started */
	enum play_moving moving;
	uint64_t target_ns; /* while moving: the time to reach */
	double progress; /* while moving: 0 … 1 */
	/* Changes when the model starts over: earlier state of calls in flight is void. */
	uint32_t version;
};
void engine_play_status(struct engine *engine, struct play_status *status);

/*
 * Go to a time and pause there. A time outside the span stands for the nearer end of the span. A
 * move to the end of the span does not pause.
 */
void engine_play_go(struct engine *engine, uint64_t at_ns);
/*
 * Set another span and its present; at_ns PLAY_TO_END reads the whole span. PLAY_FROM_START and
 * PLAY_TO_END are the ends of the recording. If only the end changes, to a time at or after the
 * present, the span is not read again.
 */
void engine_play_span(struct engine *engine, uint64_t from_ns, uint64_t until_ns, uint64_t at_ns);
/* Set the speed, clamped to PLAY_SPEED_MIN … PLAY_SPEED_MAX. Neither pauses nor continues. */
void engine_play_speed(struct engine *engine, double speed);
/* Pause or continue. At the end of the span, continuing has no effect. */
void engine_play_pause(struct engine *engine, bool paused);
/*
 * Read until one more call that matches the filter has ended, then pause. Each further request
 * before the pause adds one call.
 */
void engine_play_step_call(struct engine *engine);
/* Go forward or back by ns and pause there. */
void engine_play_step(struct engine *engine, int64_t ns);

/*
 * Count the records in each of `count` equal parts of [from_ns, until_ns), as far as the index
 * reaches (play_status.bytes_indexed of bytes). The counts are estimates: the index only has the
 * start and end time of each megabyte. Return the number of known parts.
 */
size_t engine_play_density(struct engine *engine, uint64_t from_ns, uint64_t until_ns,
			   uint32_t *records, size_t count);

#endif
