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
/* After a loss; what was lost may be told of a while after it. */
#define LOOKS 4
/* PROC_PID_INIT_INO in include/linux/proc_ns.h: the same in every kernel. */
#define FIRST_PID_NAMESPACE 0xEFFFFFFCu

struct task_vec {
	struct reaper_task *tasks;
	size_t count, cap;
};

struct reaper {
	bool same_pids; /* a number here is the same thread's there */
	uint64_t looked_ns, losses;
	unsigned looks; /* that are due yet */
	struct task_vec alive; /* as the model believes */
	struct task_vec missing; /* of the look before: by tid */
	uint64_t now_ns;
};

struct reaper *reaper_new(void)
{
	struct reaper *reaper = mem_zalloc(1, sizeof(*reaper));
	struct stat namespace;

	reaper->same_pids = !stat("/proc/self/ns/pid", &namespace) &&
			    namespace.st_ino == FIRST_PID_NAMESPACE;
	return reaper;
}

void reaper_free(struct reaper *reaper)
{
	if (!reaper)
		return;
	free(reaper->alive.tasks);
	free(reaper->missing.tasks);
	free(reaper);
}

bool reaper_is_gone(const struct reaper *reaper, uint32_t pid)
{
	return reaper && reaper->same_pids && pid && kill((pid_t)pid, 0) && errno == ESRCH;
}

static bool is_missing(const struct reaper_task *task)
{
	return syscall(SYS_tgkill, task->pid, task->tid, 0) && errno == ESRCH;
}

static void add(struct task_vec *vec, const struct reaper_task *task)
{
	vec->tasks = mem_grow(vec->tasks, &vec->cap, vec->count + 1, sizeof(*vec->tasks));
	vec->tasks[vec->count++] = *task;
}

static void add_alive(void *ctx, struct task *task)
{
	struct reaper *reaper = ctx;
	struct reaper_task alive = {
		.pid = task->process->pid,
		.tid = task->tid,
		.generation = task->process->generation,
		.seen_ns = task->seen_ns,
	};

	/* What did something just now is not missing. The idle tasks have the number 0. */
	if (!task->ended && alive.pid && alive.tid &&
	    reaper->now_ns > task->seen_ns + LOOK_EVERY_NS)
		add(&reaper->alive, &alive);
}

static void list_alive(struct reaper *reaper, struct model *model, struct collector *collector)
{
	struct tasks_walk walk;
	bool more;

	reaper->alive.count = 0;
	collector_lock(collector);
	tasks_walk_begin(&walk, model_tasks(model));
	more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_alive, reaper);
	collector_unlock(collector);
	while (more) {
		collector_make_way(collector);
		collector_lock(collector);
		more = tasks_walk_step(&walk, TASKS_WALK_TASKS, add_alive, reaper);
		collector_unlock(collector);
	}
}

static int compare_tids(const void *a, const void *b)
{
	const struct reaper_task *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

static bool was_missing(const struct reaper *reaper, const struct reaper_task *task)
{
	const struct reaper_task *before = NULL;

	if (reaper->missing.count)
		before = bsearch(task, reaper->missing.tasks, reaper->missing.count, sizeof(*task),
				 compare_tids);
	return before && before->pid == task->pid && before->generation == task->generation &&
	       before->seen_ns == task->seen_ns;
}

/* Of those that are believed alive, those that are missing are left, and then to be seen again. */
static void find_missing(struct reaper *reaper, struct task_vec *gone)
{
	struct task_vec *alive = &reaper->alive, missing = { 0 };

	for (size_t i = 0; i < alive->count; i++) {
		if (!is_missing(&alive->tasks[i]))
			continue;
		add(&missing, &alive->tasks[i]);
		if (was_missing(reaper, &alive->tasks[i]))
			add(gone, &alive->tasks[i]);
	}
	if (missing.count)
		qsort(missing.tasks, missing.count, sizeof(*missing.tasks), compare_tids);
	free(reaper->missing.tasks);
	reaper->missing = missing;
}

static uint64_t losses(struct model *model, struct collector *collector)
{
	struct model_status status;

	collector_lock(collector);
	model_status(model, &status);
	collector_unlock(collector);
	return status.records_lost + status.records_beside;
}

void reaper_look(struct reaper *reaper, struct model *model, struct collector *collector,
		 uint64_t now_ns)
{
	struct task_vec gone = { 0 };
	uint64_t lost;

	if (!reaper->same_pids || now_ns < reaper->looked_ns + LOOK_EVERY_NS)
		return;
	reaper->looked_ns = reaper->now_ns = now_ns;
	lost = losses(model, collector);
	if (lost != reaper->losses)
		reaper->looks = LOOKS;
	reaper->losses = lost;
	if (!reaper->looks)
		return;
	list_alive(reaper, model, collector);
	find_missing(reaper, &gone);
	reaper->looks = reaper->missing.count ? LOOKS : reaper->looks - 1;
	if (gone.count)
		collector_end_tasks(collector, gone.tasks, gone.count);
	else
		free(gone.tasks);
}
