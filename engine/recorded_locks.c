#include "engine/recorded_locks.h"

#include "engine/engine_private.h"

#include <string.h>

#define WAITS_MAX 65536

void told_locks_init(struct told_locks *told)
{
	told->file = 0;
	idmap_init(&told->waits);
}

void told_locks_release(struct told_locks *told)
{
	idmap_release(&told->waits);
}

void told_locks_begin_file(struct told_locks *told, uint32_t file)
{
	if (file != told->file)
		idmap_clear(&told->waits);
	told->file = file;
}

/* Up to when all was fed. */
static uint64_t fed_ns(struct engine *e)
{
	uint64_t ns;

	collector_lock(e->collector);
	ns = model_fed_ns(e->model);
	collector_unlock(e->collector);
	return ns;
}

/* -- To a recording ------------------------------------------------------------------------ */

/* Whoever holds it goes on to, most of the time. */
static bool is_news(struct told_locks *told, const struct deadlock_wait *wait)
{
	uint64_t sum = (wait->enter_ns ^ wait->uaddr << 20 ^ wait->owner) | 1;
	uint64_t was = (uintptr_t)idmap_get(&told->waits, wait->tid);

	/* That nobody knows is what is taken for granted. */
	if (was == sum || (!was && !wait->owner))
		return false;
	if (told->waits.count > WAITS_MAX)
		idmap_clear(&told->waits);
	idmap_put(&told->waits, wait->tid, (void *)(uintptr_t)sum);
	return true;
}

void told_locks_tell_holders(struct told_locks *told, struct engine *e,
			     const struct deadlock_wait *waits, size_t count)
{
	uint64_t ns = told->file ? fed_ns(e) : 0;

	if (!told->file)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct finding finding = {
			.kind = FINDING_HOLDER,
			.pid = waits[i].pid,
			.tid = waits[i].tid,
			.fed_ns = ns,
			.holder = { .uaddr = waits[i].uaddr,
				    .enter_ns = waits[i].enter_ns,
				    .owner = waits[i].owner },
		};

		if (is_news(told, &waits[i]))
			engine_find(e, &finding);
	}
}

static void tell_deadlock(struct engine *e, const struct deadlock *deadlock)
{
	struct finding_wait waits[ENGINE_DEADLOCK_THREADS];
	struct finding finding = {
		.kind = FINDING_DEADLOCK,
		.fed_ns = fed_ns(e),
		.deadlock = { .found_ns = deadlock->found_ns },
		.text = waits,
	};
	size_t count = 0;

	for (; count < deadlock->count && count < ENGINE_DEADLOCK_THREADS; count++)
		waits[count] = (struct finding_wait){
			.pid = deadlock->waits[count].pid,
			.tid = deadlock->waits[count].tid,
			.owner = deadlock->waits[count].owner,
			.uaddr = deadlock->waits[count].uaddr,
			.enter_ns = deadlock->waits[count].enter_ns,
		};
	finding.pid = waits[0].pid;
	finding.tid = waits[0].tid;
	/* There may be more than a look has room for. */
	finding.deadlock.threads = deadlock->count;
	finding.len = count * sizeof(*waits);
	engine_find(e, &finding);
}

void told_locks_tell_deadlocks(struct told_locks *told, struct engine *e,
			       struct deadlocks *deadlocks)
{
	for (size_t i = 0; told->file && i < deadlocks->count; i++) {
		struct deadlock *deadlock = &deadlocks->found[i];

		if (!deadlock->confirmed || deadlock->told_file == told->file)
			continue;
		tell_deadlock(e, deadlock);
		deadlock->told_file = told->file;
	}
}

/* -- From one ------------------------------------------------------------------------------ */

/* As it was found last, up to where the recording is. */
uint32_t told_locks_holder(struct engine *e, const struct call *call)
{
	const struct finding *finding = findings_first(e->findings, FINDING_HOLDER, call->tid,
						       call->enter_ns);
	uint64_t until_ns = fed_ns(e);
	uint32_t owner = 0;

	for (; finding; finding = findings_next(e->findings, finding))
		if (finding->tid == call->tid && finding->holder.enter_ns == call->enter_ns &&
		    finding->fed_ns <= until_ns)
			owner = finding->holder.owner;
	return owner;
}

void told_locks_copy(struct engine *e, const struct deadlock *deadlock, struct engine_deadlock *out)
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

/* It lasts until one of them goes on. Locked. */
static bool all_still_wait(struct engine *e, const struct finding *finding)
{
	const struct finding_wait *waits = finding->text;

	for (size_t i = 0; i < finding->len / sizeof(*waits); i++) {
		const struct task *task = tasks_find(model_tasks(e->model), waits[i].tid);

		if (!task || !task->in_call || task->call.enter_ns != waits[i].enter_ns)
			return false;
	}
	return true;
}

/* As it was told. */
static void copy_told(struct engine *e, const struct finding *finding, struct engine_deadlock *out)
{
	struct deadlock_wait waits[ENGINE_DEADLOCK_THREADS];
	struct deadlock deadlock = {
		.waits = waits,
		.found_ns = finding->deadlock.found_ns,
	};
	const struct finding_wait *from = finding->text;

	for (size_t i = 0; i < finding->len / sizeof(*from) && i < ENGINE_DEADLOCK_THREADS; i++)
		waits[deadlock.count++] = (struct deadlock_wait){
			.pid = from[i].pid,
			.tid = from[i].tid,
			.uaddr = from[i].uaddr,
			.enter_ns = from[i].enter_ns,
			.owner = from[i].owner,
		};
	told_locks_copy(e, &deadlock, out);
	if (finding->deadlock.threads > deadlock.count)
		out->count = finding->deadlock.threads;
}

size_t told_locks_deadlocks(struct engine *e, struct engine_deadlock *out, size_t max)
{
	const struct finding *finding = findings_first(e->findings, FINDING_DEADLOCK, 0, 0);
	size_t count = 0;

	for (; finding && count < max; finding = findings_next(e->findings, finding)) {
		bool is_there;

		collector_lock(e->collector);
		is_there = finding->fed_ns <= model_fed_ns(e->model) && all_still_wait(e, finding);
		collector_unlock(e->collector);
		if (is_there)
			copy_told(e, finding, &out[count++]);
	}
	return count;
}

size_t told_locks_deadlocks_ever(struct engine *e, size_t *cursor, struct engine_deadlock *out,
				 size_t max)
{
	const struct finding *finding = findings_first(e->findings, FINDING_DEADLOCK, 0, 0);
	uint64_t until_ns = fed_ns(e);
	size_t count = 0, at = 0;

	for (; finding && count < max; finding = findings_next(e->findings, finding))
		if (finding->fed_ns <= until_ns && at++ >= *cursor)
			copy_told(e, finding, &out[count++]);
	*cursor += count;
	return count;
}
