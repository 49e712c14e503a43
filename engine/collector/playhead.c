#include "engine/collector/playhead.h"

#include <string.h>

void playhead_init(struct playhead *head, uint64_t from_ns, uint64_t until_ns, double speed)
{
	memset(head, 0, sizeof(*head));
	head->from_ns = from_ns;
	head->until_ns = until_ns;
	head->speed = speed;
}

void playhead_requests_add(struct playhead_requests *requests,
			   const struct playhead_requests *later)
{
	/* Requests for a new position. A later PLAYHEAD_SPAN or PLAYHEAD_GO replaces these. */
	const unsigned int ways = PLAYHEAD_GO | PLAYHEAD_STEP | PLAYHEAD_STEP_CALL;

	if (later->wanted & PLAYHEAD_SPAN) {
		requests->wanted &= ~(ways | PLAYHEAD_PAUSE);
		requests->from_ns = later->from_ns;
		requests->until_ns = later->until_ns;
		requests->go_ns = later->go_ns;
	}
	if (later->wanted & PLAYHEAD_GO) {
		requests->wanted &= ~(ways | PLAYHEAD_PAUSE);
		requests->go_ns = later->go_ns;
	}
	if (later->wanted & PLAYHEAD_STEP) {
		requests->wanted &= ~PLAYHEAD_PAUSE;
		requests->step_ns = requests->wanted & PLAYHEAD_STEP
					    ? requests->step_ns + later->step_ns
					    : later->step_ns;
	}
	if (later->wanted & PLAYHEAD_STEP_CALL) {
		requests->wanted &= ~PLAYHEAD_PAUSE;
		requests->step_calls = later->step_calls + (requests->wanted & PLAYHEAD_STEP_CALL
								    ? requests->step_calls
								    : 0);
	}
	if (later->wanted & PLAYHEAD_SPEED)
		requests->speed = later->speed;
	if (later->wanted & PLAYHEAD_PAUSE)
		requests->paused = later->paused;
	requests->wanted |= later->wanted;
}

/* -- Moving ---------------------------------------------------------------------------- */

static uint64_t beginning(const struct playhead *head, uint64_t first_ns)
{
	return head->from_ns > first_ns ? head->from_ns : first_ns;
}

static uint64_t clamp(uint64_t at_ns, uint64_t low, uint64_t high)
{
	return at_ns < low ? low : at_ns > high ? high : at_ns;
}

/* Return the target of the move in progress, or the present. */
static uint64_t aim(const struct playhead *head)
{
	if (head->moving)
		return head->target_ns;
	return head->ended ? head->until_ns : head->at_ns;
}

static void arrive(struct playhead *head)
{
	if (!head->moving || (!head->ended && head->at_ns < head->target_ns))
		return;
	head->moving = PLAY_STILL;
	head->paused = head->pauses;
}

static void move_to(struct playhead *head, uint64_t target_ns, enum play_moving why)
{
	head->moving = why;
	head->target_ns = target_ns;
	head->moved_from_ns = head->at_ns;
	head->pauses = target_ns < head->until_ns;
	head->calls_left = 0;
	head->base_wall_ns = 0;
}

/* True: the target is before the present, so the span must be read again. */
static bool go(struct playhead *head, uint64_t at_ns, uint64_t first_ns)
{
	uint64_t target_ns = clamp(at_ns, beginning(head, first_ns), head->until_ns);

	if (head->ended && target_ns >= head->at_ns && head->until_ns == PLAY_TO_END) {
		head->moving = PLAY_STILL;
		head->calls_left = 0;
		return false;
	}
	move_to(head, target_ns, PLAY_GOING);
	if (head->begun && target_ns < head->at_ns)
		return true;
	if (target_ns == head->at_ns)
		arrive(head);
	return false;
}

static bool change_span(struct playhead *head, const struct playhead_requests *requests,
			uint64_t first_ns)
{
	bool again = requests->from_ns != head->from_ns ||
		     (head->begun && requests->until_ns < head->at_ns);

	head->from_ns = requests->from_ns;
	head->until_ns = requests->until_ns > requests->from_ns ? requests->until_ns
								: requests->from_ns + 1;
	head->ended = head->begun && head->at_ns >= head->until_ns;
	/*
	 * The old present is outside the new span or belongs to another one: restart at the new
	 * span's beginning.
	 */
	if (again) {
		head->at_ns = beginning(head, first_ns);
		head->ended = false;
	}
	return go(head, requests->go_ns, first_ns) || again;
}

static bool step(struct playhead *head, int64_t step_ns, uint64_t first_ns)
{
	uint64_t at_ns = head->moving ? head->target_ns : head->at_ns;
	uint64_t back_ns = step_ns < 0 ? 0 - (uint64_t)step_ns : 0;

	if (at_ns < first_ns)
		at_ns = first_ns;
	if (step_ns < 0)
		return go(head, at_ns > back_ns ? at_ns - back_ns : 0, first_ns);
	if (at_ns > PLAY_TO_END - (uint64_t)step_ns)
		return go(head, PLAY_TO_END, first_ns);
	return go(head, at_ns + (uint64_t)step_ns, first_ns);
}

static void pause(struct playhead *head, bool paused)
{
	head->calls_left = 0;
	head->base_wall_ns = 0;
	if (head->moving && !paused) {
		head->pauses = false;
		return;
	}
	head->moving = PLAY_STILL;
	head->paused = paused;
}

/* Read the span again; a move in progress retains its target. */
static void read_again(struct playhead *head, uint64_t first_ns)
{
	bool pauses = head->moving ? head->pauses : head->paused;
	enum play_moving why = head->moving ? head->moving : PLAY_FILTERING;
	uint64_t target_ns = aim(head);

	head->at_ns = beginning(head, first_ns);
	move_to(head, target_ns, why);
	head->pauses = pauses;
}

bool playhead_move(struct playhead *head, const struct playhead_requests *requests,
		   uint64_t first_ns)
{
	bool again = false;

	if (requests->wanted & PLAYHEAD_SPAN)
		again = change_span(head, requests, first_ns);
	else if (requests->wanted & PLAYHEAD_GO)
		again = go(head, requests->go_ns, first_ns);
	if (requests->wanted & PLAYHEAD_STEP)
		again = step(head, requests->step_ns, first_ns) || again;
	if (requests->wanted & PLAYHEAD_STEP_CALL && !head->ended) {
		head->moving = PLAY_STILL;
		head->calls_left += requests->step_calls;
		head->paused = true;
	}
	if (requests->wanted & PLAYHEAD_SPEED) {
		head->speed = requests->speed;
		head->base_wall_ns = 0;
	}
	if (requests->wanted & PLAYHEAD_PAUSE)
		pause(head, requests->paused);
	if (requests->wanted & PLAYHEAD_AGAIN && head->begun && !again) {
		read_again(head, first_ns);
		again = true;
	}
	return again;
}

void playhead_rewind(struct playhead *head, uint64_t first_ns)
{
	head->at_ns = head->moved_from_ns = beginning(head, first_ns);
	head->base_wall_ns = 0;
	head->ended = head->begun = false;
	arrive(head);
}

/* -- Reading --------------------------------------------------------------------------- */

bool playhead_ticks(const struct playhead *head)
{
	return !head->moving && !head->paused && !head->ended && head->speed != PLAY_UNLIMITED;
}

uint64_t playhead_limit(struct playhead *head, uint64_t wall_ns)
{
	double passed_ns;

	if (head->moving)
		return head->target_ns;
	if (head->ended || (head->paused && !head->calls_left))
		return head->at_ns;
	if (head->calls_left || head->speed == PLAY_UNLIMITED)
		return head->until_ns;
	if (!head->base_wall_ns) {
		head->base_wall_ns = wall_ns;
		head->base_ns = head->at_ns;
	}
	passed_ns = (double)(wall_ns - head->base_wall_ns) * head->speed;
	if (passed_ns >= (double)(head->until_ns - head->base_ns))
		return head->until_ns;
	return head->base_ns + (uint64_t)passed_ns;
}

void playhead_came(struct playhead *head, uint64_t at_ns, bool ended)
{
	head->begun = true;
	if (at_ns > head->at_ns)
		head->at_ns = at_ns;
	head->ended = ended || head->at_ns >= head->until_ns;
	if (head->ended)
		head->calls_left = 0;
	arrive(head);
}

void playhead_saw_calls(struct playhead *head, uint64_t count)
{
	head->calls_left = count < head->calls_left ? head->calls_left - (unsigned int)count : 0;
}

double playhead_progress(const struct playhead *head)
{
	double whole = (double)(head->target_ns - head->moved_from_ns);

	if (!head->moving || head->at_ns >= head->target_ns)
		return 1.0;
	return head->at_ns <= head->moved_from_ns
		       ? 0.0
		       : (double)(head->at_ns - head->moved_from_ns) / whole;
}
