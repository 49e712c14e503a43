#include "engine/source/live/perf_tracepoints.h"

#include "engine/base/mem.h"
#include "engine/source/live/perf_retarget.h"
#include "engine/source/perf/perf_attach.h"
#include "engine/source/tracefs.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#define DESCRIPTORS_MAX 16384 /* per tracepoint; events on threads need one per thread and CPU */
#define SCANS_MAX 100 /* maximum number of scans: processes can fork faster than scans find them */

void perf_tracepoints_init(struct perf_tracepoints *events, struct event_formats *formats)
{
	memset(events, 0, sizeof(*events));
	events->formats = formats;
	events->rings.epoll_fd = -1;
}

static void watch_release(struct perf_tracepoint_watch *watch)
{
	perf_event_set_close(&watch->probes);
	free(watch->name);
}

void perf_tracepoints_close(struct perf_tracepoints *events)
{
	for (size_t i = 0; i < events->count; i++)
		watch_release(&events->watches[i]);
	free(events->watches);
	if (events->rings.count)
		perf_rings_close(&events->rings);
	perf_tracepoints_init(events, events->formats);
}

unsigned int perf_tracepoints_open_count(const struct perf_tracepoints *events)
{
	size_t count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += events->watches[i].probes.count;
	return (unsigned int)count;
}

/* -- Opening ---------------------------------------------------------------------------- */

static int open_rings(struct perf_tracepoints *events, struct perf_plan *plan, struct err *err)
{
	struct epoll_event event = { .events = EPOLLIN };
	uint32_t *cpus;
	int ret;

	if (events->rings.count)
		return 0;
	cpus = mem_zalloc(plan->rings.count, sizeof(*cpus));
	for (uint32_t i = 0; i < plan->rings.count; i++)
		cpus[i] = plan->rings.cpus[i].cpu;
	ret = perf_rings_open(&events->rings, cpus, plan->rings.count, plan->rings.ring_bytes, err);
	free(cpus);
	/* The merge needs one ring per CPU. */
	if (!ret && events->rings.count != plan->rings.count) {
		perf_rings_close(&events->rings);
		return err_set(err, -ENODEV, "a CPU went offline");
	}
	/* Let perf_rings_wait() on the rings of the plan also wait for these rings. */
	if (!ret &&
	    epoll_ctl(plan->rings.epoll_fd, EPOLL_CTL_ADD, events->rings.epoll_fd, &event)) {
		ret = err_set(err, -errno, "cannot wait for events: %s", strerror(errno));
		perf_rings_close(&events->rings);
	}
	return ret;
}

/* Exclude stxtop's own threads: their events are not shown, and would wake the collector. */
static void format_filter(const struct perf_plan *plan, struct str *filter)
{
	if (plan->reach == PERF_REACH_TASKS || !plan->initial_pids)
		return;
	for (size_t i = 0; i < plan->own.count; i++)
		str_addf(filter, "%scommon_pid != %" PRIu32, i ? " && " : "", plan->own.ids[i]);
}

/*
 * True for syscall tracepoints, which users may watch on their own tasks. Other tracepoints show
 * kernel internals and need more permission.
 */
static bool has_calls(const char *name)
{
	return !strncmp(name, "syscalls:", 9) || !strncmp(name, "raw_syscalls:", 13);
}

static int explain(int code, const struct perf_tracepoint_watch *watch, bool everything,
		   const char *what, struct err *err)
{
	char shown[PERF_ATTACH_WHAT_BYTES + EVENT_NAME_BYTES + 4];

	if (everything)
		snprintf(shown, sizeof(shown), "%s", watch->name);
	else
		snprintf(shown, sizeof(shown), "%s of %s", watch->name, what);
	if (code == -ENOENT || code == -ENODEV)
		return err_set(err, code, "cannot watch %s: it was just removed", shown);
	return perf_event_error(code, shown, everything || !has_calls(watch->name), err);
}

/* The filter only saves time: if the tracepoint rejects it, open the events without it. */
static int open_places(struct perf_plan *plan, struct perf_tracepoints *events,
		       struct perf_tracepoint_watch *watch, const struct perf_attach *places,
		       struct task_list *opened, char *what)
{
	int ret = perf_attach_open(places, &watch->probes, &watch->recipe, &events->rings,
				   plan->decode, PERF_PERIOD_EVENTS, opened, what);

	if (ret != -EINVAL || !watch->recipe.filter || watch->probes.count)
		return ret;
	watch->recipe.filter = NULL;
	return perf_attach_open(places, &watch->probes, &watch->recipe, &events->rings,
				plan->decode, PERF_PERIOD_EVENTS, opened, what);
}

/*
 * Open events on the watched threads. A thread created meanwhile inherits only the events that its
 * parent had so far, so scan again until there are no new threads.
 */
static int open_watched(struct perf_plan *plan, struct perf_tracepoints *events,
			struct perf_tracepoint_watch *watch, char *what)
{
	struct task_list opened = TASK_LIST_INIT;
	size_t before = SIZE_MAX;
	int ret = 0;

	for (int scan = 0; !ret && scan < SCANS_MAX && opened.count != before; scan++) {
		struct task_list processes = TASK_LIST_INIT, threads = TASK_LIST_INIT;
		struct perf_attach places = { .processes = &processes, .threads = &threads };

		before = opened.count;
		perf_plan_watched(plan, &processes, &threads);
		ret = open_places(plan, events, watch, &places, &opened, what);
		/* A new thread can have inherited the event, and then has it twice. */
		for (size_t i = before; scan && i < opened.count; i++)
			perf_dedup_doubt(&plan->decode->dedup, PERF_PERIOD_EVENTS, opened.ids[i]);
		task_list_release(&processes);
		task_list_release(&threads);
		if (watch->probes.count > DESCRIPTORS_MAX)
			ret = -EMFILE;
	}
	task_list_release(&opened);
	return ret;
}

static int open_watch(struct perf_plan *plan, struct perf_tracepoints *events,
		      struct perf_tracepoint_watch *watch, const char *filter, struct err *err)
{
	struct perf_attach places = { .cpus = plan->reach != PERF_REACH_TASKS,
				      .processes = &plan->pids,
				      .threads = &plan->tids,
				      .must_exist = true };
	char what[PERF_ATTACH_WHAT_BYTES] = "the whole system";
	int ret;

	perf_attr_tracepoint(&watch->recipe.attrs[PERF_KIND_EVENT], watch->id, true, false);
	watch->recipe.kinds = 1u << PERF_KIND_EVENT;
	watch->recipe.event = (uint16_t)watch->number;
	watch->recipe.filter = *filter ? filter : NULL;
	if (places.cpus || !plan->started)
		ret = open_places(plan, events, watch, &places, NULL, what);
	else
		ret = open_watched(plan, events, watch, what);
	watch->recipe.filter = NULL;
	return ret ? explain(ret, watch, places.cpus, what, err) : 0;
}

static int describe(struct perf_tracepoints *events, const char *tracefs,
		    struct perf_tracepoint_watch *watch, struct err *err)
{
	char *colon = strchr(watch->name, ':'), *text;
	size_t bytes;
	int ret;

	*colon = '\0';
	ret = tracefs_read(tracefs, watch->name, colon + 1, "format", &text, &bytes, err);
	if (!ret) {
		ret = event_formats_add(events->formats, watch->name, colon + 1, text, bytes, false,
					&watch->id, err);
		free(text);
	}
	*colon = ':';
	if (ret < 0)
		return ret;
	watch->number = (uint32_t)ret;
	return 0;
}

/* -- Changing the list ------------------------------------------------------------------ */

static struct perf_tracepoint_watch *find(const struct perf_tracepoints *events, const char *name)
{
	for (size_t i = 0; i < events->count; i++)
		if (!strcmp(events->watches[i].name, name))
			return &events->watches[i];
	return NULL;
}

/* Append the missing tracepoints, disabled; on failure append none. */
static int open_new(struct perf_tracepoints *events, struct perf_plan *plan,
		    const struct event_list *list, const char *tracefs, struct err *err)
{
	size_t before = events->count;
	struct str filter = STR_INIT;
	int ret = 0;

	format_filter(plan, &filter);
	for (size_t i = 0; !ret && i < list->count; i++) {
		struct perf_tracepoint_watch *watch;

		if (find(events, list->names[i]))
			continue;
		events->watches = mem_grow(events->watches, &events->cap, events->count + 1,
					   sizeof(*events->watches));
		watch = &events->watches[events->count++];
		memset(watch, 0, sizeof(*watch));
		watch->name = mem_strdup(list->names[i]);
		ret = describe(events, tracefs, watch, err);
		if (!ret)
			ret = open_watch(plan, events, watch, filter.data, err);
	}
	str_release(&filter);
	while (ret && events->count > before)
		watch_release(&events->watches[--events->count]);
	return ret;
}

/* Close tracepoints that the list lacks. Their ids stay known, for records still in the rings. */
static void close_others(struct perf_tracepoints *events, const struct event_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < events->count; i++) {
		struct perf_tracepoint_watch *watch = &events->watches[i];

		if (event_list_has(list, watch->name)) {
			events->watches[kept++] = *watch;
			continue;
		}
		perf_event_set_disable(&watch->probes);
		perf_event_set_count_lost(&watch->probes, &watch->recipe, &events->rings);
		watch_release(watch);
	}
	events->count = kept;
}

int perf_tracepoints_set(struct perf_tracepoints *events, struct perf_plan *plan, const char *list,
			 struct err *err)
{
	struct event_list wanted = EVENT_LIST_INIT;
	char tracefs[PATH_MAX];
	int ret = 0;

	if (*list) {
		ret = tracefs_find(tracefs, sizeof(tracefs), err);
		if (!ret)
			ret = event_list_expand(&wanted, list, tracefs, err);
		if (!ret)
			ret = open_rings(events, plan, err);
		if (!ret)
			ret = open_new(events, plan, &wanted, tracefs, err);
	}
	if (!ret) {
		close_others(events, &wanted);
		if (plan->started && plan->running)
			ret = perf_tracepoints_enable(events, err);
	}
	event_list_release(&wanted);
	return ret;
}

int perf_tracepoints_enable(struct perf_tracepoints *events, struct err *err)
{
	for (size_t i = 0; i < events->count; i++) {
		int ret = perf_event_set_enable(&events->watches[i].probes, 0);

		if (ret)
			return err_set(err, ret, "cannot enable %s: %s", events->watches[i].name,
				       strerror(-ret));
	}
	return 0;
}

void perf_tracepoints_disable(struct perf_tracepoints *events)
{
	for (size_t i = 0; i < events->count; i++)
		perf_event_set_disable(&events->watches[i].probes);
}

/* Move from threads to whole CPUs. Events that occur during the move are reported twice. */
static int widen(struct perf_tracepoints *events, struct perf_plan *plan,
		 struct perf_tracepoint_watch *watch, struct err *err)
{
	struct perf_event_set on_threads = watch->probes;
	struct str filter = STR_INIT;
	int ret;

	watch->probes = (struct perf_event_set)PERF_EVENT_SET_INIT;
	format_filter(plan, &filter);
	ret = open_watch(plan, events, watch, filter.data, err);
	str_release(&filter);
	if (ret) {
		perf_closer_take(&plan->closer, &watch->probes);
		watch->probes = on_threads;
		return ret;
	}
	if (plan->started && plan->running)
		perf_event_set_enable(&watch->probes, 0);
	perf_event_set_disable(&on_threads);
	perf_closer_take(&plan->closer, &on_threads);
	return 0;
}

static void leave(struct perf_plan *plan, struct perf_tracepoint_watch *watch, uint32_t head)
{
	struct perf_event_set left = PERF_EVENT_SET_INIT;

	perf_event_set_split(&watch->probes, head, &left);
	perf_event_set_disable(&left);
	perf_closer_take(&plan->closer, &left);
}

static int follow(struct perf_tracepoints *events, struct perf_plan *plan,
		  struct perf_tracepoint_watch *watch, const struct perf_attach *fresh,
		  const struct target_change *change, struct err *err)
{
	size_t before = watch->probes.count;
	char what[PERF_ATTACH_WHAT_BYTES];
	int ret = open_places(plan, events, watch, fresh, NULL, what);

	if (ret)
		return explain(ret, watch, false, what, err);
	if (plan->started && plan->running)
		perf_event_set_enable(&watch->probes, before);
	for (size_t i = 0; i < change->old_pids.count; i++)
		leave(plan, watch, change->old_pids.ids[i]);
	for (size_t i = 0; i < change->old_tids.count; i++)
		leave(plan, watch, PERF_HEAD_OF_THREAD(change->old_tids.ids[i]));
	return 0;
}

static bool is_on_cpus(const struct perf_event_set *probes)
{
	return probes->count && !probes->on[0].tid;
}

int perf_tracepoints_follow(struct perf_tracepoints *events, struct perf_plan *plan,
			    const struct target_change *change, struct err *err)
{
	struct task_list alone = TASK_LIST_INIT;
	struct perf_attach fresh = { .processes = &change->fresh, .threads = &alone };
	int ret = 0;

	perf_plan_alone(plan, change, &alone);
	for (size_t i = 0; !ret && i < events->count; i++) {
		if (is_on_cpus(&events->watches[i].probes))
			continue;
		if (plan->reach != PERF_REACH_TASKS)
			ret = widen(events, plan, &events->watches[i], err);
		else
			ret = follow(events, plan, &events->watches[i], &fresh, change, err);
	}
	task_list_release(&alone);
	return ret;
}

/* -- Records ---------------------------------------------------------------------------- */

void perf_tracepoints_drain(struct perf_tracepoints *events, struct perf_decode *decode,
			    struct perf_cpu *cpu, record_fn *take, void *ctx)
{
	const struct perf_event_header *header = perf_ring_peek(&cpu->ring);
	enum record_loss loss = decode->loss;
	uint64_t lost = decode->lost;

	decode->loss = LOSS_OF_EVENTS;
	perf_decode(decode, header, cpu->cpu, take, ctx);
	decode->loss = loss;
	cpu->reported += decode->lost - lost;
	events->lost += decode->lost - lost;
	decode->lost = lost;
	perf_ring_advance(&cpu->ring, header);
}

void perf_tracepoints_emit_last(struct perf_tracepoints *events, struct perf_decode *decode,
				uint64_t time_ns, record_fn *take, void *ctx)
{
	struct perf_rings counted = { .count = events->rings.count };

	if (!counted.count)
		return;
	counted.cpus = mem_zalloc(counted.count, sizeof(*counted.cpus));
	for (size_t i = 0; i < events->count; i++)
		perf_event_set_count_lost(&events->watches[i].probes, &events->watches[i].recipe,
					  &counted);
	for (uint32_t i = 0; i < counted.count; i++) {
		struct perf_cpu *cpu = &events->rings.cpus[i];
		uint64_t failed = cpu->failed + counted.cpus[i].failed;
		struct record record = { .time_ns = time_ns, .kind = RECORD_LOST, .cpu = cpu->cpu };

		if (failed <= cpu->reported)
			continue;
		record.lost.count = failed - cpu->reported;
		record.lost.kind = LOSS_OF_EVENTS;
		cpu->reported = failed;
		events->lost += record.lost.count;
		perf_decode_pass(decode, &record, take, ctx);
	}
	free(counted.cpus);
}
