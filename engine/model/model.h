/*
 * model - tasks, calls in flight, history, totals and waits, built from records.
 *
 * The collector thread feeds records in time order. Other threads read under model_lock(), held for
 * at most 1 ms. Functions marked "Locked" are called between model_lock() and model_unlock().
 *
 * The filter decides which finished calls go to the history and to the matched totals. Without a
 * filter, "all" and "matched" are the same object.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "engine/base/err.h"
#include "engine/fds/fds.h"
#include "engine/fds/referenced_objects.h"
#include "engine/model/history.h"
#include "engine/model/latency_heatmap.h"
#include "engine/model/totals.h"
#include "engine/model/tracepoint_events.h"
#include "engine/record/event_names.h"
#include "engine/record/record.h"
#include "engine/tasks/futexes.h"
#include "engine/tasks/tasks.h"

struct model;

/* Intern a stack and return its id; 0: none. Set by the engine, runs under the lock. */
typedef uint32_t model_intern_fn(void *ctx, const struct record *record,
				 const struct record_stack *stack);
/* Result of the filter for a call. The callback must be pure and quick, and must not allocate. */
enum model_answer {
	MODEL_NO,
	MODEL_YES,
	/*
	 * depends on symbols, names or memory that can still arrive: the call is in the history,
	 * not in the totals
	 */
	MODEL_LATER,
};
typedef enum model_answer model_match_fn(void *ctx, const struct call *call,
					 const struct model *model);

/* Function names of stacks. Set by the engine, run under the lock. */
struct model_symbols {
	/* Call `wants` for each name until it returns true; return that result. See filter.h. */
	bool (*each)(void *ctx, uint32_t stack_id, bool (*wants)(void *to, const char *name),
		     void *to, bool *pending, bool *cut);
	uint64_t (*version)(void *ctx); /* changes when symbols are added */
	void *ctx;
};

/* Late reads of argument memory, for filters. Set by the engine, run under the lock. */
struct model_late {
	/*
	 * Return the chunks of late reads, borrowed until the next call of the function.
	 * *pending: true if more chunks can arrive; the engine requests them.
	 */
	struct fd_chunks (*chunks)(void *ctx, const struct call *call, bool *pending);
	uint64_t (*version)(void *ctx); /* changes when chunks or names of descriptors arrive */
	void *ctx;
};

struct model_options {
	size_t history_bytes;
	size_t pointed_bytes; /* size of the arena for argument memory; 0: no arena */
	bool latency_heatmap; /* collect the latency heatmap */
	bool recorded; /* the records do not depend on the filter */
	bool hold_for_reader; /* there is a lossless reader: the writer must respect model_room() */
	/* A row with this stack was added; first_row: oldest row of the history. NULL: unused. */
	void (*stack_shown)(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
	model_intern_fn *intern;
	void *intern_ctx;
	/*
	 * True if a process without tasks certainly has exited. Runs under the lock after a drain,
	 * so it must be quick and must not wait. NULL: unknown.
	 */
	bool (*is_gone)(void *ctx, uint32_t pid);
	void *is_gone_ctx;
	const struct model_symbols *symbols; /* borrowed; NULL: no symbols */
	const struct model_late *late; /* borrowed; NULL: nothing is read late */
	struct fds *fds; /* borrowed; NULL: descriptors are not tracked */
	/* borrowed; NULL: filters do not use referenced objects */
	const struct referenced *referenced;
	const struct event_names *event_names; /* borrowed; NULL: no events */
	struct observations
		*observations; /* borrowed; facts about processes of a recording; NULL: none */
};

int model_new(struct model **model, const struct model_options *options, struct err *err);
void model_free(struct model *model);
/*
 * Reserve 1/parts of the history for argument memory. Before the first record. See history_share().
 */
int model_share_history(struct model *model, size_t parts, struct err *err);
void model_shorten_history(struct model *model, size_t bytes); /* see history_shorten() */

void model_lock(struct model *model);
void model_unlock(struct model *model);

/*
 * Set the start of the collection, in ns; the latency heatmap begins there. Before the first
 * record.
 */
void model_set_start(struct model *model, uint64_t start_ns);
uint64_t model_start(const struct model *model);

/*
 * Locked. Discard all state except comms, filter and watch; call numbers continue. Calls and events
 * that began before from_ns are not counted; such calls are shown only while in flight.
 */
void model_start_over(struct model *model, uint64_t from_ns);

/*
 * Locked. Calls that were entered before time_ns have no enter record: drop their exits instead of
 * reporting orphans.
 */
void model_expect_from(struct model *model, uint64_t time_ns);

/*
 * Locked. Promise that no later record is older than time_ns. When time_ns reaches from_ns, discard
 * the futex sums of the time before from_ns.
 */
void model_reach(struct model *model, uint64_t time_ns);

/* Collector thread, locked. */
void model_feed(struct model *model, const struct record *record);
void model_settle(struct model *model, uint64_t now_ns); /* after each drain */
/*
 * End at most `max` calls that wait for a restart, the oldest first. Needed if these calls take all
 * the room of the history, see model_room().
 */
void model_settle_early(struct model *model, size_t max);
/* Return the time of the last model_settle(), in ns. Collector thread, or locked. */
uint64_t model_fed_ns(const struct model *model);
/*
 * True if the thread is in a call whose argument memory is unknown; *call is a copy of it. False
 * for held calls and calls found in /proc. May be called from model_intern_fn.
 */
bool model_wants_bytes(const struct model *model, uint32_t tid, struct call *call);
void model_store_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes);
/* Add bytes to those that the call in flight has. */
void model_add_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes);
/* Return the argument memory of a finished or in-flight call, as history_bytes(). */
const void *model_bytes(const struct model *model, const struct call *call, size_t *len);
/*
 * State of a thread relative to one of its calls, at model_fed_ns(). CALL_AGE_PAST if records were
 * lost since its enter.
 */
enum call_age {
	CALL_AGE_GOES_ON, /* the call is in flight */
	CALL_AGE_LAST, /* the call returned, and the thread has made no call since */
	CALL_AGE_PAST, /* the thread has, or may have, made another call */
};
enum call_age model_call_age(const struct model *model, const struct call *call);
size_t model_room(const struct model *model); /* number of calls for which the history has room */

/*
 * Locked. Set a filter; match NULL: none. The matched totals restart at 0 and are filled from the
 * history by model_refill().
 */
void model_set_match(struct model *model, model_match_fn *match, void *ctx);
/*
 * Called for each call and event that matches, when it is put in the history. Must be as quick as
 * model_match_fn. NULL: none.
 */
typedef void model_watch_fn(void *ctx, const struct call *call, uint64_t seq,
			    const struct model *model);
void model_set_watch(struct model *model, model_watch_fn *watch, void *ctx);
/* Called for each call that ends and each event, independent of the filter. NULL: none. */
typedef void model_tap_fn(void *ctx, const struct call *call, const struct model *model);
void model_set_tap(struct model *model, model_tap_fn *tap, void *ctx);
/*
 * Locked. Count at most `max` calls of the history again, then pending matches. True if more
 * remain.
 */
bool model_refill(struct model *model, size_t max);
void model_zero(struct model *model); /* restart the totals at 0; the history stays */

/*
 * Locked. Move the counts since the last take to `taken`: those of all calls and, with a filter,
 * those of matching calls. `taken` provides empty totals in exchange. If a version differs from
 * that of the last take, the caller discards the counts taken before.
 */
struct model_taken {
	struct totals *all, *matched;
	uint64_t all_version, matched_version;
	uint32_t turn; /* identity_turn(); after a change, identity_keep() those in use */
	bool filtered; /* false: all calls match, and `matched` is untouched */
	bool refilling;
};
void model_take_totals(struct model *model, struct model_taken *taken);
/* Number of ended processes whose totals were not taken yet. SIZE_MAX: a take is urgent. */
size_t model_untaken(const struct model *model);
/* Locked. See sleepers_take(). */
size_t model_sleepers(struct model *model, uint64_t now_ns, uint32_t *tids, size_t max);

/* Locked readers. */
struct history *model_history(struct model *model);
struct tasks *model_tasks(const struct model *model);
struct totals *model_totals(const struct model *model); /* matching calls, since the last take */
struct totals *model_totals_all(const struct model *model); /* all calls, since the last take */
const struct latency_heatmap *model_latency_heatmap(
	const struct model *model); /* matching calls; NULL: none */
struct futexes *model_futexes(struct model *model); /* of all calls */
/* Sums of the matching calls, by the same keys. NULL: no filter. */
const struct futexes *model_futexes_matched(const struct model *model);
const struct model_symbols *model_symbols(const struct model *model); /* may be NULL */
const struct referenced *model_referenced(const struct model *model); /* may be NULL */
/* Name of the tracepoint of an event row. NULL: the row is not an event. */
const char *model_event_name(const struct model *model, const struct call *call);
const struct events *model_events(const struct model *model);
/*
 * Return the argument memory of a call in two parts: bytes stored before, and bytes of the
 * RECORD_CALL that is being fed. Either part can be empty.
 */
void model_pointed(const struct model *model, const struct call *call, struct fd_chunks pointed[2]);
/* As model_pointed(), with late reads. True: more of them can arrive. */
bool model_pointed_late(const struct model *model, const struct call *call,
			struct fd_chunks pointed[2]);
const char *model_name(const struct model *model, uint32_t comm_id); /* raw bytes, not escaped */
/*
 * Write process and comm of the waker at the end of the call, or now if the call is in flight.
 * False: unknown task.
 */
bool model_waker(const struct model *model, const struct call *call, uint32_t *pid,
		 uint32_t *comm_id);
uint64_t model_names_version(const struct model *model); /* version of the comm table; never 0 */
/* uid and cgroup of a comm_id */
const struct identity_table *model_identities(const struct model *model);

/*
 * Locked. Forget the calls in flight for which keep() is false: the source drops their exits.
 * See pairing_forget().
 */
typedef bool model_retain_fn(void *ctx, const struct call *call);
void model_forget(struct model *model, model_retain_fn *keep, void *ctx);

/* Set which switch records the source emits, before the first record. See pairing_watch_waits(). */
void model_watch_waits(struct model *model, bool watched, bool ins);

/*
 * Locked. Copy the call in flight of the task as of now_ns, see pairing_call_at(). Sets CALL_IDLE.
 */
void model_call_at(const struct model *model, const struct task *task, uint64_t now_ns,
		   struct call *call);

/* Locked. Write the memory use of each part, in bytes. */
struct model_memory {
	size_t *rows, *rows_bound, *bytes, *bytes_bound;
	size_t *tasks, *names, *totals, *latency_heatmap, *futexes;
};
void model_memory(const struct model *model, const struct model_memory *memory);

struct model_status {
	uint64_t generation; /* changes with everything that can be shown */
	uint64_t calls_seen; /* finished calls, before the filter */
	uint64_t calls_matched;
	uint64_t records_lost; /* on all CPUs, from the kernel; if any, totals are lower bounds */
	uint64_t records_other; /* lost records of other kinds */
	uint64_t gaps;
	uint64_t orphans, lost_exits;
	uint64_t calls_counted; /* known only from aggregates: in the totals, not in the history */
	/* calls that the filter might pass, but that are missing in the matched totals */
	uint64_t calls_unmatched;
	uint64_t last_record_ns;
	uint64_t in_flight; /* threads in a call */
	/* events of other tracepoints, before and after the filter */
	uint64_t events_seen, events_matched;
	uint64_t events_lost;
	bool refilling;
	/* Progress of model_refill(), in calls; 0, 0: finished. */
	uint64_t refill_done, refill_all;
	/* calls whose filter result waits for symbols, names or memory */
	size_t pending_match;
};
void model_status(const struct model *model, struct model_status *status);
/*
 * Number of losses: lost records of any kind, and calls that are missing in the matched totals. If
 * it is not 0, sums are lower bounds.
 */
static inline uint64_t model_status_losses(const struct model_status *status)
{
	return status->records_lost + status->records_other + status->calls_unmatched +
	       status->events_lost;
}
/* Records lost on one CPU. */
uint64_t model_lost_on(const struct model *model, uint32_t cpu);

#endif
