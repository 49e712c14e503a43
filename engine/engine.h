/*
 * engine - the façade: open, start, set a filter, look, close.
 *
 * Owns the source, the model, the stacks and the collector thread that moves
 * records from one to the other. Nothing here prints, draws or exits. All
 * readers copy what they need under the model's lock, which nobody holds
 * for more than a millisecond. Any thread may read; options, start and free
 * are the owner's. Names in rows are escaped already.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/base/cgroup_path.h"
#include "engine/base/container.h"
#include "engine/base/err.h"
#include "engine/catch.h"
#include "engine/collector/play.h"
#include "engine/decode/call_text.h"
#include "engine/decode/captured_bytes.h"
#include "engine/decode/syscalls.h"
#include "engine/filter/filter.h"
#include "engine/model/model.h"
#include "engine/process/stopper.h"
#include "engine/process/target.h"
#include "engine/record/call.h"
#include "engine/recorder/flight.h"
#include "engine/recorder/recorder.h"
#include "engine/source/source.h"
#include "engine/stack/symbols.h"

struct engine;

struct engine_options {
	struct target target; /* the engine makes its own copy */
	const char *recording; /* a perf.data file instead of the kernel; NULL: live */
	const char *names; /* of the recording's addresses, see names_file.h; NULL: none */
	int recording_fd; /* it is open already, borrowed, perhaps a pipe; 0: it is not */
	int cancel_fd; /* once it is readable, a pipe is not waited for; borrowed; 0: none */
	enum source_calls calls;
	enum stack_mode stacks;
	uint32_t dwarf_bytes;
	size_t ring_bytes; /* 0: default */
	size_t history_bytes; /* 0: default, 64 MiB */
	bool descriptors; /* what descriptors are is wanted */
	bool descriptors_first; /* so much that what they change by is collected in any case */
	bool capture; /* what calls point to is wanted, where the source can tell it */
	const char *events; /* other tracepoints, see event_list.h; NULL: none */
	uint32_t string_bytes; /* of strings and buffers; 0: default, 32 */
	bool lossless_reader; /* batch: engine_read() gets every call that was collected */
	bool passes; /* batch: nobody looks back at what engine_read() gave */
	bool interactive; /* someone looks: fresh within 50 ms */
	uint32_t own_pid; /* a process of this program: not watched; 0: there is none */
	bool debuginfod; /* what is missing of debug files is fetched from servers */
	uint64_t max_calls; /* stop by itself after so many that match; 0: no limit */
	struct filter *filter; /* NULL: everything; the engine takes a reference */
	bool may_stop; /* processes may be asked to be stopped, not of a recording */
	/* Wait from the first call on, at index 0 and so forth; their filters are shared. */
	const struct catch_rule *catches;
	size_t catch_count;
	/* Of a recording, see play.h; the span since its beginning, until_ns 0: to its end. */
	uint64_t from_ns, until_ns;
	double speed;
	const struct flight_request *flight; /* armed from the first record on; NULL: it is not */
	struct recorder_request record; /* from the first record on; path NULL: not */
	bool records; /* something may be recorded: what descriptors are is wanted for that */
	struct symbol_paths_options places; /* where files are looked for */
	bool no_names; /* recordings do not get the names of their addresses */
};

/* Early: before threads, terminal and command. Forks the stack worker. */
int engine_new(struct engine **engine, struct err *err);
/*
 * For a recording beside what another engine reads: any thread, at any time, as it forks nothing.
 * Filters of either are filters of both. The lender, which lends its tables and who starts
 * workers, outlives it.
 */
struct engine *engine_new_shared(const struct engine *lender);
void engine_free(struct engine *engine);

/* Tables that exist before start: for parsing -e, -F and listing syscalls. */
const struct syscalls *engine_syscalls(const struct engine *engine);
const struct filter_names *engine_filter_names(const struct engine *engine);

/*
 * Opens the source, reads what is there already and starts the collector. On
 * failure a sentence that says what to change, and the engine may be freed.
 */
int engine_start(struct engine *engine, const struct engine_options *options, struct err *err);
/*
 * Stops collecting for good: drains what is there, settles calls. Reading goes on.
 * With a lossless reader it only asks for that and returns: who reads goes on until
 * engine_read() says -ENODATA, or the rest would never find room.
 */
void engine_stop(struct engine *engine);

/* The filter takes effect within 100 ms; the engine takes a reference. */
void engine_set_filter(struct engine *engine, struct filter *filter);
/*
 * Others are watched from now on, without a restart; within 100 ms. Calls of who is watched before
 * and after are told once. CPUs stay those of the start. What cannot be is said in
 * engine_status.target_error, and nothing changes then. The engine copies the target.
 */
void engine_set_target(struct engine *engine, const struct target *target);
void engine_set_running(struct engine *engine, bool running);
void engine_zero(struct engine *engine);
/*
 * Somebody looks at this process: unless the options forbid it, its waits bring stacks to
 * unwind from now on. 0: at none. Targets have them anyway; see source_status.
 */
void engine_set_user_stacks(struct engine *engine, uint32_t pid);

/*
 * Records to a file what is collected from now on; filters of what is shown change nothing of
 * it. -errno with a sentence: the file cannot be made, or there is one already.
 */
int engine_record(struct engine *engine, const struct recorder_request *request, struct err *err);
/* The same, with a call that was caught and those behind it that are in the history still. */
int engine_record_from(struct engine *engine, const struct recorder_request *request,
		       const struct call *call, uint64_t seq, struct err *err);
/*
 * Of a recording that is read with a filter, or a span of it, and recorded: once all was read,
 * what these let through is written. The options are those of the start. Otherwise nothing.
 */
int engine_record_cut(struct engine *engine, const struct engine_options *options, struct err *err);
/* It cannot be written any more, and nobody ended it yet. */
bool engine_record_failed(struct engine *engine);
void engine_record_stop(struct engine *engine);
/* Until the file is finished: after engine_record_stop(), or once the engine has finished. */
void engine_record_wait(struct engine *engine);
bool engine_record_wait_ms(struct engine *engine, int timeout_ms); /* false: it is not yet */
/* Without what is still waited for then: recorder_give_up(). */
void engine_record_give_up(struct engine *engine);
void engine_record_status(struct engine *engine, struct recorder_status *status);

/*
 * The flight recorder, see flight.h: armed, or armed anew with what is there kept. -errno with a
 * sentence. One thread's, as engine_flight_disarm() and engine_flight_next(); arming makes a
 * mapping as large as the ring, and looks at the directory of the files.
 */
int engine_flight_arm(struct engine *engine, const struct flight_request *request, struct err *err);
void engine_flight_disarm(struct engine *engine);
/* Any thread: by hand, at once; nothing happens while it is not armed. */
void engine_flight_freeze(struct engine *engine, enum flight_reason reason);
void engine_flight_status(struct engine *engine, struct flight_status *status);
bool engine_flight_next(struct engine *engine, struct flight_save *save);
/* Until no file is being written, once the engine has finished. */
void engine_flight_wait(struct engine *engine);
/* Of the recording that is explored: why it was saved; false: no flight recorder did. */
bool engine_flight_mark(struct engine *engine, struct flight_mark *mark);

/* These other tracepoints and no more, as options.events; told by events_version. */
void engine_set_events(struct engine *engine, const char *list);
/* All that there are here, sorted; reads 60 KiB of tracefs. Any thread; the caller releases. */
int engine_list_events(struct event_list *list, struct err *err);

/* -- What is there ------------------------------------------------------- */

#define ENGINE_SPARK_CELLS 60

struct engine_status {
	struct model_status model;
	struct source_status source;
	/* From started_ns on times are told; of a span of a recording, from_ns is its beginning. */
	uint64_t now_ns, started_ns, from_ns;
	double calls_per_s; /* of the last second, before the filter's user half */
	uint32_t spark[ENGINE_SPARK_CELLS]; /* calls in each of the last seconds, oldest first */
	double cpu_busy; /* 0..1, the machine's, over the last second */
	double own_cpu; /* this program's share of one CPU */
	bool running;
	bool finished; /* the source has no more, or engine_stop() */
	bool filter_pending, target_pending; /* set, not in force yet */
	uint32_t cpus;
	uint64_t stacks_not_stored; /* that calls of the history had, or would have had */
	char error[ERR_TEXT_BYTES]; /* collecting went wrong; empty: it has not */
	/* Changes when engine_set_events() was done, with why it failed; empty: it did not. */
	uint32_t events_version;
	char events_error[ERR_TEXT_BYTES];
	char target_error[ERR_TEXT_BYTES]; /* of the last engine_set_target(); empty: none */
};
void engine_status(struct engine *engine, struct engine_status *status);

#define ENGINE_NAME_BYTES 72
#define ENGINE_CONTAINER_BYTES 48
#define ENGINE_ERRNOS 6
#define ENGINE_USER_BYTES 16
#define ENGINE_HISTOGRAM_CELLS 12
#define ENGINE_HISTOGRAM_LOW_NS 1000ULL /* 1 µs … */
#define ENGINE_HISTOGRAM_HIGH_NS 1000000000ULL /* … 1 s, in equal steps of the logarithm */

#define ENGINE_GROUP_PID (1u << 27) /* PID_MAX_LIMIT of the kernel is 1 << 22 */

/* A process, a thread or a syscall, with its sums: what the filter lets through. */
struct engine_row {
	uint32_t pid, tid; /* tid 0: a whole process; both 0: all of them */
	uint32_t nr; /* for syscall rows */
	char name[ENGINE_NAME_BYTES];
	uint64_t calls, errors;
	/* The most frequent ways to fail; what errors there are beyond them is not told. */
	struct errno_count errnos[ENGINE_ERRNOS];
	uint32_t errno_count;
	uint64_t total_ns, blocked_ns, runnable_ns;
	/* Calls in total_ns whose waits were not seen. Not 0: the two times are lower bounds. */
	uint64_t waits_unknown;
	uint64_t min_ns, max_ns; /* 0, 0 without any duration */
	uint64_t p50_ns, p95_ns, p99_ns;
	uint64_t deviation_ns; /* the standard deviation of the durations */
	double calls_per_s; /* over the last second; in a recording, since its span begins */
	uint32_t in_flight; /* calls running now */
	uint64_t oldest_ns; /* age of the oldest of them; 0 none */
	/* In calls running now, so far: in no other sum. Their ages; off the CPU; runnable. */
	uint64_t running_ns, waiting_ns, queued_ns;
	uint32_t running_unknown; /* of them, those whose waits were not all seen */
	bool ended;
	/*
	 * This many ended processes of one name are one row (by process and by thread). `pid` then
	 * is ENGINE_GROUP_PID or above: it identifies the row, no process has it. 0: no group.
	 */
	uint64_t ended_processes;
	bool bare; /* of no call at all: it is the parent of one that has some */
	/* Of processes and threads, and as far as the rows of a group have it in common: */
	uint32_t parent_pid; /* 0: not known, or none */
	uint32_t threads; /* that live, as far as they are known; of processes */
	uint32_t uid; /* effective; USERS_UNKNOWN */
	char user[ENGINE_USER_BYTES]; /* its name, cut; its number where it has none */
	const char *cgroup; /* raw, good until the engine is freed; NULL: not known */
	uint32_t owner; /* for engine_owner() */
	uint32_t ns_pid; /* the process's number in a pid namespace below ours; 0: none */
	enum container_kind container_kind;
	char container[ENGINE_CONTAINER_BYTES]; /* its short form (container.h), cut */
	uint64_t histogram[ENGINE_HISTOGRAM_CELLS];
};

/*
 * Replace *rows (to be freed by the caller with free(); NULL at first) and return the
 * number. In no order. Processes that have a call in flight but none
 * finished are rows too.
 */
size_t engine_processes(struct engine *engine, struct engine_row **rows);
size_t engine_threads(struct engine *engine, uint32_t pid, struct engine_row **rows);
/* Of one process, thread, or (0, 0) everything. */
size_t engine_syscall_rows(struct engine *engine, uint32_t pid, uint32_t tid,
			   struct engine_row **rows);
/* A row for each system call of each process. */
size_t engine_process_syscalls(struct engine *engine, struct engine_row **rows);
/* By what calls are summed up. */
enum engine_group {
	ENGINE_BY_PROCESS,
	ENGINE_BY_THREAD,
	ENGINE_BY_SYSCALL,
	ENGINE_BY_COMM, /* names of threads */
	ENGINE_BY_CGROUP,
	ENGINE_BY_USER, /* effective */
	ENGINE_GROUP_COUNT
};
struct engine_query {
	enum engine_group group;
	uint32_t pid, tid; /* only of this process, this thread; 0: of all */
	bool one_syscall; /* calls of this number alone; not by syscall */
	uint32_t nr;
	bool parents; /* by process: with the processes that lead to those that have calls */
};
/* As the functions above. Takes long where there are thousands of threads. */
size_t engine_sums(struct engine *engine, const struct engine_query *query,
		   struct engine_row **rows);
/* A row for each system call of each thread. */
size_t engine_thread_syscalls(struct engine *engine, struct engine_row **rows);
/* A row for each system call of all processes of one name; pid is one of them. */
size_t engine_comm_syscalls(struct engine *engine, struct engine_row **rows);
/* A row for all processes of one name, as above. */
size_t engine_comm_processes(struct engine *engine, struct engine_row **rows);

/*
 * How many calls, of what the filter lets through, ended when and after how long
 * (latency_heatmap.h): `columns` times the counts of `slots` slots, from slot `first` on.
 * Interactive engines only; 0 elsewhere. Costs as much as slots are asked for: some 0.4 ms for all
 * there are.
 */
void engine_latencies(struct engine *engine, uint64_t first, size_t slots, size_t columns,
		      uint64_t (*counts)[LATENCY_STEPS]);

/* History by sequence number: [*first, *end) are there now. */
void engine_calls_range(struct engine *engine, uint64_t *first, uint64_t *end);
/*
 * Copies up to max calls from *seq upwards that match (NULL: all); *seq moves
 * behind the last one looked at; at most a bounded number is looked at, so
 * 0 does not mean the end unless *seq reached it. seqs gets each one's number.
 */
size_t engine_calls_after(struct engine *engine, uint64_t *seq, const struct filter *filter,
			  struct call *calls, uint64_t *seqs, size_t max);
/* The same downwards from *seq (exclusive); newest first. */
size_t engine_calls_before(struct engine *engine, uint64_t *seq, const struct filter *filter,
			   struct call *calls, uint64_t *seqs, size_t max);
/*
 * Adds to *calls how many are below *seq, gaps left out, and to *count those of them that match.
 * It looks for half a
 * millisecond at most, from the newest on, and *seq moves to the last one looked at. False:
 * that was the oldest one.
 */
bool engine_calls_count(struct engine *engine, uint64_t *seq, const struct filter *filter,
			uint64_t *count, uint64_t *calls);
/* Calls in flight that match the filter in force, oldest first; dur_ns is the age. */
size_t engine_in_flight(struct engine *engine, struct call *calls, size_t max);

/*
 * The lossless reader's next calls in the order in which they finished; waits up to
 * timeout_ms for some. 0: none in that time. -ENODATA: there will be no more.
 */
int engine_read(struct engine *engine, struct call *calls, size_t max, int timeout_ms);

/* What calls point to, copied. Zeroed at first. */
struct engine_bytes {
	struct str chunks; /* of engine/record/capture.h */
	size_t *ends; /* of those of each call */
	bool *late; /* some of those were read later, see engine_bytes_look() */
	bool *gone; /* those that were copied with the call are not kept any more */
	size_t waiting; /* so many calls have more, which is not known to be theirs yet */
	size_t room;
	struct captured_bytes captured; /* of the call that was asked for */
	struct call_bytes provider;
};
/* At once after the calls were got: it may go soon. With what was read later by now. */
void engine_bytes_copy(struct engine *engine, const struct call *calls, size_t count,
		       struct engine_bytes *bytes);
void engine_bytes_release(struct engine_bytes *bytes);
/* What the call at `index` points to; borrowed, until the next of these. */
const struct call_bytes *engine_bytes_of(struct engine_bytes *bytes, size_t index);
/* What it pointed to was known, and is not kept. */
bool engine_bytes_gone(const struct engine_bytes *bytes, size_t index);
/*
 * Somebody looks at these calls, of which `bytes` is a copy: what they point to and nobody copied
 * is read from the processes that still run, on another thread, while the call is in flight; of a
 * call that has returned only what cannot have changed, or once if its thread has made no call
 * since. engine_bytes_version() changes when there is more of it, or of descriptors; then another
 * copy has it.
 */
void engine_bytes_look(struct engine *engine, const struct call *calls, size_t count,
		       struct engine_bytes *bytes);
uint64_t engine_bytes_version(struct engine *engine);
/* The same for who writes them: waits for it, timeout_ms at most, and copies again. */
void engine_bytes_settle(struct engine *engine, const struct call *calls, size_t count,
			 struct engine_bytes *bytes, int timeout_ms);

/* What calls in flight point to now is read and kept with them; waits for it as above. */
void engine_bytes_look_in_flight(struct engine *engine, int timeout_ms);

/* What another tracepoint is called, of a row in the state CALL_EVENT; good until the end. */
const char *engine_event_name(const struct engine *engine, const struct call *call);
/*
 * Adds its text, or tells its fields, made of what engine_bytes_of() gave for it; false: that
 * is gone. Escaped.
 */
bool engine_event_text(struct engine *engine, const struct call *call,
		       const struct call_bytes *bytes, struct str *out);
bool engine_event_fields(struct engine *engine, const struct call *call,
			 const struct call_bytes *bytes, event_field_fn *each, void *ctx);

/* How often each was hit, in what the filter lets through; most often first. */
struct engine_event {
	const char *name; /* good until the end */
	uint64_t count;
};
/* Replaces *rows as engine_processes() does. */
size_t engine_event_sums(struct engine *engine, struct engine_event **rows);

/*
 * What descriptors are, for call_text_options; NULL: the options did not ask for it. Of any
 * thread; to be asked as long as the engine is there.
 */
const struct fd_namer *engine_fd_namer(const struct engine *engine);
/*
 * Before calls are written: asks what their processes had open before they were seen, and waits
 * for that and for what else is being asked, timeout_ms at most.
 */
void engine_fds_prepare(struct engine *engine, const struct call *calls, size_t count,
			int timeout_ms);

/*
 * The path that a call is about, as the filter's `path` finds it again: what it names, or what
 * its descriptor is. Raw bytes, appended; false: not known, or there is none.
 */
bool engine_call_path(struct engine *engine, const struct call *call, struct str *out);
enum engine_file {
	ENGINE_FILE_NONE, /* the call is about none */
	ENGINE_FILE_UNKNOWN,
	ENGINE_FILE_KNOWN,
};
/*
 * The same, also of what has no path: "socket:[…]", "anon_inode:[eventfd]". *fd is the call's
 * first descriptor, -1 where it has none.
 */
enum engine_file engine_call_file(struct engine *engine, const struct call *call, struct str *out,
				  int *fd);

/* What woke the call, a thread, was called when it ended, escaped; false: never heard of. */
bool engine_waker(struct engine *engine, const struct call *call, uint32_t *pid,
		  char name[ENGINE_NAME_BYTES]);
/* What a thread is called now, escaped, and its process; false: never heard of. */
bool engine_thread(struct engine *engine, uint32_t tid, uint32_t *pid,
		   char name[ENGINE_NAME_BYTES]);
/* A thread's name at that call, escaped; returns out. */
char *engine_comm(struct engine *engine, const struct call *call, char out[ENGINE_NAME_BYTES]);

/* Whose somebody's calls are, as far as it is known. */
struct engine_owner {
	uint32_t uid; /* effective; USERS_UNKNOWN */
	uint32_t ns_pid; /* as in engine_row */
	char cgroup[CGROUP_PATH_BYTES]; /* raw; "": not known */
};

/* number: a row's owner, or a call's comm_id. */
void engine_owner(struct engine *engine, uint32_t pid, uint32_t number, struct engine_owner *owner);

/* -- Futexes -------------------------------------------------------------- */

#define ENGINE_FUTEX_WAKERS 8

/* A thread that ended waits on a futex. */
struct engine_futex_waker {
	uint32_t tid;
	uint64_t count; /* waits */
	char name[ENGINE_NAME_BYTES];
};

/*
 * What happened on a futex, in every call that was seen, whatever the filter. One on
 * memory that processes share is one row, under the name of the process that was
 * first seen using it.
 */
struct engine_futex {
	uint64_t id; /* stays with it */
	uint32_t pid;
	char name[ENGINE_NAME_BYTES]; /* of the process */
	uint64_t uaddr; /* in that process; 0: those whose address is not known */
	uint32_t generation; /* of that process's address space */
	bool shared;
	uint32_t processes; /* address spaces in which it is used */
	bool has_place; /* the next three are known */
	uint64_t device, inode, offset;
	uint64_t waits; /* calls that ended */
	uint64_t total_ns, max_ns;
	uint64_t errors, would_block, timeouts; /* of waits; the first includes the others */
	uint64_t wakes, woken, requeued;
	uint32_t waiters; /* now */
	uint64_t oldest_ns; /* how long the first of them has waited */
	/* of them, those that seem to wait for work: see engine/tasks/idle_waits.h */
	uint32_t idle;
	uint64_t lock_ns; /* how long the first of those has waited that wait for a lock */
	uint64_t contended_ns; /* in ended waits: for a lock, or shorter than 0.1 s, and woken */
	uint64_t histogram[ENGINE_HISTOGRAM_CELLS];
	uint32_t waker_count;
	struct engine_futex_waker wakers[ENGINE_FUTEX_WAKERS]; /* those with most */
};

/*
 * Replaces *rows (the caller's to free()) and returns the number: what the filter lets through
 * of waits and wakes. all: how many futexes were used, whatever the filter. In no order.
 */
size_t engine_futexes(struct engine *engine, struct engine_futex **rows, size_t *all);
#define ENGINE_FUTEX_NAME_BYTES 120
/*
 * What is at the futex's address: the variable ("queue_lock", "pools+0x28"), otherwise what is
 * mapped there ("[heap]+0x2a0", "/dev/shm/queue+0x40"), escaped; of waits for several futexes,
 * whose addresses are in memory, that they are that. false, and "": not known, or
 * not yet: the file's symbols may still be read, engine_symbols_version() changes then.
 */
bool engine_futex_name(struct engine *engine, const struct engine_futex *row,
		       char out[ENGINE_FUTEX_NAME_BYTES]);
/* The same of the futex that a call is on; false too if it is on none. */
bool engine_call_futex_name(struct engine *engine, const struct call *call,
			    char out[ENGINE_FUTEX_NAME_BYTES]);
struct engine_futex_member {
	uint32_t pid;
	uint64_t uaddr;
};
/* Which processes use it, and where they have it. */
size_t engine_futex_members(struct engine *engine, const struct engine_futex *row,
			    struct engine_futex_member *members, size_t max);
/* The calls that wait there now; dur_ns is their age. Of each address the oldest first. */
size_t engine_futex_waiters(struct engine *engine, const struct engine_futex *row,
			    struct call *calls, size_t max);
/*
 * Who holds the lock that a call in flight waits for: a guess, read from the process's
 * memory without stopping it (futex_owner.h). 0: nobody knows. Some microseconds.
 */
uint32_t engine_futex_owner(struct engine *engine, const struct call *call);
/*
 * Finds out what memory the futexes are in that were seen since the last time, by
 * asking /proc: a process that has ended cannot be asked any more, so call it
 * now and then. Nothing new costs next to nothing.
 */
void engine_futexes_place(struct engine *engine);

#define ENGINE_DEADLOCK_THREADS 32

struct engine_lock_wait {
	uint32_t pid, tid;
	char name[ENGINE_NAME_BYTES];
	uint64_t uaddr;
	uint32_t owner; /* the next one's tid */
	uint64_t enter_ns; /* of its call */
};

/* A cycle of threads, each waiting for a lock that the next one holds. */
struct engine_deadlock {
	size_t count; /* of all threads, may be more than there is room for */
	uint64_t found_ns; /* when it was seen first */
	struct engine_lock_wait threads[ENGINE_DEADLOCK_THREADS];
};

/*
 * Deadlocks that are there now. A cycle is one when two calls of this, a tenth of a second
 * apart, found the same threads in the same calls, so it is called again and
 * again. Reads a few words for each thread that waits long. Live only.
 */
size_t engine_deadlocks(struct engine *engine, struct engine_deadlock *out, size_t max);
/*
 * Of a recording, from `*cursor` on, which begins with 0: all that were found while it was made, up
 * to where it is, whether they are there still or not. 0: no more, or it is none.
 */
size_t engine_deadlocks_recorded(struct engine *engine, size_t *cursor, struct engine_deadlock *out,
				 size_t max);
/* For who asks once, at the end: sleeps that tenth of a second if there is any suspicion. */
void engine_deadlocks_settle(struct engine *engine);

/* -- Catching ------------------------------------------------------------- */

/*
 * What waits for a call of those that the filter lets through, see catch.h. The descriptor is
 * readable when something was caught. All of these are one thread's, after start.
 */
int engine_catch_fd(const struct engine *engine); /* -1: nothing can be caught */
/* index < CATCHES_MAX; the filter is shared, the rule stays the caller's. NULL: none there. */
int engine_set_catch(struct engine *engine, unsigned index, const struct catch_rule *rule,
		     struct err *err);
void engine_arm_catch(struct engine *engine, unsigned index, bool armed);
struct catch_state engine_catch_state(struct engine *engine, unsigned index);
size_t engine_caught(struct engine *engine, struct catch_hit *hits, size_t max);
/* The process of a call that was caught, as stopper_stop(); it goes on in the end. */
int engine_stop_process(struct engine *engine, const struct call *call, struct err *err);
size_t engine_stopped(const struct engine *engine, uint32_t pids[STOPPER_MAX]);
void engine_resume(struct engine *engine);

/* -- Stacks -------------------------------------------------------------- */

/*
 * The frames of a stack, innermost first; how many. One that is not kept any more is a single frame
 * that says so.
 */
size_t engine_frames(struct engine *engine, uint32_t stack_id, struct frame *frames, size_t max);
uint64_t engine_symbols_version(struct engine *engine);
size_t engine_symbols_pending(struct engine *engine);
void engine_symbols_progress(struct engine *engine, char *out, size_t out_bytes);
void engine_kernel_symbols_note(struct engine *engine, char *out, size_t out_bytes);
/*
 * Waits for names, for batch output: true if everything asked for has come. At most timeout_ms, but
 * of a recording that nobody plays in the interface as long as it takes, or until it is cancelled.
 */
bool engine_symbols_settle(struct engine *engine, int timeout_ms);
/*
 * Where the filter asks for names: waits for them, and until calls that were in doubt are in
 * the sums or dropped. False: the filter does not ask.
 */
bool engine_filter_settle(struct engine *engine, int timeout_ms);

#endif
