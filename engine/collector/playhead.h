/*
 * playhead - the present of a recording: the time up to which it may be read now.
 *
 * Pure: the input is recording time and wall time, the output is a limit. The collector applies
 * requests (play.h), reads up to playhead_limit() and reports its progress. A limit is exclusive:
 * records before that time are read, records at that time and later are not.
 */
#ifndef COLLECTOR_PLAYHEAD_H
#define COLLECTOR_PLAYHEAD_H

#include "engine/collector/play.h"

struct playhead {
	uint64_t from_ns, until_ns; /* the span; PLAY_FROM_START, PLAY_TO_END */
	uint64_t at_ns; /* records before this time were read */
	bool ended; /* ... and the span has no more records */
	bool begun; /* part of the span was read */
	enum play_moving moving;
	uint64_t target_ns; /* while moving */
	uint64_t moved_from_ns; /* at_ns when the move began */
	bool pauses; /* pause on reaching the target */
	double speed;
	bool paused;
	unsigned int calls_left; /* read until this many more calls have ended; 0: no request */
	/* Recording time base_ns is at wall time base_wall_ns. base_wall_ns 0: both unset. */
	uint64_t base_ns, base_wall_ns;
};

/* Requests, one bit each. */
enum playhead_request {
	PLAYHEAD_SPAN = 1 << 0, /* uses from_ns, until_ns and go_ns */
	PLAYHEAD_GO = 1 << 1,
	PLAYHEAD_STEP = 1 << 2,
	PLAYHEAD_STEP_CALL = 1 << 3,
	PLAYHEAD_SPEED = 1 << 4,
	PLAYHEAD_PAUSE = 1 << 5,
	PLAYHEAD_AGAIN = 1 << 6, /* read the span up to the present again, for another filter */
};

struct playhead_requests {
	unsigned int wanted; /* enum playhead_request */
	uint64_t from_ns, until_ns;
	uint64_t go_ns;
	int64_t step_ns;
	unsigned int step_calls;
	double speed;
	bool paused;
};

void playhead_init(struct playhead *head, uint64_t from_ns, uint64_t until_ns, double speed);

/* Merge later requests: the latest of each kind counts, steps add up. */
void playhead_requests_add(struct playhead_requests *requests,
			   const struct playhead_requests *later);
/*
 * Apply requests. first_ns: start of the recording. True: the caller must read the span again from
 * its start and then call playhead_rewind().
 */
bool playhead_move(struct playhead *head, const struct playhead_requests *requests,
		   uint64_t first_ns);
void playhead_rewind(struct playhead *head, uint64_t first_ns);

/* Return the time up to which records may be read now. If not later than at_ns: read nothing. */
uint64_t playhead_limit(struct playhead *head, uint64_t wall_ns);
/* True if the limit advances with wall time alone. */
bool playhead_ticks(const struct playhead *head);

/* Report that the records before at_ns were read; `ended`: the recording has no more. */
void playhead_came(struct playhead *head, uint64_t at_ns, bool ended);
/* Report that `count` more calls have ended. */
void playhead_saw_calls(struct playhead *head, uint64_t count);
double playhead_progress(const struct playhead *head);

#endif
