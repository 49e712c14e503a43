#include "engine/model/model_private.h"

#include "engine/model/waits.h"
#include "engine/tasks/idle_waits.h"

struct history *model_history(struct model *model)
{
	return model->history;
}

struct tasks *model_tasks(const struct model *model)
{
	return model->tasks;
}

struct totals *model_totals(const struct model *model)
{
	return model->matched->totals;
}

struct totals *model_totals_all(const struct model *model)
{
	return model->all->totals;
}

const struct latency_heatmap *model_latency_heatmap(const struct model *model)
{
	return model->matched->latency_heatmap;
}

struct futexes *model_futexes(struct model *model)
{
	return model->futexes;
}

const struct futexes *model_futexes_matched(const struct model *model)
{
	return model->futexes_matched;
}

const struct referenced *model_referenced(const struct model *model)
{
	return model->referenced;
}

const struct model_symbols *model_symbols(const struct model *model)
{
	return model->symbols;
}

const struct events *model_events(const struct model *model)
{
	return &model->events;
}

const char *model_event_name(const struct model *model, const struct call *call)
{
	return call->state == CALL_EVENT && model->event_names
		       ? event_names_get(model->event_names, call->args[0])
		       : NULL;
}

const char *model_name(const struct model *model, uint32_t comm_id)
{
	return tasks_name(model->tasks, comm_id);
}

bool model_waker(const struct model *model, const struct call *call, uint32_t *pid,
		 uint32_t *comm_id)
{
	uint64_t end_ns = call->enter_ns + (call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0);

	if (call->state == CALL_IN_FLIGHT)
		end_ns = UINT64_MAX;
	return tasks_name_at(model->tasks, call->waker_tid, end_ns, pid, comm_id);
}

uint64_t model_names_version(const struct model *model)
{
	return model->names_version;
}

const struct identity_table *model_identities(const struct model *model)
{
	return tasks_identity(model->tasks);
}

static void add_refill(const struct model *model, struct model_status *status)
{
	if (model->refill_seq >= model->refill_end)
		return;
	status->refill_done = model->refill_seq - model->refill_from;
	status->refill_all = model->refill_end - model->refill_from;
}

void model_status(const struct model *model, struct model_status *status)
{
	*status = (struct model_status){
		.generation = model->generation,
		.calls_seen = model->calls_seen,
		.calls_matched = model->matched->calls,
		.records_lost = model->records_lost,
		.gaps = model->gaps,
		.orphans = model->orphans,
		.lost_exits = model->lost_exits,
		.records_other = model->records_other,
		.calls_counted = model->calls_counted,
		.calls_unmatched = model->calls_unmatched,
		.last_record_ns = model->last_record_ns,
		.in_flight = model->pairing.in_flight,
		.events_seen = model->events.seen,
		.events_matched = model->events.matched,
		.events_lost = model->events.lost,
		.refilling = model_is_refilling(model),
		.pending_match = model->pending_match.count,
	};
	add_refill(model, status);
}

uint64_t model_lost_on(const struct model *model, uint32_t cpu)
{
	return cpu < model->cpu_count ? model->cpu_lost[cpu] : 0;
}

/*
 * Never CALL_AGE_LAST with a filter: the thread may have made calls that the model does not know.
 */
enum call_age model_call_age(const struct model *model, const struct call *call)
{
	const struct task *task = tasks_find(model->tasks, call->tid);
	uint64_t lost_ns = model->pairing.lost_before_ns;

	if (!task || task->ended || task->held || task->unsure || lost_ns > call->enter_ns)
		return CALL_AGE_PAST;
	if (task->in_call)
		return task->call.enter_ns == call->enter_ns && task->call.nr == call->nr
			       ? CALL_AGE_GOES_ON
			       : CALL_AGE_PAST;
	return call->state == CALL_DONE && call->dur_ns >= 0 && !model->match &&
			       task->seen_ns == call->enter_ns + (uint64_t)call->dur_ns
		       ? CALL_AGE_LAST
		       : CALL_AGE_PAST;
}

void model_watch_waits(struct model *model, bool watched, bool ins)
{
	pairing_watch_waits(&model->pairing, watched, ins);
}

void model_call_at(const struct model *model, const struct task *task, uint64_t now_ns,
		   struct call *call)
{
	pairing_call_at(&model->pairing, task, now_ns, call);
	if (idle_is_kind(call->nr) ? now_ns >= call->enter_ns + IDLE_NS
				   : futexes_is_idle(model->futexes, task, now_ns))
		call->flags |= CALL_IDLE;
}

/* Estimated memory of a cell that is not taken yet: the cell and one or two histogram groups. */
#define UNTAKEN_CELL_BYTES (sizeof(struct totals_cell) + 2 * HISTOGRAM_STEPS * sizeof(uint32_t))

void model_memory(const struct model *model, const struct model_memory *memory)
{
	size_t call_stats = model->matched == model->all ? 1 : 2;

	history_memory(model->history, memory->rows, memory->rows_bound, memory->bytes,
		       memory->bytes_bound);
	tasks_bytes(model->tasks, memory->tasks, memory->names);
	*memory->totals = (totals_cells(model->all->totals) +
			   (call_stats > 1 ? totals_cells(model->matched->totals) : 0)) *
			  UNTAKEN_CELL_BYTES;
	*memory->latency_heatmap = model->latency_heatmap ? call_stats * latency_heatmap_bytes()
							  : 0;
	*memory->futexes = futexes_bytes(model->futexes);
}
