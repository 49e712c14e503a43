/*
 * tasks - the threads and processes that records spoke of.
 *
 * A task is found by tid. Pid reuse makes a new task with a new generation.
 * A task holds its call in flight, so that pairing needs one look-up a record.
 * Ended tasks stay for names until forgotten in bulk. Owned and locked by the
 * model.
 */
#ifndef TASKS_TASKS_H
#define TASKS_TASKS_H

#include "engine/record/call.h"
#include "engine/tasks/identity.h"

struct tasks;

enum task_wait {
	TASK_RUNNING, /* on a CPU, or not known to be off it */
	TASK_BLOCKED, /* switched out, waits for something */
	TASK_RUNNABLE, /* switched out, waits for a CPU */
};

/* A process: what its threads share. */
struct process {
	uint32_t pid;
	uint32_t parent_pid; /* 0 unknown */
	uint32_t generation; /* address-space generation: changes with exec and with pid reuse */
	uint32_t comm_id; /* of its leader */
	uint32_t threads; /* alive, as far as known */
	uint32_t tasks; /* that point here, ended ones too */
	uint32_t ns_pid; /* its number in a pid namespace below ours; 0: unknown or in none */
	uint64_t memory_ns; /* since then its memory is its own: its birth, or its last exec */
	bool ended;
	struct process *prev_ended, *next_ended;
};

/*
 * What was on the stacks when the thread last waited in this system call on this first
 * argument, for those waits of which no stack is taken. The last few of such pairs.
 */
struct wait_memory {
	uint64_t arg;
	uint32_t stack_id; /* 0: nothing is remembered */
	uint32_t waker_tid, waker_stack_id;
	uint16_t nr;
};

#define WAIT_MEMORIES 4 /* a power of two */

struct task {
	/* What every call needs comes first: it is one cache line. */
	uint32_t tid;
	uint32_t comm_id;
	struct process *process; /* never NULL */
	uint64_t seen_ns; /* the last enter or exit; 0: none yet */
	uint64_t entered_ns; /* the last enter; of a restart, later than the call's */
	bool ended;
	bool in_call; /* `call` is in flight */
	bool unsure; /* `call` may be several: tracing paused while it ran */
	bool restarted; /* restart_syscall went on with it */
	bool held; /* it returned to be restarted; what of held_ follows is set */
	/* The wait that is going on or was last, inside `call`. */
	bool wait_blocked; /* it is, or began as, a wait for something */
	bool wait_unsure; /* that is a guess so far */
	bool wait_stack_exact; /* its user half is unwound from the switch's own registers */
	uint8_t wait; /* enum task_wait */
	bool sampled; /* sampled_ns and what belongs to it may be of the call in flight */
	bool waits_doubted; /* switches may have been lost while `call` ran ... */
	bool waits_missed; /* ... or were */
	uint32_t wait_stack_id; /* of the wait going on */
	uint64_t wait_since_ns; /* of the current state, running too */
	uint64_t wait_start_ns; /* of the whole wait */
	struct call call; /* the call in flight, counters so far included */
	uint64_t longest_wait_ns;
	uint32_t longest_stack_id; /* call.stack_id, when no wait is going on */
	uint32_t found_stack_id; /* what /proc said of the call; 0: nothing */
	uint32_t sampled_stack_id; /* where it was found running; 0: nobody kept the stack */
	uint64_t sampled_ns; /* when */
	uint16_t on_cpu; /* where it runs, or ran when it left its CPU; 65535: not known */
	uint8_t outs; /* how often it left its CPU in `call`, modulo 256 */
	bool longest_is_wait; /* longest_stack_id is of a wait for something */
	bool wait_stack_earlier; /* it is, or would be, that of another wait: see waits.h */
	bool longest_stack_earlier;
	struct wait_memory memory[WAIT_MEMORIES];
	/* The pairing's own. */
	int64_t held_ret;
	uint64_t held_ns; /* when it returned */
	struct task *prev_held, *next_held;
	struct task *prev_ended, *next_ended;
	struct task *prev_of_all, *next_of_all;
};

#define TASKS_ENDED_MAX 4096 /* threads that ended and are still known */

struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);
/* Nobody was heard of; names keep their ids. Walks that go on have nobody left. */
void tasks_clear(struct tasks *tasks);

struct task *tasks_find(const struct tasks *tasks, uint32_t tid); /* NULL: never heard of */
/* Has the memory fetched that tasks_find() begins with; then the task, and its `call` if asked. */
void tasks_foresee(const struct tasks *tasks, uint32_t tid);
void tasks_foresee_task(const struct tasks *tasks, uint32_t tid, bool call);
/* Finds or makes; pid 0 means unknown and is corrected by a later record. */
struct task *tasks_get(struct tasks *tasks, uint32_t pid, uint32_t tid);
struct process *tasks_process(const struct tasks *tasks, uint32_t pid); /* or NULL */

/* A fork: always a new task, also if the tid was used before. */
struct task *tasks_fork(struct tasks *tasks, uint32_t parent_tid, uint32_t pid, uint32_t tid);
/* The task stays findable for a while; others that ended long ago may go. */
void tasks_end(struct tasks *tasks, struct task *task);

/* The task has a new name; its process too if it is the leader or had none. */
void tasks_rename(struct tasks *tasks, struct task *task, const char *comm);
/* Whose the thread is from now on; cgroup NULL: not known. ns_pid is its process's. */
void tasks_own(struct tasks *tasks, struct task *task, uint32_t uid, const char *cgroup,
	       uint32_t ns_pid);
/* It runs another program: a new address space. */
void tasks_exec(struct tasks *tasks, struct task *task);

/* What follows happens then; tasks_name_at() tells names of before and after apart by it. */
void tasks_set_time(struct tasks *tasks, uint64_t now_ns);
/* It woke somebody: what it is called is remembered when that changes. */
void tasks_note_waker(struct tasks *tasks, uint32_t tid);
/* What a waker was called at a time, and whose thread it was; false: nobody had heard of it. */
bool tasks_name_at(const struct tasks *tasks, uint32_t tid, uint64_t time_ns, uint32_t *pid,
		   uint32_t *comm_id);

/*
 * The call in flight with its age in dur_ns and the wait going on counted up to now. Whether its
 * waits are known is what its own records say: see also pairing_call_at().
 */
void tasks_call_at(const struct task *task, uint64_t now_ns, struct call *call);

/* Processes that ended are kept for what others ask of them, the newest so many. */
#define TASKS_ENDED_PROCESSES_MAX 4096
size_t tasks_ended_processes(const struct tasks *tasks);
/* With more than that, the older half goes, but for those whose threads are still known. */
void tasks_forget_processes(struct tasks *tasks, size_t most);
/* Names are interned; id 0 is the empty name. The text is raw, not escaped. */
uint32_t tasks_name_id(struct tasks *tasks, const char *comm);
const char *tasks_name(const struct tasks *tasks, uint32_t id);
/* What else their ids say, see identity.h. */
const struct identity_table *tasks_identity(const struct tasks *tasks);

/* Those that ended and are still known come last. */
typedef void tasks_each_fn(void *ctx, struct task *task);
void tasks_each(const struct tasks *tasks, tasks_each_fn *each, void *ctx);

/*
 * tasks_walk - all tasks that live, some at a time, while others change them in between.
 *
 *	tasks_walk_begin(&walk, tasks);
 *	while (tasks_walk_step(&walk, TASKS_WALK_TASKS, each, ctx))
 *		let others have the lock;
 *
 * Each that was there at the beginning comes once, unless it ends before its turn. A walk
 * that was begun must go on to its end, or be ended.
 */
struct tasks_walk {
	struct tasks *tasks; /* NULL: not walking */
	struct task *next;
	struct tasks_walk *others;
};

#define TASKS_WALK_TASKS 1024 /* in one hold of a lock: some 200 us */

void tasks_walk_begin(struct tasks_walk *walk, struct tasks *tasks);
/* False when there are no more. */
bool tasks_walk_step(struct tasks_walk *walk, size_t count, tasks_each_fn *each, void *ctx);
/* Also where it was not begun or is over. */
void tasks_walk_end(struct tasks_walk *walk);

/* Of memory: of tasks and processes, and of their names, those of earlier included. */
void tasks_bytes(const struct tasks *tasks, size_t *of_tasks, size_t *of_names);

#endif
