/*
 * play - moving about in a recording: a span of its time, a present in it, and a speed.
 *
 * There is always a span [from, until), at first the whole recording, and a present `at` in it.
 * All that the engine tells (calls, totals, histories, who waits) is of what was read of the span
 * up to its present. A call belongs to the span if it began in it: those that were running when
 * the span begins are known, as far as the recording tells of them, while they are in flight.
 *
 * Reading goes on from the present to the end of the span, as fast as it can, at a speed, or not
 * at all. Going to a later time reads on to there; to an earlier one, or to another beginning,
 * everything starts over: the model is emptied (play_status.version changes, sequence numbers of
 * calls go on) and read again from the beginning of the span. Views may keep what they show until
 * `moving` says PLAY_STILL. Once it stands at a time that was asked for, it is paused.
 *
 * Times are those of the recording, as in calls (CLOCK_MONOTONIC of its machine). Requests return
 * at once, from any thread; a later one takes the place of one that is under way. Of a live
 * source and of a pipe they do nothing: see play_status.possible.
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
	PLAY_STILL, /* nothing is under way but playing itself */
	PLAY_GOING, /* to the time that was asked for */
	PLAY_FILTERING, /* the same span again: what the history had let go may match the filter */
};

struct play_status {
	bool recorded; /* false: the source is live, and nothing else here means anything */
	bool possible; /* it can be gone about in; else why_not is a sentence */
	char why_not[128];
	/* Of the recording: its first record, and the last one, as far as that is known. */
	uint64_t first_ns, last_ns;
	bool last_known;
	/* The span, clamped to the recording. */
	uint64_t from_ns, until_ns;
	bool whole; /* it is all of it */
	uint64_t beyond_ns; /* where a span begins that has nothing: behind the last; 0: it has */
	bool incomplete; /* not all calls that were in flight where it begins are known */
	uint64_t at_ns;
	double speed; /* recorded seconds in one of ours; PLAY_UNLIMITED */
	bool paused;
	bool at_end; /* the present is the end of the span: nothing more comes by itself */
	/* Of the file; 0: not known. What of it was read, and of what an index was made. */
	uint64_t bytes, bytes_read, bytes_indexed;
	bool indexing; /* bytes_indexed still grows */
	bool asked; /* something was asked for that the collector has not begun with */
	enum play_moving moving;
	uint64_t target_ns; /* while moving: where it will stand */
	double progress; /* the same: 0 … 1 */
	/* Changes when everything started over: what was known of calls in flight is void. */
	uint32_t version;
};
void engine_play_status(struct engine *engine, struct play_status *status);

/*
 * Goes to a time of the span and stands there; outside the span: to its nearer end. It is paused
 * then, except at the span's end.
 */
void engine_play_go(struct engine *engine, uint64_t at_ns);
/*
 * Another span, and its present: PLAY_TO_END shows all of it. PLAY_FROM_START and PLAY_TO_END are
 * the ends of the recording. A span that only ends elsewhere, at or behind the present, is not
 * read again.
 */
void engine_play_span(struct engine *engine, uint64_t from_ns, uint64_t until_ns, uint64_t at_ns);
/* Clamped to PLAY_SPEED_MIN … PLAY_SPEED_MAX; says nothing of whether it is paused. */
void engine_play_speed(struct engine *engine, double speed);
/* On from here, or stands still. At the end of the span there is nothing to go on with. */
void engine_play_pause(struct engine *engine, bool paused);
/*
 * Until one more call that the filter lets through has ended; then stands still. Asked for again
 * before that, it is one more each time.
 */
void engine_play_step_call(struct engine *engine);
/* So much on, or back, and stands there. */
void engine_play_step(struct engine *engine, int64_t ns);

/*
 * How much was recorded when: records in each of `count` equal parts of [from_ns, until_ns), as
 * far as there is an index (play_status.bytes_indexed of bytes). Estimates: an index knows no
 * more than when a megabyte begins and ends. Returns how many parts of them are known.
 */
size_t engine_play_density(struct engine *engine, uint64_t from_ns, uint64_t until_ns,
			   uint32_t *records, size_t count);

#endif
