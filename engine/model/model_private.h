/*
 * model_private - the model's own fields.
 *
 * For model.c (what is fed), model_match.c (the filter and its sums) and model_query.c only.
 */
#ifndef MODEL_MODEL_PRIVATE_H
#define MODEL_MODEL_PRIVATE_H

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
	const struct referenced *referenced; /* NULL: nobody asks for it */
	const struct event_names *event_names; /* NULL: there are no events */
	struct events events;
	bool hold_for_reader, recorded;
	const struct record *whole; /* a RECORD_CALL that is being fed, with bytes */
	void (*stack_shown)(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row);
	model_intern_fn *intern;
	void *intern_ctx;

	struct call_stats *all;
	uint64_t call_stats_version; /* of the sums that started over last */
	struct call_stats *matched; /* the same object as `all` while there is no filter */
	struct futexes *futexes_matched; /* sums alone, of what matches; NULL while there is none */
	model_match_fn *match;
	void *match_ctx;
	model_watch_fn *watch; /* NULL: nobody waits for a call */
	void *watch_ctx;
	model_tap_fn *tap; /* NULL: nobody wants to know of all calls */
	void *tap_ctx;
	/*
	 * What the history held when the filter came, [refill_seq, refill_end), goes
	 * into `matched` bit by bit; what is put later is counted when it comes.
	 * Before zero_seq are calls that the totals no longer speak of.
	 */
	uint64_t refill_seq, refill_end;
	uint64_t refill_from; /* where it began */
	uint64_t zero_seq;
	const struct model_symbols *symbols; /* NULL: there are none */
	struct pending_match pending_match;
	uint64_t names_version; /* when the table of names was made */
	bool latency_heatmap; /* are wanted */
	uint64_t start_ns;
	uint64_t from_ns; /* what began before counts nowhere */
	bool before; /* nothing of that time or later was fed */

	uint64_t generation;
	uint64_t calls_seen;
	uint64_t records_lost, gaps, orphans, lost_exits;
	uint64_t records_other, calls_counted, calls_unmatched;
	uint64_t last_record_ns;
	uint64_t fed_ns; /* all up to then was fed, and settled */
	uint64_t *cpu_lost; /* records, by CPU */
	size_t cpu_count;
};

/* Whether the filter lets a call through. */
static inline enum model_answer model_passes(const struct model *model, const struct call *call)
{
	return model->match ? model->match(model->match_ctx, call, model) : MODEL_YES;
}

/* One that the filter lets through, in force beside the sums of all. */
void model_add_matched(struct model *model, const struct call *call);

void model_renew_matched_futexes(struct model *model);

/* What its sums go under once it ended. */
void model_label(const struct model *model, const struct process *process,
		 struct totals_label *label);

/* The call of this number, which is in the history or will be next, waits for names. */
void model_decide_later(struct model *model, uint64_t seq);
void model_clear_sums(struct model *model); /* of all calls, and of those that match */
bool model_is_refilling(const struct model *model);

#endif
