#include "engine/engine_state.h"

#include <errno.h>

int engine_catch_fd(const struct engine *e)
{
	return e->catches ? catches_fd(e->catches) : -1;
}

int engine_set_catch(struct engine *e, unsigned index, const struct catch_rule *rule,
		     struct err *err)
{
	if (!e->catches)
		return err_set(err, -EMFILE, "cannot catch calls: too many open files");
	if (!atomic_load(&e->ready))
		return err_set(err, -EAGAIN, "collection has not started yet");
	if (rule && rule->action == CATCH_STOP && !e->stopper)
		return err_set(err, -EPERM, "cannot stop processes: %s",
			       e->recorded ? "this is a recording"
					   : "no guard would continue them if stxtop were killed");
	collector_lock(e->collector);
	catches_set(e->catches, index, rule);
	if (!e->cut)
		model_set_watch(e->model, catches_look, e->catches);
	collector_unlock(e->collector);
	return 0;
}

void engine_arm_catch(struct engine *e, unsigned index, bool armed)
{
	if (!e->catches || !atomic_load(&e->ready))
		return;
	collector_lock(e->collector);
	catches_arm(e->catches, index, armed);
	collector_unlock(e->collector);
}

struct catch_state engine_catch_state(struct engine *e, unsigned index)
{
	struct catch_state state = { .armed = false };

	if (!e->catches || !atomic_load(&e->ready))
		return state;
	collector_lock(e->collector);
	state = catches_state(e->catches, index);
	collector_unlock(e->collector);
	return state;
}

size_t engine_caught(struct engine *e, struct catch_hit *hits, size_t max)
{
	size_t count;

	if (!e->catches || !atomic_load(&e->ready))
		return 0;
	collector_lock(e->collector);
	count = catches_take(e->catches, hits, max);
	collector_unlock(e->collector);
	return count;
}

/* Return the stopper; NULL until engine_start() has finished, perhaps on another thread. */
static struct stopper *stopper_of(const struct engine *e)
{
	return atomic_load(&e->ready) ? e->stopper : NULL;
}

int engine_stop_process(struct engine *e, const struct call *call, struct err *err)
{
	struct stopper *stopper = stopper_of(e);

	if (!stopper)
		return err_set(err, -EPERM, "cannot stop processes here");
	return stopper_stop(stopper, call->pid, call->enter_ns, err);
}

size_t engine_stopped(const struct engine *e, uint32_t pids[STOPPER_MAX])
{
	const struct stopper *stopper = stopper_of(e);

	return stopper ? stopper_stopped(stopper, pids) : 0;
}

void engine_resume(struct engine *e)
{
	struct stopper *stopper = stopper_of(e);

	if (stopper)
		stopper_resume(stopper);
}
