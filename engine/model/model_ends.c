/*
 * model_ends - applies the ends of processes to the totals.
 *
 * A process ends when its last task ends. If sums of it arrive later, its end is noted again.
 * Aggregates can also mention a process without tasks: all its records were lost.
 */
#include "engine/model/model_private.h"

/* Bound on processes without tasks if is_gone is NULL: beyond it, half of them count as ended. */
#define TASKLESS_MAX 4096
#define LOOK_MAX 64 /* number of processes that one look() checks */

static void end_in_totals(struct model *model, uint32_t pid, const struct totals_label *label)
{
	totals_end_process(model->all->totals, pid, label);
	if (model->matched != model->all)
		totals_end_process(model->matched->totals, pid, label);
}

void model_apply_ends(struct model *model)
{
	struct ended_process ended;

	while (tasks_next_end(model->tasks, &ended)) {
		const struct process *process = tasks_process(model->tasks, ended.pid);
		struct totals_label label = { .comm_id = ended.comm_id };

		if (process && !process->ended)
			continue; /* The pid was reused. */
		if (process) {
			label.comm_id = process->comm_id;
			label.parent_pid = process->parent_pid;
			label.ns_pid = process->ns_pid;
		}
		label.name_id = tasks_name_id(model->tasks,
					      tasks_name(model->tasks, label.comm_id));
		end_in_totals(model, ended.pid, &label);
	}
}

void model_add_taskless(struct model *model, uint32_t pid)
{
	idmap_put(&model->taskless, pid, model);
	if (!model->is_gone)
		model_look_at_taskless(model, 0);
}

/* True if the process has ended, if is_gone is NULL, or if the process has tasks meanwhile. */
static bool is_resolved(struct model *model, uint32_t pid)
{
	if (tasks_process(model->tasks, pid))
		return true;
	if (model->is_gone && !model->is_gone(model->is_gone_ctx, pid))
		return false;
	tasks_note_end(model->tasks, pid, 0);
	return true;
}

/* Check up to LOOK_MAX processes; return how many were resolved. *round: the last was checked. */
static size_t look(struct model *model, size_t max, bool *round)
{
	uint32_t resolved[LOOK_MAX];
	size_t count = 0;

	*round = false;
	for (size_t i = 0; i < max && i < LOOK_MAX && !*round; i++) {
		struct idmap_slot *slot = idmap_next(&model->taskless, &model->taskless_at);

		*round = !slot;
		if (slot && is_resolved(model, (uint32_t)slot->key))
			resolved[count++] = (uint32_t)slot->key;
	}
	for (size_t i = 0; i < count; i++)
		idmap_remove(&model->taskless, resolved[i]);
	model_apply_ends(model);
	if (*round)
		model->taskless_at = 0;
	return count;
}

void model_look_at_taskless(struct model *model, size_t max)
{
	size_t count = 0;
	bool round;

	if (!model->is_gone)
		max = model->taskless.count > TASKLESS_MAX ? TASKLESS_MAX / 2 : 0;
	/* A removal can move a process to a slot before taskless_at: begin another round. */
	for (; max && model->taskless.count; max -= max < LOOK_MAX ? max : LOOK_MAX) {
		count += look(model, max, &round);
		if (round && !count)
			break;
		if (round)
			count = 0;
	}
}
