/*
 * record - one thing that happened, as any source hands it to the model.
 *
 * A source (perf rings, later BPF or a recording) turns its own format into
 * this one; nothing above source/ knows where a record came from. Records
 * reach model_feed() in the order of their times, ties in any order. Pointers
 * are borrowed from the source and valid only during that call.
 * Times are CLOCK_MONOTONIC in nanoseconds. pid is the thread group (the
 * process), tid the thread, both in the initial view of this program.
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
	RECORD_CALL, /* both in one, at the exit; the enter may have been told before */
	RECORD_AGGREGATE, /* calls of a process that are known by their sums alone */
	RECORD_INFLIGHT, /* a call that was in flight when tracing began (/proc) */
	RECORD_SWITCH_OUT, /* a thread leaves its CPU, with its stack */
	RECORD_SWITCH_IN, /* a thread gets a CPU */
	RECORD_RUNNING, /* a thread is found on its CPU, in the kernel, with its stack */
	RECORD_WAKING, /* record.tid makes waking.tid runnable, with the waker's stack */
	RECORD_TASK, /* a task that existed already (/proc): names it */
	RECORD_OWNER, /* whose a thread is from now on */
	RECORD_COMM, /* a task's name changed; exec: the program too */
	RECORD_MAP, /* an executable mapping appeared */
	RECORD_FORK, /* record.pid/tid is the new task */
	RECORD_TASK_EXIT, /* the thread is gone */
	RECORD_EVENT, /* another tracepoint was hit */
	RECORD_LOST, /* the kernel dropped records of one CPU before this time */
	RECORD_GAP, /* tracing was off (paused, re-planned) up to this time */
	RECORD_FORGET, /* the call in flight of the thread is not followed any more */
	/* switches on one CPU may have been lost, up to switches_lost.until_ns */
	RECORD_SWITCHES_LOST,
	RECORD_KIND_COUNT
};

/* What a call pointed to, in the format of capture.h. */
struct record_bytes {
	const void *chunks;
	size_t len; /* 0: there are none */
	bool more; /* to be added to those that its enter brought; else they replace them */
};

/* What a thread was doing when it last left its CPU: the letters of ps(1). */
enum run_state {
	THREAD_STATE_UNKNOWN,
	THREAD_RUNNABLE, /* R: its CPU was taken away, or it is about to get one */
	THREAD_SLEEPING, /* S: a signal would end the wait */
	THREAD_DISK, /* D: no signal ends the wait */
	THREAD_STOPPED, /* T */
	THREAD_TRACED, /* t: stopped by a tracer */
	THREAD_PARKED, /* P */
	THREAD_IDLE, /* I: as D, but not counted as load */
	THREAD_DEAD, /* X */
	THREAD_ZOMBIE, /* Z */
	THREAD_STATE_COUNT
};

/*
 * Whether an enter goes on with the call that the thread returned from to be restarted: nobody ran
 * a handler of a signal in between.
 */
enum record_resume {
	RESUME_UNKNOWN, /* by its number and arguments, it may */
	RESUME_YES,
	RESUME_NO,
	/* And it is told for that alone: nobody asked for this call. */
	RESUME_SILENT,
};

/* What a RECORD_LOST speaks of. */
enum record_loss {
	LOSS_OF_ANYTHING, /* enters and exits may be among the records */
	LOSS_OF_STREAM, /* calls, of which the sums are known: RECORD_AGGREGATE */
	LOSS_OTHER, /* everything but calls: names, switches, wakings */
	LOSS_OF_EVENTS, /* other tracepoints alone */
	LOSS_KIND_COUNT
};

/* Raw return addresses as the kernel samples them, innermost first. */
struct record_stack {
	const uint64_t *ips; /* holds PERF_CONTEXT_KERNEL / PERF_CONTEXT_USER markers */
	uint32_t count;
	bool kernel_denied; /* there is a kernel's half, which this user may not see */
	/* For DWARF unwinding: the user registers and the bytes from the stack pointer up. */
	const uint64_t *user_regs; /* NULL: none were taken */
	uint64_t user_regs_mask; /* PERF_REG_X86_* bits, one value in user_regs for each */
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
			/* 0: at time_ns; else told late, but before anything else of the call. */
			uint64_t entered_ns;
			struct record_bytes bytes;
			uint8_t resumes; /* enum record_resume */
		} enter;
		struct {
			uint32_t nr;
			int64_t ret;
			uint64_t left_ns; /* 0: at time_ns; else told late, as an enter may be */
			bool silent; /* nobody asked for this call: see RESUME_SILENT */
		} exit;
		struct {
			uint32_t nr;
			uint64_t args[SYSCALL_ARGS];
			int64_t ret;
			uint64_t entered_ns, dur_ns; /* exact, where time_ns gives way to order */
			uint32_t enter_cpu; /* record.cpu is where it left */
			/* How often it left its CPU, modulo RECORD_SWITCHES, and 1; 0: not told. */
			uint16_t switches;
			uint8_t resumes; /* enum record_resume */
			struct record_bytes bytes;
		} call;
		struct {
			uint32_t nr;
			uint64_t calls, errors, total_ns, min_ns, max_ns;
			const uint32_t *steps; /* of their durations: HISTOGRAM_STEPS counts ... */
			uint32_t group; /* ... of one group of the histogram */
			bool all_match; /* nothing of the filter in force is left to be tested */
		} aggregate;
		struct {
			uint32_t nr;
			uint64_t args[SYSCALL_ARGS];
			uint64_t sp, pc; /* 0 where /proc did not tell */
			const struct record_stack *stack; /* where it waits; NULL: unknown */
			uint8_t state; /* enum run_state */
		} inflight;
		struct {
			struct record_stack stack;
			bool preempted; /* still runnable: the CPU was taken away */
			bool unsure; /* preempted is not known; another record may tell */
			bool stack_limited; /* stacks were not taken at this time: too many waits */
			uint8_t state; /* enum run_state, as far as it is told */
		} switch_out;
		struct {
			struct record_stack stack;
		} running;
		struct {
			uint32_t pid, tid; /* who is woken; pid 0 where unknown */
			bool in_interrupt; /* a timer or device woke it, not record.tid */
			bool has_interrupt_state; /* false: in_interrupt is not known */
			bool stack_limited; /* as of a switch-out */
			struct record_stack stack;
			struct record_bytes raw; /* as the tracepoint's format has them */
		} waking;
		struct {
			const char *comm; /* raw bytes, NUL-terminated, at most 16 */
			uint32_t parent_pid; /* RECORD_TASK; 0 unknown */
		} task;
		struct {
			uint32_t uid; /* effective */
			const char *cgroup; /* raw bytes, NUL-terminated; NULL unknown */
			uint32_t ns_pid; /* see struct process */
			const char *comm; /* as of a task; NULL: not told */
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
			const uint8_t *build_id; /* as recorded; NULL: not told */
			uint32_t build_id_bytes;
		} map;
		struct {
			uint32_t parent_pid, parent_tid;
		} fork;
		struct {
			uint32_t number; /* see event_names.h */
			struct record_bytes bytes; /* as the tracepoint's format has them */
		} event;
		struct {
			uint64_t until_ns; /* time_ns keeps the order of the records */
		} switches_lost;
		struct {
			uint64_t count; /* records, or LOSS_OF_STREAM calls */
			enum record_loss kind;
		} lost;
	};
};

#endif
