/*
 * source - where records come from: a small ops struct over perf, BPF, a recording.
 *
 * One thread at a time (the collector); open and close may be on another one
 * before and after. Lost records are data (RECORD_LOST), not errors.
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

/* How switch-outs bring their stacks. */
enum stack_mode {
	STACKS_AUTO, /* frame pointers for everything, DWARF for named processes */
	STACKS_FP,
	STACKS_DWARF, /* with dwarf_bytes of user stack */
	STACKS_OFF, /* no scheduler events at all */
};

/* What tells of enters and exits. */
enum source_calls {
	SOURCE_CALLS_AUTO, /* the cheapest that is allowed */
	SOURCE_CALLS_BPF, /* programs in the kernel, one record per call */
	SOURCE_CALLS_PERF, /* perf events, one for each half */
};

/* The name of a call's tracepoints after "sys_enter_" and "sys_exit_"; NULL: it has none. */
typedef const char *syscall_event_fn(uint32_t nr);

struct reader;

struct source_options {
	const struct target *target;
	syscall_event_fn *syscall_event; /* NULL: no tracepoints of single calls */
	enum source_calls calls;
	size_t ring_bytes; /* per CPU; 0: default. Halved until the kernel agrees */
	enum stack_mode stacks;
	uint32_t dwarf_bytes; /* of user stack; 0: default. A multiple of 8 */
	uint64_t stack_budget; /* bytes per second of them; 0: default */
	uint32_t stack_limit; /* stacks a second on one CPU, of any kind; 0: default */
	struct kernel_filter filter; /* borrowed until open returns */
	const char *events; /* the same: other tracepoints, see event_list.h; NULL: none */
	struct event_formats *formats; /* borrowed: what these are. NULL: there are never any */
	const struct capture_rules *capture; /* borrowed until open returns; NULL: no bytes */
	/*
	 * Threads and processes of this program: never shown, and neither is what they start
	 * from now on. The first last as long as the source; a worker may end, and its number be
	 * another's then, so the kernel is not told to leave it out.
	 */
	const uint32_t *own_tids, *own_workers;
	size_t own_tid_count, own_worker_count;
	bool own_alone; /* the target is all processes of this user, in place of the system */
	bool filter_stays; /* nobody will set another one */
	bool wake_often; /* someone looks: wake the reader at least every 200 ms */
	/* Whether stacks of who is blocked already had better be read later. NULL: never. */
	struct reader *owner_reader; /* of whose threads are, as the next one */
	struct reader *reader; /* of what others have in memory; NULL: it is read here. Borrowed */
	bool (*hold_back)(void *ctx);
	void *hold_back_ctx;
	int wake_fd; /* borrowed: while it is readable, wait() returns at once; 0: none */
};

/* Takes one record; called in time order from source_drain(). */
typedef void record_fn(void *ctx, const struct record *record);

struct source_status {
	const char *name; /* "perf", "bpf", "recording" */
	size_t ring_bytes; /* per CPU, as granted */
	unsigned rings;
	unsigned events; /* perf events open */
	unsigned tracepoints; /* others than those of calls and waits that are watched */
	uint64_t events_lost; /* of theirs, so far */
	char plan[512]; /* what is probed, for people */
	char plan_calls[24]; /* at which calls, in a word or two; empty: not live */
	char kernel_filter[512]; /* the filter string in force; empty: none */
	char note[256]; /* what was refused and why; empty: nothing */
	bool damaged; /* a recording, of which not all is as it was written: see note */
	char calls_note[256]; /* why calls are not told the cheapest way; empty: they are */
	bool own_alone; /* as it was asked for in the options */
	bool has_waits; /* switches with stacks are coming */
	bool has_wakers;
	bool has_user_stacks; /* with bytes to unwind */
	uint64_t stack_bytes_per_s; /* of these, over the last second */
	uint64_t stacks_lost; /* of these, so far: frame pointers tell the rest */
	bool budget_hit; /* they were paused within the last second */
	char deep_note[ERR_TEXT_BYTES]; /* why set_user_stacks brings none; empty: it does */
	bool stack_limited; /* not every wait had a stack within the last tenths of a second */
	uint64_t lost; /* so far */
	uint64_t denied; /* threads whose calls from before may not be asked for */
	bool finished; /* a recording was read to its end */
	char host[65], release[65]; /* of a recording: the machine it is from, raw; "" unknown */
	uint64_t from_ns; /* of a recording: its first sample; 0: live */
	uint64_t until_ns; /* ... and its newest record, which is its "now" */
	uint64_t wall_ns; /* ... and the time of day at from_ns, since 1970; 0: not told */
};

struct source;

struct source_ops {
	const char *name;
	void (*close)(struct source *source);
	int (*start)(struct source *source, struct err *err);
	int (*wait)(struct source *source, int timeout_ms);
	int (*drain)(struct source *source, record_fn *take, void *ctx, struct err *err);
	bool (*takes_change)(const struct source *source); /* NULL: always */
	int (*set_filter)(struct source *source, const struct kernel_filter *filter,
			  struct err *err);
	int (*set_running)(struct source *source, bool running, struct err *err);
	/* NULL: it watches nobody */
	int (*set_target)(struct source *source, const struct target *target, struct err *err);
	bool (*watches)(const struct source *source, uint32_t pid, uint32_t tid);
	/* NULL: no stacks but those that are there */
	int (*set_user_stacks)(struct source *source, const uint32_t *pids, size_t count,
			       struct err *err);
	/* NULL: no others than those that are there */
	int (*set_events)(struct source *source, const char *list, struct err *err);
	void (*status)(struct source *source, struct source_status *status);
	/* NULL: it goes by this machine's clock */
	uint64_t (*reported_ns)(const struct source *source);
	const struct source_play_ops *play; /* NULL: what it tells is happening now */
};

struct source {
	const struct source_ops *ops;
};

/* The running kernel, see perf_source.c. 0 or -errno and a sentence with advice. */
int source_open_live(struct source **source, const struct source_options *options, struct err *err);

static inline void source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
}

/* Enables the events; then reads what existed before (tasks, calls in flight) from /proc. */
static inline int source_start(struct source *source, struct err *err)
{
	return source->ops->start(source, err);
}

/* Waits for data, for wake_fd, or for the time to be over; 1: not the last, 0, -errno. */
static inline int source_wait(struct source *source, int timeout_ms)
{
	return source->ops->wait(source, timeout_ms);
}

/*
 * Hands over every record up to a horizon taken at the call. Bounded: at most
 * as much as the rings held at that moment.
 */
static inline int source_drain(struct source *source, record_fn *take, void *ctx, struct err *err)
{
	return source->ops->drain(source, take, ctx, err);
}

/* False while replaced events are enabled: another filter or target has to wait for drains. */
static inline bool source_takes_change(const struct source *source)
{
	return !source->ops->takes_change || source->ops->takes_change(source);
}

/*
 * Moves to another kernel filter on live events; calls that match before and
 * after are reported once, with both their halves. -EAGAIN if source_takes_change() is false.
 */
static inline int source_set_filter(struct source *source, const struct kernel_filter *filter,
				    struct err *err)
{
	return source->ops->set_filter(source, filter, err);
}

/* Stops and starts collection without closing anything (the `f` key). */
static inline int source_set_running(struct source *source, bool running, struct err *err)
{
	return source->ops->set_running(source, running, err);
}

/*
 * From now on the switch-outs and wakings of these processes, and of no others, bring
 * stacks to unwind, as far as the options and the budget allow. Processes that were named
 * as targets have them all the time, and this changes nothing.
 */
static inline int source_set_user_stacks(struct source *source, const uint32_t *pids, size_t count,
					 struct err *err)
{
	return source->ops->set_user_stacks ? source->ops->set_user_stacks(source, pids, count, err)
					    : 0;
}

/*
 * From now on these other tracepoints and no more, see event_list.h; "": none. -errno with a
 * sentence, and those from before go on.
 */
static inline int source_set_events(struct source *source, const char *list, struct err *err)
{
	if (!source->ops->set_events)
		return err_set(err, -EOPNOTSUPP,
			       "a recording has the tracepoints that were "
			       "recorded, and no others");
	return source->ops->set_events(source, list, err);
}

/*
 * Watches others from now on, without a restart: of who is watched before and after, no call is
 * lost, if source_takes_change(). CPUs stay as they were. -errno with a sentence; then nothing
 * has changed.
 */
static inline int source_set_target(struct source *source, const struct target *target,
				    struct err *err)
{
	return source->ops->set_target
		       ? source->ops->set_target(source, target, err)
		       : err_set(err, -EOPNOTSUPP, "a recording watches nobody; use a filter");
}

/* Whether calls of this thread are collected, as far as targets say. */
static inline bool source_watches(const struct source *source, uint32_t pid, uint32_t tid)
{
	return !source->ops->watches || source->ops->watches(source, pid, tid);
}

/* Up to when the last drain told all there was, if that was not now; 0: no such time. */
static inline uint64_t source_delivered_ns(const struct source *source)
{
	return source->ops->reported_ns ? source->ops->reported_ns(source) : 0;
}

static inline void source_status(struct source *source, struct source_status *status)
{
	source->ops->status(source, status);
}

#endif
