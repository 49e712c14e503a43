#include "engine/source/live/perf_retarget.h"

#include "engine/source/live/perf_calls.h"
#include "engine/source/live/perf_user_stacks.h"
#include "engine/source/live/perf_waits.h"
#include "engine/source/perf/perf_attach.h"

#include <errno.h>
#include <string.h>

/* ---- marks -------------------------------------------------------------------- */

static bool is_of_watched(const struct perf_plan *plan, uint32_t tid)
{
	const struct task_table *tasks = &plan->decode->tasks;

	return task_table_word(tasks, task_table_pid(tasks, tid)) & TASK_WATCHED_PROCESS;
}

static void name_process(struct perf_plan *plan, uint32_t pid)
{
	struct task_table *tasks = &plan->decode->tasks;
	struct task_list threads = TASK_LIST_INIT;

	descendants_name(&plan->decode->descendants, tasks, pid);
	proc_tasks_threads(&threads, pid);
	for (size_t i = 0; i < threads.count; i++)
		task_table_unmark(tasks, threads.ids[i], TASK_GIVEN_UP);
	task_list_release(&threads);
}

static void name_thread(struct perf_plan *plan, uint32_t tid)
{
	struct task_table *tasks = &plan->decode->tasks;

	task_table_unmark(tasks, tid, TASK_GIVEN_UP);
	task_table_mark(tasks, tid, TASK_WATCHED_THREAD);
	/* The decoder needs the thread's process before its first record. */
	if (!task_table_pid(tasks, tid))
		task_table_set_pid(tasks, tid, proc_tasks_group(tid));
}

/* Stop watching a thread, unless its process is watched. */
static void give_up_thread(struct perf_plan *plan, uint32_t tid)
{
	struct task_table *tasks = &plan->decode->tasks;

	task_table_unmark(tasks, tid, TASK_WATCHED_THREAD);
	if (!is_of_watched(plan, tid))
		task_table_mark(tasks, tid, TASK_GIVEN_UP);
}

/* Stop watching a process, except for its threads that are targets themselves. */
static void give_up_process(struct perf_plan *plan, uint32_t pid)
{
	struct task_table *tasks = &plan->decode->tasks;

	descendants_give_up(&plan->decode->descendants, tasks, pid);
	for (size_t i = 0; i < plan->tids.count; i++)
		if (task_table_pid(tasks, plan->tids.ids[i]) == pid)
			task_table_unmark(tasks, pid, TASK_GIVEN_UP);
}

/*
 * True if a new target is already watched as a descendant. Its inherited events stay open until the
 * family of their head is closed. Only then does the process need events of its own, except call
 * events, which are reopened at once.
 */
static bool nest(struct perf_plan *plan, uint32_t pid)
{
	if (task_list_has(&plan->nested, pid))
		return true;
	if (!(task_table_word(&plan->decode->tasks, pid) & TASK_WATCHED_PROCESS))
		return false;
	task_list_add(&plan->nested, pid);
	task_list_add(&plan->nested_in, descendants_head(&plan->decode->descendants, pid));
	return true;
}

static void leave_nests(struct perf_plan *plan, struct target_change *change)
{
	for (size_t i = 0; i < plan->nested.count; i++)
		if (task_list_has(&change->old_pids, plan->nested_in.ids[i]) &&
		    task_list_has(&plan->pids, plan->nested.ids[i]))
			task_list_add(&change->fresh, plan->nested.ids[i]);
}

static void forget_nests(struct perf_plan *plan, const struct target_change *change)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->nested.count; i++) {
		if (task_list_has(&change->old_pids, plan->nested_in.ids[i]))
			continue;
		plan->nested.ids[kept] = plan->nested.ids[i];
		plan->nested_in.ids[kept++] = plan->nested_in.ids[i];
	}
	plan->nested.count = plan->nested_in.count = kept;
}

static void mark_new(struct perf_plan *plan, struct target_change *change)
{
	for (size_t i = 0; i < change->new_pids.count; i++) {
		uint32_t pid = change->new_pids.ids[i];

		if (!nest(plan, pid))
			task_list_add(&change->fresh, pid);
		name_process(plan, pid);
	}
	leave_nests(plan, change);
	for (size_t i = 0; i < change->new_tids.count; i++)
		name_thread(plan, change->new_tids.ids[i]);
}

static void give_up(struct perf_plan *plan, const struct task_list *pids,
		    const struct task_list *tids)
{
	for (size_t i = 0; i < pids->count; i++)
		give_up_process(plan, pids->ids[i]);
	for (size_t i = 0; i < tids->count; i++)
		give_up_thread(plan, tids->ids[i]);
}

/* ---- events on threads ---------------------------------------------------------- */

static void close_head(struct perf_plan *plan, struct perf_event_set *probes, uint32_t head)
{
	struct perf_event_set closed = PERF_EVENT_SET_INIT;

	perf_event_set_split(probes, head, &closed);
	perf_event_set_disable(&closed);
	perf_closer_take(&plan->closer, &closed);
}

static void close_family(struct perf_plan *plan, uint32_t head)
{
	close_head(plan, &plan->side, head);
	close_head(plan, &plan->waits, head);
	close_head(plan, &plan->user_stacks.probes, head);
	perf_calls_drop(plan, head);
}

static void close_all(struct perf_plan *plan, const struct task_list *pids,
		      const struct task_list *tids)
{
	for (size_t i = 0; i < pids->count; i++)
		close_family(plan, pids->ids[i]);
	for (size_t i = 0; i < tids->count; i++)
		close_family(plan, PERF_HEAD_OF_THREAD(tids->ids[i]));
}

static bool meets(const struct perf_plan *plan, const struct task_list *tids,
		  const struct task_list *pids)
{
	for (size_t i = 0; i < tids->count; i++)
		if (task_list_has(pids, task_table_pid(&plan->decode->tasks, tids->ids[i])))
			return true;
	return false;
}

/*
 * True if a thread and its process are both targets now, or were before. The thread has one set of
 * events: its own or that of its process. If that changes, call events are replaced, which loses no
 * calls.
 */
static bool meets_itself(const struct perf_plan *plan, const struct target_change *change)
{
	return meets(plan, &plan->tids, &change->new_pids) ||
	       meets(plan, &plan->tids, &change->old_pids) ||
	       meets(plan, &change->old_tids, &change->new_pids);
}

static int open_side_and_waits(struct perf_plan *plan, const struct perf_attach *places, char *what)
{
	int ret = perf_attach_open(places, &plan->side, &plan->side_recipe, &plan->rings,
				   plan->decode, PERF_PERIOD_SIDEBAND, NULL, what);

	if (!ret && plan->waits_recipe.kinds)
		ret = perf_attach_open(places, &plan->waits, &plan->waits_recipe, &plan->rings,
				       plan->decode, PERF_PERIOD_WAITS, NULL, what);
	return ret;
}

void perf_plan_alone(const struct perf_plan *plan, const struct target_change *change,
		     struct task_list *alone)
{
	const struct task_table *tasks = &plan->decode->tasks;

	for (size_t i = 0; i < plan->tids.count; i++) {
		uint32_t tid = plan->tids.ids[i];

		if (!is_of_watched(plan, tid) &&
		    (task_list_has(&change->new_tids, tid) ||
		     task_list_has(&change->old_pids, task_table_pid(tasks, tid))))
			task_list_add(alone, tid);
	}
}

/* Close the events of threads that are now covered by the events of their process. */
static void close_covered(struct perf_plan *plan)
{
	for (size_t i = 0; i < plan->tids.count; i++) {
		uint32_t head = PERF_HEAD_OF_THREAD(plan->tids.ids[i]);

		if (!is_of_watched(plan, plan->tids.ids[i]))
			continue;
		close_head(plan, &plan->side, head);
		close_head(plan, &plan->waits, head);
		close_head(plan, &plan->user_stacks.probes, head);
	}
}

static int open_calls(struct perf_plan *plan, const struct perf_attach *places, bool anew,
		      const struct kernel_filter *filter, struct err *err)
{
	char what[PERF_ATTACH_WHAT_BYTES] = "";
	int ret = -EAGAIN;

	if (plan->calls_elsewhere)
		return 0;
	if (!anew)
		ret = perf_calls_add(plan, places, what);
	if (ret == -EAGAIN)
		return perf_calls_replace(plan, filter, err);
	return ret ? perf_event_error(ret, what, false, err) : 0;
}

static int enable_new(struct perf_plan *plan, size_t side, struct err *err)
{
	int ret = plan->started ? perf_event_set_enable(&plan->side, side) : 0;

	if (!ret && perf_plan_asks_waits(plan))
		ret = perf_user_stack_enable(plan);
	if (!ret && plan->started && plan->running)
		ret = perf_event_set_enable(&plan->calls, 0);
	return ret ? err_set(err, ret, "cannot enable events: %s", strerror(-ret)) : 0;
}

/* Compare element by element: both lists have the order of the target. */
static bool is_same(const struct task_list *a, const struct task_list *b)
{
	return a->count == b->count &&
	       (!a->count || !memcmp(a->ids, b->ids, a->count * sizeof(*a->ids)));
}

/* Open the events of added tasks; the lists of the plan must already be the new ones. */
static int open_new(struct perf_plan *plan, const struct target_change *change,
		    const struct kernel_filter *filter, struct err *err)
{
	struct task_list alone = TASK_LIST_INIT;
	struct perf_attach places = { .processes = &change->fresh,
				      .threads = &alone,
				      .must_exist = true };
	char what[PERF_ATTACH_WHAT_BYTES] = "";
	bool anew = meets_itself(plan, change) || !is_same(&change->fresh, &change->new_pids);
	size_t side;
	int ret = 0;

	perf_plan_alone(plan, change, &alone);
	if (anew)
		close_covered(plan);
	side = plan->side.count;
	if (places.processes->count || alone.count || anew) {
		ret = open_side_and_waits(plan, &places, what);
		if (ret)
			perf_event_error(ret, what, false, err);
		else
			ret = open_calls(plan, &places, anew, filter, err);
		if (!ret) {
			perf_user_stack_add(plan, &places);
			ret = enable_new(plan, side, err);
		}
	}
	task_list_release(&alone);
	return ret;
}

/* ---- from threads to CPUs --------------------------------------------------------- */

static int widen(struct perf_plan *plan, enum perf_reach reach, const struct kernel_filter *filter,
		 struct err *err)
{
	struct task_list none = TASK_LIST_INIT;
	struct perf_attach places = { .cpus = true, .processes = &none, .threads = &none };
	struct perf_event_set side = plan->side, waits = plan->waits;
	enum perf_reach before = plan->reach;
	char what[PERF_ATTACH_WHAT_BYTES] = "";
	int ret;

	plan->side = plan->waits = (struct perf_event_set)PERF_EVENT_SET_INIT;
	plan->reach = reach;
	ret = open_side_and_waits(plan, &places, what);
	if (ret)
		perf_event_error(ret, what, true, err);
	else if (!plan->calls_elsewhere)
		ret = perf_calls_replace(plan, filter, err);
	if (ret) {
		perf_closer_take(&plan->closer, &plan->side);
		perf_closer_take(&plan->closer, &plan->waits);
		plan->side = side;
		plan->waits = waits;
		plan->reach = before;
		return ret;
	}
	plan->decode->per_task = false;
	perf_event_set_enable(&plan->side, 0);
	perf_user_stack_leave_targets(plan);
	perf_waits_pick_anew(plan);
	if (perf_plan_asks_waits(plan))
		perf_user_stack_enable(plan);
	/* Both sets are enabled for a moment. Duplicate comm and switch records are harmless. */
	perf_event_set_disable(&side);
	perf_event_set_disable(&waits);
	perf_closer_take(&plan->closer, &side);
	perf_closer_take(&plan->closer, &waits);
	return 0;
}

/* ---- changing the target ---------------------------------------------------------- */

static enum perf_reach reach_for(const struct perf_plan *plan, const struct task_list *pids,
				 const struct task_list *tids)
{
	if (!pids->count && !tids->count)
		return PERF_REACH_SYSTEM;
	if (plan->reach != PERF_REACH_TASKS || perf_plan_has_too_many_tasks(plan, pids, tids))
		return PERF_REACH_SELECT;
	return PERF_REACH_TASKS;
}

static struct task_list list_of(const uint32_t *ids, size_t count, uint32_t one_more)
{
	struct task_list list = TASK_LIST_INIT;

	for (size_t i = 0; i < count; i++)
		task_list_add(&list, ids[i]);
	if (one_more)
		task_list_add(&list, one_more);
	return list;
}

static void swap(struct task_list *a, struct task_list *b)
{
	struct task_list c = *a;

	*a = *b;
	*b = c;
}

static int open_changed(struct perf_plan *plan, const struct target_change *change,
			enum perf_reach reach, const struct kernel_filter *filter, struct err *err)
{
	int ret;

	if (reach != PERF_REACH_TASKS) {
		if (plan->reach != PERF_REACH_TASKS) {
			plan->reach = reach;
			return 0;
		}
		ret = widen(plan, reach, filter, reach == PERF_REACH_SYSTEM ? err : NULL);
		/* Events on many threads cost more, but can be the only permitted ones. */
		if (!ret || reach == PERF_REACH_SYSTEM)
			return ret;
	}
	perf_waits_pick_anew(plan);
	return open_new(plan, change, filter, err);
}

int perf_plan_set_target(struct perf_plan *plan, const struct target *target,
			 const struct kernel_filter *filter, struct target_change *change,
			 struct err *err)
{
	struct task_list pids = list_of(target->pids, target->pid_count, (uint32_t)target->command);
	struct task_list tids = list_of(target->tids, target->tid_count, 0);
	enum perf_reach reach;
	bool early;
	int ret;

	target_change_find(change, &plan->pids, &plan->tids, &pids, &tids);
	reach = reach_for(plan, &pids, &tids);
	swap(&plan->pids, &pids);
	swap(&plan->tids, &tids);
	mark_new(plan, change);
	/*
	 * If a thread stays a target without its process, unmark the process first: then the thread
	 * gets events of its own.
	 */
	early = meets(plan, &plan->tids, &change->old_pids);
	if (early)
		give_up(plan, &change->old_pids, &change->old_tids);
	ret = open_changed(plan, change, reach, filter, err);
	if (ret) {
		swap(&plan->pids, &pids);
		swap(&plan->tids, &tids);
		give_up(plan, &change->new_pids, &change->new_tids);
		close_all(plan, &change->new_pids, &change->new_tids);
		for (size_t i = 0; early && i < change->old_pids.count; i++)
			name_process(plan, change->old_pids.ids[i]);
	} else {
		if (!early)
			give_up(plan, &change->old_pids, &change->old_tids);
		if (plan->reach == PERF_REACH_TASKS)
			close_all(plan, &change->old_pids, &change->old_tids);
		forget_nests(plan, change);
		plan->decode->select = plan->reach == PERF_REACH_SELECT;
		if (plan->reach == PERF_REACH_SYSTEM)
			task_table_unmark_all(&plan->decode->tasks, TASK_GIVEN_UP);
	}
	task_list_release(&pids);
	task_list_release(&tids);
	return ret;
}
