/*
 * target - the processes, threads and CPUs to watch.
 *
 * The command line fills it, and the interface changes it at run time. target_check() validates it;
 * sources use it. An empty target is the whole system. Pids are reused: a process or thread is
 * identified by its number and start time. A struct target owns its arrays.
 */
#ifndef PROCESS_TARGET_H
#define PROCESS_TARGET_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct target {
	uint32_t *pids; /* processes with all threads, new ones included, and descendants */
	size_t pid_count, pid_cap;
	uint32_t *tids; /* single threads */
	size_t tid_count, tid_cap;
	/* Start times of the first items, see target_note_starts(); 0: unknown. */
	uint64_t *pid_starts, *tid_starts;
	size_t pid_starts_count, tid_starts_count;
	uint32_t *cpus; /* empty: all online CPUs */
	size_t cpu_count, cpu_cap;
	pid_t command; /* a child that waits to exec, see command.h; 0: none */
};

void target_init(struct target *target);
void target_release(struct target *target);

/* Append a list such as "12,13". -EINVAL with a message that shows the position of the error. */
int target_add_pids(struct target *target, const char *list, struct err *err);
int target_add_tids(struct target *target, const char *list, struct err *err);
/* Append a list such as "0-3,5". -EINVAL as above. */
int target_add_cpus(struct target *target, const char *list, struct err *err);

/* Copy `target` into `copy`, whose previous contents are overwritten. */
void target_copy(struct target *copy, const struct target *target);
/* False: it was not in the target. */
bool target_remove_pid(struct target *target, uint32_t pid);
bool target_remove_tid(struct target *target, uint32_t tid);
bool target_has_pid(const struct target *target, uint32_t pid);

/*
 * Read the start times that are unknown so far. From then on, a task that reuses the number does
 * not match.
 */
void target_note_starts(struct target *target);
/* True if the item at `index` is alive. False: it has exited, or its number was reused. */
bool target_pid_lives(const struct target *target, size_t index);
bool target_tid_lives(const struct target *target, size_t index);

/*
 * Return the item of the target (or the command) from which an unlisted process currently descends;
 * 0: none.
 */
uint32_t target_ancestor(const struct target *target, uint32_t pid);

/* Check that every pid and tid exists and every CPU is online. -ESRCH or -EINVAL with a message. */
int target_check(const struct target *target, struct err *err);

/* Return how many of the first 64 listed processes are stopped now, as by SIGSTOP. */
size_t target_stopped(const struct target *target);

static inline bool target_is_system(const struct target *target)
{
	return !target->pid_count && !target->tid_count && !target->command;
}

#endif
