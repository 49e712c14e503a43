/*
 * playhead - the present of a recording: up to where it may be read now.
 *
 * Pure: times of the recording and of the wall come in, a limit comes out. The collector moves
 * it by what is asked for (play.h), reads up to playhead_limit() and tells it how far it came.
 * Records before such a time are read, those of it and later ones are not.
 */
#ifndef COLLECTOR_PLAYHEAD_H
#define COLLECTOR_PLAYHEAD_H

#include "engine/collector/play.h"

struct playhead {
	uint64_t from_ns, until_ns; /* the span; PLAY_FROM_START, PLAY_TO_END */
	uint64_t at_ns; /* what is before was read */
	bool ended; /* ... and that is all of the span */
	bool begun; /* something of it was read */
	enum play_moving moving;
	uint64_t target_ns; /* while moving */
	uint64_t moved_from_ns; /* where that began */
	bool pauses; /* once it has come to the target */
	double speed;
	bool paused;
	unsigned int calls_left; /* until so many more have ended; 0: not asked for */
	/* With a speed: what time it was in the recording at that time of the wall; 0: not set. */
	uint64_t base_ns, base_wall_ns;
};

/* What is asked of it, each with its bit. */
enum playhead_request {
	PLAYHEAD_SPAN = 1 << 0, /* with go_ns */
	PLAYHEAD_GO = 1 << 1,
	PLAYHEAD_STEP = 1 << 2,
	PLAYHEAD_STEP_CALL = 1 << 3,
	PLAYHEAD_SPEED = 1 << 4,
	PLAYHEAD_PAUSE = 1 << 5,
	PLAYHEAD_AGAIN = 1 << 6, /* the span up to the present, for another filter */
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

/* Adds what was asked for later: the latest of a kind counts, steps add up. */
void playhead_requests_add(struct playhead_requests *requests,
			   const struct playhead_requests *later);
/*
 * first_ns: where the recording begins. True: the span has to be read again from its beginning,
 * and playhead_rewind() is to be called where that was done.
 */
bool playhead_move(struct playhead *head, const struct playhead_requests *requests,
		   uint64_t first_ns);
void playhead_rewind(struct playhead *head, uint64_t first_ns);

/* Up to where it may be read now; not later than at_ns: not at all. */
uint64_t playhead_limit(struct playhead *head, uint64_t wall_ns);
/* Time alone will move the limit. */
bool playhead_ticks(const struct playhead *head);

/* What is before at_ns was read; `ended`: and there is no more in the recording. */
void playhead_came(struct playhead *head, uint64_t at_ns, bool ended);
/* So many calls more have ended. */
void playhead_saw_calls(struct playhead *head, uint64_t count);
double playhead_progress(const struct playhead *head);

#endif
