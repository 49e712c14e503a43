/*
 * futex_names - names of futexes and the memory behind them; implements part of engine.h.
 */
#include "engine/futex_names.h"

#include "engine/base/escape.h"
#include "engine/engine_state.h"
#include "engine/late/futex_backing.h"
#include "engine/stack/data_symbols.h"
#include "engine/tasks/futex_recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AT_ONCE 16
/* Number of private futexes to resolve per round; their names are less urgent. */
#define OWN_AT_ONCE 64

static bool is_live(const struct engine *e)
{
	return atomic_load(&e->ready) && !e->recorded;
}

/* -- Mappings ------------------------------------------------------------------------------ */

/* Emit the memory of a futex to the files being written. Locked. */
static void emit_place(struct engine *e, const struct futex_key *key)
{
	const struct futex *futex = futex_table_find(futexes_table(model_futexes(e->model)), key);
	struct observation observation;

	if (!futex || !futex_recorded_describe(futex, model_tasks(e->model), &observation))
		return;
	observation.fed_ns = model_fed_ns(e->model);
	engine_find(e, &observation);
}

/* Resolve a batch of shared or of private futexes; return its size. */
static size_t answer_some(struct engine *e, bool shared)
{
	struct futex_pending_entry questions[AT_ONCE];
	struct futex_place places[AT_ONCE];
	bool found[AT_ONCE];
	size_t count;

	collector_lock(e->collector);
	count = futexes_ask(model_futexes(e->model), shared, questions, AT_ONCE);
	collector_unlock(e->collector);
	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++)
		found[i] = futex_backing_find(e->memory_reader, &places[i], questions[i].pid,
					      questions[i].key.uaddr);
	collector_lock(e->collector);
	for (size_t i = 0; i < count; i++) {
		const struct futex_place *place = &places[i];
		struct futex_answer answer = { .found = found[i] };

		if (found[i]) {
			answer.shared = place->shared;
			answer.device = place->device;
			answer.inode = place->inode;
			answer.offset = place->offset;
			answer.label = place->label;
		}
		futexes_answer(model_futexes(e->model), &questions[i], &answer);
		if (found[i])
			emit_place(e, &questions[i].key);
	}
	collector_unlock(e->collector);
	return count;
}

void engine_futexes_place(struct engine *e)
{
	if (!is_live(e))
		return;
	while (answer_some(e, true) == AT_ONCE)
		;
	for (int done = 0; done < OWN_AT_ONCE; done += AT_ONCE)
		if (answer_some(e, false) < AT_ONCE)
			break;
}

/* -- Names ------------------------------------------------------------------------------ */

struct futex_at {
	uint32_t pid;
	bool shared;
	uint64_t memory_ns; /* see struct process */
	uint32_t space; /* generation of the address space, as in symbols */
	bool has_space; /* this space is, or was last, the address space of the process */
	char label[ENGINE_FUTEX_NAME_BYTES];
};

/* Look up a futex. generation 0: the present address space of the process. */
static void look_up(struct engine *e, uint32_t pid, uint64_t uaddr, bool shared,
		    uint32_t generation, struct futex_at *at)
{
	struct futex_key key = { .uaddr = uaddr, .generation = generation, .shared = shared };
	const struct process *process;
	const struct futex *futex;

	*at = (struct futex_at){ .pid = pid, .shared = shared };
	collector_lock(e->collector);
	process = tasks_process(model_tasks(e->model), pid);
	if (process && !generation)
		key.generation = process->generation;
	at->has_space = process && process->generation == key.generation;
	if (at->has_space) {
		at->space = spaces_generation(e->spaces, pid);
		at->memory_ns = process->memory_ns;
	}
	futex = futex_table_find(futexes_table(model_futexes(e->model)), &key);
	if (futex && futex->label)
		snprintf(at->label, sizeof(at->label), "%s", futex->label);
	collector_unlock(e->collector);
}

/* Find the name stored in the recording. */
static bool find_recorded(struct engine *e, const struct futex_at *at, uint64_t uaddr,
			  char out[ENGINE_FUTEX_NAME_BYTES])
{
	const struct observation *observation =
		observations_first(e->observations, OBSERVATION_VARIABLE, at->pid, uaddr);

	for (; observation; observation = observations_next(e->observations, observation))
		if (observation->pid == at->pid && observation->futex.uaddr == uaddr &&
		    (!at->memory_ns || observation->futex.memory_ns == at->memory_ns) &&
		    observation->futex.shared == at->shared) {
			escape_unsafe(out, ENGINE_FUTEX_NAME_BYTES, observation->text);
			return true;
		}
	return false;
}

static bool find_variable(struct engine *e, const struct futex_at *at, uint64_t uaddr,
			  char out[ENGINE_FUTEX_NAME_BYTES], bool *pending)
{
	struct variable variable;

	if (!at->has_space)
		return false;
	if (e->observations && find_recorded(e, at, uaddr, out))
		return true;
	if (!variables_find(e->symbols, at->pid, at->space, uaddr, &variable, pending))
		return false;
	if (variable.offset)
		snprintf(out, ENGINE_FUTEX_NAME_BYTES, "%.80s+0x%" PRIx64, variable.symbol,
			 variable.offset);
	else
		snprintf(out, ENGINE_FUTEX_NAME_BYTES, "%s", variable.symbol);
	return true;
}

bool futex_names_variable(struct engine *e, const struct engine_futex *row,
			  char out[ENGINE_FUTEX_NAME_BYTES], bool *pending)
{
	struct futex_at at;

	look_up(e, row->pid, row->uaddr, row->shared, row->generation, &at);
	return find_variable(e, &at, row->uaddr, out, pending);
}

static bool format_name(struct engine *e, const struct futex_at *at, uint64_t uaddr,
			char out[ENGINE_FUTEX_NAME_BYTES])
{
	bool pending;

	if (find_variable(e, at, uaddr, out, &pending))
		return true;
	memcpy(out, at->label, ENGINE_FUTEX_NAME_BYTES);
	return *out != '\0';
}

/* -- futex_waitv() ----------------------------------------------------------------------- */

#define VECTOR_MAX 128 /* FUTEX_WAITV_MAX */
#define VECTOR_SHOWN 4

/* struct futex_waitv of linux/futex.h. */
struct vector_wait {
	uint64_t value;
	uint64_t uaddr;
	uint32_t flags;
	uint32_t reserved;
};

/* Read the vector of a call in flight; it stays in place until the call returns. */
static size_t read_vector(struct engine *e, const struct call *call,
			  struct vector_wait waits[VECTOR_MAX])
{
	uint64_t count = call->args[1] < VECTOR_MAX ? call->args[1] : VECTOR_MAX;

	return reader_memory(e->memory_reader, call->pid, call->args[0], waits,
			     count * sizeof(*waits)) /
	       sizeof(*waits);
}

static void format_vector(struct engine *e, const struct call *call,
			  char out[ENGINE_FUTEX_NAME_BYTES])
{
	struct vector_wait waits[VECTOR_MAX];
	size_t count = is_live(e) && call->state == CALL_IN_FLIGHT ? read_vector(e, call, waits)
								   : 0;
	int used = snprintf(out, ENGINE_FUTEX_NAME_BYTES, "any of %llu",
			    (unsigned long long)call->args[1]);

	for (size_t i = 0; i < count && i < VECTOR_SHOWN; i++)
		used += snprintf(out + used, ENGINE_FUTEX_NAME_BYTES - (size_t)used, "%s0x%" PRIx64,
				 i ? ", " : ": ", waits[i].uaddr);
	if (count > VECTOR_SHOWN)
		snprintf(out + used, ENGINE_FUTEX_NAME_BYTES - (size_t)used, ", ...");
}

bool engine_futex_name(struct engine *e, const struct engine_futex *row,
		       char out[ENGINE_FUTEX_NAME_BYTES])
{
	struct futex_at at;

	*out = '\0';
	if (!atomic_load(&e->ready))
		return false;
	if (!row->uaddr) {
		snprintf(out, ENGINE_FUTEX_NAME_BYTES, "several at once");
		return true;
	}
	look_up(e, row->pid, row->uaddr, row->shared, row->generation, &at);
	return format_name(e, &at, row->uaddr, out);
}

bool engine_call_futex_name(struct engine *e, const struct call *call,
			    char out[ENGINE_FUTEX_NAME_BYTES])
{
	struct futex_at at;
	struct futex_op op;

	*out = '\0';
	if (!atomic_load(&e->ready) || call->state == CALL_ORPHAN ||
	    !futex_op_parse(&op, call->nr, call->args))
		return false;
	if (!op.uaddr && op.verb == FUTEX_VERB_WAIT) {
		format_vector(e, call, out);
		return true;
	}
	if (!op.uaddr)
		return false;
	look_up(e, call->pid, op.uaddr, op.shared, 0, &at);
	return format_name(e, &at, op.uaddr, out);
}
