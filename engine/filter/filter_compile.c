#include "engine/base/mem.h"
#include "engine/filter/filter_tree.h"

#include <stdlib.h>

/*
 * Steps are created from the last to the first, since each refers to its successors. Each test is
 * one step; `and`, `or`, `not` only determine the successors.
 */
struct compiler {
	struct filter *filter;
	struct filter_step *steps;
	uint32_t count;
};

static void link_test(struct compiler *compiler, const struct filter_node *node,
		      struct filter_step *step)
{
	struct filter *filter = compiler->filter;

	step->field = node->field;
	step->test = node->test;
	step->inverted = node->inverted;
	step->count = node->count;
	step->mask = node->mask;
	step->exact_values = node->exact_values;
	step->by_choice = node->by_choice;
	if (node->field == FIELD_ARGUMENT) {
		step->arguments = filter->arguments[node->argument]->of;
		step->calls = filter->sets + node->calls;
	} else if (node->field == FIELD_STACK || node->field == FIELD_WAKER_STACK ||
		   (node->field == FIELD_COMM && node->test == TEST_PATTERN)) {
		step->memo = filter_add_memo(compiler->filter);
	}
	/* "{}": a list of values can be empty. */
	if ((node->test == TEST_RANGES || node->test == TEST_NAMES) && !node->count)
		return;
	switch ((enum filter_test_kind)node->test) {
	case TEST_RANGES:
		if (node->count == 1)
			step->range = filter->ranges[node->index];
		else
			step->ranges = filter->ranges + node->index;
		break;
	case TEST_SYSCALLS:
		step->set = filter->sets + node->index;
		break;
	case TEST_PATTERN:
		step->pattern = filter->patterns[node->index];
		break;
	case TEST_NAMES:
		step->names = filter->strings + node->index;
		break;
	case TEST_FLAG:
		break;
	}
}

/*
 * Return the first step of the node at `index`; step `no` follows if the node is false, `yes` if it
 * is true. The children of a chain are compiled from the last to the first, so they are listed in
 * an array first. The recursion is as deep as the nesting of the filter.
 */
static uint32_t compile_node(struct compiler *compiler, uint32_t index, uint32_t no, uint32_t yes);

static uint32_t compile_chain(struct compiler *compiler, const struct filter_node *chain,
			      uint32_t no, uint32_t yes)
{
	const struct filter_node *nodes = compiler->filter->nodes;
	uint32_t *children, entry;
	size_t count = 0;

	for (uint32_t at = chain->first; at != FILTER_NO_NODE; at = nodes[at].next)
		count++;
	children = mem_zalloc(count, sizeof(*children));
	count = 0;
	for (uint32_t at = chain->first; at != FILTER_NO_NODE; at = nodes[at].next)
		children[count++] = at;
	entry = compile_node(compiler, children[count - 1], no, yes);
	for (size_t i = count - 1; i--;)
		entry = chain->kind == NODE_AND ? compile_node(compiler, children[i], no, entry)
						: compile_node(compiler, children[i], entry, yes);
	free(children);
	return entry;
}

static uint32_t compile_node(struct compiler *compiler, uint32_t index, uint32_t no, uint32_t yes)
{
	const struct filter_node *node = &compiler->filter->nodes[index];
	struct filter_step *step;

	switch ((enum filter_node_kind)node->kind) {
	case NODE_NOT:
		return compile_node(compiler, node->first, yes, no);
	case NODE_AND:
	case NODE_OR:
		return compile_chain(compiler, node, no, yes);
	case NODE_TEST:
		break;
	}
	step = &compiler->steps[compiler->count];
	link_test(compiler, node, step);
	step->when[false] = no;
	step->when[true] = yes;
	return compiler->count++;
}

void filter_compile(struct filter *filter)
{
	struct compiler compiler = { .filter = filter };

	filter->entry = STEP_ACCEPT;
	if (filter->root == FILTER_NO_NODE)
		return;
	compiler.steps = mem_zalloc(filter->node_count, sizeof(*compiler.steps));
	filter->entry = compile_node(&compiler, filter->root, STEP_REJECT, STEP_ACCEPT);
	filter->steps = compiler.steps;
}

static bool is_of_events(const struct filter_step *step)
{
	return step->field == FIELD_TASK || filter_fields[step->field].of_events;
}

static bool may_accept(const bool *may, uint32_t step)
{
	return step == STEP_ACCEPT || (step < STEP_REJECT && may[step]);
}

/* The successors of a step have lower indexes, so one pass suffices. */
bool filter_takes_events(const struct filter *filter)
{
	uint32_t tests = 0;
	bool *may, takes;

	if (filter_is_all(filter))
		return true;
	for (size_t i = 0; i < filter->node_count; i++)
		tests += filter->nodes[i].kind == NODE_TEST;
	may = mem_zalloc(tests, sizeof(*may));
	for (uint32_t i = 0; i < tests; i++) {
		const struct filter_step *step = &filter->steps[i];

		may[i] = may_accept(may, step->when[false]) ||
			 (is_of_events(step) && may_accept(may, step->when[true]));
	}
	takes = may_accept(may, filter->entry);
	free(may);
	return takes;
}
