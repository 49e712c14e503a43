/*
 * model_private - the fields of struct model.
 *
 * Only for model.c (feeding), model_ends.c (ends of processes), model_match.c (filter and its sums)
 * and model_query.c (reading).
 */
#ifndef MODEL_MODEL_PRIVATE_H
#define MODEL_MODEL_PRIVATE_H

#include "engine/base/idmap.h"
#include "engine/model/call_stats.h"
#include "engine/model/model.h"
#include "engine/model/pairing.h"
#include "engine/model/pending_match.h"
#include "engine/tasks/futex_recorded.h"

#include <pthread.h>

struct model {
	pthread_mutex_t mutex;
	struct tasks *tasks;
	struct history *history;
	struct pairing pairing;
	struct futexes *futexes;
	struct futex_recorded futex_recorded;
	struct fds *fds; /* NULL: none */
	const struct referenced *referenced; /* NULL: unused */
	const struct event_names *event_names; /* NULL: no events */
	struct events events;
	bool hold_for_reader, recorded;
	/* the RECORD_CALL that is being fed, if it has argument memory; else NULL */
	const struct record *whole;
	void (*stack_shown)(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
	model_intern_fn *intern;
	void *intern_ctx;

	struct call_stats *all;
	uint64_t call_stats_version; /* last version assigned to a call_stats */
	struct call_stats *matched; /* the same object as `all` without a filter */
	struct futexes *futexes_matched; /* sums of the matching calls; NULL without a filter */
	model_match_fn *match;
	void *match_ctx;
	model_watch_fn *watch; /* NULL: none */
	void *watch_ctx;
	model_tap_fn *tap; /* NULL: none */
	void *tap_ctx;
	/*
	 * model_refill() adds the calls [refill_seq, refill_end), which were in the history when
	 * the filter was set, to `matched` in steps. Later calls are counted when they end. Calls
	 * before zero_seq are not part of the totals.
	 */
	uint64_t refill_seq, refill_end;
	uint64_t refill_from; /* first value of refill_seq */
	uint64_t zero_seq;
	const struct model_symbols *symbols; /* NULL: none */
	const struct model_late *late; /* NULL: none */
	struct pending_match pending_match;
	uint64_t names_version; /* creation time of the comm table */
	bool latency_heatmap; /* collect heatmaps */
	uint64_t start_ns;
	uint64_t from_ns; /* calls that began earlier are not counted */
	bool before; /* no record at or after from_ns was fed yet */

	uint64_t generation;
	uint64_t calls_seen;
	uint64_t records_lost, gaps, orphans, lost_exits;
	uint64_t records_other, calls_counted, calls_unmatched;
	uint64_t last_record_ns;
	uint64_t fed_ns; /* time of the last model_settle() */
	uint64_t *cpu_lost; /* lost records, by CPU */
	size_t cpu_count;

	struct idmap taskless; /* keys: pids that only aggregates mention; values: unused */
	uint32_t taken_turn; /* identity_turn() at the last take of the totals */
	size_t taskless_at; /* slot of `taskless` where the next check continues */
	bool (*is_gone)(void *ctx, uint32_t pid); /* NULL: unknown */
	void *is_gone_ctx;
};

/* Result of the filter for a call; MODEL_YES without a filter. */
static inline enum model_answer model_passes(const struct model *model, const struct call *call)
{
	return model->match ? model->match(model->match_ctx, call, model) : MODEL_YES;
}

/* Count a matching call. Only with a filter, when `matched` is not `all`. */
void model_add_matched(struct model *model, const struct call *call);

void model_renew_matched_futexes(struct model *model);

/*
 * Apply the queued ends of processes (tasks_next_end()) to the totals; only this function does.
 * Call it after each step that can queue ends.
 */
void model_apply_ends(struct model *model);
/* Note that an aggregate of a process without tasks arrived. */
void model_add_taskless(struct model *model, uint32_t pid);
/* Check up to `max` processes without tasks, and queue and apply the ends of exited ones. */
void model_look_at_taskless(struct model *model, size_t max);

/* Add call `seq` to the pending matches. The call is in the history or is the next to be put. */
void model_decide_later(struct model *model, uint64_t seq);
void model_clear_sums(struct model *model); /* of all calls and of matching calls */
bool model_is_refilling(const struct model *model);

#endif
