/*
 * sleepers - threads that sleep outside of every recorded call.
 *
 * Seccomp and tracers can hold a thread between the kernel's entry and sys_enter. Such a call has
 * no record: only a switch record shows that the thread left its CPU. This queue lists these
 * threads, so that the source can look them up in /proc. It is bounded: if it is full, a thread is
 * listed when it sleeps again. Kernel threads are not listed. Owned and locked by the model.
 */
#ifndef MODEL_SLEEPERS_H
#define MODEL_SLEEPERS_H

#include "engine/tasks/tasks.h"

#define SLEEPERS_MAX 1024
/* A thread that sleeps for less is not looked up. */
#define SLEEPERS_AGE_NS (200 * 1000000ULL)

struct sleepers {
	struct {
		uint64_t listed_ns;
		uint32_t tid;
	} queue[SLEEPERS_MAX];
	size_t first, count;
};

/* Return the start of the thread's sleep since its last recorded call; 0: it does not sleep. */
static inline uint64_t sleepers_since(const struct task *task)
{
	return task->slept_ns >= task->seen_ns ? task->slept_ns : 0;
}

/* Note that a thread outside of a recorded call left its CPU to sleep. */
void sleepers_add(struct sleepers *sleepers, struct task *task, uint64_t time_ns);

/* Move threads that have slept for at least SLEEPERS_AGE_NS to `tids`. Return their number. */
size_t sleepers_take(struct sleepers *sleepers, const struct tasks *tasks, uint64_t now_ns,
		     uint32_t *tids, size_t max);

#endif
