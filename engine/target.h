/*
 * target - what to watch.
 *
 * Filled by the command line, checked by target_check(), used by sources.
 * No target at all is the whole system. A struct target owns its arrays.
 */
#ifndef ENGINE_TARGET_H
#define ENGINE_TARGET_H

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

/* Every pid and tid exists, every CPU is online. -ESRCH/-EINVAL with a sentence. */
int target_check(const struct target *target, struct err *err);

/* Of the processes that were named, how many are stopped now, as by SIGSTOP. */
size_t target_stopped(const struct target *target);

static inline bool target_is_system(const struct target *target)
{
	return !target->pid_count && !target->tid_count && !target->command;
}

#endif
