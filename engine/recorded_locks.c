#include "engine/recorded_locks.h"

#include "engine/engine_state.h"

#include <string.h>

#define WAITS_MAX 65536

void recorded_locks_init(struct recorded_locks *recorded)
{
	recorded->file = 0;
	idmap_init(&recorded->waits);
}

void recorded_locks_release(struct recorded_locks *recorded)
{
	idmap_release(&recorded->waits);
}

void recorded_locks_begin_file(struct recorded_locks *recorded, uint32_t file)
{
	if (file != recorded->file)
		idmap_clear(&recorded->waits);
	recorded->file = file;
}

/* Return the time up to which the model has been fed. */
static uint64_t fed_ns(struct engine *e)
{
	uint64_t ns;

	collector_lock(e->collector);
	ns = model_fed_ns(e->model);
	collector_unlock(e->collector);
	return ns;
}

/* -- Writing ------------------------------------------------------------------------------- */

/* True if the owner must be written; most owners stay the same between scans. */
static bool is_news(struct recorded_locks *recorded, const struct deadlock_wait *wait)
{
	uint64_t sum = (wait->enter_ns ^ wait->uaddr << 20 ^ wait->owner) | 1;
	uint64_t was = (uintptr_t)idmap_get(&recorded->waits, wait->tid);

	/* If a recording has no owner for a wait, the owner is unknown. */
	if (was == sum || (!was && !wait->owner))
		return false;
	if (recorded->waits.count > WAITS_MAX)
		idmap_clear(&recorded->waits);
	idmap_put(&recorded->waits, wait->tid, (void *)(uintptr_t)sum);
	return true;
}

void recorded_locks_write_holders(struct recorded_locks *recorded, struct engine *e,
				  const struct deadlock_wait *waits, size_t count)
{
	uint64_t ns = recorded->file ? fed_ns(e) : 0;

	if (!recorded->file)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct observation observation = {
			.kind = OBSERVATION_HOLDER,
			.pid = waits[i].pid,
			.tid = waits[i].tid,
			.fed_ns = ns,
			.holder = { .uaddr = waits[i].uaddr,
				    .enter_ns = waits[i].enter_ns,
				    .owner = waits[i].owner },
		};

		if (is_news(recorded, &waits[i]))
			engine_find(e, &observation);
	}
}

static void emit_deadlock(struct engine *e, const struct deadlock *deadlock)
{
	struct observation_wait waits[ENGINE_DEADLOCK_THREADS];
	struct observation observation = {
		.kind = OBSERVATION_DEADLOCK,
		.fed_ns = fed_ns(e),
		.deadlock = { .found_ns = deadlock->found_ns },
		.text = waits,
	};
	size_t count = 0;

	for (; count < deadlock->count && count < ENGINE_DEADLOCK_THREADS; count++)
		waits[count] = (struct observation_wait){
			.pid = deadlock->waits[count].pid,
			.tid = deadlock->waits[count].tid,
			.owner = deadlock->waits[count].owner,
			.uaddr = deadlock->waits[count].uaddr,
			.enter_ns = deadlock->waits[count].enter_ns,
		};
	observation.pid = waits[0].pid;
	observation.tid = waits[0].tid;
	/* The cycle can be longer than the array. */
	observation.deadlock.threads = deadlock->count;
	observation.len = count * sizeof(*waits);
	engine_find(e, &observation);
}

void recorded_locks_write_deadlocks(struct recorded_locks *recorded, struct engine *e,
				    struct deadlocks *deadlocks)
{
	for (size_t i = 0; recorded->file && i < deadlocks->count; i++) {
		struct deadlock *deadlock = &deadlocks->found[i];

		if (!deadlock->confirmed || deadlock->recorded_file == recorded->file)
			continue;
		emit_deadlock(e, deadlock);
		deadlock->recorded_file = recorded->file;
	}
}

/* -- Reading ------------------------------------------------------------------------------- */

/* Return the last recorded owner, up to the present position of the recording. */
uint32_t recorded_locks_holder(struct engine *e, const struct call *call)
{
	const struct observation *observation =
		observations_first(e->observations, OBSERVATION_HOLDER, call->tid, call->enter_ns);
	uint64_t until_ns = fed_ns(e);
	uint32_t owner = 0;

	for (; observation; observation = observations_next(e->observations, observation))
		if (observation->tid == call->tid &&
		    observation->holder.enter_ns == call->enter_ns &&
		    observation->fed_ns <= until_ns)
			owner = observation->holder.owner;
	return owner;
}

void recorded_locks_copy(struct engine *e, const struct deadlock *deadlock,
			 struct engine_deadlock *out)
{
	out->count = deadlock->count;
	out->found_ns = deadlock->found_ns;
	for (size_t i = 0; i < deadlock->count && i < ENGINE_DEADLOCK_THREADS; i++) {
		const struct deadlock_wait *wait = &deadlock->waits[i];
		struct engine_lock_wait *row = &out->threads[i];

		row->pid = wait->pid;
		row->tid = wait->tid;
		row->uaddr = wait->uaddr;
		row->owner = wait->owner;
		row->enter_ns = wait->enter_ns;
		engine_thread(e, wait->tid, &(uint32_t){ 0 }, row->name);
	}
}

/* True while every thread of the deadlock is in the same call. Locked. */
static bool all_still_wait(struct engine *e, const struct observation *observation)
{
	const struct observation_wait *waits = observation->text;

	for (size_t i = 0; i < observation->len / sizeof(*waits); i++) {
		const struct task *task = tasks_find(model_tasks(e->model), waits[i].tid);

		if (!task || !task->in_call || task->call.enter_ns != waits[i].enter_ns)
			return false;
	}
	return true;
}

/* Copy a deadlock as recorded. */
static void copy_recorded(struct engine *e, const struct observation *observation,
			  struct engine_deadlock *out)
{
	struct deadlock_wait waits[ENGINE_DEADLOCK_THREADS];
	struct deadlock deadlock = {
		.waits = waits,
		.found_ns = observation->deadlock.found_ns,
	};
	const struct observation_wait *from = observation->text;

	for (size_t i = 0; i < observation->len / sizeof(*from) && i < ENGINE_DEADLOCK_THREADS; i++)
		waits[deadlock.count++] = (struct deadlock_wait){
			.pid = from[i].pid,
			.tid = from[i].tid,
			.uaddr = from[i].uaddr,
			.enter_ns = from[i].enter_ns,
			.owner = from[i].owner,
		};
	recorded_locks_copy(e, &deadlock, out);
	if (observation->deadlock.threads > deadlock.count)
		out->count = observation->deadlock.threads;
}

size_t recorded_locks_deadlocks(struct engine *e, struct engine_deadlock *out, size_t max)
{
	const struct observation *observation = observations_first(e->observations,
								   OBSERVATION_DEADLOCK, 0, 0);
	size_t count = 0;

	for (; observation && count < max;
	     observation = observations_next(e->observations, observation)) {
		bool is_there;

		collector_lock(e->collector);
		is_there = observation->fed_ns <= model_fed_ns(e->model) &&
			   all_still_wait(e, observation);
		collector_unlock(e->collector);
		if (is_there)
			copy_recorded(e, observation, &out[count++]);
	}
	return count;
}

size_t recorded_locks_deadlocks_ever(struct engine *e, size_t *cursor, struct engine_deadlock *out,
				     size_t max)
{
	const struct observation *observation = observations_first(e->observations,
								   OBSERVATION_DEADLOCK, 0, 0);
	uint64_t until_ns = fed_ns(e);
	size_t count = 0, at = 0;

	for (; observation && count < max;
	     observation = observations_next(e->observations, observation))
		if (observation->fed_ns <= until_ns && at++ >= *cursor)
			copy_recorded(e, observation, &out[count++]);
	*cursor += count;
	return count;
}
