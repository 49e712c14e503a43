#include "engine/model/model.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/model/model_private.h"
#include "engine/model/waits.h"

#include <stdlib.h>
#include <string.h>

/* No system has more CPUs; losses on higher numbers are only counted in the sum. */
#define CPUS_MAX 65536
/* Number of processes without tasks that are checked for their end after each drain: 20 us. */
#define TASKLESS_PER_SETTLE 64

/* Argument memory of the RECORD_CALL that is being fed, if `call` belongs to it; else NULL. */
static const struct record_bytes *bytes_of(const struct model *model, const struct call *call)
{
	const struct record *whole = model->whole;

	/* A restarted call was entered before the record's enter. */
	if (__builtin_expect(!whole, 1) || whole->tid != call->tid || call->state != CALL_DONE ||
	    call->enter_ns > whole->call.entered_ns ||
	    (call->flags & CALL_UNENTERED
		     ? call->nr != whole->call.nr
		     : call->enter_ns + (uint64_t)call->dur_ns < whole->call.entered_ns))
		return NULL;
	return &whole->call.bytes;
}

void model_pointed(const struct model *model, const struct call *call, struct fd_chunks pointed[2])
{
	const struct record_bytes *bytes = bytes_of(model, call);

	pointed[0] = pointed[1] = (struct fd_chunks){ NULL, 0 };
	if (call->bytes_at)
		pointed[0].bytes = history_bytes(model->history, call, &pointed[0].len);
	if (bytes)
		pointed[1] = (struct fd_chunks){ bytes->chunks, bytes->len };
}

bool model_pointed_late(const struct model *model, const struct call *call,
			struct fd_chunks pointed[2])
{
	bool pending = false;

	model_pointed(model, call, pointed);
	if (model->late && !pointed[1].len)
		pointed[1] = model->late->chunks(model->late->ctx, call, &pending);
	return pending;
}

/* Apply a call that changes descriptors, whether or not the filter passes it. */
static void change_fds(struct model *model, const struct call *call)
{
	struct fd_chunks pointed[2];

	model_pointed(model, call, pointed);
	fds_call(model->fds, call, pointed);
}

/* `call` is the newest row of the history. */
static void emit_watch(const struct model *model, const struct call *call)
{
	if (__builtin_expect(model->watch != NULL, 0))
		model->watch(model->watch_ctx, call, history_end(model->history) - 1, model);
}

/* End a call that was entered before from_ns: it is not counted, but it can wake a later wait. */
static void end_before(struct model *model, const struct call *call, bool on_futex)
{
	if (model->fds && fds_changed_by(call->nr))
		change_fds(model, call);
	/* Before from_ns, futexes_done() may count the call: model_reach() discards the sums. */
	if (on_futex && model->before)
		futexes_done(model->futexes, call, model->last_record_ns);
	else if (on_futex)
		futexes_leave(model->futexes, call);
}

static void emit_tap(const struct model *model, const struct call *call)
{
	if (__builtin_expect(model->tap != NULL, 0))
		model->tap(model->tap_ctx, call, model);
}

/* Report the stacks of the newest call: they are needed while it is in the history. */
static void note_stacks(const struct model *model, const struct call *call)
{
	uint64_t first = history_first(model->history), row = history_end(model->history) - 1;

	if (!model->stack_shown)
		return;
	if (call->stack_id)
		model->stack_shown(model->intern_ctx, call->stack_id, row, first);
	if (call->ran_stack_id)
		model->stack_shown(model->intern_ctx, call->ran_stack_id, row, first);
	if (call->waker_stack_id)
		model->stack_shown(model->intern_ctx, call->waker_stack_id, row, first);
}

static void call_done(void *ctx, const struct call *call)
{
	struct model *model = ctx;
	bool on_futex = futex_op_is(call->nr);
	enum model_answer answer;
	struct call inferred;

	if (__builtin_expect(call->enter_ns < model->from_ns, 0)) {
		end_before(model, call, on_futex);
		return;
	}
	if (__builtin_expect(on_futex, 0)) {
		inferred = *call;
		if (futexes_infer_waker(model->futexes, &inferred, model->last_record_ns))
			call = &inferred;
	}
	model->calls_seen++;
	model->orphans += call->state == CALL_ORPHAN;
	model->lost_exits += call->state == CALL_LOST_EXIT;
	call_stats_add(model->all, call);
	if (model->fds && __builtin_expect(fds_changed_by(call->nr), 0))
		change_fds(model, call);
	if (__builtin_expect(on_futex, 0))
		futexes_done(model->futexes, call, model->last_record_ns);
	emit_tap(model, call);
	answer = model_passes(model, call);
	if (answer == MODEL_NO)
		return;
	if (__builtin_expect(answer == MODEL_LATER, 0))
		model_decide_later(model, history_end(model->history));
	else if (model->matched != model->all)
		model_add_matched(model, call);
	history_put(model->history, call, bytes_of(model, call));
	if (__builtin_expect(call->stack_id | call->ran_stack_id | call->waker_stack_id, 0))
		note_stacks(model, call);
	if (answer == MODEL_YES)
		emit_watch(model, call);
}

int model_new(struct model **model, const struct model_options *options, struct err *err)
{
	struct history *history;
	struct model *made;
	int rc = history_new(&history, options->history_bytes, err);

	if (rc < 0)
		return rc;
	rc = options->pointed_bytes ? history_store_bytes(history, options->pointed_bytes, err) : 0;
	if (rc < 0) {
		history_free(history);
		return rc;
	}
	made = mem_zalloc(1, sizeof(*made));
	lock_init(&made->mutex);
	made->history = history;
	made->hold_for_reader = options->hold_for_reader;
	made->recorded = options->recorded;
	if (made->hold_for_reader)
		history_hold(history, 0);
	made->is_gone = options->is_gone;
	made->is_gone_ctx = options->is_gone_ctx;
	made->stack_shown = options->stack_shown;
	made->intern = options->intern;
	made->intern_ctx = options->intern_ctx;
	made->fds = options->fds;
	made->futex_recorded.observations = options->observations;
	made->referenced = options->referenced;
	made->symbols = options->symbols;
	made->late = options->late;
	made->event_names = options->event_names;
	made->tasks = tasks_new();
	made->names_version = clock_now_ns() | 1;
	made->futexes = futexes_new(made->tasks);
	made->latency_heatmap = options->latency_heatmap;
	made->all = made->matched = call_stats_new(made->latency_heatmap, 0);
	pairing_init(&made->pairing, made->tasks, call_done, made);
	*model = made;
	return 0;
}

void model_free(struct model *model)
{
	if (!model)
		return;
	if (model->matched != model->all)
		call_stats_free(model->matched);
	call_stats_free(model->all);
	pairing_release(&model->pairing);
	futexes_free(model->futexes_matched);
	futexes_free(model->futexes);
	tasks_free(model->tasks);
	history_free(model->history);
	events_release(&model->events);
	pending_match_release(&model->pending_match);
	free(model->cpu_lost);
	idmap_release(&model->taskless);
	pthread_mutex_destroy(&model->mutex);
	free(model);
}

void model_start_over(struct model *model, uint64_t from_ns)
{
	struct pairing *pairing = &model->pairing;
	bool unwatched = pairing->waits_unwatched, unreported = pairing->ins_unreported;

	model_clear_sums(model);
	futexes_free(model->futexes);
	tasks_clear(model->tasks);
	model->futexes = futexes_new(model->tasks);
	if (model->futexes_matched)
		model_renew_matched_futexes(model);
	pairing_release(pairing);
	pairing_init(pairing, model->tasks, call_done, model);
	pairing->waits_unwatched = unwatched;
	pairing->ins_unreported = unreported;
	history_clear(model->history);
	events_zero(&model->events);
	pending_match_clear(&model->pending_match);
	idmap_clear(&model->taskless);
	if (model->fds)
		fds_start_over(model->fds, from_ns);
	futex_recorded_start_over(&model->futex_recorded, from_ns);
	if (model->cpu_count)
		memset(model->cpu_lost, 0, model->cpu_count * sizeof(*model->cpu_lost));
	model->zero_seq = model->refill_seq = model->refill_end = history_end(model->history);
	model->calls_seen = model->records_lost = model->gaps = 0;
	model->orphans = model->lost_exits = model->records_other = 0;
	model->calls_counted = model->calls_unmatched = model->last_record_ns = 0;
	model->from_ns = from_ns;
	model->before = from_ns > 0;
	model->generation++;
}

void model_reach(struct model *model, uint64_t time_ns)
{
	if (!model->before || time_ns < model->from_ns)
		return;
	model->before = false;
	futexes_zero(model->futexes);
}

void model_expect_from(struct model *model, uint64_t time_ns)
{
	model->pairing.started_ns = time_ns;
}

int model_share_history(struct model *model, size_t parts, struct err *err)
{
	return history_share(model->history, parts, err);
}

void model_shorten_history(struct model *model, size_t bytes)
{
	history_shorten(model->history, bytes);
}

void model_lock(struct model *model)
{
	pthread_mutex_lock(&model->mutex);
}

void model_unlock(struct model *model)
{
	pthread_mutex_unlock(&model->mutex);
}

/* -- Feeding ----------------------------------------------------------------- */

static void put_gap(struct model *model, const struct record *record, uint64_t lost)
{
	struct call gap = {
		.enter_ns = record->time_ns,
		.dur_ns = -1,
		.args = { lost, lost ? record->lost.kind : LOSS_OF_ANYTHING },
		.cpu = (uint16_t)(record->cpu < UINT16_MAX ? record->cpu : UINT16_MAX),
		.state = CALL_GAP,
	};

	model->gaps++;
	history_put(model->history, &gap, NULL);
}

static void count_lost(struct model *model, uint32_t cpu, uint64_t count)
{
	model->records_lost += count;
	if (cpu >= CPUS_MAX)
		return;
	if (cpu >= model->cpu_count) {
		size_t cpus = cpu + 1;

		model->cpu_lost = mem_realloc(model->cpu_lost, cpus, sizeof(*model->cpu_lost));
		memset(model->cpu_lost + model->cpu_count, 0,
		       (cpus - model->cpu_count) * sizeof(*model->cpu_lost));
		model->cpu_count = cpus;
	}
	model->cpu_lost[cpu] += count;
}

static uint32_t intern(struct model *model, const struct record *record,
		       const struct record_stack *stack)
{
	if (!model->intern || (!stack->count && !stack->user_stack_bytes))
		return 0;
	if (!pairing_wants_stack(&model->pairing, record))
		return 0;
	return model->intern(model->intern_ctx, record, stack);
}

static void feed_task_exit(struct model *model, const struct record *record)
{
	const struct task *task;

	pairing_feed(&model->pairing, record);
	task = tasks_find(model->tasks, record->tid);
	if (!task)
		return;
	if (model->fds)
		fds_exit(model->fds, fd_task(task->process->pid, task->tid), task->process->ended,
			 record->time_ns);
	/* Totals do not know tasks: mark the ended thread for folding. */
	totals_end_thread(model->all->totals, task->process->pid, task->tid);
	if (model->matched != model->all)
		totals_end_thread(model->matched->totals, task->process->pid, task->tid);
	model_apply_ends(model);
}

/* A futex call was entered or was found in /proc: add its waiter or wake. */
static void enter_futex(struct model *model, uint32_t tid)
{
	const struct task *task = tasks_find(model->tasks, tid);

	if (task)
		futexes_enter(model->futexes, task);
}

/* Count calls that have no records. The filter cannot be applied to them later. */
static void count_sums(struct model *model, const struct record *record)
{
	const struct process *process = tasks_process(model->tasks, record->pid);

	if (record->time_ns < model->from_ns)
		return;
	model->calls_seen += record->aggregate.calls;
	model->calls_counted += record->aggregate.calls;
	call_stats_add_aggregate(model->all, record);
	if (model->matched != model->all && record->aggregate.all_match)
		call_stats_add_aggregate(model->matched, record);
	else if (model->matched != model->all)
		model->calls_unmatched += record->aggregate.calls;
	/* The totals now count the process as alive: queue its end again. */
	if (!process)
		model_add_taskless(model, record->pid);
	else if (process->ended)
		tasks_note_end(model->tasks, record->pid, process->comm_id);
	model_apply_ends(model);
}

/* Feed the enter of a RECORD_CALL before its exit: futexes need it to infer the waker of a wait. */
static void enter_first(struct model *model, const struct record *record)
{
	struct record half = {
		.time_ns = record->time_ns,
		.kind = RECORD_ENTER,
		.cpu = record->call.enter_cpu,
		.pid = record->pid,
		.tid = record->tid,
		.enter = { .nr = record->call.nr, .entered_ns = record->call.entered_ns },
	};
	const struct task *task = tasks_find(model->tasks, record->tid);

	if (task && task->in_call && task->entered_ns == record->call.entered_ns)
		return;
	memcpy(half.enter.args, record->call.args, sizeof(half.enter.args));
	pairing_feed(&model->pairing, &half);
	enter_futex(model, record->tid);
}

/* Store argument memory of a call in flight, read at its enter or later. */
static void store_bytes(struct model *model, const struct record *record)
{
	struct task *task = tasks_find(model->tasks, record->tid);

	if (task && task->in_call && !task->held && task->entered_ns == record->enter.entered_ns)
		task->call.bytes_at = history_put_bytes(model->history, &record->enter.bytes);
}

/* A held call is put later, when the bytes of its record are gone: store them now. */
static void store_held_bytes(struct model *model, const struct record *record)
{
	struct task *task = tasks_find(model->tasks, record->tid);

	if (task && task->held && task->entered_ns == record->call.entered_ns)
		task->call.bytes_at = history_join_bytes(model->history, &task->call,
							 &record->call.bytes);
}

bool model_wants_bytes(const struct model *model, uint32_t tid, struct call *call)
{
	const struct task *task = tasks_find(model->tasks, tid);

	if (!task || !task->in_call || task->held || task->call.bytes_at ||
	    task->call.flags & CALL_SEEDED)
		return false;
	*call = task->call;
	return true;
}

void model_store_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes)
{
	struct task *task = tasks_find(model->tasks, tid);

	if (task && task->in_call)
		task->call.bytes_at = history_put_bytes(model->history, bytes);
}

void model_add_bytes(struct model *model, uint32_t tid, const struct record_bytes *bytes)
{
	struct task *task = tasks_find(model->tasks, tid);

	if (task && task->in_call)
		task->call.bytes_at = history_join_bytes(model->history, &task->call, bytes);
}

const void *model_bytes(const struct model *model, const struct call *call, size_t *len)
{
	return history_bytes(model->history, call, len);
}

/* Feed losses, and records that change all descriptors of a thread or process. */
static void feed_fds(struct model *model, const struct record *record)
{
	switch (record->kind) {
	case RECORD_FORK:
		fds_fork(model->fds, fd_task(record->fork.parent_pid, record->fork.parent_tid),
			 fd_task(record->pid, record->tid), record->time_ns);
		break;
	case RECORD_COMM:
		if (record->comm.exec)
			fds_exec(model->fds, record->pid, record->time_ns);
		break;
	case RECORD_LOST:
		if (record->lost.kind != LOSS_OF_EVENTS)
			fds_lose(model->fds, record->time_ns);
		break;
	case RECORD_GAP:
		fds_lose(model->fds, record->time_ns);
		break;
	default:
		break;
	}
}

/*
 * Return the task of an event; NULL: the idle task. Signal events and the last switch of a thread
 * follow its exit record, so an ended task is accepted.
 */
static const struct task *event_task(struct model *model, const struct record *record)
{
	const struct task *task;

	if (!record->tid)
		return NULL;
	task = tasks_find(model->tasks, record->tid);
	if (task && task->process->pid == record->pid)
		return task;
	return pairing_task(&model->pairing, record);
}

static void feed_event(struct model *model, const struct record *record)
{
	struct call row;

	if (record->time_ns < model->from_ns)
		return;
	events_row(&row, record, event_task(model, record), model->tasks);
	events_seen(&model->events, record->event.number);
	emit_tap(model, &row);
	/* Event rows have no stack, so they never wait for symbols. */
	if (model_passes(model, &row) != MODEL_YES)
		return;
	events_matched(&model->events, record->event.number);
	history_put(model->history, &row, &record->event.bytes);
	emit_watch(model, &row);
}

static void feed_lost(struct model *model, const struct record *record)
{
	if (record->lost.kind != LOSS_OF_EVENTS)
		pairing_feed(&model->pairing, record);
	if (record->time_ns < model->from_ns)
		return;
	if (record->lost.kind == LOSS_OF_ANYTHING)
		count_lost(model, record->cpu, record->lost.count);
	else if (record->lost.kind == LOSS_OTHER)
		model->records_other += record->lost.count;
	else if (record->lost.kind == LOSS_OF_EVENTS)
		model->events.lost += record->lost.count;
	put_gap(model, record, record->lost.count);
}

void model_feed(struct model *model, const struct record *record)
{
	struct pairing *pairing = &model->pairing;

	model->generation++;
	if (__builtin_expect(model->before, 0))
		model_reach(model, record->time_ns);
	if (record->time_ns > model->last_record_ns)
		model->last_record_ns = record->time_ns;
	if (model->fds)
		feed_fds(model, record);
	switch (record->kind) {
	case RECORD_ENTER:
		pairing_feed(pairing, record);
		if (__builtin_expect(record->enter.bytes.len, 0))
			store_bytes(model, record);
		if (__builtin_expect(futex_op_is(record->enter.nr), 0))
			enter_futex(model, record->tid);
		break;
	case RECORD_CALL:
		if (__builtin_expect(futex_op_is(record->call.nr), 0))
			enter_first(model, record);
		model->whole = record->call.bytes.len ? record : NULL;
		pairing_feed(pairing, record);
		if (__builtin_expect(pairing->held && model->whole, 0))
			store_held_bytes(model, record);
		model->whole = NULL;
		break;
	case RECORD_INFLIGHT:
		pairing_feed(pairing, record);
		if (futex_op_is(record->inflight.nr))
			enter_futex(model, record->tid);
		if (record->inflight.stack)
			pairing_inflight_wait(pairing, record,
					      intern(model, record, record->inflight.stack));
		break;
	case RECORD_SWITCH_OUT:
		pairing_switch_out(pairing, record,
				   intern(model, record, &record->switch_out.stack));
		break;
	case RECORD_SWITCH_IN:
		pairing_switch_in(pairing, record);
		break;
	case RECORD_RUNNING:
		pairing_running(pairing, record, intern(model, record, &record->running.stack));
		break;
	case RECORD_WAKING:
		pairing_waking(pairing, record, intern(model, record, &record->waking.stack));
		break;
	case RECORD_TASK_EXIT:
		feed_task_exit(model, record);
		break;
	case RECORD_AGGREGATE:
		count_sums(model, record);
		break;
	case RECORD_LOST:
		feed_lost(model, record);
		break;
	case RECORD_EVENT:
		feed_event(model, record);
		break;
	case RECORD_GAP:
		pairing_feed(pairing, record);
		if (record->time_ns >= model->from_ns)
			put_gap(model, record, 0);
		break;
	default:
		pairing_feed(pairing, record);
		break;
	}
}

void model_settle(struct model *model, uint64_t now_ns)
{
	uint64_t calls = model->calls_seen;

	pairing_settle(&model->pairing, now_ns);
	if (model->fds)
		fds_settle(model->fds, now_ns);
	futex_recorded_settle(&model->futex_recorded, model->futexes, model->tasks, now_ns);
	model->fed_ns = now_ns;
	if (model->calls_seen != calls)
		model->generation++;
	model_look_at_taskless(model, now_ns == UINT64_MAX ? SIZE_MAX : TASKLESS_PER_SETTLE);
	model_apply_ends(model);
	tasks_forget_processes(model->tasks, TASKS_ENDED_PROCESSES_MAX);
}

void model_settle_early(struct model *model, size_t max)
{
	pairing_settle_early(&model->pairing, max);
	model->generation++;
}

size_t model_sleepers(struct model *model, uint64_t now_ns, uint32_t *tids, size_t max)
{
	return sleepers_take(&model->pairing.sleepers, model->tasks, now_ns, tids, max);
}

uint64_t model_fed_ns(const struct model *model)
{
	return model->fed_ns;
}

size_t model_room(const struct model *model)
{
	size_t room = history_room(model->history), of_bytes = history_bytes_room(model->history);
	uint64_t held = model->pairing.held;

	if (!model->hold_for_reader)
		return SIZE_MAX;
	/* Calls that wait for a restart will be put too, in the worst case all at the end. */
	room = room > held ? room - (size_t)held : 0;
	return room < of_bytes ? room : of_bytes;
}
