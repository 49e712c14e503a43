#include "engine/collector/exit_detector.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_EVERY_NS NS_PER_S
/* Number of scans after a reported loss, as later losses can be reported with delay. */
#define LOOKS 4
/* PROC_PID_INIT_INO in include/linux/proc_ns.h: the same in every kernel. */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCu

struct task_vec {
	struct exit_detector_task *tasks;
	size_t count, cap;
};

struct exit_detector {
	bool same_pids; /* initial pid namespace: tids of the model and of kill(2) agree */
	uint64_t looked_ns, losses;
	unsigned looks; /* number of pending scans */
	struct task_vec alive; /* threads that are alive in the model */
	struct task_vec missing; /* threads missing in the previous scan, sorted by tid */
	uint64_t now_ns;
};

struct exit_detector *exit_detector_new(void)
{
	struct exit_detector *exit_detector = mem_zalloc(1, sizeof(*exit_detector));
	struct stat namespace;

	exit_detector->same_pids = !stat("/proc/self/ns/pid", &namespace) &&
				   namespace.st_ino == FIRST_PID_NAMESPACE;
	return exit_detector;
}

void exit_detector_free(struct exit_detector *exit_detector)
{
	if (!exit_detector)
		return;
	free(exit_detector->alive.tasks);
	free(exit_detector->missing.tasks);
	free(exit_detector);
}

bool exit_detector_works(const struct exit_detector *exit_detector)
{
	return exit_detector->same_pids;
}

bool exit_detector_is_gone(void *ctx, uint32_t pid)
{
	const struct exit_detector *exit_detector = ctx;

	return exit_detector->same_pids && pid && kill((pid_t)pid, 0) && errno == ESRCH;
}

static bool is_missing(const struct exit_detector_task *task)
{
	return syscall(SYS_tgkill, task->pid, task->tid, 0) && errno == ESRCH;
}

static void add(struct task_vec *vec, const struct exit_detector_task *task)
{
	vec->tasks = mem_grow(vec->tasks, &vec->cap, vec->count + 1, sizeof(*vec->tasks));
	vec->tasks[vec->count++] = *task;
}

static void add_alive(void *ctx, struct task *task)
{
	struct exit_detector *exit_detector = ctx;
	struct exit_detector_task alive = {
		.pid = task->process->pid,
		.tid = task->tid,
		.generation = task->process->generation,
		.seen_ns = task->seen_ns,
	};

	/* A task with recent activity is not missing. The idle tasks have tid 0. */
	if (!task->ended && alive.pid && alive.tid &&
	    exit_detector->now_ns > task->seen_ns + LOOK_EVERY_NS)
		add(&exit_detector->alive, &alive);
}

static void list_alive(struct exit_detector *exit_detector, struct model *model,
		       struct collector *collector)
{
	struct tasks_walk walk;
	bool more;

	exit_detector->alive.count = 0;
	collector_lock(collector);
	tasks_walk_begin(&walk, model_tasks(model));
	more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_alive, exit_detector);
	collector_unlock(collector);
	while (more) {
		collector_make_way(collector);
		collector_lock(collector);
		more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_alive, exit_detector);
		collector_unlock(collector);
	}
}

static int compare_tids(const void *a, const void *b)
{
	const struct exit_detector_task *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

static bool was_missing(const struct exit_detector *exit_detector,
			const struct exit_detector_task *task)
{
	const struct exit_detector_task *before = NULL;

	if (exit_detector->missing.count)
		before = bsearch(task, exit_detector->missing.tasks, exit_detector->missing.count,
				 sizeof(*task), compare_tids);
	return before && before->pid == task->pid && before->generation == task->generation &&
	       before->seen_ns == task->seen_ns;
}

/* Store the missing tasks. Add to `gone` those that were also missing in the previous scan. */
static void find_missing(struct exit_detector *exit_detector, struct task_vec *gone)
{
	struct task_vec *alive = &exit_detector->alive, missing = { 0 };

	for (size_t i = 0; i < alive->count; i++) {
		if (!is_missing(&alive->tasks[i]))
			continue;
		add(&missing, &alive->tasks[i]);
		if (was_missing(exit_detector, &alive->tasks[i]))
			add(gone, &alive->tasks[i]);
	}
	if (missing.count)
		qsort(missing.tasks, missing.count, sizeof(*missing.tasks), compare_tids);
	free(exit_detector->missing.tasks);
	exit_detector->missing = missing;
}

static uint64_t losses(struct model *model, struct collector *collector)
{
	struct model_status status;

	collector_lock(collector);
	model_status(model, &status);
	collector_unlock(collector);
	return status.records_lost + status.records_other;
}

void exit_detector_look(struct exit_detector *exit_detector, struct model *model,
			struct collector *collector, uint64_t now_ns)
{
	struct task_vec gone = { 0 };
	uint64_t lost;

	if (!exit_detector->same_pids || now_ns < exit_detector->looked_ns + LOOK_EVERY_NS)
		return;
	exit_detector->looked_ns = exit_detector->now_ns = now_ns;
	lost = losses(model, collector);
	if (lost != exit_detector->losses)
		exit_detector->looks = LOOKS;
	exit_detector->losses = lost;
	if (!exit_detector->looks)
		return;
	list_alive(exit_detector, model, collector);
	find_missing(exit_detector, &gone);
	exit_detector->looks = exit_detector->missing.count ? LOOKS : exit_detector->looks - 1;
	if (gone.count)
		collector_end_tasks(collector, gone.tasks, gone.count);
	else
		free(gone.tasks);
}
