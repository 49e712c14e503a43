#include "tui/session/deadlock_watch.h"

#include "engine/base/clock.h"

/* Interval of searches. A deadlock is reported once two searches, 0.1 s apart or more, found it. */
#define LOOK_NS (NS_PER_S / 2)
#define COST_SHARE 50

void deadlock_watch_look(struct deadlock_watch *watch, struct engine *engine, uint64_t clock_ns)
{
	uint64_t began_ns;

	if (watch->looked_ns && clock_ns - watch->looked_ns < watch->every_ns)
		return;
	began_ns = clock_thread_ns();
	watch->looked_ns = clock_ns;
	/* Resolve the mappings of new futexes now: those of an exited process cannot be read. */
	engine_futexes_place(engine);
	watch->count = engine_deadlocks(engine, watch->found, DEADLOCK_WATCH_MAX);
	watch->every_ns = (clock_thread_ns() - began_ns) * COST_SHARE;
	if (watch->every_ns < LOOK_NS)
		watch->every_ns = LOOK_NS;
}

void deadlock_text(const struct engine_deadlock *deadlock, size_t max, struct str *out)
{
	size_t count = deadlock->count;

	if (max > ENGINE_DEADLOCK_THREADS)
		max = ENGINE_DEADLOCK_THREADS;
	if (count > max)
		count = max;
	for (size_t i = 0; i < count; i++)
		str_addf(out, "%s/%u → ", deadlock->threads[i].name, deadlock->threads[i].tid);
	if (count < deadlock->count)
		str_addf(out, "… %zu more", deadlock->count - count);
	else if (count)
		str_addf(out, "%s/%u", deadlock->threads[0].name, deadlock->threads[0].tid);
}
