/*
 * record - one item in the common format in which all sources deliver to the model.
 *
 * A source (perf rings, BPF programs or a recording) converts its own format to this one; code
 * above source/ does not depend on the kind of source. model_feed() receives records in time order;
 * the order of equal times is arbitrary. Pointers are borrowed from the source until model_feed()
 * returns. Times are CLOCK_MONOTONIC in nanoseconds. pid is the thread group (the process), tid the
 * thread, both in the pid namespace of stxtop.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYSCALL_ARGS 6
#define RECORD_SWITCHES 64

enum record_kind {
	RECORD_ENTER, /* a thread enters a system call */
	RECORD_EXIT, /* ... and leaves it */
	RECORD_CALL, /* enter and exit in one, emitted at the exit; a RECORD_ENTER can precede it */
	RECORD_AGGREGATE, /* sums of a process's calls that have no records */
	RECORD_INFLIGHT, /* a call in flight, found in /proc, whose enter has no record */
	RECORD_SWITCH_OUT, /* a thread leaves its CPU, with its stack */
	RECORD_SWITCH_IN, /* a thread gets a CPU */
	RECORD_RUNNING, /* a running thread was sampled in the kernel, with its stack */
	RECORD_WAKING, /* record.tid makes waking.tid runnable, with the waker's stack */
	RECORD_TASK, /* name of a task that existed before tracing (/proc) */
	RECORD_OWNER, /* task owner of a thread from now on */
	RECORD_COMM, /* the comm of a task changed; with `exec`, its program changed too */
	RECORD_MAP, /* a new executable mapping */
	RECORD_FORK, /* record.pid/tid is the new task */
	RECORD_TASK_EXIT, /* the thread exited */
	RECORD_EVENT, /* hit of another tracepoint */
	RECORD_LOST, /* records of one CPU were lost before this time */
	RECORD_GAP, /* tracing was off until this time: paused, or events reopened */
	RECORD_FORGET, /* stop tracking the call in flight of the thread */
	/* switch records of one CPU may have been lost, up to switches_lost.until_ns */
	RECORD_SWITCHES_LOST,
	RECORD_KIND_COUNT
};

/* Bytes that a call points to, in the format of capture.h. */
struct record_bytes {
	const void *chunks;
	size_t len; /* 0: none */
	bool more; /* append to the bytes of the enter; otherwise replace them */
};

/* State of a thread when it last left its CPU: the letters of ps(1). */
enum run_state {
	THREAD_STATE_UNKNOWN,
	THREAD_RUNNABLE, /* R: preempted, or waiting for a CPU */
	THREAD_SLEEPING, /* S: interruptible wait */
	THREAD_DISK, /* D: uninterruptible wait */
	THREAD_STOPPED, /* T */
	THREAD_TRACED, /* t: stopped by a tracer */
	THREAD_PARKED, /* P */
	THREAD_IDLE, /* I: as D, but excluded from the load average */
	THREAD_DEAD, /* X */
	THREAD_ZOMBIE, /* Z */
	THREAD_STATE_COUNT
};

/*
 * Whether this enter restarts the interrupted call of the thread. RESUME_NO: a signal handler ran
 * in between.
 */
enum record_resume {
	RESUME_UNKNOWN, /* possible: the syscall number and arguments decide */
	RESUME_YES,
	RESUME_NO,
	/* The filter drops this call; the record only resumes or ends the interrupted one. */
	RESUME_SILENT,
};

/* Kinds of lost records in a RECORD_LOST. */
enum record_loss {
	LOSS_OF_ANYTHING, /* any records, possibly enters and exits */
	LOSS_OF_STREAM, /* calls that a RECORD_AGGREGATE counts */
	LOSS_OTHER, /* records other than calls: names, switches, wakings */
	LOSS_OF_EVENTS, /* only events of other tracepoints */
	LOSS_KIND_COUNT
};

/* Halves of a stack that lack their outer frames. */
enum record_stack_cut { STACK_CUT_KERNEL = 1 << 0, STACK_CUT_USER = 1 << 1 };

/* Raw return addresses as sampled by the kernel, innermost first. */
struct record_stack {
	const uint64_t *ips; /* includes PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER markers */
	uint32_t count;
	bool kernel_denied; /* kernel frames exist, but the user may not see them */
	uint8_t cut; /* enum record_stack_cut */
	/* For DWARF unwinding: user registers, and stack bytes from the stack pointer up. */
	const uint64_t *user_regs; /* NULL: none */
	uint64_t user_regs_mask; /* PERF_REG_X86_* bits, one value in user_regs per bit */
	const void *user_stack;
	uint32_t user_stack_bytes;
};

struct record {
	uint64_t time_ns;
	enum record_kind kind;
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	union {
		struct {
			uint32_t nr;
			uint64_t args[SYSCALL_ARGS];
			/* Exact enter time; 0: use time_ns, which can be raised to keep order. */
			uint64_t entered_ns;
			struct record_bytes bytes;
			uint8_t resumes; /* enum record_resume */
		} enter;
		struct {
			uint32_t nr;
			int64_t ret;
			uint64_t left_ns; /* exact time of the exit; 0: use time_ns */
			bool silent; /* the filter drops this call: see RESUME_SILENT */
		} exit;
		struct {
			uint32_t nr;
			uint64_t args[SYSCALL_ARGS];
			int64_t ret;
			uint64_t entered_ns, dur_ns; /* exact; time_ns can be raised for order */
			uint32_t enter_cpu; /* record.cpu is the CPU of the exit */
			/* Number of switch-outs modulo RECORD_SWITCHES, plus 1; 0: unknown. */
			uint16_t switches;
			uint8_t resumes; /* enum record_resume */
			struct record_bytes bytes;
		} call;
		struct {
			uint32_t nr;
			uint64_t calls, errors, total_ns, min_ns, max_ns;
			const uint32_t *steps; /* durations: HISTOGRAM_STEPS counts ... */
			uint32_t group; /* ... of one group of the histogram */
			bool all_match; /* all these calls match the filter in force */
		} aggregate;
		struct {
			uint32_t nr;
			uint64_t args[SYSCALL_ARGS];
			uint64_t sp, pc; /* 0: not shown by /proc */
			const struct record_stack *stack; /* where the call waits; NULL: unknown */
			uint8_t state; /* enum run_state */
			bool unentered; /* held before sys_enter, by seccomp or a tracer */
		} inflight;
		struct {
			struct record_stack stack;
			bool preempted; /* still runnable: the thread lost its CPU */
			bool unsure; /* `preempted` is a guess; a later record can decide */
			bool stack_limited; /* the stack limit disabled stacks at this time */
			uint8_t state; /* enum run_state, if known */
		} switch_out;
		struct {
			struct record_stack stack;
		} running;
		struct {
			uint32_t pid, tid; /* the woken thread; pid 0: unknown */
			bool in_interrupt; /* a timer or device is the waker, not record.tid */
			bool has_interrupt_state; /* false: in_interrupt is unknown */
			bool stack_limited; /* as in switch_out */
			struct record_stack stack;
			struct record_bytes raw; /* in the format of the tracepoint */
		} waking;
		struct {
			const char *comm; /* raw bytes, NUL-terminated, at most 16 */
			uint32_t parent_pid; /* of a RECORD_TASK; 0: unknown */
			bool kernel; /* of a RECORD_TASK: a kernel thread */
		} task;
		struct {
			uint32_t uid; /* effective */
			const char *cgroup; /* raw bytes, NUL-terminated; NULL: unknown */
			uint32_t ns_pid; /* see struct process */
			const char *comm; /* as in task; NULL: unknown */
		} owner;
		struct {
			const char *comm;
			bool exec;
		} comm;
		struct {
			uint64_t start, bytes, file_offset;
			uint64_t inode, inode_generation;
			uint32_t dev_major, dev_minor;
			uint32_t prot; /* PROT_* of mmap(2) */
			const char *path; /* raw bytes, NUL-terminated */
			const uint8_t *build_id; /* as recorded; NULL: none */
			uint32_t build_id_bytes;
		} map;
		struct {
			uint32_t parent_pid, parent_tid;
		} fork;
		struct {
			uint32_t number; /* see event_names.h */
			struct record_bytes bytes; /* in the format of the tracepoint */
		} event;
		struct {
			uint64_t until_ns; /* time_ns only orders the record */
		} switches_lost;
		struct {
			uint64_t count; /* of records; for LOSS_OF_STREAM, of calls */
			enum record_loss kind;
		} lost;
	};
};

#endif
