#include "engine/model/model_private.h"

/* Time within which all probes switch to a new filter. */
#define FILTER_IN_FORCE_NS (100 * 1000000ULL)

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Mark that the counts restarted. */
static void renew(struct model *model, struct call_stats *call_stats)
{
	call_stats->version = ++model->call_stats_version;
}

void model_take_totals(struct model *model, struct model_taken *taken)
{
	struct totals *empty = taken->all;

	model->taken_turn = identity_turn(tasks_identity(model->tasks));
	taken->turn = model->taken_turn;
	taken->all = model->all->totals;
	taken->all_version = model->all->version;
	model->all->totals = empty;
	taken->filtered = model->matched != model->all;
	taken->refilling = model->refill_seq < model->refill_end;
	taken->matched_version = model->matched->version;
	if (!taken->filtered)
		return;
	empty = taken->matched;
	taken->matched = model->matched->totals;
	model->matched->totals = empty;
}

size_t model_untaken(const struct model *model)
{
	size_t all = totals_ended(model->all->totals);
	size_t matched = totals_ended(model->matched->totals);

	/* The reader of the totals must keep its identities before they are evicted. */
	if (model->taken_turn != identity_turn(tasks_identity(model->tasks)))
		return SIZE_MAX;
	return all > matched ? all : matched;
}

void model_set_start(struct model *model, uint64_t start_ns)
{
	bool filtered = model->matched != model->all;

	if (filtered)
		call_stats_free(model->matched);
	call_stats_free(model->all);
	model->start_ns = start_ns;
	model->all = call_stats_new(model->latency_heatmap, start_ns);
	renew(model, model->all);
	model->matched = filtered ? call_stats_new(model->latency_heatmap, start_ns) : model->all;
	renew(model, model->matched);
}

uint64_t model_start(const struct model *model)
{
	return model->start_ns;
}

void model_renew_matched_futexes(struct model *model)
{
	futexes_free(model->futexes_matched);
	model->futexes_matched = futexes_new(model->tasks);
}

void model_add_matched(struct model *model, const struct call *call)
{
	call_stats_add(model->matched, call);
	if (__builtin_expect(futex_op_is(call->nr), 0))
		futexes_count(model->futexes_matched, call);
}

void model_set_match(struct model *model, model_match_fn *match, void *ctx)
{
	if (model->matched != model->all)
		call_stats_free(model->matched);
	model->match = match;
	model->match_ctx = ctx;
	pending_match_clear(&model->pending_match);
	model->matched = match ? call_stats_new(model->latency_heatmap, model->start_ns)
			       : model->all;
	futexes_free(model->futexes_matched);
	model->futexes_matched = NULL;
	if (match) {
		renew(model, model->matched);
		model->futexes_matched = futexes_new(model->tasks);
	}
	events_start_over(&model->events, !match);
	model->refill_end = history_end(model->history);
	model->refill_seq = match ? later(history_first(model->history), model->zero_seq)
				  : model->refill_end;
	model->refill_from = model->refill_seq;
	/* Calls that only the new filter passes are recorded from now on: exits can lack enters. */
	if (model->last_record_ns && !model->recorded) {
		model->pairing.changed_ns = model->last_record_ns;
		model->pairing.started_ns = model->last_record_ns + FILTER_IN_FORCE_NS;
	}
	model->generation++;
}

void model_forget(struct model *model, model_retain_fn *keep, void *ctx)
{
	pairing_forget(&model->pairing, keep, ctx);
	futexes_forget(model->futexes);
	model->generation++;
}

void model_decide_later(struct model *model, uint64_t seq)
{
	if (!pending_match_add(&model->pending_match, seq))
		model->calls_unmatched++;
}

/* Count a call of the history in the matched totals. */
static void count_again(struct model *model, const struct call *call)
{
	const struct process *process;

	if (call->state == CALL_EVENT) {
		events_matched(&model->events, call->args[0]);
		return;
	}
	model_add_matched(model, call);
	model->generation++;
	process = tasks_process(model->tasks, call->pid);
	/* A process that the tasks no longer store has ended. */
	if (!process || process->ended)
		tasks_note_end(model->tasks, call->pid, call->comm_id);
}

static uint64_t names_version(const struct model *model)
{
	uint64_t version = model->symbols ? model->symbols->version(model->symbols->ctx) : 0;

	return version + (model->late ? model->late->version(model->late->ctx) : 0);
}

/* Test pending matches again if symbols, names or memory arrived. False: the round is finished. */
static bool ask_again(struct model *model, size_t max)
{
	uint64_t version = names_version(model), seq;
	struct call call;

	if (!pending_match_due(&model->pending_match, version))
		return false;
	for (; max; max--) {
		if (!pending_match_next(&model->pending_match, version, &seq))
			return false;
		if (!history_get(model->history, seq, &call)) {
			model->calls_unmatched++;
			continue;
		}
		switch (model_passes(model, &call)) {
		case MODEL_YES:
			count_again(model, &call);
			/* Only for calls that ended since the filter was set. */
			if (model->watch && seq >= model->refill_end)
				model->watch(model->watch_ctx, &call, seq, model);
			break;
		case MODEL_LATER:
			pending_match_store(&model->pending_match, seq);
			break;
		case MODEL_NO:
			break;
		}
	}
	return true;
}

static bool refill(struct model *model, size_t max)
{
	/* Calls that were evicted meanwhile cannot be counted. */
	model->refill_seq = later(model->refill_seq, history_first(model->history));
	for (; max && model->refill_seq < model->refill_end; max--, model->refill_seq++) {
		enum model_answer answer;
		struct call call;

		if (!history_get(model->history, model->refill_seq, &call) ||
		    call.state == CALL_GAP)
			continue;
		answer = model_passes(model, &call);
		if (answer == MODEL_YES)
			count_again(model, &call);
		else if (answer == MODEL_LATER)
			model_decide_later(model, model->refill_seq);
	}
	return model->refill_seq < model->refill_end || ask_again(model, max);
}

bool model_refill(struct model *model, size_t max)
{
	bool more = refill(model, max);

	model_apply_ends(model);
	return more;
}

bool model_is_refilling(const struct model *model)
{
	if (model->refill_seq < model->refill_end)
		return true;
	return model->pending_match.count &&
	       pending_match_due(&model->pending_match, names_version(model));
}

void model_clear_sums(struct model *model)
{
	call_stats_clear(model->all);
	renew(model, model->all);
	if (model->matched == model->all)
		return;
	call_stats_clear(model->matched);
	renew(model, model->matched);
}

void model_zero(struct model *model)
{
	model_clear_sums(model);
	futexes_zero(model->futexes);
	if (model->futexes_matched)
		futexes_zero(model->futexes_matched);
	events_zero(&model->events);
	pending_match_clear(&model->pending_match);
	model->zero_seq = model->refill_seq = model->refill_end = history_end(model->history);
	model->generation++;
}

void model_set_watch(struct model *model, model_watch_fn *watch, void *ctx)
{
	model->watch = watch;
	model->watch_ctx = ctx;
}

void model_set_tap(struct model *model, model_tap_fn *tap, void *ctx)
{
	model->tap = tap;
	model->tap_ctx = ctx;
}
