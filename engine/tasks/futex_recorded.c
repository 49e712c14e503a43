#include "engine/tasks/futex_recorded.h"

#include "engine/base/escape.h"

#include <string.h>

#define QUESTIONS_AT_ONCE 64
#define LABEL_BYTES 512

static void answer(struct futexes *futexes, const struct futex_pending_entry *question,
		   const struct observation *observation)
{
	char label[LABEL_BYTES];
	const struct futex_answer answer = {
		.found = observation->futex.found,
		.shared = observation->futex.mapped_shared,
		.device = observation->futex.device,
		.inode = observation->futex.inode,
		.offset = observation->futex.offset,
		.label = escape_unsafe(label, sizeof(label), observation->text),
	};

	futexes_answer(futexes, question, &answer);
}

void futex_recorded_start_over(struct futex_recorded *recorded, uint64_t from_ns)
{
	recorded->cursor = 0;
	recorded->from_ns = from_ns;
}

/*
 * True if the observation is of the current address space of the process. An address space whose
 * start was not fed began before from_ns.
 */
static bool is_of(const struct futex_recorded *recorded, const struct process *process,
		  const struct observation *observation)
{
	uint64_t memory_ns = observation->futex.memory_ns;

	return process->memory_ns ? process->memory_ns == memory_ns
				  : memory_ns <= recorded->from_ns;
}

static void take(const struct futex_recorded *recorded, struct futexes *futexes,
		 const struct tasks *tasks, const struct observation *observation)
{
	const struct process *process = tasks_process(tasks, observation->pid);
	struct futex_pending_entry question = {
		.key = { .uaddr = observation->futex.uaddr, .shared = observation->futex.shared },
		.pid = observation->pid,
	};

	if (!process || !is_of(recorded, process, observation))
		return;
	question.key.generation = process->generation;
	answer(futexes, &question, observation);
}

static void take_known(struct futex_recorded *recorded, struct futexes *futexes,
		       const struct tasks *tasks, const struct futex_pending_entry *question,
		       uint64_t until_ns)
{
	const struct process *process = tasks_process(tasks, question->pid);
	const struct observation *observation = observations_first(
		recorded->observations, OBSERVATION_PLACE, question->pid, question->key.uaddr);

	if (!process || process->generation != question->key.generation)
		return;
	for (; observation; observation = observations_next(recorded->observations, observation))
		if (observation->pid == question->pid && observation->fed_ns <= until_ns &&
		    observation->futex.uaddr == question->key.uaddr &&
		    observation->futex.shared == question->key.shared &&
		    is_of(recorded, process, observation))
			answer(futexes, question, observation);
}

void futex_recorded_settle(struct futex_recorded *recorded, struct futexes *futexes,
			   const struct tasks *tasks, uint64_t until_ns)
{
	struct futex_pending_entry questions[QUESTIONS_AT_ONCE];
	const struct observation *observation;

	if (!recorded->observations)
		return;
	while ((observation = observations_in_order(recorded->observations, &recorded->cursor,
						    until_ns)))
		if (observation->kind == OBSERVATION_PLACE)
			take(recorded, futexes, tasks, observation);
	/* The first call of a futex can follow the observation of its mapping. */
	for (int shared = 0; shared < 2; shared++) {
		size_t count = futexes_ask(futexes, shared, questions, QUESTIONS_AT_ONCE);

		for (size_t i = 0; i < count; i++)
			take_known(recorded, futexes, tasks, &questions[i], until_ns);
	}
}

bool futex_recorded_describe(const struct futex *futex, const struct tasks *tasks,
			     struct observation *observation)
{
	const struct process *process = tasks_process(tasks, futex->pid);

	if (!futex->label || !futex->key.uaddr || !process ||
	    process->generation != futex->key.generation)
		return false;
	*observation = (struct observation){ .kind = OBSERVATION_PLACE,
					     .pid = futex->pid,
					     .tid = futex->pid };
	observation->futex.uaddr = futex->key.uaddr;
	observation->futex.memory_ns = process->memory_ns;
	observation->futex.shared = futex->key.shared;
	observation->futex.found = true;
	observation->futex.mapped_shared = futex->memory != NULL;
	if (futex->memory) {
		observation->futex.device = futex->memory->device;
		observation->futex.inode = futex->memory->inode;
		observation->futex.offset = futex->memory->offset;
	}
	observation->text = futex->label;
	observation->len = strlen(futex->label);
	return true;
}
