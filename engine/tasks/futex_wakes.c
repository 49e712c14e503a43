#include "engine/tasks/futex_wakes.h"

#include "engine/base/mem.h"

/* Replaces the entry with the earliest enter. */
void futex_wake_begin(struct futex *futex, const struct task *task, uint32_t wakes)
{
	struct futex_wake *recent = futex_recent(futex), *place = recent;

	for (int i = 0; i < FUTEX_RECENT_WAKES; i++) {
		struct futex_wake *wake = &recent[i];

		/* The thread makes another wake, so the exit of its earlier one was lost. */
		if (wake->tid == task->tid && wake->enter_ns && !wake->exit_ns) {
			place = wake;
			break;
		}
		if (wake->enter_ns < place->enter_ns)
			place = wake;
	}
	*place = (struct futex_wake){
		.enter_ns = task->call.enter_ns,
		.tid = task->tid,
		.left = wakes,
	};
}

void futex_wake_end(struct futex *futex, const struct call *call, uint64_t now_ns, uint32_t limit,
		    uint32_t woken)
{
	struct futex_wake *recent = futex_recent(futex);

	for (int i = 0; i < FUTEX_RECENT_WAKES; i++) {
		struct futex_wake *wake = &recent[i];
		uint32_t taken;

		if (wake->tid != call->tid || wake->enter_ns != call->enter_ns)
			continue;
		taken = limit > wake->left ? limit - wake->left : 0;
		wake->left = woken > taken ? woken - taken : 0;
		wake->exit_ns = now_ns;
	}
}

struct futex_wake *futex_wake_for(struct futex *futex, const struct call *call, uint64_t end_ns)
{
	struct futex_wake *recent = futex_recent(futex), *best = NULL;

	for (int i = 0; i < FUTEX_RECENT_WAKES; i++) {
		struct futex_wake *wake = &recent[i];

		if (!wake->enter_ns || wake->tid == call->tid || !wake->left)
			continue;
		if (wake->enter_ns > end_ns || (wake->exit_ns && wake->exit_ns < call->enter_ns))
			continue;
		if (!best || wake->enter_ns > best->enter_ns)
			best = wake;
	}
	return best;
}

static uint32_t comm_of(const struct tasks *tasks, uint32_t tid)
{
	const struct task *task = tasks_find(tasks, tid);

	return task ? task->comm_id : 0;
}

/*
 * Moves the waker one place forward if its count exceeds that of the waker before it. So frequent
 * wakers are found first.
 */
void futex_waker_count(struct futex *futex, const struct tasks *tasks, uint32_t tid)
{
	struct futex_waker *wakers = futex->wakers, *waker;
	size_t i = 0;

	while (i < futex->waker_count && wakers[i].tid != tid)
		i++;
	if (i == futex->waker_count) {
		if (futex->waker_count < FUTEX_WAKERS_MAX) {
			futex->wakers = wakers = mem_grow(wakers, &futex->waker_cap, i + 1,
							  sizeof(*wakers));
			futex->waker_count++;
		} else {
			i--;
			futex->other_wakers += wakers[i].count;
		}
		wakers[i] = (struct futex_waker){
			.tid = tid,
			.comm_id = comm_of(tasks, tid),
		};
	}
	waker = &wakers[i];
	waker->count++;
	if (i && waker->count > waker[-1].count) {
		struct futex_waker former = waker[-1];

		waker[-1] = *waker;
		*waker = former;
	}
}
