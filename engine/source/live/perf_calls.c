#include "engine/source/live/perf_calls.h"

#include "engine/base/clock.h"
#include "engine/source/perf/perf_attach.h"
#include "engine/source/perf/perf_filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NARROW_EVENTS_MAX 1024 /* events on threads; beyond this, events on CPUs cost less */
#define RETIRE_NS (40 * NS_PER_MS) /* see replace_set() */
#define RETIRE_MAX_NS NS_PER_S /* longest extra time for pending forks, as a thread can hang */

/* A set that is being opened. */
struct calls_set {
	struct perf_event_set probes;
	struct task_list opened;
	struct str filter;
	struct perf_syscall_events singles;
	bool narrowed;
	uint8_t period;
};

static void set_init(struct calls_set *set, uint8_t period)
{
	memset(set, 0, sizeof(*set));
	str_init(&set->filter);
	set->period = period;
}

static void set_release(struct calls_set *set)
{
	perf_event_set_close(&set->probes);
	task_list_release(&set->opened);
	str_release(&set->filter);
}

/* Note the calls that the kernel reports although the filter drops them. */
static void note_silent(struct perf_decode *decode, const struct kernel_filter *filter)
{
	decode->silent_restart = !kernel_filter_allows(filter, SYS_restart_syscall);
	decode->silent_return = !kernel_filter_allows(filter, SYS_rt_sigreturn);
}

static void format_filter(const struct perf_plan *plan, const struct kernel_filter *filter,
			  bool own_excluded, bool single, struct str *text)
{
	struct task_list refused = TASK_LIST_INIT;
	struct kernel_filter of_tasks;

	/* Inside a pid namespace, common_pid holds outer pids, which are unknown here. */
	if (plan->initial_pids) {
		for (size_t i = 0; own_excluded && i < plan->own.count; i++)
			task_list_add(&refused, plan->own.ids[i]);
		for (size_t i = 0; i < filter->not_pid_count; i++)
			proc_tasks_threads(&refused, filter->not_pids[i]);
	}
	of_tasks = *filter; /* borrowed */
	of_tasks.by_syscall = filter->by_syscall && !single;
	/* Records of these two calls show whether an interrupted call is restarted. */
	kernel_filter_allow(&of_tasks, SYS_restart_syscall);
	kernel_filter_allow(&of_tasks, SYS_rt_sigreturn);
	perf_filter_format(text, &of_tasks, refused.ids, refused.count);
	task_list_release(&refused);
}

/*
 * True if the processes and threads that the filter names can have events of their own, in place of
 * events on whole CPUs. There must not be too many, and all must exist: a later process that gets
 * an unused pid would be missed.
 */
static bool can_narrow(const struct perf_plan *plan, const struct kernel_filter *filter)
{
	struct task_list threads = TASK_LIST_INIT;
	bool all = filter->pid_count || filter->tid_count;

	if (plan->reach == PERF_REACH_TASKS)
		return false;
	for (size_t i = 0; all && i < filter->pid_count; i++)
		all = proc_tasks_threads(&threads, filter->pids[i]);
	for (size_t i = 0; all && i < filter->tid_count; i++)
		all = proc_tasks_group(filter->tids[i]);
	if ((threads.count + filter->tid_count) * plan->rings.count * 2 > NARROW_EVENTS_MAX)
		all = false;
	task_list_release(&threads);
	return all;
}

static struct task_list borrow(uint32_t *ids, size_t count)
{
	return (struct task_list){ .ids = ids, .count = count, .capacity = count };
}

/* True if the set is on whole CPUs: only there, its events would report stxtop itself. */
static bool excludes_own(const struct perf_plan *plan, const struct calls_set *set)
{
	return plan->reach != PERF_REACH_TASKS && !set->narrowed;
}

/*
 * True if two calls have events on the same threads. Events of single calls are opened call by
 * call, and a thread created meanwhile inherits the events of some calls. Then it is unknown which
 * of its events count.
 */
static bool same_threads(const struct task_list *a, const struct task_list *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (!task_list_has(a, b->ids[i]))
			return false;
	return a->count == b->count;
}

static int open_singles(struct perf_plan *plan, const struct perf_attach *places,
			struct calls_set *set, char *what)
{
	struct task_list opened = TASK_LIST_INIT;
	int ret = 0;

	for (size_t i = 0; !ret && i < set->singles.count; i++) {
		struct perf_recipe recipe = set->singles.recipes[i];

		recipe.filter = set->filter.data;
		opened.count = 0;
		ret = perf_attach_open(places, &set->probes, &recipe, &plan->rings, plan->decode,
				       set->period, &opened, what);
		for (size_t k = 0; !i && k < opened.count; k++)
			task_list_add(&set->opened, opened.ids[k]);
		if (!ret && !same_threads(&set->opened, &opened))
			ret = -EAGAIN;
		if (set->opened.count * set->singles.count * plan->rings.count * 2 >
		    NARROW_EVENTS_MAX)
			ret = -E2BIG;
	}
	task_list_release(&opened);
	return ret;
}

static int open_recipes(struct perf_plan *plan, const struct perf_attach *places,
			const struct kernel_filter *filter, struct calls_set *set, char *what)
{
	struct perf_recipe recipe = plan->call_recipe;
	int ret;

	if (set->singles.count) {
		ret = open_singles(plan, places, set, what);
		if (!ret && !perf_dedup_doubts(&plan->decode->dedup, set->period))
			return 0;
		/* Fall back to events of all calls; if these fail too, report their error. */
		perf_event_set_close(&set->probes);
		perf_ids_drop(&plan->decode->ids, set->period);
		perf_dedup_end_period(&plan->decode->dedup, set->period);
		set->opened.count = set->singles.count = 0;
		format_filter(plan, filter, excludes_own(plan, set), false, &set->filter);
	}
	recipe.filter = set->filter.data;
	return perf_attach_open(places, &set->probes, &recipe, &plan->rings, plan->decode,
				set->period, &set->opened, what);
}

static int open_set(struct perf_plan *plan, const struct kernel_filter *filter,
		    struct calls_set *set, struct err *err)
{
	struct task_list filter_pids = borrow(filter->pids, filter->pid_count);
	struct task_list filter_tids = borrow(filter->tids, filter->tid_count);
	struct task_list processes = TASK_LIST_INIT, threads = TASK_LIST_INIT;
	struct perf_attach places = { .processes = &processes, .threads = &threads };
	char what[PERF_ATTACH_WHAT_BYTES];
	int ret;

	if (filter->nothing)
		return 0;
	note_silent(plan->decode, filter);
	set->narrowed = can_narrow(plan, filter);
	perf_syscall_events_prepare(&set->singles, filter, plan->syscall_event, plan->decode);
	format_filter(plan, filter, excludes_own(plan, set), set->singles.count, &set->filter);
	if (set->narrowed) {
		places.processes = &filter_pids;
		places.threads = &filter_tids;
	} else if (plan->reach != PERF_REACH_TASKS) {
		places.cpus = true;
	} else if (!plan->started) {
		places.processes = &plan->pids;
		places.threads = &plan->tids;
		places.must_exist = true;
	} else {
		for (uint32_t i = 0; i < plan->rings.count; i++)
			perf_decode_foresee(plan->decode, &plan->rings.cpus[i].ring);
		perf_plan_watched(plan, &processes, &threads);
	}
	ret = open_recipes(plan, &places, filter, set, what);
	if (ret == -EINVAL && set->filter.len)
		err_set(err, ret, "the kernel refused the filter string: %.300s", set->filter.data);
	else if (ret)
		perf_event_error(ret, what, places.cpus, err);
	task_list_release(&processes);
	task_list_release(&threads);
	return ret;
}

/* Move the set into the plan; afterwards the set is empty. */
static void take_set(struct perf_plan *plan, const struct kernel_filter *filter,
		     struct calls_set *set)
{
	task_list_release(&plan->opened);
	str_release(&plan->call_filter);
	plan->calls = set->probes;
	plan->opened = set->opened;
	plan->call_filter = set->filter;
	plan->singles = set->singles;
	plan->narrowed = set->narrowed;
	plan->nothing = filter->nothing;
	plan->period = set->period;
	set_init(set, 0);
}

int perf_calls_open(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err)
{
	struct calls_set set;
	int ret;

	set_init(&set, plan->period);
	plan->decode->periods[plan->period] = (struct perf_period){ 0, UINT64_MAX };
	ret = open_set(plan, filter, &set, err);
	if (ret)
		perf_decode_end_period(plan->decode, set.period);
	else
		take_set(plan, filter, &set);
	set_release(&set);
	return ret;
}

/*
 * Change the filter the cheap way: set it on the open events, if they are on tasks and have no
 * filter yet. True if all events accepted it. If only some did, those drop calls that the old
 * filter passes, so the set must be replaced.
 */
static bool filter_in_place(struct perf_plan *plan, const struct kernel_filter *filter)
{
	struct str text = STR_INIT;
	struct perf_syscall_events singles;
	bool done = false;

	if (plan->reach != PERF_REACH_TASKS || plan->nothing || filter->nothing ||
	    plan->call_filter.len || plan->singles.count)
		return false;
	perf_syscall_events_prepare(&singles, filter, plan->syscall_event, plan->decode);
	if (singles.count)
		return false;
	format_filter(plan, filter, false, false, &text);
	if (!text.len || !perf_event_set_set_filter(&plan->calls, text.data)) {
		str_release(&plan->call_filter);
		plan->call_filter = text;
		str_init(&text);
		note_silent(plan->decode, filter);
		done = true;
	}
	str_release(&text);
	return done;
}

static void retire(struct perf_plan *plan, struct perf_retiring *old)
{
	perf_event_set_disable(&old->probes);
	perf_event_set_count_lost(&old->probes, &plan->call_recipe, &plan->rings);
	plan->decode->periods[old->period].until_ns = clock_now_ns();
	perf_closer_take(&plan->closer, &old->probes);
	perf_forks_release(&old->forks);
}

/*
 * If a fork begins before the new set is open and ends afterwards, the child has only old events.
 * The FORK record is written when the fork ends. So the old set stays enabled for RETIRE_NS, and
 * longer while such a fork may be preempted (perf_forks). Meanwhile the new set is opened on every
 * watched child that is born.
 */
static void replace_set(struct perf_plan *plan, const struct kernel_filter *filter,
			struct calls_set *set)
{
	struct perf_decode *decode = plan->decode;
	uint64_t now_ns = clock_now_ns();
	bool forks = plan->reach == PERF_REACH_TASKS || set->narrowed;
	struct perf_retiring *old;

	/* Make room at once: restoring a target must not wait. */
	if (plan->retiring_count == PERF_RETIRING_MAX) {
		retire(plan, &plan->retiring[0]);
		memmove(&plan->retiring[0], &plan->retiring[1],
			--plan->retiring_count * sizeof(plan->retiring[0]));
	}
	old = &plan->retiring[plan->retiring_count++];
	*old = (struct perf_retiring){ .probes = plan->calls, .period = plan->period };
	if (forks && plan->started) {
		old->end_ns = now_ns + RETIRE_NS;
		for (size_t i = 0; i < set->opened.count; i++)
			perf_forks_note(&old->forks, set->opened.ids[i]);
	}
	take_set(plan, filter, set);
	plan->narrow_pids.count = 0;
	for (size_t i = 0; plan->narrowed && i < filter->pid_count; i++)
		task_list_add(&plan->narrow_pids, filter->pids[i]);
	decode->dedup.overlap_until_ns = UINT64_MAX;
	decode->want_forks = forks;
	perf_calls_retire(plan, now_ns);
}

static bool is_in_use(struct perf_retiring *old, uint64_t now_ns)
{
	if (old->end_ns > now_ns)
		return true;
	return now_ns < old->end_ns + RETIRE_MAX_NS && perf_forks_pending(&old->forks);
}

void perf_calls_retire(struct perf_plan *plan, uint64_t now_ns)
{
	struct perf_decode *decode = plan->decode;
	unsigned int kept = 0;

	if (!plan->retiring_count)
		return;
	for (unsigned int i = 0; i < plan->retiring_count; i++) {
		struct perf_retiring *old = &plan->retiring[i];

		if (is_in_use(old, now_ns))
			plan->retiring[kept++] = *old;
		else
			retire(plan, old);
	}
	plan->retiring_count = kept;
	if (!kept) {
		decode->dedup.overlap_until_ns = clock_now_ns();
		decode->want_forks = false;
		decode->forks.count = 0;
	}
}

static int open_forked(struct perf_plan *plan, const struct perf_place *place)
{
	size_t count = plan->singles.count ? plan->singles.count : 1;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		struct perf_recipe recipe = plan->singles.count ? plan->singles.recipes[i]
								: plan->call_recipe;

		recipe.filter = plan->call_filter.data;
		ret = perf_event_set_open(&plan->calls, &recipe, place, &plan->rings,
					  &plan->decode->ids, plan->period);
	}
	return ret;
}

/* Open the new set on watched children born since the last drain: some have only old events. */
static void adopt_forks(struct perf_plan *plan)
{
	struct perf_decode *decode = plan->decode;
	size_t before = plan->calls.count;

	for (size_t i = 0; i < decode->forks.count && !plan->nothing; i++) {
		struct perf_place place = { .tid = decode->forks.ids[i], .inherit = true };
		uint32_t pid = task_table_pid(&decode->tasks, place.tid);

		place.head = descendants_head(&decode->descendants, pid);
		if (task_list_has(&plan->opened, place.tid) ||
		    !(plan->narrowed ? task_list_has(&plan->narrow_pids, pid)
				     : task_table_watched(&decode->tasks, pid, place.tid)))
			continue;
		/* The thread may have exited, which is not an error. */
		if (open_forked(plan, &place))
			continue;
		task_list_add(&plan->opened, place.tid);
		perf_dedup_doubt(&decode->dedup, plan->period, place.tid);
		for (unsigned int k = 0; k < plan->retiring_count; k++)
			perf_forks_note(&plan->retiring[k].forks, place.tid);
	}
	if (plan->running)
		perf_event_set_enable(&plan->calls, before);
	decode->forks.count = 0;
}

int perf_calls_add(struct perf_plan *plan, const struct perf_attach *places, char *what)
{
	struct perf_recipe recipe = plan->call_recipe;

	if (plan->nothing)
		return 0;
	/* Events of several calls must be on the same threads: see open_singles(). */
	if (plan->singles.count)
		return -EAGAIN;
	recipe.filter = plan->call_filter.data;
	return perf_attach_open(places, &plan->calls, &recipe, &plan->rings, plan->decode,
				plan->period, &plan->opened, what);
}

/* Forget threads whose events were closed, so that they can get new ones later. */
static void forget_opened(struct task_list *opened, const struct perf_event_set *closed)
{
	struct idmap gone = IDMAP_INIT;
	size_t kept = 0;

	for (size_t i = 0; i < closed->count; i++)
		idmap_put(&gone, closed->on[i].tid, &gone);
	for (size_t i = 0; i < opened->count; i++)
		if (!idmap_get(&gone, opened->ids[i]))
			opened->ids[kept++] = opened->ids[i];
	opened->count = kept;
	idmap_release(&gone);
}

static void drop_from(struct perf_plan *plan, struct perf_event_set *probes, uint32_t head,
		      struct task_list *opened)
{
	struct perf_event_set closed = PERF_EVENT_SET_INIT;

	perf_event_set_split(probes, head, &closed);
	if (opened)
		forget_opened(opened, &closed);
	perf_event_set_disable(&closed);
	perf_closer_take(&plan->closer, &closed);
}

void perf_calls_drop(struct perf_plan *plan, uint32_t head)
{
	drop_from(plan, &plan->calls, head, &plan->opened);
	for (unsigned int i = 0; i < plan->retiring_count; i++)
		drop_from(plan, &plan->retiring[i].probes, head, NULL);
}

bool perf_calls_take_change(const struct perf_plan *plan)
{
	/* The last slot is reserved for restoring a target. */
	return plan->retiring_count < PERF_RETIRING_MAX - 1;
}

int perf_calls_set_filter(struct perf_plan *plan, const struct kernel_filter *filter,
			  struct err *err)
{
	if (filter_in_place(plan, filter))
		return 0;
	if (!perf_calls_take_change(plan))
		return err_set(err, -EAGAIN,
			       "the filter changed too often in a short time; try again");
	return perf_calls_replace(plan, filter, err);
}

int perf_calls_replace(struct perf_plan *plan, const struct kernel_filter *filter, struct err *err)
{
	struct perf_decode *decode = plan->decode;
	struct calls_set set;
	int ret, period;

	period = perf_decode_new_period(decode);
	if (period < 0)
		return err_set(err, period,
			       "the filter changed too often in a short time; try again");
	set_init(&set, (uint8_t)period);
	decode->periods[period] = (struct perf_period){ clock_now_ns(), UINT64_MAX };
	ret = open_set(plan, filter, &set, err);
	if (!ret && plan->started && plan->running) {
		ret = perf_event_set_enable(&set.probes, 0);
		if (ret)
			err_set(err, ret, "cannot enable events: %s", strerror(-ret));
	}
	if (ret) {
		/* Dropping the ids drops the new set's records: the old set reported them too. */
		perf_decode_end_period(decode, (uint8_t)period);
		set_release(&set);
		return ret;
	}
	replace_set(plan, filter, &set);
	set_release(&set);
	return 0;
}

void perf_calls_settle(struct perf_plan *plan, uint64_t horizon_ns)
{
	struct perf_decode *decode = plan->decode;

	if (decode->want_forks)
		adopt_forks(plan);
	perf_calls_retire(plan, horizon_ns);
	for (int period = PERF_PERIOD_CALLS; period < PERF_PERIODS; period++)
		if (period != plan->period && decode->periods[period].until_ns &&
		    decode->periods[period].until_ns <= horizon_ns)
			perf_decode_end_period(decode, (uint8_t)period);
	if (decode->dedup.overlap_until_ns && decode->dedup.overlap_until_ns <= horizon_ns) {
		perf_dedup_end_overlap(&decode->dedup);
	}
}
