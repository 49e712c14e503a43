#include "engine/recorder/flight_trigger.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define WALK_EVERY_NS (50 * NS_PER_MS)
#define LATER_NS (5 * NS_PER_S)
#define REPORTED_MAX 65536u
#define FOR_EVER_NS (UINT64_MAX / 4)

void flight_trigger_init(struct flight_trigger *trigger, struct filter *filter, flight_hit_fn *hit,
			 void *ctx)
{
	memset(trigger, 0, sizeof(*trigger));
	trigger->match = match_new(filter);
	trigger->hit = hit;
	trigger->ctx = ctx;
	trigger->first = true;
	idmap_init(&trigger->reported);
	if (trigger->match)
		filter_kernel_half(filter, &trigger->half);
	if (trigger->match && match_asks_stacks(trigger->match))
		trigger->later = mem_zalloc(FLIGHT_LATER_MAX, sizeof(*trigger->later));
}

void flight_trigger_release(struct flight_trigger *trigger)
{
	tasks_walk_end(&trigger->walk);
	if (trigger->match)
		kernel_filter_release(&trigger->half);
	match_free(trigger->match);
	idmap_release(&trigger->reported);
	free(trigger->later);
	memset(trigger, 0, sizeof(*trigger));
}

static bool was_reported(const struct flight_trigger *trigger, const struct call *call)
{
	uintptr_t enter_ns = (uintptr_t)idmap_get(&trigger->reported, call->tid);

	return enter_ns && enter_ns == (uintptr_t)(call->enter_ns | 1);
}

/* -- Calls that ended ------------------------------------------------------------------- */

static void ask_later(struct flight_trigger *trigger, const struct call *call)
{
	if (!trigger->later || trigger->later_count == FLIGHT_LATER_MAX) {
		trigger->pending_match++;
		return;
	}
	trigger->later[trigger->later_count++] = (struct flight_later){ *call,
									clock_now_ns() + LATER_NS };
}

static void matched(struct flight_trigger *trigger, const struct call *call,
		    const struct model *model)
{
	if (was_reported(trigger, call))
		idmap_remove(&trigger->reported, call->tid);
	else
		trigger->hit(trigger->ctx, call, model);
}

/* Nearly all calls fail this test, so it must be cheap. */
static bool may_match(const struct kernel_filter *half, const struct call *call)
{
	if (call->state != CALL_DONE)
		return true;
	if (half->min_dur_ns && call->dur_ns >= 0 && (uint64_t)call->dur_ns < half->min_dur_ns)
		return false;
	return kernel_filter_allows(half, call->nr) && (!half->failed || call_failed(call));
}

void flight_trigger_look(void *ctx, const struct call *call, const struct model *model)
{
	struct flight_trigger *trigger = ctx;

	if (!may_match(&trigger->half, call))
		return;
	switch (match_call(trigger->match, call, model)) {
	case MODEL_NO:
		break;
	case MODEL_YES:
		matched(trigger, call, model);
		break;
	case MODEL_LATER:
		ask_later(trigger, call);
		break;
	}
}

/* Test waiting calls again if new names arrived; drop those whose time has run out. */
static void ask_again(struct flight_trigger *trigger, const struct model *model, uint64_t now_ns)
{
	const struct model_symbols *symbols = model_symbols(model);
	uint64_t version = symbols ? symbols->version(symbols->ctx) : 0;
	bool news = version != trigger->symbols_version;
	size_t kept = 0, count = trigger->later_count;

	trigger->symbols_version = version;
	for (size_t i = 0; i < count; i++) {
		struct flight_later later = trigger->later[i];
		enum model_answer answer = news ? match_call(trigger->match, &later.call, model)
						: MODEL_LATER;

		if (answer == MODEL_YES)
			matched(trigger, &later.call, model);
		else if (answer == MODEL_LATER && now_ns < later.until_ns)
			trigger->later[kept++] = later;
		else if (answer == MODEL_LATER)
			trigger->pending_match++;
	}
	trigger->later_count = kept;
}

/* -- Calls in flight --------------------------------------------------------------------- */

struct walking {
	struct flight_trigger *trigger;
	const struct model *model;
	uint64_t now_ns;
};

/* True if the call matches because of its age, and would match at any greater age. */
static bool is_old_enough(const struct walking *walking, const struct call *call)
{
	const struct match *match = walking->trigger->match;
	struct call fresh = *call;

	if (!match_call_at(match, call, walking->model, walking->now_ns))
		return false;
	fresh.dur_ns = 0;
	fresh.blocked_ns = fresh.runnable_ns = 0;
	return match_call_at(match, call, walking->model, walking->now_ns + FOR_EVER_NS) &&
	       !match_call_at(match, &fresh, walking->model, call->enter_ns);
}

static void look_in_flight(void *ctx, struct task *task)
{
	const struct walking *walking = ctx;
	struct flight_trigger *trigger = walking->trigger;
	struct call call;

	if (!task->in_call || task->held || task->ended ||
	    !kernel_filter_allows(&trigger->half, task->call.nr))
		return;
	tasks_call_at(task, walking->now_ns, &call);
	if (!is_old_enough(walking, &call) || was_reported(trigger, &call))
		return;
	idmap_put(&trigger->reported, call.tid, (void *)(uintptr_t)(call.enter_ns | 1));
	if (!trigger->first)
		trigger->hit(trigger->ctx, &call, walking->model);
}

void flight_trigger_drained(struct flight_trigger *trigger, struct model *model, uint64_t now_ns)
{
	struct walking walking = { trigger, model, now_ns };

	if (!trigger->match)
		return;
	if (trigger->later_count)
		ask_again(trigger, model, now_ns);
	if (!trigger->walk.tasks) {
		if (now_ns < trigger->walked_ns + WALK_EVERY_NS)
			return;
		trigger->walked_ns = now_ns;
		/* Entries remain, for example, if a thread was killed during a call. */
		if (trigger->reported.count > REPORTED_MAX)
			idmap_clear(&trigger->reported);
		tasks_walk_begin(&trigger->walk, model_tasks(model));
	}
	if (!tasks_walk_step(&trigger->walk, TASKS_WALK_TASKS, look_in_flight, &walking))
		trigger->first = false;
}
