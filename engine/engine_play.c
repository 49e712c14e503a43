#include "engine/engine_state.h"

#include <string.h>

static void ask(struct engine *e, const struct playhead_requests *requests)
{
	if (atomic_load(&e->ready) && e->recorded)
		collector_play_ask(e->collector, requests);
}

void engine_play_status(struct engine *e, struct play_status *status)
{
	memset(status, 0, sizeof(*status));
	if (atomic_load(&e->ready) && e->recorded)
		collector_play_status(e->collector, status);
}

void engine_play_go(struct engine *e, uint64_t at_ns)
{
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_GO, .go_ns = at_ns });
}

void engine_play_span(struct engine *e, uint64_t from_ns, uint64_t until_ns, uint64_t at_ns)
{
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_SPAN,
					    .from_ns = from_ns,
					    .until_ns = until_ns,
					    .go_ns = at_ns });
}

void engine_play_speed(struct engine *e, double speed)
{
	if (speed != PLAY_UNLIMITED && !(speed >= PLAY_SPEED_MIN))
		speed = PLAY_SPEED_MIN;
	if (speed > PLAY_SPEED_MAX)
		speed = PLAY_SPEED_MAX;
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_SPEED, .speed = speed });
}

void engine_play_pause(struct engine *e, bool paused)
{
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_PAUSE, .paused = paused });
}

void engine_play_step_call(struct engine *e)
{
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_STEP_CALL, .step_calls = 1 });
}

void engine_play_step(struct engine *e, int64_t ns)
{
	ask(e, &(struct playhead_requests){ .wanted = PLAYHEAD_STEP, .step_ns = ns });
}

size_t engine_play_density(struct engine *e, uint64_t from_ns, uint64_t until_ns, uint32_t *records,
			   size_t count)
{
	memset(records, 0, count * sizeof(*records));
	if (!atomic_load(&e->ready) || !e->recorded || until_ns <= from_ns)
		return 0;
	return collector_play_density(e->collector, from_ns, until_ns, records, count);
}
