/*
 * target - what to watch.
 *
 * Filled by the command line and, while it runs, by the interface; checked by target_check(), used
 * by sources. No target at all is the whole system. A number may be another's some day: a process
 * or thread is known by it and by when it started. A struct target owns its arrays.
 */
#ifndef PROCESS_TARGET_H
#define PROCESS_TARGET_H

#include "engine/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct target {
	uint32_t *pids; /* processes: all their threads, new ones and children too */
	size_t pid_count, pid_cap;
	uint32_t *tids; /* single threads */
	size_t tid_count, tid_cap;
	/* When the first ones of them started, see target_note_starts(); 0: it is not known. */
	uint64_t *pid_starts, *tid_starts;
	size_t pid_starts_count, tid_starts_count;
	uint32_t *cpus; /* empty: all that are online */
	size_t cpu_count, cpu_cap;
	pid_t command; /* a child that waits to exec, see command.h; 0: none */
};

void target_init(struct target *target);
void target_release(struct target *target);

/* "12,13": adds to the list. -EINVAL with a sentence that shows where. */
int target_add_pids(struct target *target, const char *list, struct err *err);
int target_add_tids(struct target *target, const char *list, struct err *err);
/* "0-3,5". -EINVAL. */
int target_add_cpus(struct target *target, const char *list, struct err *err);

/* Makes `copy`, which is overwritten, the same. */
void target_copy(struct target *copy, const struct target *target);
/* false: it was not there. */
bool target_remove_pid(struct target *target, uint32_t pid);
bool target_remove_tid(struct target *target, uint32_t tid);
bool target_has_pid(const struct target *target, uint32_t pid);

/*
 * Looks up when those started of which it is not known. With what is known already, a number
 * that is another's by now is not theirs.
 */
void target_note_starts(struct target *target);
/* Whether that one, at an index, still lives: not if its number is another's. */
bool target_pid_lives(const struct target *target, size_t index);
bool target_tid_lives(const struct target *target, size_t index);

/* Who of them, the command included, a process that is not named descends from now; 0: nobody. */
uint32_t target_ancestor(const struct target *target, uint32_t pid);

/* Every pid and tid exists, every CPU is online. -ESRCH/-EINVAL with a sentence. */
int target_check(const struct target *target, struct err *err);

/* Of the processes that were named, how many are stopped now, as by SIGSTOP. */
size_t target_stopped(const struct target *target);

static inline bool target_is_system(const struct target *target)
{
	return !target->pid_count && !target->tid_count && !target->command;
}

#endif
