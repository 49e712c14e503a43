#include "engine/model/sleepers.h"

static void list(struct sleepers *sleepers, struct task *task, uint64_t time_ns)
{
	size_t at = (sleepers->first + sleepers->count) % SLEEPERS_MAX;

	if (sleepers->count == SLEEPERS_MAX)
		return;
	sleepers->queue[at].listed_ns = time_ns;
	sleepers->queue[at].tid = task->tid;
	sleepers->count++;
	task->sleeper = true;
}

void sleepers_add(struct sleepers *sleepers, struct task *task, uint64_t time_ns)
{
	if (task->ended || task->process->kernel)
		return;
	task->slept_ns = time_ns;
	if (!task->sleeper)
		list(sleepers, task, time_ns);
}

size_t sleepers_take(struct sleepers *sleepers, const struct tasks *tasks, uint64_t now_ns,
		     uint32_t *tids, size_t max)
{
	size_t taken = 0;

	for (size_t left = sleepers->count; left && taken < max; left--) {
		uint32_t tid = sleepers->queue[sleepers->first].tid;
		struct task *task = tasks_find(tasks, tid);
		uint64_t since_ns;

		if (now_ns < sleepers->queue[sleepers->first].listed_ns + SLEEPERS_AGE_NS)
			break;
		sleepers->first = (sleepers->first + 1) % SLEEPERS_MAX;
		sleepers->count--;
		if (!task || task->ended || !task->sleeper)
			continue;
		task->sleeper = false;
		since_ns = sleepers_since(task);
		if (!since_ns || (task->in_call && !task->held))
			continue;
		if (now_ns < since_ns + SLEEPERS_AGE_NS)
			list(sleepers, task, since_ns); /* it ran meanwhile */
		else
			tids[taken++] = tid;
	}
	return taken;
}
