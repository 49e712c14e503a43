#include "engine/base/cgroup_path.h"
#include "engine/base/mem.h"
#include "engine/filter/filter_tree.h"

#include <stdlib.h>
#include <string.h>

/*
 * Steps are made from the end to the beginning, since each names what follows.
 * There is one for each test; and, or, not are only in the way they are linked.
 */
struct compiler {
	const struct filter *filter;
	struct filter_step *steps;
	uint32_t count;
};

static void link_test(struct compiler *compiler, const struct filter_node *node,
		      struct filter_step *step)
{
	const struct filter *filter = compiler->filter;

	step->field = node->field;
	step->test = node->test;
	step->inverted = node->inverted;
	step->count = node->count;
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
 * The step at which the node at `index` begins, where then[0] and then[1] follow
 * a no and a yes. The children of a chain are linked from the last to the first:
 * their list is turned round by a walk that nests no deeper than the filter.
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
		entry = chain->kind == NODE_AND ? compile_node(compiler, children[i], no, entry) :
						  compile_node(compiler, children[i], entry, yes);
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

/* False: not known of this call. An age counts for what has not returned. */
static bool duration_of(const struct call *call, const struct filter_reader *reader, int64_t *ns)
{
	if (call->state == CALL_IN_FLIGHT) {
		if (!reader || reader->now_ns < call->enter_ns)
			return false;
		*ns = (int64_t)(reader->now_ns - call->enter_ns);
		return true;
	}
	*ns = call->dur_ns;
	return call->dur_ns >= 0;
}

static bool uid_of(const struct call *call, const struct filter_reader *reader, int64_t *value)
{
	uint32_t uid;

	if (!reader || !reader->uid || !reader->uid(reader->ctx, call, &uid))
		return false;
	*value = uid;
	return true;
}

static bool has_returned(const struct call *call)
{
	return call->state == CALL_DONE || call->state == CALL_ORPHAN;
}

static bool read_number(unsigned field, const struct call *call,
			const struct filter_reader *reader, int64_t *value)
{
	switch ((enum filter_field_id)field) {
	case FIELD_ARG0:
	case FIELD_ARG1:
	case FIELD_ARG2:
	case FIELD_ARG3:
	case FIELD_ARG4:
	case FIELD_ARG5:
		*value = (int64_t)call->args[field - FIELD_ARG0];
		return call->state != CALL_ORPHAN;
	case FIELD_BEGAN:
	case FIELD_ENDED:
		if (!reader || call->state == CALL_ORPHAN)
			return false;
		*value = (int64_t)(call->enter_ns - reader->start_ns);
		if (field == FIELD_BEGAN)
			return true;
		*value += call->dur_ns;
		return call->state == CALL_DONE;
	case FIELD_BLOCKED:
		*value = (int64_t)call->blocked_ns;
		return true;
	case FIELD_RUNNABLE:
		*value = (int64_t)call->runnable_ns;
		return true;
	case FIELD_CPU:
		*value = call->cpu;
		return true;
	case FIELD_DUR:
		return duration_of(call, reader, value);
	case FIELD_ON_CPU:
		if (!duration_of(call, reader, value))
			return false;
		*value -= (int64_t)(call->blocked_ns + call->runnable_ns);
		if (*value < 0)
			*value = 0;
		return true;
	case FIELD_ERRNO:
		*value = call_failed(call) ? -call->ret : 0;
		return has_returned(call);
	case FIELD_RET:
		*value = call->ret;
		return has_returned(call);
	case FIELD_PID:
		*value = call->pid;
		return true;
	case FIELD_TID:
		*value = call->tid;
		return true;
	case FIELD_UID:
		return uid_of(call, reader, value);
	case FIELD_WAKER:
		*value = call->waker_tid;
		return true;
	case FIELD_CGROUP:
	case FIELD_EVENT:
	case FIELD_PATH:
	case FIELD_FD:
	case FIELD_COMM:
	case FIELD_FAILED:
	case FIELD_IN_FLIGHT:
	case FIELD_SYSCALL:
	case FIELD_TASK:
		break;
	}
	return false;
}

static bool in_ranges(const struct filter_step *step, int64_t value)
{
	if (step->count == 1)
		return value >= step->range.lo && value <= step->range.hi;
	for (uint32_t i = 0; i < step->count; i++)
		if (value >= step->ranges[i].lo && value <= step->ranges[i].hi)
			return true;
	return false;
}

/* A call may have several: any of them, or with != none of those that it has. */
static bool test_fds(const struct filter_step *step, const struct call *call,
		     const struct filter_reader *reader)
{
	int32_t fds[FILTER_FDS];
	size_t count = reader && reader->fds ? reader->fds(reader->ctx, call, fds) : 0;
	bool in = false;

	for (size_t i = 0; i < count; i++)
		in = in || in_ranges(step, fds[i]);
	return count && in != step->inverted;
}

/* What is not known of a call answers no to every question about it, != included. */
static bool test_ranges(const struct filter_step *step, const struct call *call,
			const struct filter_reader *reader)
{
	int64_t value;

	if (step->field == FIELD_TASK)
		return in_ranges(step, call->pid) || in_ranges(step, call->tid);
	if (step->field == FIELD_FD)
		return test_fds(step, call, reader);
	if (!read_number(step->field, call, reader, &value))
		return false;
	return in_ranges(step, value) != step->inverted;
}

static bool test_syscall(const struct filter_step *step, const struct call *call)
{
	bool in = call->nr < SYSCALL_NR_MAX ? step->set->bits[call->nr / 8] >> (call->nr % 8) & 1 :
					      step->set->rest;

	return in != step->inverted;
}

static const char *text_of(const struct filter_step *step, const struct call *call,
			   const struct filter_reader *reader)
{
	if (step->field == FIELD_CGROUP)
		return reader && reader->cgroup ? reader->cgroup(reader->ctx, call) : NULL;
	if (step->field == FIELD_EVENT)
		return call->state == CALL_EVENT && reader && reader->event ?
			       reader->event(reader->ctx, call) : NULL;
	return reader && reader->comm ? reader->comm(reader->ctx, call) : NULL;
}

static bool is_text(const struct filter_step *step, const char *text)
{
	if (step->test == TEST_PATTERN)
		return filter_pattern_match(step->pattern, text, strlen(text)) == PATTERN_YES;
	for (uint32_t i = 0; i < step->count; i++)
		if (!strcmp(step->names[i], text))
			return true;
	return false;
}

/* As of descriptors. */
static bool test_paths(const struct filter_step *step, const struct call *call,
		       const struct filter_reader *reader)
{
	char path[FILTER_PATH_BYTES];
	bool known = false, in = false;

	if (!reader || !reader->path)
		return false;
	for (unsigned i = 0; !in && reader->path(reader->ctx, call, i, path); i++) {
		known = known || *path;
		in = *path && is_text(step, path);
	}
	return known && in != step->inverted;
}

static bool test_text(const struct filter_step *step, const struct call *call,
		      const struct filter_reader *reader)
{
	bool is_cgroup = step->field == FIELD_CGROUP;
	const char *text = text_of(step, call, reader);
	bool in = false;

	if (!text)
		return false;
	if (!is_cgroup || step->test == TEST_PATTERN)
		return is_text(step, text) != step->inverted;
	for (uint32_t i = 0; !in && i < step->count; i++)
		in = cgroup_path_in(text, step->names[i]);
	return in != step->inverted;
}

/* Of what is no call, these are known all the same. */
static bool is_of_events(unsigned field)
{
	switch ((enum filter_field_id)field) {
	case FIELD_CGROUP:
	case FIELD_COMM:
	case FIELD_CPU:
	case FIELD_EVENT:
	case FIELD_PID:
	case FIELD_TID:
	case FIELD_UID:
	case FIELD_TASK:
		return true;
	default:
		return false;
	}
}

bool filter_match(const struct filter *filter, const struct call *call,
		  const struct filter_reader *reader)
{
	uint32_t at = filter ? filter->entry : STEP_ACCEPT;

	if (call->state == CALL_GAP)
		return true;
	while (at < STEP_REJECT) {
		const struct filter_step *step = &filter->steps[at];
		bool answer = false;

		if (__builtin_expect(call->state == CALL_EVENT, 0) &&
		    !is_of_events(step->field)) {
			at = step->when[false];
			continue;
		}
		switch ((enum filter_test_kind)step->test) {
		case TEST_RANGES:
			answer = test_ranges(step, call, reader);
			break;
		case TEST_SYSCALLS:
			answer = test_syscall(step, call);
			break;
		case TEST_PATTERN:
		case TEST_NAMES:
			answer = step->field == FIELD_PATH ? test_paths(step, call, reader) :
							     test_text(step, call, reader);
			break;
		case TEST_FLAG:
			answer = step->field == FIELD_FAILED ? call_failed(call) :
							       call->state == CALL_IN_FLIGHT;
			break;
		}
		at = step->when[answer];
	}
	return at == STEP_ACCEPT;
}
