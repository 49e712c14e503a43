/*
 * model - what happened: tasks, calls in flight, history, totals, waits.
 *
 * Fed by the collector thread with records in time order; read by others under
 * model_lock(). Whoever holds the lock keeps it for at most a millisecond.
 * The functions below that read say "locked": call them between lock and unlock.
 *
 * The filter decides which finished calls go to the history and to the
 * "matched" totals. Without a filter "all" and "matched" are the same numbers.
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

/* Interns a stack and returns its id (0: none); set by the engine, runs under the lock. */
typedef uint32_t model_intern_fn(void *ctx, const struct record *record,
				 const struct record_stack *stack);
/* Whether a call matches; must be pure, quick and allocate nothing. */
enum model_answer {
	MODEL_NO,
	MODEL_YES,
	MODEL_LATER, /* when more names are known: until then the history has it, the sums do not */
};
typedef enum model_answer model_match_fn(void *ctx, const struct call *call,
					 const struct model *model);

/* Names of the functions on stacks; set by the engine, run under the lock. */
struct model_symbols {
	/* Asks `wants` of each name until it says so, and returns that; see filter.h. */
	bool (*each)(void *ctx, uint32_t stack_id, bool (*wants)(void *to, const char *name),
		     void *to, bool *pending);
	uint64_t (*version)(void *ctx); /* changes when names came */
	void *ctx;
};

struct model_options {
	size_t history_bytes;
	size_t pointed_bytes; /* beside, for what calls point to; 0: it is not kept */
	bool latency_heatmap; /* the picture of latency over time is wanted */
	bool recorded; /* what is fed does not depend on the filter */
	bool hold_for_reader; /* a lossless reader: model_room() must be obeyed */
	/* A row shows the stack; first_row: the oldest there is. NULL: nobody asks. */
	void (*stack_shown)(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
	model_intern_fn *intern;
	void *intern_ctx;
	const struct model_symbols *symbols; /* borrowed; NULL: there are none */
	struct fds *fds; /* borrowed; NULL: nobody asks what descriptors are */
	const struct referenced *referenced; /* the same; NULL: filters do not ask for it */
	const struct event_names *event_names; /* the same; NULL: there are no events */
	struct observations
		*observations; /* the same: of processes that are not here; NULL: none */
};

int model_new(struct model **model, const struct model_options *options, struct err *err);
void model_free(struct model *model);
/* Before anything is fed: a part in `parts` of the history is for what its rows point to. */
int model_share_history(struct model *model, size_t parts, struct err *err);
void model_shorten_history(struct model *model, size_t bytes); /* see history_shorten() */

void model_lock(struct model *model);
void model_unlock(struct model *model);

/* Before anything is fed: when what is shown begins, from which times are told. */
void model_set_start(struct model *model, uint64_t start_ns);
uint64_t model_start(const struct model *model);

/*
 * Locked. Everything starts over, as if nothing was fed: names, filter and watch stay, and the
 * numbers of calls go on. From now on calls and events that began before from_ns count
 * nowhere: they are known while they are in flight.
 */
void model_start_over(struct model *model, uint64_t from_ns);

/* The same: of calls that began earlier, the ends are not to be taken for calls. */
void model_expect_from(struct model *model, uint64_t time_ns);

/* The same: nothing that comes is earlier. What is counted of the time before is forgotten. */
void model_reach(struct model *model, uint64_t time_ns);

/* Collector, locked. */
void model_feed(struct model *model, const struct record *record);
void model_settle(struct model *model, uint64_t now_ns); /* after each drain */
/*
 * Where calls that wait for their restart would take all of the room that model_room() counts:
 * ends at most `max` of them, the oldest first.
 */
void model_settle_early(struct model *model, size_t max);
uint64_t model_fed_ns(const struct model *model); /* of the last of these; locked readers too */
/*
 * What the call in flight of a thread points to, for one that nothing is known of: from
 * within model_intern_fn too. The call is filled in; false: there is none.
 */
bool model_wants_bytes(const struct model *model, uint32_t tid, struct call *call);
void model_store_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes);
/* Beside those that it has. */
void model_add_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes);
/* What a call points to, in flight too: as history_bytes(). */
const void *model_bytes(const struct model *model, const struct call *call, size_t *len);
/*
 * How far the thread of a call is, as of model_fed_ns(). Where records were lost, it is past.
 */
enum call_age {
	CALL_AGE_GOES_ON, /* the call is in flight */
	CALL_AGE_LAST, /* it returned, and the thread has made no call since */
	CALL_AGE_PAST, /* it has, or may have */
};
enum call_age model_call_age(const struct model *model, const struct call *call);
size_t model_room(const struct model *model); /* calls that may still come */

/*
 * Locked. A new filter (match NULL: none): "matched" totals start over and are
 * filled again from the history by model_refill(), which handles at most max calls
 * a time and says whether there is more to do.
 */
void model_set_match(struct model *model, model_match_fn *match, void *ctx);
/* Is told of every call that matches, as it comes; NULL: nobody is. As quick as a match. */
typedef void model_watch_fn(void *ctx, const struct call *call, uint64_t seq,
			    const struct model *model);
void model_set_watch(struct model *model, model_watch_fn *watch, void *ctx);
/* Is told of every call that ends and of every event, whatever matches; NULL: nobody is. */
typedef void model_tap_fn(void *ctx, const struct call *call, const struct model *model);
void model_set_tap(struct model *model, model_tap_fn *tap, void *ctx);
bool model_refill(struct model *model, size_t max); /* asks those again that wait for names */
void model_zero(struct model *model); /* totals start over; the history stays */

/*
 * Locked. Takes what was counted since the last time: of everything, and where there is a filter,
 * of what matches. `taken` brings empty totals in exchange. Where a version is another one than
 * the last time, what was taken before counts no more.
 */
struct model_taken {
	struct totals *all, *matched;
	uint64_t all_version, matched_version;
	bool filtered; /* otherwise everything matches, and `matched` is untouched */
	bool refilling;
};
void model_take_totals(struct model *model, struct model_taken *taken);
/* How many ended processes have sums that nobody took. */
size_t model_untaken(const struct model *model);

/* Locked readers. */
struct history *model_history(struct model *model);
struct tasks *model_tasks(const struct model *model);
struct totals *model_totals(const struct model *model); /* matched, not taken yet */
struct totals *model_totals_all(const struct model *model); /* everything seen, the same */
const struct latency_heatmap *model_latency_heatmap(
	const struct model *model); /* matched; or NULL */
struct futexes *model_futexes(struct model *model); /* of everything seen */
/* Sums of the calls that match, by the same keys; NULL: there is no filter. */
const struct futexes *model_futexes_matched(const struct model *model);
const struct model_symbols *model_symbols(const struct model *model); /* or NULL */
const struct referenced *model_referenced(const struct model *model); /* or NULL */
/* What an event is called; NULL: it is none. */
const char *model_event_name(const struct model *model, const struct call *call);
const struct events *model_events(const struct model *model);
/* What a call pointed to, one that is told just now too: in two parts, either empty. */
void model_pointed(const struct model *model, const struct call *call, struct fd_chunks pointed[2]);
const char *model_name(const struct model *model, uint32_t comm_id); /* raw bytes */
/* Its waker as that was called when the call ended, or now; false: nobody had heard of it. */
bool model_waker(const struct model *model, const struct call *call, uint32_t *pid,
		 uint32_t *comm_id);
uint64_t model_names_version(const struct model *model); /* of the table of names: never 0 */
const struct identity_table *model_identities(const struct model *model); /* what else it says */

/* Locked. The source leaves out calls that keep() refuses: see pairing_forget(). */
typedef bool model_retain_fn(void *ctx, const struct call *call);
void model_forget(struct model *model, model_retain_fn *keep, void *ctx);

/* Before anything is fed: whether the source tells of switches, see pairing_watch_waits(). */
void model_watch_waits(struct model *model, bool watched, bool ins);

/* Locked: the call that the task is in as it stands now, see pairing_call_at(). */
void model_call_at(const struct model *model, const struct task *task, uint64_t now_ns,
		   struct call *call);

/* Locked: what has how much memory, in bytes. */
struct model_memory {
	size_t *rows, *rows_bound, *bytes, *bytes_bound;
	size_t *tasks, *names, *totals, *latency_heatmap, *futexes;
};
void model_memory(const struct model *model, const struct model_memory *memory);

struct model_status {
	uint64_t generation; /* changes whenever anything that can be shown changed */
	uint64_t calls_seen; /* finished calls, before the filter */
	uint64_t calls_matched;
	uint64_t records_lost; /* told by the kernel, all CPUs: totals are lower bounds */
	uint64_t records_other; /* the same of records that are not of calls */
	uint64_t gaps;
	uint64_t orphans, lost_exits;
	uint64_t calls_counted; /* known by their sums alone: in the totals, not in the history */
	uint64_t calls_unmatched; /* of these, which a filter may have let through: not in totals */
	uint64_t last_record_ns;
	uint64_t in_flight; /* threads that are in a call now */
	uint64_t events_seen, events_matched; /* of other tracepoints, as of calls */
	uint64_t events_lost;
	bool refilling;
	/* Of calls that a new filter has to count again, how many are done; 0, 0: it has all. */
	uint64_t refill_done, refill_all;
	/* calls of which the filter says nothing until more names are known */
	size_t pending_match;
};
void model_status(const struct model *model, struct model_status *status);
/*
 * All that is missing: records that were lost, of whatever they were, and calls that are in no sum
 * of the filter. Where it is not 0, sums are lower bounds.
 */
static inline uint64_t model_status_losses(const struct model_status *status)
{
	return status->records_lost + status->records_other + status->calls_unmatched +
	       status->events_lost;
}
/* Records lost on one CPU. */
uint64_t model_lost_on(const struct model *model, uint32_t cpu);

#endif
