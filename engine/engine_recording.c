/*
 * engine_recording - recording to a file and to the flight recorder.
 */
#include "engine/engine_state.h"

#include "engine/base/privilege.h"
#include "engine/prober.h"
#include "engine/recorder/recorder_snapshot.h"
#include "engine/recorder/recording_file.h"

#include <errno.h>
#include <string.h>

/* Size of the history for a single pass over a recording; it fits into the CPU caches. */
#define PASSING_HISTORY_BYTES ((size_t)4 << 20)

#define RECORDED_STACK_BYTES 8192 /* default maximum size of a stack sample */

static void record_one(void *ctx, const struct record *record)
{
	recorder_take(ctx, record);
}

/* State for noting the stacks of the waits that are in progress when a file begins. */
struct noting_waits {
	const struct stacks *stacks;
	struct recording_symbols *names;
};

static void note_wait(void *ctx, struct task *task)
{
	const struct noting_waits *noting = ctx;
	struct stack stack;

	if (task->wait != TASK_RUNNING && stacks_get(noting->stacks, task->wait_stack_id, &stack))
		recording_symbols_note(noting->names, &stack, NULL);
}

static void note_waits(struct engine *e, struct recording_symbols *names)
{
	struct noting_waits noting = { e->stacks, names };

	if (names)
		tasks_each(model_tasks(e->model), note_wait, &noting);
}

/* Write the present state at the start of a file. Not used if the source is a recording. */
static void snapshot(void *ctx, struct recorder *recorder)
{
	struct engine *e = ctx;

	recorder_snapshot(e->model, e->stacks, e->record_from, record_one, recorder);
	e->record_from = 0;
	note_waits(e, e->recording_symbols);
}

int engine_start_recorder(struct engine *e, const struct engine_options *options, struct err *err)
{
	struct recorder_options wanted = {
		.formats = e->event_formats,
		.snapshot = options->recording ? NULL : snapshot,
		.snapshot_ctx = e,
		.reader = e->recorder_reader,
		.stack_bytes = options->dwarf_bytes ? options->dwarf_bytes : RECORDED_STACK_BYTES,
	};
	uint64_t before = privilege_raise();
	int rc;

	if (!options->no_names) {
		e->recording_symbols = recording_symbols_new(e->symbols, 0);
		recording_symbols_set_unwinder(e->recording_symbols, e->unwinder);
		wanted.names = e->recording_symbols;
	}
	rc = recorder_new(&e->recorder, &wanted, err);
	/* Access the named file with the user's own privileges, so that file permissions apply. */
	privilege_lower();
	if (!rc && options->record.path && options->recording &&
	    recording_file_is_same(options->recording, options->record.path))
		rc = err_set(err, -EINVAL,
			     "cannot overwrite a recording while reading it; name another file "
			     "after -o");
	else if (!rc && options->record.path)
		rc = recorder_open(e->recorder, &options->record, err);
	privilege_restore(before);
	return rc;
}

static void snapshot_flight(void *ctx, record_fn *take, void *to)
{
	struct engine *e = ctx;

	recorder_snapshot(e->model, e->stacks, 0, take, to);
	if (e->flight_names)
		recording_symbols_begin(e->flight_names);
	note_waits(e, e->flight_names);
}

static void find_for_flight(void *ctx)
{
	struct engine *e = ctx;

	if (e->prober)
		prober_look(e->prober);
}

int engine_start_flight(struct engine *e, const struct engine_options *options, struct err *err)
{
	struct flight_options wanted = {
		.formats = e->event_formats,
		.spaces = e->spaces,
		.snapshot = snapshot_flight,
		.snapshot_ctx = e,
		.reader = e->recorder_reader,
		.stack_bytes = options->dwarf_bytes ? options->dwarf_bytes : RECORDED_STACK_BYTES,
		.find = find_for_flight,
		.ctx = e,
	};

	if (options->recording)
		return 0;
	if (!options->no_names) {
		e->flight_names = recording_symbols_new(e->symbols, FLIGHT_SEGMENTS_MAX);
		recording_symbols_set_unwinder(e->flight_names, e->unwinder);
		wanted.names = e->flight_names;
	}
	return flight_new(&e->flight, &wanted, err);
}

static int open_recorder(struct engine *e, const struct recorder_request *request, struct err *err)
{
	if (!atomic_load(&e->ready))
		return err_set(err, -ENODATA, "collection has not started yet");
	if (e->recorded)
		return err_set(
			err, -EOPNOTSUPP,
			"this is already a recording; stxtop -i FILE -o OTHER writes a copy");
	return recorder_open(e->recorder, request, err);
}

int engine_record(struct engine *e, const struct recorder_request *request, struct err *err)
{
	int rc = open_recorder(e, request, err);

	if (rc)
		return rc;
	collector_set_recording(e->collector, true, 0);
	prober_begin(e->prober);
	return 0;
}

int engine_record_from(struct engine *e, const struct recorder_request *request,
		       const struct call *call, uint64_t seq, struct err *err)
{
	int rc = open_recorder(e, request, err);

	if (rc)
		return rc;
	collector_lock(e->collector);
	e->record_from = seq + 1;
	collector_unlock(e->collector);
	collector_set_recording(e->collector, true, call->enter_ns);
	prober_begin(e->prober);
	return 0;
}

void engine_record_stop(struct engine *e)
{
	if (!atomic_load(&e->ready))
		return;
	/* In batch mode, include the observations made since the last round. */
	if (e->prober && !e->interactive)
		prober_look(e->prober);
	collector_set_recording(e->collector, false, 0);
}

void engine_record_wait(struct engine *e)
{
	if (atomic_load(&e->ready))
		recorder_wait(e->recorder);
}

bool engine_record_wait_ms(struct engine *e, int timeout_ms)
{
	return !atomic_load(&e->ready) || recorder_wait_ms(e->recorder, timeout_ms);
}

void engine_record_give_up(struct engine *e)
{
	if (atomic_load(&e->ready))
		recorder_give_up(e->recorder);
}

bool engine_record_failed(struct engine *e)
{
	return atomic_load(&e->ready) && recorder_failed(e->recorder);
}

void engine_record_status(struct engine *e, struct recorder_status *status)
{
	memset(status, 0, sizeof(*status));
	if (atomic_load(&e->ready))
		recorder_get_status(e->recorder, status);
}

void engine_shorten_history(struct engine *e, const struct engine_options *options, bool points)
{
	/* Retain the history if its calls can be needed later, as for a pending match. */
	if (!options->passes || options->history_bytes || options->filter || options->flight ||
	    options->record.path)
		return;
	if (!options->lossless_reader)
		model_shorten_history(e->model, 0);
	else if (!points)
		model_shorten_history(e->model, PASSING_HISTORY_BYTES);
}
