/*
 * tasks - the threads and processes that records spoke of.
 *
 * A task is found by tid. Pid reuse makes a new task with a new generation.
 * A task holds its call in flight, so that pairing needs one look-up a record.
 * Ended tasks stay for names until forgotten in bulk. Owned and locked by the
 * model.
 */
#ifndef MODEL_TASKS_H
#define MODEL_TASKS_H

#include "engine/model/call.h"

struct tasks;

enum task_wait {
	TASK_RUNNING,   /* on a CPU, or not known to be off it */
	TASK_BLOCKED,   /* switched out, waits for something */
	TASK_RUNNABLE,  /* switched out, waits for a CPU */
};

/* A process: what its threads share. */
struct process {
	uint32_t pid;
	uint32_t parent_pid; /* 0 unknown */
	uint32_t generation; /* address-space generation: changes with exec and with pid reuse */
	uint32_t comm_id;    /* of its leader */
	uint32_t threads;    /* alive */
	bool ended;
};

struct task {
	uint32_t tid;
	struct process *process; /* never NULL */
	uint32_t comm_id;
	bool ended;
	bool in_call;     /* `call` is in flight */
	struct call call; /* the call in flight, counters so far included */
	/* The wait that is going on or was last, inside `call`. */
	enum task_wait wait;
	uint64_t wait_since_ns;   /* of the current state */
	uint64_t longest_wait_ns; /* whose stack call.stack_id is */
	uint32_t wait_stack_id;   /* of the wait going on */
};

struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);

struct task *tasks_find(const struct tasks *tasks, uint32_t tid); /* NULL: never heard of */
/* Finds or makes; pid 0 means unknown and is corrected by a later record. */
struct task *tasks_get(struct tasks *tasks, uint32_t pid, uint32_t tid);
struct process *tasks_process(const struct tasks *tasks, uint32_t pid); /* or NULL */

/* A fork: always a new task, also if the tid was used before. */
struct task *tasks_fork(struct tasks *tasks, uint32_t parent_tid, uint32_t pid, uint32_t tid);
void tasks_end(struct tasks *tasks, struct task *task);

/* Names are interned; id 0 is the empty name. The text is raw, not escaped. */
uint32_t tasks_name_id(struct tasks *tasks, const char *comm);
const char *tasks_name(const struct tasks *tasks, uint32_t id);

typedef void tasks_each_fn(void *ctx, struct task *task);
void tasks_each(const struct tasks *tasks, tasks_each_fn *each, void *ctx);

#endif
