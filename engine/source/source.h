/*
 * source - the interface of a producer of records: perf, BPF or a recording.
 *
 * Only the collector thread calls the operations. Open and close are allowed on another thread,
 * before and after the collector runs. Lost records are data (RECORD_LOST), not errors.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "engine/base/err.h"
#include "engine/process/target.h"
#include "engine/record/capture.h"
#include "engine/record/kernel_filter.h"
#include "engine/record/record.h"
#include "engine/source/event_formats.h"
#include "engine/source/event_list.h"
#include "engine/source/source_play.h"

#include <errno.h>

/* Kind of user stack that a switch-out samples. */
enum stack_mode {
	STACKS_AUTO, /* the same as STACKS_DWARF */
	STACKS_FP,
	STACKS_DWARF, /* dwarf_bytes of user stack, for target processes or the process in focus */
	STACKS_OFF, /* no scheduler events at all */
};

/* Origin of enters and exits. */
enum source_calls {
	SOURCE_CALLS_AUTO, /* the cheapest permitted one */
	SOURCE_CALLS_BPF, /* BPF programs, one record per call */
	SOURCE_CALLS_PERF, /* perf events, one for the enter and one for the exit */
};

/*
 * Return the name that follows "sys_enter_" and "sys_exit_" in the tracepoints of a call; NULL if
 * the call has none.
 */
typedef const char *syscall_event_fn(uint32_t nr);

struct reader;

struct source_options {
	const struct target *target;
	syscall_event_fn *syscall_event; /* NULL: use no tracepoints of single calls */
	enum source_calls calls;
	size_t ring_bytes; /* per CPU; 0: default. Halved until the kernel grants it */
	enum stack_mode stacks;
	uint32_t dwarf_bytes; /* user stack bytes per sample, a multiple of 8; 0: default */
	uint64_t stack_budget; /* bytes of user stack per second; 0: default */
	uint32_t stack_limit; /* stacks of any kind per second and CPU; 0: default */
	struct kernel_filter filter; /* borrowed until open returns */
	const char *events; /* -E, see event_list.h; NULL: none. Borrowed until open returns */
	struct event_formats *formats; /* borrowed; NULL only if -E events are never requested */
	const struct capture_rules *capture; /* borrowed until open returns; NULL: copy no bytes */
	/*
	 * Threads and processes of this program. They and their children are never shown. The
	 * threads last as long as the source, so the kernel's filter drops their records. A worker
	 * can exit and its pid can be reused, so user space drops the records of workers.
	 */
	const uint32_t *own_tids, *own_workers;
	size_t own_tid_count, own_worker_count;
	bool own_alone; /* the target is all processes of this user, not the whole system */
	bool filter_stays; /* the filter never changes */
	bool wake_often; /* interactive: wake the reader at least every 200 ms */
	struct reader *owner_reader; /* reads task owners; borrowed. NULL: read in this process */
	/* Called before a wait for owner_reader, to release the model's lock. NULL: none. */
	void (*before_wait)(void *ctx);
	void *before_wait_ctx;
	struct reader *reader; /* for proc_synthesize; borrowed. NULL: read in this process */
	/* True: postpone reading stacks of threads that are already blocked. NULL: never. */
	bool (*hold_back)(void *ctx);
	void *hold_back_ctx;
	int wake_fd; /* borrowed: wait() returns at once while it is readable; 0: none */
};

/* Consume one record. source_drain() calls it for each record, in time order. */
typedef void record_fn(void *ctx, const struct record *record);

struct source_status {
	const char *name; /* "perf", "bpf", "recording" */
	size_t ring_bytes; /* per CPU, as granted */
	unsigned rings;
	unsigned events; /* open perf events */
	unsigned tracepoints; /* -E tracepoints that are open */
	uint64_t events_lost; /* hits of these tracepoints that were lost so far */
	char plan[512]; /* what is traced, as text */
	char plan_calls[24]; /* the traced calls in a word or two; empty: not live */
	char kernel_filter[512]; /* filter string in force; empty: none */
	char note[256]; /* what failed to open, and why; empty: no failure */
	bool damaged; /* a part of the recording is corrupt, see note */
	char calls_note[256]; /* why the cheapest origin of calls is not used; empty: it is used */
	bool own_alone; /* as in source_options */
	bool has_waits; /* switches with stacks are collected */
	bool has_wakers;
	bool has_user_stacks; /* samples with user stacks are collected */
	uint64_t stack_bytes_per_s; /* user stack bytes over the last second */
	uint64_t stacks_lost; /* lost user stacks, so far; frame pointers replace them */
	bool budget_hit; /* user stacks were paused within the last second */
	char deep_note[ERR_TEXT_BYTES]; /* why set_user_stacks failed; empty: no failure */
	bool stack_limited; /* within the last 0.2 s the stack limit omitted stacks of waits */
	uint64_t lost; /* lost records, so far */
	uint64_t denied; /* threads whose call in flight could not be read: no permission */
	bool finished; /* the recording was read to its end */
	char host[65], release[65]; /* the recorded machine, raw; "": unknown */
	uint64_t from_ns; /* time of the first sample of a recording; 0: live */
	uint64_t until_ns; /* time of the newest record of a recording: its "now" */
	uint64_t wall_ns; /* time of day at from_ns, since 1970; 0: unknown */
};

struct source;

struct source_ops {
	const char *name;
	void (*close)(struct source *source);
	int (*start)(struct source *source, struct err *err);
	int (*wait)(struct source *source, int timeout_ms);
	int (*drain)(struct source *source, record_fn *take, void *ctx, struct err *err);
	bool (*takes_change)(const struct source *source); /* NULL: always true */
	int (*set_filter)(struct source *source, const struct kernel_filter *filter,
			  struct err *err);
	int (*set_running)(struct source *source, bool running, struct err *err);
	/* NULL: the source has no target (a recording) */
	int (*set_target)(struct source *source, const struct target *target, struct err *err);
	bool (*watches)(const struct source *source, uint32_t pid, uint32_t tid);
	/* NULL: the user stacks are fixed */
	int (*set_user_stacks)(struct source *source, const uint32_t *pids, size_t count,
			       struct err *err);
	/* NULL: the events are fixed */
	int (*set_events)(struct source *source, const char *list, struct err *err);
	/* NULL: the source cannot look up calls (a recording) */
	void (*look_up)(struct source *source, const uint32_t *tids, size_t count);
	void (*status)(struct source *source, struct source_status *status);
	/* NULL: each drain delivers all records up to the present */
	uint64_t (*reported_ns)(const struct source *source);
	const struct source_play_ops *play; /* NULL: a live source */
};

struct source {
	const struct source_ops *ops;
};

/* Open the running kernel as a source (live/perf_source.c). -errno, with advice in the message. */
int source_open_live(struct source **source, const struct source_options *options, struct err *err);

static inline void source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
}

/* Enable the events, then synthesize existing tasks and calls in flight from /proc. */
static inline int source_start(struct source *source, struct err *err)
{
	return source->ops->start(source, err);
}

/* Wait for data or wake_fd. Return 1 if the next drain can have records, 0 at timeout; -errno. */
static inline int source_wait(struct source *source, int timeout_ms)
{
	return source->ops->wait(source, timeout_ms);
}

/*
 * Pass every record up to a horizon, the time at which the function begins. Reads no more than what
 * the rings held at that time.
 */
static inline int source_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	return source->ops->drain(source, take, ctx, err);
}

/* False while replaced events are still enabled: drain before you set a filter or target. */
static inline bool source_takes_change(const struct source *source)
{
	return !source->ops->takes_change || source->ops->takes_change(source);
}

/*
 * Change the kernel filter on live events. A call that matches the old and the new filter is
 * reported once, with enter and exit. -EAGAIN if source_takes_change() is false.
 */
static inline int source_set_filter(struct source *source, const struct kernel_filter *filter,
				    struct err *err)
{
	return source->ops->set_filter(source, filter, err);
}

/* Stop or restart collection without closing events (the `f` key). */
static inline int source_set_running(struct source *source, bool running, struct err *err)
{
	return source->ops->set_running(source, running, err);
}

/*
 * Sample user stacks at switch-outs and wakings of these processes only, as far as the options and
 * the budget permit. No-op if tasks are named as targets: their user stacks are always sampled.
 */
static inline int source_set_user_stacks(struct source *source, const uint32_t *pids, size_t count,
					 struct err *err)
{
	return source->ops->set_user_stacks ? source->ops->set_user_stacks(source, pids, count, err)
					    : 0;
}

/*
 * Replace the -E tracepoints, see event_list.h; "": none. On failure return -errno with a message;
 * the old tracepoints stay in force.
 */
static inline int source_set_events(struct source *source, const char *list, struct err *err)
{
	if (!source->ops->set_events)
		return err_set(err, -EOPNOTSUPP,
			       "a recording has only the tracepoints that were recorded");
	return source->ops->set_events(source, list, err);
}

/*
 * Replace the target without a restart. Tasks in both the old and the new target lose no call if
 * source_takes_change() is true. The traced CPUs do not change. On failure return -errno with a
 * message; the old target stays in force.
 */
static inline int source_set_target(struct source *source, const struct target *target,
				    struct err *err)
{
	return source->ops->set_target
		       ? source->ops->set_target(source, target, err)
		       : err_set(err, -EOPNOTSUPP, "a recording has no target; use a filter");
}

/* True if the target includes this thread. */
static inline bool source_watches(const struct source *source, uint32_t pid, uint32_t tid)
{
	return !source->ops->watches || source->ops->watches(source, pid, tid);
}

/*
 * Look up threads that sleep outside of every recorded call. A later drain delivers a
 * RECORD_INFLIGHT for each that seccomp or a tracer holds before sys_enter.
 */
static inline void source_look_up(struct source *source, const uint32_t *tids, size_t count)
{
	source->ops->look_up(source, tids, count);
}

/* Return the time up to which the last drain delivered every record; 0: up to the present. */
static inline uint64_t source_delivered_ns(const struct source *source)
{
	return source->ops->reported_ns ? source->ops->reported_ns(source) : 0;
}

static inline void source_status(struct source *source, struct source_status *status)
{
	source->ops->status(source, status);
}

#endif
