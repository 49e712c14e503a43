/*
 * engine - the façade: open, start, filter, query, close.
 *
 * Owns the source, the model, the stacks and the collector thread, which feeds records from the
 * source to the model. The engine never prints, draws or exits. Queries copy their results under
 * the model's lock, which is held for at most a millisecond. Any thread may query; only the owner
 * of the engine starts and frees it. Names in rows are already escaped.
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
	struct target target; /* the engine copies it */
	const char *recording; /* a perf.data file to read instead of tracing; NULL: live */
	/* names file for the recording's addresses, see names_file.h; NULL: none */
	const char *names;
	/* an open descriptor of the recording, perhaps a pipe; borrowed; 0: open by path */
	int recording_fd;
	int cancel_fd; /* when readable: stop waiting for a pipe; borrowed; 0: none */
	enum source_calls calls;
	enum stack_mode stacks;
	uint32_t dwarf_bytes;
	size_t ring_bytes; /* 0: default */
	size_t history_bytes; /* 0: default, 64 MiB */
	bool descriptors; /* show names of descriptors */
	/* collect calls that change descriptors even if the filter drops them */
	bool descriptors_first;
	bool capture; /* copy the data that calls point to, if the source can */
	const char *events; /* other tracepoints, see event_list.h; NULL: none */
	uint32_t string_bytes; /* bytes to copy of strings and buffers; 0: default, 32 */
	bool lossless_reader; /* batch: engine_read() returns every collected call */
	bool passes; /* batch: calls are not queried again after engine_read() */
	bool interactive; /* an interface is attached: queries see records after at most 50 ms */
	uint32_t own_pid; /* another process of stxtop to exclude from tracing; 0: none */
	bool debuginfod; /* fetch missing debug files from debuginfod servers */
	uint64_t max_calls; /* stop after this many matching calls; 0: no limit */
	struct filter *filter; /* NULL: match all calls; the engine takes a reference */
	bool may_stop; /* stopping processes is permitted; ignored for a recording */
	/* Armed before the first call, with indices from 0. Takes references to the filters. */
	const struct catch_rule *catches;
	size_t catch_count;
	/*
	 * Span and speed of a recording, see play.h. Times are relative to its beginning;
	 * until_ns 0: to its end.
	 */
	uint64_t from_ns, until_ns;
	double speed;
	const struct flight_request *flight; /* armed before the first record; NULL: not armed */
	struct recorder_request record; /* starts with the first record; path NULL: no recording */
	bool records; /* a recording can be started later, so descriptor names are collected */
	struct symbol_paths_options places; /* where to search for symbol files */
	bool no_names; /* do not embed symbol names in recordings */
};

/* Create the engine and fork the stack worker. Call before threads, terminal and command exist. */
int engine_new(struct engine **engine, struct err *err);
/*
 * Create an engine for a second recording; shares the tables and fork server of `lender`, which
 * must outlive it. Filters are valid for both engines. Any thread, at any time; forks nothing.
 */
struct engine *engine_new_shared(const struct engine *lender);
void engine_free(struct engine *engine);

/* These tables exist before engine_start(): for parsing -e and -F, and for listing syscalls. */
const struct syscalls *engine_syscalls(const struct engine *engine);
const struct filter_names *engine_filter_names(const struct engine *engine);

/*
 * Open the source, synthesize existing state and start the collector. -errno with a
 * message that says what to change; the caller then frees the engine.
 */
int engine_start(struct engine *engine, const struct engine_options *options, struct err *err);
/*
 * Stop collecting for good: drain the rings and finish pending calls. Queries continue to work.
 * With a lossless reader, only request the stop and return. Keep calling engine_read() until it
 * returns -ENODATA: the remaining records need the space that each read frees.
 */
void engine_stop(struct engine *engine);

/* Set the filter; takes effect within 100 ms. The engine takes a reference. */
void engine_set_filter(struct engine *engine, struct filter *filter);
/*
 * Replace the target without a restart; takes effect within 100 ms. A call of a task that is in
 * both the old and the new target is reported once. The set of CPUs stays as at the start. On
 * failure the old target stays in force and engine_status.target_error holds the reason. The engine
 * copies the target.
 */
void engine_set_target(struct engine *engine, const struct target *target);
void engine_set_running(struct engine *engine, bool running);
void engine_zero(struct engine *engine);
/*
 * Sample the user stack with each wait of this process, for DWARF unwinding, unless the options
 * forbid it. pid 0: no process. Processes named as targets always have user stacks.
 */
void engine_set_user_stacks(struct engine *engine, uint32_t pid);

/*
 * Record to a file from now on; display filters do not affect the recording. -errno with a message
 * if the file exists or cannot be created.
 */
int engine_record(struct engine *engine, const struct recorder_request *request, struct err *err);
/* As engine_record(), but write first this caught call (`seq` in the history) and later calls. */
int engine_record_from(struct engine *engine, const struct recorder_request *request,
		       const struct call *call, uint64_t seq, struct err *err);
/*
 * `-i IN -o OUT` with a filter or a span: after the whole input has been read, write the matching
 * calls to OUT. Pass the options of engine_start(). A no-op without filter and span.
 */
int engine_record_cut(struct engine *engine, const struct engine_options *options, struct err *err);
/* True if writing failed and the recording has not been stopped yet. */
bool engine_record_failed(struct engine *engine);
void engine_record_stop(struct engine *engine);
/*
 * Wait until the file is complete. Call after engine_record_stop(), or once the engine has
 * finished.
 */
void engine_record_wait(struct engine *engine);
bool engine_record_wait_ms(struct engine *engine, int timeout_ms); /* false: timed out */
/* When the recording ends, do not wait for function names or a pipe's reader. */
void engine_record_give_up(struct engine *engine);
void engine_record_status(struct engine *engine, struct recorder_status *status);

/*
 * Arm the flight recorder, see flight.h. If it is armed, replace its settings and retain its
 * records. -errno with a message. Maps the memory of the ring and checks the directory of the
 * files. Call this, engine_flight_disarm() and engine_flight_next() from one thread.
 */
int engine_flight_arm(struct engine *engine, const struct flight_request *request, struct err *err);
void engine_flight_disarm(struct engine *engine);
/* Trigger by hand, immediately; a no-op while disarmed. Any thread. */
void engine_flight_freeze(struct engine *engine, enum flight_reason reason);
void engine_flight_status(struct engine *engine, struct flight_status *status);
bool engine_flight_next(struct engine *engine, struct flight_save *save);
/* Wait until all files are written. Call once the engine has finished. */
void engine_flight_wait(struct engine *engine);
/* Copy why a flight recorder saved this recording; false: no flight recorder saved it. */
bool engine_flight_mark(struct engine *engine, struct flight_mark *mark);

/* Replace the set of other tracepoints (as options.events); events_version changes when done. */
void engine_set_events(struct engine *engine, const char *list);
/* List all available tracepoints, sorted; reads 60 KiB of tracefs. The caller releases *list. */
int engine_list_events(struct event_list *list, struct err *err);

/* -- Queries -------------------------------------------------------------- */

#define ENGINE_SPARK_CELLS 60

struct engine_status {
	struct model_status model;
	struct source_status source;
	/*
	 * Times are shown relative to started_ns. from_ns: start of the selected span of a
	 * recording.
	 */
	uint64_t now_ns, started_ns, from_ns;
	double calls_per_s; /* in the last second, before filtering in user space */
	uint32_t spark[ENGINE_SPARK_CELLS]; /* calls in each of the last seconds, oldest first */
	double cpu_busy; /* CPU use of the machine, 0..1, over the last second */
	double own_cpu; /* CPU use of this program, as a share of one CPU */
	bool running;
	bool finished; /* the source has ended, or engine_stop() was called */
	bool filter_pending, target_pending; /* set, but not in force yet */
	uint32_t cpus;
	/* stacks that were evicted before their calls, or refused for lack of room */
	uint64_t stacks_not_stored;
	char error[ERR_TEXT_BYTES]; /* why collecting failed; empty: no error */
	/*
	 * Changes when engine_set_events() is done. events_error: why that failed; empty: no error.
	 */
	uint32_t events_version;
	char events_error[ERR_TEXT_BYTES];
	char target_error[ERR_TEXT_BYTES]; /* of the last engine_set_target(); empty: no error */
};
void engine_status(struct engine *engine, struct engine_status *status);

#define ENGINE_NAME_BYTES 72
#define ENGINE_CONTAINER_BYTES 48
#define ENGINE_ERRNOS 6
#define ENGINE_USER_BYTES 16
#define ENGINE_HISTOGRAM_CELLS 12
#define ENGINE_HISTOGRAM_LOW_NS 1000ULL /* 1 µs … */
#define ENGINE_HISTOGRAM_HIGH_NS 1000000000ULL /* … 1 s, in equal logarithmic steps */

#define ENGINE_GROUP_PID (1u << 27) /* PID_MAX_LIMIT of the kernel is 1 << 22 */

/* One row of a query, see enum engine_group: sums over the calls that the filter passes. */
struct engine_row {
	/* tid 0: the process; in rows by thread: its ended threads, or calls of unknown threads */
	uint32_t pid, tid; /* both 0: all processes */
	uint32_t nr; /* in rows by syscall */
	char name[ENGINE_NAME_BYTES];
	uint64_t calls, errors;
	/* The most frequent errnos; rarer ones are only in `errors`. */
	struct errno_count errnos[ENGINE_ERRNOS];
	uint32_t errno_count;
	uint64_t total_ns, blocked_ns, runnable_ns;
	/* Number of calls with untraced waits. If not 0, blocked_ns and runnable_ns are minima. */
	uint64_t waits_unknown;
	/* Calls of unknown duration, which no time includes. If not 0, total_ns is a minimum. */
	uint64_t untimed;
	uint64_t min_ns, max_ns; /* 0, 0: no call has a duration */
	uint64_t p50_ns, p95_ns, p99_ns;
	uint64_t deviation_ns; /* standard deviation of the durations */
	/* Over the last second; in a recording, since the start of its span. NaN: unknown yet. */
	double calls_per_s;
	uint32_t in_flight; /* calls in flight */
	uint64_t oldest_ns; /* age of the oldest call in flight; 0: none */
	/* Sums over calls in flight, not part of total_ns: age, blocked time, runnable time. */
	uint64_t running_ns, waiting_ns, queued_ns;
	uint32_t running_unknown; /* calls in flight whose waits were not all traced */
	bool ended;
	/*
	 * In rows by process and by thread: number of ended processes, normally of one comm, that
	 * share this row. `pid` then is ENGINE_GROUP_PID or above, an id of the row. 0: the row is
	 * not a group.
	 */
	uint64_t ended_processes;
	bool bare; /* no calls of its own, but an ancestor of a process with calls */
	/* Up to `container`: for rows of processes and threads; in a group, only if all agree. */
	uint32_t parent_pid; /* 0: unknown, or none */
	uint32_t threads; /* known live threads of a process */
	uint32_t uid; /* effective, or USERS_UNKNOWN */
	char user[ENGINE_USER_BYTES]; /* name, cut; the uid if it has no name */
	const char *cgroup; /* raw, valid until the engine is freed; NULL: unknown */
	uint32_t owner; /* number for engine_owner() */
	uint32_t ns_pid; /* pid of the process in a pid namespace below ours; 0: none */
	enum container_kind container_kind;
	char container[ENGINE_CONTAINER_BYTES]; /* short form (container.h), cut */
	uint64_t histogram[ENGINE_HISTOGRAM_CELLS];
};

/*
 * Replace *rows (initially NULL; the caller frees it with free()) and return the row count.
 * Unordered. A process with a call in flight and no finished call has a row too.
 */
size_t engine_processes(struct engine *engine, struct engine_row **rows);
size_t engine_threads(struct engine *engine, uint32_t pid, struct engine_row **rows);
/* One row per syscall: calls of a process, of a thread or, if both ids are 0, of all. */
size_t engine_syscall_rows(struct engine *engine, uint32_t pid, uint32_t tid,
			   struct engine_row **rows);
/* One row per syscall of each process. */
size_t engine_process_syscalls(struct engine *engine, struct engine_row **rows);
/* How calls are grouped into rows. */
enum engine_group {
	ENGINE_BY_PROCESS,
	ENGINE_BY_THREAD,
	ENGINE_BY_SYSCALL,
	ENGINE_BY_COMM, /* comm of the thread */
	ENGINE_BY_CGROUP,
	ENGINE_BY_USER, /* effective uid */
	ENGINE_GROUP_COUNT
};
struct engine_query {
	enum engine_group group;
	uint32_t pid, tid; /* only this process, this thread; 0: all */
	bool one_syscall; /* only syscall `nr`; not with ENGINE_BY_SYSCALL */
	uint32_t nr;
	bool parents; /* ENGINE_BY_PROCESS: add the ancestors of the processes that have calls */
};
/* General form of the functions above. Slow if there are thousands of threads. */
size_t engine_sums(struct engine *engine, const struct engine_query *query,
		   struct engine_row **rows);
/* One row per syscall of each thread. */
size_t engine_thread_syscalls(struct engine *engine, struct engine_row **rows);
/* One row per syscall and comm of the process; pid is one of its processes. */
size_t engine_comm_syscalls(struct engine *engine, struct engine_row **rows);
/* One row per comm; pid is one of its processes. */
size_t engine_comm_processes(struct engine *engine, struct engine_row **rows);

/*
 * Count the calls that the filter passes by end time and latency (latency_heatmap.h). `counts` has
 * `columns` elements; each sums `slots` consecutive slots, and counts[0] begins at slot `first`.
 * All 0 if the engine is not interactive. Takes time in proportion to the slots: 0.4 ms for all.
 */
void engine_latencies(struct engine *engine, uint64_t first, size_t slots, size_t columns,
		      uint64_t (*counts)[LATENCY_STEPS]);

/* Sequence numbers in the history: [*first, *end) are available. */
void engine_calls_range(struct engine *engine, uint64_t *first, uint64_t *end);
/*
 * Examine calls from *seq upwards, copy up to `max` that match (filter NULL: all) and return the
 * count. *seq moves past the last call examined. Each query examines a bounded number of calls, so
 * 0 means the end of the history only if *seq is there. seqs: sequence number of each copied call.
 */
size_t engine_calls_after(struct engine *engine, uint64_t *seq, const struct filter *filter,
			  struct call *calls, uint64_t *seqs, size_t max);
/* engine_calls_after() downwards from *seq (exclusive); newest first. */
size_t engine_calls_before(struct engine *engine, uint64_t *seq, const struct filter *filter,
			   struct call *calls, uint64_t *seqs, size_t max);
/*
 * Examine the calls below *seq, newest first, for at most half a millisecond. Add their number to
 * *calls and the number of matching calls to *count; gap rows do not count. *seq moves to the last
 * call examined. False: the oldest call has been examined.
 */
bool engine_calls_count(struct engine *engine, uint64_t *seq, const struct filter *filter,
			uint64_t *count, uint64_t *calls);
/* Copy calls in flight that match the filter in force, oldest first; dur_ns is the age. */
size_t engine_in_flight(struct engine *engine, struct call *calls, size_t max);

/*
 * Lossless reader: copy the next calls, in the order of their exits, and return their count. Wait
 * up to timeout_ms; 0: no calls in that time. -ENODATA: the end.
 */
int engine_read(struct engine *engine, struct call *calls, size_t max, int timeout_ms);

/* Copies of the data that calls point to. Initialize with zeros. */
struct engine_bytes {
	struct str chunks; /* see engine/record/capture.h */
	size_t *ends; /* end of each call's part of `chunks` */
	bool *late; /* the call's part contains late reads, see engine_bytes_look() */
	bool *gone; /* the data copied with the call was evicted */
	size_t waiting; /* number of late reads whose validity is not decided yet */
	size_t room;
	struct captured_bytes captured; /* data of the last engine_bytes_of() */
	struct call_bytes provider;
};
/*
 * Copy the data of these calls, including the late reads taken so far. Call it right after fetching
 * the calls: the data can be evicted soon.
 */
void engine_bytes_copy(struct engine *engine, const struct call *calls, size_t count,
		       struct engine_bytes *bytes);
void engine_bytes_release(struct engine_bytes *bytes);
/* Return the data of the call at `index`. Borrowed until the next engine_bytes call. */
const struct call_bytes *engine_bytes_of(struct engine_bytes *bytes, size_t index);
/* True if the data existed and was evicted. */
bool engine_bytes_gone(const struct engine_bytes *bytes, size_t index);
/*
 * Request late reads for these displayed calls; `bytes` is a copy of their data. While a call is in
 * flight, another thread of stxtop reads the missing data from the live process. After the call has
 * returned, all data is read once if the thread has made no call since; otherwise, only constant
 * data is read. When engine_bytes_version() changes, more data or descriptors are available: copy
 * again.
 */
void engine_bytes_look(struct engine *engine, const struct call *calls, size_t count,
		       struct engine_bytes *bytes);
uint64_t engine_bytes_version(struct engine *engine);
/* engine_bytes_look() for batch output: wait up to timeout_ms for the reads, then copy again. */
void engine_bytes_settle(struct engine *engine, const struct call *calls, size_t count,
			 struct engine_bytes *bytes, int timeout_ms);

/* Read the data of all calls in flight and store it with them; wait up to timeout_ms. */
void engine_bytes_look_in_flight(struct engine *engine, int timeout_ms);

/* Return the tracepoint name of a row in state CALL_EVENT; valid until the engine is freed. */
const char *engine_event_name(const struct engine *engine, const struct call *call);
/*
 * Format an event, or visit its fields, from the result of engine_bytes_of(). False: the data was
 * evicted. The text is appended, escaped.
 */
bool engine_event_text(struct engine *engine, const struct call *call,
		       const struct call_bytes *bytes, struct str *out);
bool engine_event_fields(struct engine *engine, const struct call *call,
			 const struct call_bytes *bytes, event_field_fn *each, void *ctx);

/* A tracepoint, and how many of its hits the filter passes. */
struct engine_event {
	const char *name; /* valid until the engine is freed */
	uint64_t count;
};
/* Replace *rows as engine_processes() does; most frequent first. */
size_t engine_event_sums(struct engine *engine, struct engine_event **rows);

/*
 * Namer of descriptors for call_text_options; NULL: not enabled in the options. Any thread; valid
 * until the engine is freed.
 */
const struct fd_namer *engine_fd_namer(const struct engine *engine);
/*
 * Call before printing these calls: query the descriptors that were opened before the first record
 * of their process. Wait up to timeout_ms for these and other pending queries.
 */
void engine_fds_prepare(struct engine *engine, const struct call *calls, size_t count,
			int timeout_ms);

/*
 * Append the path that a call refers to, as the filter's `path` sees it: the argument, or the file
 * of its descriptor. Raw bytes. False: unknown, or none.
 */
bool engine_call_path(struct engine *engine, const struct call *call, struct str *out);
enum engine_file {
	ENGINE_FILE_NONE, /* the call refers to no file */
	ENGINE_FILE_UNKNOWN,
	ENGINE_FILE_KNOWN,
};
/*
 * engine_call_path(), also for files without a path: "socket:[…]", "anon_inode:[eventfd]". *fd: the
 * call's first descriptor, -1 if none.
 */
enum engine_file engine_call_file(struct engine *engine, const struct call *call, struct str *out,
				  int *fd);

/* Copy the escaped comm that the waker of a call had when the call ended. False: unknown. */
bool engine_waker(struct engine *engine, const struct call *call, uint32_t *pid,
		  char name[ENGINE_NAME_BYTES]);
/* Copy the present comm of a thread, escaped, and its process; false: unknown. */
bool engine_thread(struct engine *engine, uint32_t tid, uint32_t *pid,
		   char name[ENGINE_NAME_BYTES]);
/* Copy the comm that the thread had at this call, escaped; returns `out`. */
char *engine_comm(struct engine *engine, const struct call *call, char out[ENGINE_NAME_BYTES]);

/* A task owner, as far as known. */
struct engine_owner {
	uint32_t uid; /* effective, or USERS_UNKNOWN */
	uint32_t ns_pid; /* as in engine_row */
	char cgroup[CGROUP_PATH_BYTES]; /* raw; "": unknown */
};

/* Look up a task owner. number: `owner` of a row, or comm_id of a call. */
void engine_owner(struct engine *engine, uint32_t pid, uint32_t number, struct engine_owner *owner);

/* -- Futexes -------------------------------------------------------------- */

#define ENGINE_FUTEX_WAKERS 8

/* A thread that woke waiters of a futex. */
struct engine_futex_waker {
	uint32_t tid;
	uint64_t count; /* waits that it ended */
	char name[ENGINE_NAME_BYTES];
};

/*
 * Activity on a futex: the calls that the filter passes. A futex in shared memory has one row, with
 * the pid and address of the first process that was seen to use it.
 */
struct engine_futex {
	uint64_t id; /* constant for the life of the futex */
	uint32_t pid;
	char name[ENGINE_NAME_BYTES]; /* of the process */
	uint64_t uaddr; /* address in that process; 0: the row of futexes with unknown addresses */
	uint32_t generation; /* number of that process's address space */
	bool shared;
	uint32_t processes; /* address spaces in which it is used */
	bool has_place; /* device, inode and offset are valid */
	uint64_t device, inode, offset;
	uint64_t waits; /* finished waiting calls */
	uint64_t untimed; /* waits of unknown duration, which no time includes */
	uint64_t total_ns, max_ns;
	uint64_t errors, would_block, timeouts; /* of waits; `errors` includes the other two */
	uint64_t wakes, woken, requeued;
	uint32_t waiters; /* threads that wait now */
	uint64_t oldest_ns; /* age of the oldest wait */
	/* waiters that seem to wait for work: see engine/tasks/idle_waits.h */
	uint32_t idle;
	uint64_t lock_ns; /* age of the oldest wait for a lock */
	uint64_t contended_ns; /* time of successful waits for a lock, or shorter than 0.1 s */
	uint64_t histogram[ENGINE_HISTOGRAM_CELLS];
	uint32_t waker_count;
	struct engine_futex_waker wakers[ENGINE_FUTEX_WAKERS]; /* the most frequent */
};

/*
 * Replace *rows (initially NULL; the caller frees it with free()) and return the row count. A futex
 * has a row if the filter passes a wait or wake on it. Unordered. *all: row count without a filter.
 */
size_t engine_futexes(struct engine *engine, struct engine_futex **rows, size_t *all);
#define ENGINE_FUTEX_NAME_BYTES 120
/*
 * Write the escaped name of a futex: its variable ("queue_lock", "pools+0x28"), or else its mapping
 * ("[heap]+0x2a0", "/dev/shm/queue+0x40"). The row with unknown addresses is named "several at
 * once". Unknown or pending: "", false. engine_symbols_version() changes when the symbols of the
 * file have been read.
 */
bool engine_futex_name(struct engine *engine, const struct engine_futex *row,
		       char out[ENGINE_FUTEX_NAME_BYTES]);
/* engine_futex_name() for the futexes of a call; also false if the call uses no futex. */
bool engine_call_futex_name(struct engine *engine, const struct call *call,
			    char out[ENGINE_FUTEX_NAME_BYTES]);
struct engine_futex_member {
	uint32_t pid;
	uint64_t uaddr;
};
/* Copy the processes that use a futex, and its address in each. */
size_t engine_futex_members(struct engine *engine, const struct engine_futex *row,
			    struct engine_futex_member *members, size_t max);
/* Copy the calls that wait on a futex now; dur_ns is the age. Oldest first for each address. */
size_t engine_futex_waiters(struct engine *engine, const struct engine_futex *row,
			    struct call *calls, size_t max);
/*
 * Return the owner of the lock that a call in flight waits for: a guess, read from process memory
 * without stopping the process (futex_owner.h). 0: unknown. Takes a few microseconds.
 */
uint32_t engine_futex_owner(struct engine *engine, const struct call *call);
/*
 * Read in /proc which memory is behind the futexes that were first seen since the last call. This
 * fails after the process has exited, so call it periodically. Cheap if there are no new futexes.
 */
void engine_futexes_place(struct engine *engine);

#define ENGINE_DEADLOCK_THREADS 32

struct engine_lock_wait {
	uint32_t pid, tid;
	char name[ENGINE_NAME_BYTES];
	uint64_t uaddr;
	uint32_t owner; /* tid of the next thread in the cycle */
	uint64_t enter_ns; /* of the waiting call */
};

/* A cycle of threads that each wait for a lock which the next one holds. */
struct engine_deadlock {
	size_t count; /* number of threads in the cycle, perhaps more than the array holds */
	uint64_t found_ns; /* when it was first detected */
	struct engine_lock_wait threads[ENGINE_DEADLOCK_THREADS];
};

/*
 * Copy the present deadlocks. A cycle is reported once two scans, at least 0.1 s apart, found it
 * with the same threads in the same system calls. Each call of this function scans, so call it
 * repeatedly. A scan reads a few words of memory per lock. For a recording, no scan is needed.
 */
size_t engine_deadlocks(struct engine *engine, struct engine_deadlock *out, size_t max);
/*
 * Copy the deadlocks found while a recording was made, up to its present position, including
 * resolved ones. *cursor: initially 0. Return 0 at the end, or if the source is live.
 */
size_t engine_deadlocks_recorded(struct engine *engine, size_t *cursor, struct engine_deadlock *out,
				 size_t max);
/* Call before a single final query. Scans; if a deadlock is possible, scans again after 0.1 s. */
void engine_deadlocks_settle(struct engine *engine);

/* -- Catches -------------------------------------------------------------- */

/*
 * Catches test the calls that the filter passes, see catch.h. The descriptor is readable after a
 * hit. Call the functions of this section from one thread, after engine_start().
 */
int engine_catch_fd(const struct engine *engine); /* -1: catches are unavailable */
/*
 * index < CATCHES_MAX. Takes a reference to the filter; the caller still owns the rule. rule NULL:
 * remove the catch.
 */
int engine_set_catch(struct engine *engine, unsigned index, const struct catch_rule *rule,
		     struct err *err);
void engine_arm_catch(struct engine *engine, unsigned index, bool armed);
struct catch_state engine_catch_state(struct engine *engine, unsigned index);
size_t engine_caught(struct engine *engine, struct catch_hit *hits, size_t max);
/*
 * Stop the process of a caught call, as stopper_stop(). It is continued by engine_resume(), or at
 * the latest when the engine is freed.
 */
int engine_stop_process(struct engine *engine, const struct call *call, struct err *err);
size_t engine_stopped(const struct engine *engine, uint32_t pids[STOPPER_MAX]);
void engine_resume(struct engine *engine);

/* -- Stacks -------------------------------------------------------------- */

/*
 * Copy the frames of a stack, innermost first, and return the count. For an evicted stack, copy one
 * frame with a note.
 */
size_t engine_frames(struct engine *engine, uint32_t stack_id, struct frame *frames, size_t max);
uint64_t engine_symbols_version(struct engine *engine);
size_t engine_symbols_pending(struct engine *engine);
void engine_symbols_progress(struct engine *engine, char *out, size_t out_bytes);
void engine_kernel_symbols_note(struct engine *engine, char *out, size_t out_bytes);
/*
 * For batch output, wait up to timeout_ms for pending symbols; true: all have arrived. For a
 * recording without an interface, wait without a timeout until done or cancelled.
 */
bool engine_symbols_settle(struct engine *engine, int timeout_ms);
/*
 * If the filter needs facts that arrive later (symbols, memory, names of descriptors), wait for
 * them, until pending matches are counted or dropped. False: the filter needs none.
 */
bool engine_filter_settle(struct engine *engine, int timeout_ms);

#endif
