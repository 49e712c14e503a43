#include "engine/tasks/futex_recorded.h"

#include "engine/base/escape.h"

#include <string.h>

#define QUESTIONS_AT_ONCE 64
#define LABEL_BYTES 512

static void answer(struct futexes *futexes, const struct futex_question *question,
		   const struct finding *finding)
{
	char label[LABEL_BYTES];
	const struct futex_answer answer = {
		.found = finding->futex.found,
		.shared = finding->futex.mapped_shared,
		.device = finding->futex.device,
		.inode = finding->futex.inode,
		.offset = finding->futex.offset,
		.label = escape_unsafe(label, sizeof(label), finding->text),
	};

	futexes_answer(futexes, question, &answer);
}

void futex_told_start_over(struct futex_told *told, uint64_t from_ns)
{
	told->cursor = 0;
	told->from_ns = from_ns;
}

/* Of the memory that the process has now: if its beginning was not fed, it was before. */
static bool is_of(const struct futex_told *told, const struct process *process,
		  const struct finding *finding)
{
	uint64_t memory_ns = finding->futex.memory_ns;

	return process->memory_ns ? process->memory_ns == memory_ns : memory_ns <= told->from_ns;
}

static void take(const struct futex_told *told, struct futexes *futexes, const struct tasks *tasks,
		 const struct finding *finding)
{
	const struct process *process = tasks_process(tasks, finding->pid);
	struct futex_question question = {
		.key = { .uaddr = finding->futex.uaddr, .shared = finding->futex.shared },
		.pid = finding->pid,
	};

	if (!process || !is_of(told, process, finding))
		return;
	question.key.generation = process->generation;
	answer(futexes, &question, finding);
}

static void take_known(struct futex_told *told, struct futexes *futexes, const struct tasks *tasks,
		       const struct futex_question *question, uint64_t until_ns)
{
	const struct process *process = tasks_process(tasks, question->pid);
	const struct finding *finding = findings_first(told->findings, FINDING_PLACE, question->pid,
						       question->key.uaddr);

	if (!process || process->generation != question->key.generation)
		return;
	for (; finding; finding = findings_next(told->findings, finding))
		if (finding->pid == question->pid && finding->fed_ns <= until_ns &&
		    finding->futex.uaddr == question->key.uaddr &&
		    finding->futex.shared == question->key.shared && is_of(told, process, finding))
			answer(futexes, question, finding);
}

void futex_told_settle(struct futex_told *told, struct futexes *futexes, const struct tasks *tasks,
		       uint64_t until_ns)
{
	struct futex_question questions[QUESTIONS_AT_ONCE];
	const struct finding *finding;

	if (!told->findings)
		return;
	while ((finding = findings_in_order(told->findings, &told->cursor, until_ns)))
		if (finding->kind == FINDING_PLACE)
			take(told, futexes, tasks, finding);
	/* Futexes that were known before the recording began are met later here. */
	for (int shared = 0; shared < 2; shared++) {
		size_t count = futexes_ask(futexes, shared, questions, QUESTIONS_AT_ONCE);

		for (size_t i = 0; i < count; i++)
			take_known(told, futexes, tasks, &questions[i], until_ns);
	}
}

bool futex_told_describe(const struct futex *futex, const struct tasks *tasks,
			 struct finding *finding)
{
	const struct process *process = tasks_process(tasks, futex->pid);

	if (!futex->label || !futex->key.uaddr || !process ||
	    process->generation != futex->key.generation)
		return false;
	*finding = (struct finding){ .kind = FINDING_PLACE, .pid = futex->pid, .tid = futex->pid };
	finding->futex.uaddr = futex->key.uaddr;
	finding->futex.memory_ns = process->memory_ns;
	finding->futex.shared = futex->key.shared;
	finding->futex.found = true;
	finding->futex.mapped_shared = futex->memory != NULL;
	if (futex->memory) {
		finding->futex.device = futex->memory->device;
		finding->futex.inode = futex->memory->inode;
		finding->futex.offset = futex->memory->offset;
	}
	finding->text = futex->label;
	finding->len = strlen(futex->label);
	return true;
}
