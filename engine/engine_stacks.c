/*
 * engine_stacks - interns the stacks of records for the model.
 */
#include "engine/engine_state.h"

#include "engine/late/stack_bytes.h"
#include "engine/recording/perfdata_ext.h"
#include "engine/recording/read/recording.h"
#include "engine/stack/embedded_names.h"

/* Store pointed-to data that the sampled stack of a wait contains: the source does not copy it. */
static void store_stack_bytes(struct engine *e, const struct record *record,
			      const struct record_stack *stack)
{
	unsigned char chunks[STACK_BYTES_ROOM];
	struct record_bytes bytes = { .chunks = chunks };
	struct call call;

	if (!model_wants_bytes(e->model, record->tid, &call))
		return;
	bytes.len = stack_bytes_take(&call, stack, chunks);
	if (bytes.len)
		model_store_bytes(e->model, record->tid, &bytes);
}

/*
 * Intern a stack in the present address space of the record's thread. *is_unwound: its user part
 * was unwound from registers and stack bytes.
 */
static uint32_t add_stack(struct engine *e, const struct record *record,
			  const struct record_stack *stack, bool *is_unwound)
{
	struct unwinder_sample sample;
	struct unwound unwound;

	*is_unwound = true;
	if (embedded_stacks_find(e->embedded_stacks, record, &unwound))
		return stacks_add_unwound(e->stacks, record->pid,
					  spaces_generation(e->spaces, record->pid), stack,
					  unwound.ips, unwound.count, unwound.flags);
	if (e->unwinder && unwinder_prepare(e->unwinder, record->pid, stack, &sample)) {
		uint32_t generation = sample.space.generation, id = 0;

		if (unwinder_find(e->unwinder, &sample, &unwound))
			return stacks_add_unwound(e->stacks, record->pid, generation, stack,
						  unwound.ips, unwound.count, unwound.flags);
		if (unwinder_has_room(e->unwinder, &sample))
			id = stacks_add_pending(e->stacks, record->pid, generation, stack);
		if (id) {
			unwinder_push(e->unwinder, &sample, id);
			return id;
		}
	}
	*is_unwound = false;
	return stacks_add(e->stacks, record->pid, spaces_generation(e->spaces, record->pid), stack);
}

uint32_t engine_intern_stack(void *ctx, const struct record *record,
			     const struct record_stack *stack)
{
	struct engine *e = ctx;
	struct stack added;
	bool is_unwound;
	uint32_t id;

	if (e->stack_points && stack->user_stack_bytes)
		store_stack_bytes(e, record, stack);
	id = add_stack(e, record, stack, &is_unwound);
	if (e->recording_symbols && recorder_is_on(e->recorder) &&
	    stacks_get(e->stacks, id, &added))
		recording_symbols_note(e->recording_symbols, &added, is_unwound ? record : NULL);
	if (e->flight_names && flight_is_on(e->flight) && stacks_get(e->stacks, id, &added))
		recording_symbols_note(e->flight_names, &added, is_unwound ? record : NULL);
	return id;
}

void engine_stack_shown(void *ctx, uint32_t stack_id, uint64_t row, uint64_t first_row)
{
	struct engine *e = ctx;

	stacks_note_row(e->stacks, stack_id, row, first_row);
}

static void hold_of_task(void *ctx, struct task *task)
{
	struct stacks *stacks = ctx;

	stacks_hold(stacks, task->call.stack_id);
	stacks_hold(stacks, task->call.ran_stack_id);
	stacks_hold(stacks, task->call.waker_stack_id);
	stacks_hold(stacks, task->wait_stack_id);
	stacks_hold(stacks, task->longest_stack_id);
	stacks_hold(stacks, task->found_stack_id);
	stacks_hold(stacks, task->sampled_stack_id);
	for (size_t i = 0; i < WAIT_MEMORIES; i++) {
		stacks_hold(stacks, task->memory[i].stack_id);
		stacks_hold(stacks, task->memory[i].waker_stack_id);
	}
}

void engine_hold_stacks(void *ctx, struct stacks *stacks)
{
	struct engine *e = ctx;

	tasks_each(model_tasks(e->model), hold_of_task, stacks);
}

/* Store an unwound stack. Runs on the unwinder's thread. */
static void take_unwound(void *ctx, uint32_t id, const struct unwound *unwound)
{
	struct engine *e = ctx;
	struct stack stack;

	collector_lock(e->collector);
	stacks_resolve(e->stacks, id, unwound->ips, unwound->count, unwound->flags);
	if (e->recording_symbols && stacks_get(e->stacks, id, &stack))
		recording_symbols_resolve(e->recording_symbols, id, &stack);
	if (e->flight_names && stacks_get(e->stacks, id, &stack))
		recording_symbols_resolve(e->flight_names, id, &stack);
	collector_unlock(e->collector);
	symbols_touch(e->symbols);
}

void engine_start_unwinder(struct engine *e, const struct engine_options *options)
{
	struct unwinder_options wanted = {
		.fork_server = symbols_fork_server(e->symbols),
		.spaces = e->spaces,
		.reader = e->unwind_reader,
		.places = symbols_places(e->symbols),
		.recorded = options->recording != NULL,
		.done = take_unwound,
		.ctx = e,
	};
	bool has_samples = options->recording || options->stacks == STACKS_AUTO ||
			   options->stacks == STACKS_DWARF;

	if (has_samples && unwinder_new(&e->unwinder, &wanted, NULL))
		e->unwinder = NULL;
}

void engine_take_embedded(struct engine *e, struct source *source, bool stacks)
{
	size_t len;
	char *bytes = source_recording_own(source, PERFDATA_EXT_FEATURE_NAMES,
					   EMBEDDED_NAMES_VERSION, &len);

	if (bytes)
		symbols_set_embedded(e->symbols, bytes, len);
	bytes = stacks ? source_recording_own(source, PERFDATA_EXT_FEATURE_UNWOUND,
					      EMBEDDED_STACKS_VERSION, &len)
		       : NULL;
	if (bytes)
		e->embedded_stacks = embedded_stacks_new(bytes, len);
}

bool engine_is_unwinder_busy(void *ctx)
{
	const struct engine *e = ctx;

	return e->unwinder && unwinder_is_busy(e->unwinder);
}
