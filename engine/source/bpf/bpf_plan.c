#include "engine/source/bpf/bpf_plan.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/source/perf/deferred_close.h"
#include "engine/source/perf/perf_open.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AT_ENTER, AT_EXIT };

/* Delay before detaching: the filter may change again, and stxtop may exit after a stop. */
#define KEEP_NS (200 * NS_PER_MS)

void bpf_plan_init(struct bpf_plan *plan, struct bpf_load *load, syscall_event_fn *name)
{
	pthread_condattr_t attr;

	memset(plan, 0, sizeof(*plan));
	plan->load = load;
	plan->name = name;
	lock_init(&plan->lock);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&plan->more, &attr);
	pthread_condattr_destroy(&attr);
	plan->keep_ns = KEEP_NS;
	plan->settled = true;
	plan->all[AT_ENTER] = plan->all[AT_EXIT] = plan->at_switch = -1;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
		plan->singles[nr][AT_ENTER] = plan->singles[nr][AT_EXIT] = -1;
	for (uint32_t nr = 0; nr <= BPF_SYSCALLS; nr++)
		load->settings->since_ns[nr] = BPF_UNCOVERED;
}

/* ---- attaching --------------------------------------------------------------------- */

/* Attach the exit first: cover() counts from the time when both are attached. */
static int attach_all(struct bpf_plan *plan)
{
	static const enum bpf_load_program programs[] = {
		[AT_ENTER] = BPF_LOAD_ENTER,
		[AT_EXIT] = BPF_LOAD_EXIT,
	};

	for (int half = AT_EXIT; half >= AT_ENTER; half--) {
		if (plan->all[half] < 0)
			plan->all[half] = bpf_load_run(plan->load, programs[half], -1);
		if (plan->all[half] < 0)
			return plan->all[half];
	}
	return 0;
}

/* Attach to a perf event that stays disabled: it takes no samples. */
static int attach_at(struct bpf_plan *plan, enum bpf_load_program program, uint64_t tracepoint)
{
	struct perf_event_attr attr;
	int event, link;

	perf_attr_tracepoint(&attr, tracepoint, false, false);
	event = perf_event_new(&attr, -1, plan->load->rings[0].cpu);
	if (event < 0)
		return event;
	link = bpf_load_run(plan->load, program, event);
	close(event); /* the link holds a reference */
	return link;
}

static int attach_single(struct bpf_plan *plan, const struct syscall_event *call)
{
	static const enum bpf_load_program programs[] = {
		[AT_ENTER] = BPF_LOAD_SYSCALL_ENTER,
		[AT_EXIT] = BPF_LOAD_SYSCALL_EXIT,
	};
	const uint64_t ids[] = { [AT_ENTER] = call->enter_id, [AT_EXIT] = call->exit_id };
	int *links = plan->singles[call->nr];

	for (int half = AT_EXIT; half >= AT_ENTER; half--) {
		if (links[half] < 0)
			links[half] = attach_at(plan, programs[half], ids[half]);
		if (links[half] < 0)
			return links[half];
	}
	return 0;
}

static int attach_singles(struct bpf_plan *plan, const struct bpf_aim *aim)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < aim->calls.count; i++)
		ret = attach_single(plan, &aim->calls.calls[i]);
	return ret;
}

static bool aims_at(const struct bpf_aim *aim, uint32_t nr)
{
	if (aim->kind == BPF_PLAN_ALL)
		return true;
	for (size_t i = 0; aim->kind == BPF_PLAN_PER_SYSCALL && i < aim->calls.count; i++)
		if (aim->calls.calls[i].nr == nr)
			return true;
	return false;
}

static bool has_singles(const struct bpf_plan *plan)
{
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
		if (plan->singles[nr][AT_ENTER] >= 0 || plan->singles[nr][AT_EXIT] >= 0)
			return true;
	return false;
}

static void begin_overlap(struct bpf_plan *plan, const struct bpf_aim *aim)
{
	struct bpf_settings *settings = plan->load->settings;
	bool all = aim->kind == BPF_PLAN_ALL || plan->all[AT_ENTER] >= 0 || plan->all[AT_EXIT] >= 0;

	if (settings->overlap || !all || (aim->kind != BPF_PLAN_PER_SYSCALL && !has_singles(plan)))
		return;
	plan->overlaps = plan->overlaps + 1 ? plan->overlaps + 1 : 1;
	__atomic_store_n(&settings->overlap, plan->overlaps, __ATOMIC_SEQ_CST);
}

/*
 * Mark the calls of this plan as covered: a program sees every enter from now on. A call whose
 * enter was not traced is older than this mark.
 */
static void cover(struct bpf_plan *plan, const struct bpf_aim *aim)
{
	volatile __u64 *since_ns = plan->load->settings->since_ns;
	uint64_t now_ns = clock_now_ns();

	for (uint32_t nr = 0; nr <= BPF_SYSCALLS; nr++) {
		if (!aims_at(aim, nr))
			since_ns[nr] = BPF_UNCOVERED;
		else if (since_ns[nr] == BPF_UNCOVERED)
			since_ns[nr] = now_ns;
	}
}

static int attach(struct bpf_plan *plan, const struct bpf_aim *aim)
{
	int ret = 0;

	if (aim->kind != BPF_PLAN_NONE && plan->at_switch < 0) {
		plan->at_switch = bpf_load_run(plan->load, BPF_LOAD_SWITCH, -1);
		ret = plan->at_switch < 0 ? plan->at_switch : 0;
	}
	begin_overlap(plan, aim);
	if (!ret && aim->kind == BPF_PLAN_ALL)
		ret = attach_all(plan);
	if (!ret && aim->kind == BPF_PLAN_PER_SYSCALL)
		ret = attach_singles(plan, aim);
	return ret;
}

/* Attach what the plan needs. Afterwards other programs may be detached. */
static int reach(struct bpf_plan *plan, struct bpf_aim *aim)
{
	int ret = attach(plan, aim);

	/* Fall back to programs at all calls; they report the reason if they fail too. */
	if (ret && aim->kind == BPF_PLAN_PER_SYSCALL) {
		aim->kind = BPF_PLAN_ALL;
		ret = attach(plan, aim);
	}
	if (!ret)
		cover(plan, aim);
	return ret;
}

/* ---- detaching --------------------------------------------------------------------- */

static bool drop(int *link)
{
	if (*link < 0)
		return false;
	close(*link);
	*link = -1;
	return true;
}

/*
 * Detach one pair of unneeded programs. False if there is none. The enter goes first, so that the
 * exit still finds earlier enters.
 */
static bool drop_one(struct bpf_plan *plan, const struct bpf_aim *aim)
{
	bool done = false;

	if (aim->kind != BPF_PLAN_ALL) {
		done = drop(&plan->all[AT_ENTER]);
		done = drop(&plan->all[AT_EXIT]) || done;
	}
	for (uint32_t nr = 0; !done && nr < SYSCALL_NR_MAX; nr++) {
		if (aim->kind == BPF_PLAN_PER_SYSCALL && aims_at(aim, nr))
			continue;
		done = drop(&plan->singles[nr][AT_ENTER]);
		done = drop(&plan->singles[nr][AT_EXIT]) || done;
	}
	if (!done && aim->kind == BPF_PLAN_NONE)
		done = drop(&plan->at_switch);
	return done;
}

/*
 * Wait until no CPU runs a detached program in a tracepoint. The kernel does not wait for CPUs with
 * nohz_full; there a call can be reported twice.
 */
static void end_overlap(struct bpf_plan *plan)
{
	struct bpf_settings *settings = plan->load->settings;

	if (!settings->overlap)
		return;
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	__atomic_store_n(&settings->overlap, 0, __ATOMIC_SEQ_CST);
}

/* ---- the thread ------------------------------------------------------------------- */

/* Wait for a change, with the lock held. False if until_ns has passed. */
static bool wait_until(struct bpf_plan *plan, uint64_t until_ns)
{
	struct timespec until = clock_deadline(until_ns);

	if (clock_now_ns() >= until_ns)
		return false;
	pthread_cond_timedwait(&plan->more, &plan->lock, &until);
	return true;
}

static void *plan_main(void *arg)
{
	struct bpf_plan *plan = arg;
	struct bpf_aim aim;
	uint64_t asked, drop_ns = 0;
	bool more;
	int ret;

	pthread_mutex_lock(&plan->lock);
	aim = plan->aim;
	while (!plan->ending) {
		asked = plan->asked;
		if (asked != plan->reached) {
			aim = plan->aim;
			pthread_mutex_unlock(&plan->lock);
			ret = reach(plan, &aim);
			pthread_mutex_lock(&plan->lock);
			plan->reached = asked;
			if (asked == plan->asked)
				plan->aim = aim;
			if (ret)
				snprintf(plan->note, sizeof(plan->note),
					 "cannot attach the BPF programs of the new plan: %s",
					 strerror(-ret));
			else
				plan->note[0] = '\0';
			/* On failure the previous programs stay attached instead. */
			plan->settled = ret;
			drop_ns = clock_now_ns() + plan->keep_ns;
		} else if (!plan->settled && !wait_until(plan, drop_ns)) {
			pthread_mutex_unlock(&plan->lock);
			more = drop_one(plan, &aim);
			if (!more)
				end_overlap(plan);
			pthread_mutex_lock(&plan->lock);
			plan->settled = !more && plan->reached == plan->asked;
		} else if (plan->settled) {
			pthread_cond_wait(&plan->more, &plan->lock);
		}
	}
	pthread_mutex_unlock(&plan->lock);
	return NULL;
}

/* Block all signals in the new thread; other threads handle them. */
static bool start_thread(struct bpf_plan *plan)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&plan->thread, NULL, plan_main, plan);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !ret;
}

/* ---- requests of the source ----------------------------------------------------------- */

static void change_aim(struct bpf_plan *plan)
{
	static const struct bpf_aim none = { .kind = BPF_PLAN_NONE };

	pthread_mutex_lock(&plan->lock);
	plan->aim = plan->running ? plan->wanted : none;
	plan->asked++;
	plan->settled = false;
	pthread_cond_signal(&plan->more);
	pthread_mutex_unlock(&plan->lock);
}

static void aim_for(struct bpf_aim *aim, const struct kernel_filter *filter, syscall_event_fn *name)
{
	if (filter->nothing)
		aim->kind = BPF_PLAN_NONE;
	else if (syscall_events_find(&aim->calls, filter, name))
		aim->kind = BPF_PLAN_PER_SYSCALL;
	else
		aim->kind = BPF_PLAN_ALL;
}

enum bpf_plan_kind bpf_plan_kind_for(const struct kernel_filter *filter, syscall_event_fn *name)
{
	struct bpf_aim aim;

	aim_for(&aim, filter, name);
	return aim.kind;
}

void bpf_plan_set_filter(struct bpf_plan *plan, const struct kernel_filter *filter)
{
	aim_for(&plan->wanted, filter, plan->name);
	if (plan->started)
		change_aim(plan);
}

void bpf_plan_set_running(struct bpf_plan *plan, bool running)
{
	plan->running = running;
	if (plan->started)
		change_aim(plan);
}

int bpf_plan_start(struct bpf_plan *plan, struct err *err)
{
	int ret;

	plan->running = true;
	plan->aim = plan->wanted;
	ret = reach(plan, &plan->aim);
	if (ret)
		return err_set(err, ret, "cannot attach BPF programs: %s", strerror(-ret));
	if (!start_thread(plan))
		return err_set(err, -EAGAIN, "cannot start the thread that attaches BPF programs");
	plan->started = true;
	return 0;
}

static void add_link(int link, int *links, size_t *count)
{
	if (link >= 0)
		links[(*count)++] = link;
}

static void drop_all(struct bpf_plan *plan)
{
	int links[2 * SYSCALL_NR_MAX + 3];
	size_t count = 0;

	add_link(plan->all[AT_ENTER], links, &count);
	add_link(plan->all[AT_EXIT], links, &count);
	add_link(plan->at_switch, links, &count);
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++) {
		add_link(plan->singles[nr][AT_ENTER], links, &count);
		add_link(plan->singles[nr][AT_EXIT], links, &count);
	}
	deferred_close(links, count);
}

void bpf_plan_release(struct bpf_plan *plan)
{
	if (plan->started) {
		pthread_mutex_lock(&plan->lock);
		plan->ending = true;
		pthread_cond_signal(&plan->more);
		pthread_mutex_unlock(&plan->lock);
		pthread_join(plan->thread, NULL);
	}
	drop_all(plan);
	pthread_cond_destroy(&plan->more);
	pthread_mutex_destroy(&plan->lock);
}

bool bpf_plan_is_reached(struct bpf_plan *plan)
{
	bool reached;

	pthread_mutex_lock(&plan->lock);
	reached = plan->asked == plan->reached;
	pthread_mutex_unlock(&plan->lock);
	return reached;
}

bool bpf_plan_is_settled(struct bpf_plan *plan)
{
	bool settled;

	pthread_mutex_lock(&plan->lock);
	settled = plan->settled;
	pthread_mutex_unlock(&plan->lock);
	return settled;
}

void bpf_plan_describe(struct bpf_plan *plan, struct source_status *status)
{
	const struct bpf_aim *aim = &plan->aim;
	size_t used, bytes = sizeof(status->plan);

	pthread_mutex_lock(&plan->lock);
	syscall_events_say(status->plan_calls, sizeof(status->plan_calls),
			   aim->kind == BPF_PLAN_ALL,
			   aim->kind == BPF_PLAN_PER_SYSCALL ? aim->calls.wanted : 0);
	if (aim->kind != BPF_PLAN_PER_SYSCALL) {
		snprintf(status->plan, bytes, "BPF programs at %s", status->plan_calls);
	} else {
		used = (size_t)snprintf(status->plan, bytes, "BPF programs at");
		for (size_t i = 0; i < aim->calls.wanted && used < bytes; i++)
			used += (size_t)snprintf(status->plan + used, bytes - used, "%s %s",
						 i ? "," : "", aim->calls.calls[i].name);
		if (used < bytes)
			snprintf(status->plan + used, bytes - used, " only");
	}
	if (plan->note[0] && !status->calls_note[0])
		snprintf(status->calls_note, sizeof(status->calls_note), "%.255s", plan->note);
	pthread_mutex_unlock(&plan->lock);
}
