/*
 * tasks - the threads and processes that records mention.
 *
 * A task is found by tid. A reused tid gets a new task, a reused pid a new generation. A task
 * contains its call in flight, so that pairing needs one lookup per record. Ended tasks stay for
 * their names and are discarded in bulk. Owned and locked by the model.
 */
#ifndef TASKS_TASKS_H
#define TASKS_TASKS_H

#include "engine/record/call.h"
#include "engine/tasks/identity.h"

struct tasks;

enum task_wait {
	TASK_RUNNING, /* on a CPU, or no switch-out is known */
	TASK_BLOCKED, /* switched out, waits for an event */
	TASK_RUNNABLE, /* switched out, waits for a CPU */
};

/* State that the threads of a process share. */
struct process {
	uint32_t pid;
	uint32_t parent_pid; /* 0: unknown */
	uint32_t generation; /* of the address space; changes with exec and pid reuse */
	uint32_t comm_id; /* comm_id of the leader */
	uint32_t threads; /* number alive, from records */
	uint32_t tasks; /* tasks that point here, ended ones included */
	uint32_t ns_pid; /* pid in a pid namespace below ours; 0: unknown or none */
	bool kernel; /* a kernel thread, which makes no calls */
	/* Start of the address space: fork or last exec. 0: unknown. */
	uint64_t memory_ns;
	bool ended;
	struct process *prev_ended, *next_ended;
};

/*
 * How much is known of the waits of the call in flight. Unless WAITS_EXACT, the call has
 * CALL_WAITS_UNKNOWN. Only wait_learn() (engine/model/waits.h) changes it.
 */
enum wait_knowledge {
	WAITS_EXACT, /* every switch of the thread has its record */
	WAITS_DOUBTED, /* a record may be lost; a count of switches by the source can decide */
	WAITS_MISSED, /* a record is lost, or may be lost and the source has no count */
	WAITS_UNWATCHED, /* the source emits no switch records */
};

/*
 * Stack of the last wait of the thread in system call `nr` with first argument `arg`. Used for
 * waits without a sampled stack. A task stores WAIT_MEMORIES of these.
 */
struct wait_memory {
	uint64_t arg;
	uint32_t stack_id; /* 0: unused */
	uint32_t waker_tid, waker_stack_id;
	uint16_t nr;
};

#define WAIT_MEMORIES 4 /* a power of two */

struct task {
	/* Fields that each call needs come first, in one cache line. */
	uint32_t tid;
	uint32_t comm_id;
	struct process *process; /* never NULL */
	uint64_t seen_ns; /* time of the last enter or exit; 0: none yet */
	uint64_t entered_ns; /* last enter; after a restart, later than call.enter_ns */
	bool ended;
	bool in_call; /* `call` is in flight */
	bool unsure; /* `call` may be several calls: tracing was paused meanwhile */
	bool restarted; /* `call` continues in restart_syscall */
	bool held; /* `call` returned to be restarted; held_* and *_held are valid */
	/* Current or last wait in `call`. */
	bool wait_blocked; /* the wait began with the thread blocked; false: preempted */
	bool wait_unsure; /* wait_blocked is a guess so far */
	bool wait_stack_exact; /* the user frames are unwound from the registers of the switch */
	uint8_t wait; /* enum task_wait */
	bool sampled; /* sampled_* may belong to the call in flight */
	uint8_t waits; /* enum wait_knowledge */
	uint32_t wait_stack_id; /* stack of the current wait */
	uint64_t wait_since_ns; /* start of the current state, including TASK_RUNNING */
	uint64_t wait_start_ns; /* start of the whole wait */
	struct call call; /* the call in flight, with its counters so far */
	uint64_t longest_wait_ns;
	uint32_t longest_stack_id; /* stack of the longest wait that has ended; 0: none */
	uint32_t found_stack_id; /* stack that /proc gave for the call; 0: none */
	uint32_t sampled_stack_id; /* stack where the thread was sampled running */
	uint64_t sampled_ns; /* time of the sample */
	uint16_t on_cpu; /* current or last CPU; 65535: unknown */
	uint8_t outs; /* switch-outs in `call`, modulo 256 */
	bool longest_is_wait; /* longest_stack_id is of a wait that blocked */
	/* wait_stack_id is of an earlier wait, or 0 because there was none; see waits.h. */
	bool wait_stack_earlier;
	bool longest_stack_earlier;
	struct wait_memory memory[WAIT_MEMORIES];
	/* Only for pairing. */
	uint64_t slept_ns; /* last switch-out outside of a call; 0: none since the last switch-in */
	bool sleeper; /* in the queue of sleepers.h */
	int64_t held_ret;
	uint64_t held_ns; /* time of the return */
	struct task *prev_held, *next_held;
	struct task *prev_ended, *next_ended;
	struct task *prev_of_all, *next_of_all;
};

#define TASKS_ENDED_MAX 4096 /* maximum number of ended threads that are stored */

/* A process whose last thread ended, with the comm_id that it had. */
struct ended_process {
	uint32_t pid, comm_id;
};

struct tasks *tasks_new(void);
void tasks_free(struct tasks *tasks);
/* Discard all tasks and processes. Comms retain their ids. Running walks end. */
void tasks_clear(struct tasks *tasks);

struct task *tasks_find(const struct tasks *tasks, uint32_t tid); /* NULL: unknown tid */
/* First prefetch the hash slot for tasks_find(), then the task and, with `call`, its call. */
void tasks_foresee(const struct tasks *tasks, uint32_t tid);
void tasks_foresee_task(const struct tasks *tasks, uint32_t tid, bool call);
/* Find or create. pid 0: unknown; a later record sets it. */
struct task *tasks_get(struct tasks *tasks, uint32_t pid, uint32_t tid);
struct process *tasks_process(const struct tasks *tasks, uint32_t pid); /* or NULL */

/* Handle a fork: always a new task, even if the tid is in use. */
struct task *tasks_fork(struct tasks *tasks, uint32_t parent_tid, uint32_t pid, uint32_t tid);
/* Handle a thread exit. The task can be found until it is freed, oldest ended tasks first. */
void tasks_end(struct tasks *tasks, struct task *task);

/* Set the comm of a task; also of its process if the task is the leader or the process has none. */
void tasks_rename(struct tasks *tasks, struct task *task, const char *comm);
/* Set the owner of a thread. cgroup NULL: unknown. ns_pid is a property of its process. */
void tasks_own(struct tasks *tasks, struct task *task, uint32_t uid, const char *cgroup,
	       uint32_t ns_pid);
/* Handle an exec: the process has a new address space. */
void tasks_exec(struct tasks *tasks, struct task *task);

/* Set the time of the changes that follow; tasks_name_at() needs it. */
void tasks_set_time(struct tasks *tasks, uint64_t now_ns);
/* Mark a thread as a waker: its earlier comms are stored from now on. */
void tasks_note_waker(struct tasks *tasks, uint32_t tid);
/* Return process and comm of a waker at a time. False: the tid was unknown. */
bool tasks_name_at(const struct tasks *tasks, uint32_t tid, uint64_t time_ns, uint32_t *pid,
		   uint32_t *comm_id);

/*
 * Copy the call in flight, with its age in dur_ns and the current wait counted up to now_ns.
 * Unlike pairing_call_at(), ignore losses of switch records.
 */
void tasks_call_at(const struct task *task, uint64_t now_ns, struct call *call);

/*
 * Queue the end of a process whose sums arrived after its end. The end of its last task queues the
 * end of a process, too.
 */
void tasks_note_end(struct tasks *tasks, uint32_t pid, uint32_t comm_id);
/* Take the oldest end from the queue; false: empty. The pid can be in use again. */
bool tasks_next_end(struct tasks *tasks, struct ended_process *ended);

/* Maximum number of ended processes that are stored for lookups. */
#define TASKS_ENDED_PROCESSES_MAX 4096
size_t tasks_ended_processes(const struct tasks *tasks);
/*
 * If more than `most` ended processes are stored, free the oldest until most / 2 remain. Those with
 * stored threads are not freed.
 */
void tasks_forget_processes(struct tasks *tasks, size_t most);
/* Comms are interned; id 0 is the empty comm. Raw, not escaped. */
uint32_t tasks_name_id(struct tasks *tasks, const char *comm);
const char *tasks_name(const struct tasks *tasks, uint32_t id);
/* Keep an identity that is used outside of the tasks, see identity_keep(). */
void tasks_keep_identity(struct tasks *tasks, uint32_t id);
/* Return the table with the user and cgroup of each comm id, see identity.h. */
const struct identity_table *tasks_identity(const struct tasks *tasks);

/* Called for each task, ended ones last. */
typedef void tasks_each_fn(void *ctx, struct task *task);
void tasks_each(const struct tasks *tasks, tasks_each_fn *each, void *ctx);

/*
 * tasks_walk - walk over all living tasks in steps, so that other threads get the lock in between.
 *
 *	tasks_walk_begin(&walk, tasks);
 *	while (tasks_walk_step(&walk, TASKS_WALK_TASKS, each, ctx))
 *		unlock, then lock again;
 *
 * Each task that existed at the beginning is visited once, unless it ends before. A walk must be
 * continued to its end, or ended with tasks_walk_end().
 */
struct tasks_walk {
	struct tasks *tasks; /* NULL: no walk in progress */
	struct task *next;
	struct tasks_walk *others;
};

#define TASKS_WALK_TASKS 1024 /* tasks per step: holds the lock for about 200 us */

void tasks_walk_begin(struct tasks_walk *walk, struct tasks *tasks);
/* False if there are no more tasks; the walk has ended. */
bool tasks_walk_step(struct tasks_walk *walk, size_t count, tasks_each_fn *each, void *ctx);
/* No-op if no walk is in progress. */
void tasks_walk_end(struct tasks_walk *walk);

/* Memory in bytes: of tasks and processes, and of comms, including earlier ones. */
void tasks_bytes(const struct tasks *tasks, size_t *of_tasks, size_t *of_names);

#endif
