#include "engine/filter/filter_pushdown.h"

#include "engine/base/mem.h"
#include "engine/filter/filter_owners.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of values that are listed for the kernel. */
#define LISTED_MAX 1024

static void half_init(struct filter_pushdown *half, bool exact, enum filter_kernel by)
{
	half->by = by;
	kernel_filter_init(&half->kernel);
	half->rest = true;
	half->exact = exact;
	half->by_result = false;
}

void filter_pushdown_release(struct filter_pushdown *half)
{
	kernel_filter_release(&half->kernel);
}

static void half_set_nothing(struct filter_pushdown *half)
{
	filter_pushdown_release(half);
	half_init(half, true, half->by);
	half->kernel.nothing = true;
	half->kernel.by_syscall = true;
	half->rest = false;
}

static int compare_ids(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* List the values of the ranges, sorted, without duplicates; false: too many. */
static bool list_values(const struct filter_range *ranges, size_t range_count, uint32_t **ids,
			size_t *id_count)
{
	uint64_t total = 0;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < range_count; i++) {
		int64_t lo = ranges[i].lo < 0 ? 0 : ranges[i].lo;
		int64_t hi = ranges[i].hi > UINT32_MAX ? UINT32_MAX : ranges[i].hi;
		if (lo <= hi)
			total += (uint64_t)(hi - lo) + 1;
		/* Single values are exempt: the text of the filter bounds them. */
		if (total > LISTED_MAX && total > range_count)
			return false;
	}
	*ids = mem_zalloc(total + 1, sizeof(**ids));
	for (size_t i = 0; i < range_count; i++) {
		int64_t hi = ranges[i].hi > UINT32_MAX ? UINT32_MAX : ranges[i].hi;
		for (int64_t id = ranges[i].lo < 0 ? 0 : ranges[i].lo; id <= hi; id++)
			(*ids)[count++] = (uint32_t)id;
	}
	qsort(*ids, count, sizeof(**ids), compare_ids);
	for (size_t i = 0; i < count; i++)
		if (!kept || (*ids)[i] != (*ids)[kept - 1])
			(*ids)[kept++] = (*ids)[i];
	*id_count = kept;
	return true;
}

static void half_of_syscalls(struct filter_pushdown *half, const struct filter_syscall_set *set,
			     bool negate)
{
	bool any = false;

	half->kernel.by_syscall = true;
	half->rest = set->rest != negate;
	for (size_t i = 0; i < sizeof(set->bits); i++) {
		half->kernel.syscalls[i] = negate ? (uint8_t)~set->bits[i] : set->bits[i];
		any |= half->kernel.syscalls[i] != 0;
	}
	if (!any && !half->rest)
		half_set_nothing(half);
}

static void half_of_tasks(struct filter_pushdown *half, const struct filter *filter,
			  const struct filter_node *node, bool negate)
{
	struct kernel_filter *kernel = &half->kernel;
	uint32_t *ids = NULL;
	size_t count;

	half->exact = false;
	/* The kernel filter has no list of excluded threads. */
	if (negate && node->field == FIELD_TID)
		return;
	if (!list_values(filter->ranges + node->index, node->count, &ids, &count))
		return;
	half->exact = true;
	if (negate) {
		/*
		 * The negation of a bare number N excludes process N and thread N. Only processes
		 * can be excluded.
		 */
		half->exact = node->field == FIELD_PID;
		kernel->not_pids = ids;
		kernel->not_pid_count = count;
		return;
	}
	if (!count) {
		free(ids);
		half_set_nothing(half);
		return;
	}
	if (node->field == FIELD_PID || node->field == FIELD_TASK) {
		kernel->pids = ids;
		kernel->pid_count = count;
	}
	if (node->field == FIELD_TASK) {
		kernel->tids = mem_zalloc(count, sizeof(*ids));
		memcpy(kernel->tids, ids, count * sizeof(*ids));
		kernel->tid_count = count;
	} else if (node->field == FIELD_TID) {
		kernel->tids = ids;
		kernel->tid_count = count;
	}
}

/* Return the least value that passes. 0: 0 passes too, or the least value is unknown. */
static int64_t least(const struct filter *filter, const struct filter_node *node, bool negate)
{
	const struct filter_range *ranges = filter->ranges + node->index;
	int64_t low = INT64_MAX;

	if (negate)
		return node->count == 1 && ranges->lo <= 0 && ranges->hi >= 0 &&
				       ranges->hi < INT64_MAX
			       ? ranges->hi + 1
			       : 0;
	for (uint32_t i = 0; i < node->count; i++)
		low = ranges[i].lo < low ? ranges[i].lo : low;
	return low > 0 && low < INT64_MAX ? low : 0;
}

/* True if a minimum duration expresses the whole test. */
static bool is_least(const struct filter *filter, const struct filter_node *node, bool negate)
{
	const struct filter_range *range = filter->ranges + node->index;

	return node->count == 1 &&
	       (negate ? range->lo <= 0 && range->hi < INT64_MAX : range->hi == INT64_MAX);
}

/* Calls that were emitted while in flight pass, whatever their result is. */
static void half_of_result(struct filter_pushdown *half, const struct filter *filter,
			   const struct filter_node *node, bool negate)
{
	half->exact = false;
	if (half->by != FILTER_BY_PROGRAMS)
		return;
	half->by_result = true;
	if (node->field == FIELD_DUR) {
		half->kernel.min_dur_ns = (uint64_t)least(filter, node, negate);
		half->exact = is_least(filter, node, negate);
	} else if (node->field == FIELD_ERRNO) {
		half->kernel.failed = least(filter, node, negate) > 0;
	} else {
		half->exact = half->kernel.failed = !negate;
	}
}

static void half_of_owner(struct filter_pushdown *half, const struct filter *filter,
			  const struct filter_node *node, bool negate)
{
	if (half->by != FILTER_BY_PROGRAMS) {
		half->exact = false;
		return;
	}
	filter_owners_of_test(half, filter, node, negate);
	if (half->kernel.nothing)
		half_set_nothing(half);
}

static void half_of_test(struct filter_pushdown *half, const struct filter *filter,
			 const struct filter_node *node, bool negate)
{
	bool inverted = node->inverted != negate;

	if (half->by == FILTER_BY_NOTHING) {
		half->exact = false;
		return;
	}
	switch (node->field) {
	case FIELD_SYSCALL:
		half_of_syscalls(half, filter->sets + node->index, inverted);
		break;
	case FIELD_PID:
	case FIELD_TID:
	case FIELD_TASK:
		half_of_tasks(half, filter, node, inverted);
		break;
	case FIELD_DUR:
	case FIELD_ERRNO:
	case FIELD_FAILED:
		half_of_result(half, filter, node, inverted);
		break;
	case FIELD_ARGUMENT:
		/* Calls without the argument match a negated test, so it is not pushed down. */
		if (!negate)
			half_of_syscalls(half, filter->sets + node->calls, false);
		half->exact = false;
		break;
	case FIELD_EVENT:
		/* No call is an event, so the test is false for calls whatever the name. */
		if (!negate)
			half_set_nothing(half);
		break;
	case FIELD_UID:
	case FIELD_CGROUP:
		half_of_owner(half, filter, node, inverted);
		break;
	default:
		half->exact = false;
		break;
	}
}

/* Replace the first list by the intersection; with ids_unite(), by the union. */
static void ids_cut(uint32_t *ids, size_t *count, const uint32_t *other, size_t other_count)
{
	size_t kept = 0, j = 0;

	for (size_t i = 0; i < *count; i++) {
		while (j < other_count && other[j] < ids[i])
			j++;
		if (j < other_count && other[j] == ids[i])
			ids[kept++] = ids[i];
	}
	*count = kept;
}

static void ids_unite(uint32_t **ids, size_t *count, const uint32_t *other, size_t other_count)
{
	uint32_t *both;
	size_t kept = 0, i = 0, j = 0;

	if (!other_count)
		return;
	both = mem_zalloc(*count + other_count, sizeof(*both));
	while (i < *count || j < other_count) {
		bool mine = j == other_count || (i < *count && (*ids)[i] <= other[j]);
		uint32_t id = mine ? (*ids)[i++] : other[j++];
		if (!kept || both[kept - 1] != id)
			both[kept++] = id;
	}
	free(*ids);
	*ids = both;
	*count = kept;
}

static bool ids_equal(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	return a_count == b_count && (!a_count || !memcmp(a, b, a_count * sizeof(*a)));
}

bool filter_pushdown_any_task(const struct kernel_filter *kernel)
{
	return !kernel->pid_count && !kernel->tid_count;
}

static void take_tasks(struct kernel_filter *to, struct kernel_filter *from)
{
	free(to->pids);
	free(to->tids);
	to->pids = from->pids;
	to->tids = from->tids;
	to->pid_count = from->pid_count;
	to->tid_count = from->tid_count;
	from->pids = from->tids = NULL;
	from->pid_count = from->tid_count = 0;
}

/* Replace the tasks of a by the intersection. False: no task is in both. */
static bool cut_tasks(struct filter_pushdown *a, struct filter_pushdown *b)
{
	struct kernel_filter *left = &a->kernel, *right = &b->kernel;

	if (filter_pushdown_any_task(right))
		return true;
	if (filter_pushdown_any_task(left)) {
		take_tasks(left, right);
		return true;
	}
	if (!left->tid_count && !right->tid_count) {
		ids_cut(left->pids, &left->pid_count, right->pids, right->pid_count);
		return left->pid_count > 0;
	}
	if (!left->pid_count && !right->pid_count) {
		ids_cut(left->tids, &left->tid_count, right->tids, right->tid_count);
		return left->tid_count > 0;
	}
	if (ids_equal(left->pids, left->pid_count, right->pids, right->pid_count) &&
	    ids_equal(left->tids, left->tid_count, right->tids, right->tid_count))
		return true;
	/* Processes and threads are mixed. Either list passes enough: use the narrower one. */
	a->exact = false;
	if ((left->pid_count && !right->pid_count) ||
	    (left->pid_count > 0) + left->tid_count > (right->pid_count > 0) + right->tid_count)
		take_tasks(left, right);
	return true;
}

void filter_pushdown_and(struct filter_pushdown *a, struct filter_pushdown *b)
{
	struct kernel_filter *left = &a->kernel, *right = &b->kernel;
	bool exact = a->exact && b->exact, some = false;

	if (left->nothing || right->nothing) {
		half_set_nothing(a);
		filter_pushdown_release(b);
		return;
	}
	a->exact = exact;
	a->by_result = a->by_result || b->by_result;
	if (right->min_dur_ns > left->min_dur_ns)
		left->min_dur_ns = right->min_dur_ns;
	left->failed = left->failed || right->failed;
	if (!left->by_syscall) {
		memcpy(left->syscalls, right->syscalls, sizeof(left->syscalls));
		left->by_syscall = right->by_syscall;
		a->rest = b->rest;
	} else if (right->by_syscall) {
		for (size_t i = 0; i < sizeof(left->syscalls); i++) {
			left->syscalls[i] &= right->syscalls[i];
			some |= left->syscalls[i] != 0;
		}
		a->rest = a->rest && b->rest;
		if (!some && !a->rest) {
			half_set_nothing(a);
			filter_pushdown_release(b);
			return;
		}
	}
	ids_unite(&left->not_pids, &left->not_pid_count, right->not_pids, right->not_pid_count);
	if (!filter_owners_and(a, b) || !cut_tasks(a, b))
		half_set_nothing(a);
	filter_pushdown_release(b);
}

static bool same_syscalls(const struct filter_pushdown *a, const struct filter_pushdown *b)
{
	return a->kernel.by_syscall == b->kernel.by_syscall && a->rest == b->rest &&
	       !memcmp(a->kernel.syscalls, b->kernel.syscalls, sizeof(a->kernel.syscalls));
}

/* Replace a by the union, or a superset of it; consumes b. */
static void half_or(struct filter_pushdown *a, struct filter_pushdown *b)
{
	struct kernel_filter *left = &a->kernel, *right = &b->kernel;
	int differences;

	if (right->nothing) {
		filter_pushdown_release(b);
		return;
	}
	if (left->nothing) {
		filter_pushdown_release(a);
		*a = *b;
		return;
	}
	/* The union of two products is a product only if they differ in at most one factor. */
	differences = !same_syscalls(a, b) +
		      !(ids_equal(left->pids, left->pid_count, right->pids, right->pid_count) &&
			ids_equal(left->tids, left->tid_count, right->tids, right->tid_count)) +
		      !ids_equal(left->not_pids, left->not_pid_count, right->not_pids,
				 right->not_pid_count) +
		      !filter_owners_same(left, right) + (left->min_dur_ns != right->min_dur_ns) +
		      (left->failed != right->failed);
	a->exact = a->exact && b->exact && differences <= 1;
	a->by_result = a->by_result || b->by_result;
	filter_owners_or(a, b);
	if (right->min_dur_ns < left->min_dur_ns)
		left->min_dur_ns = right->min_dur_ns;
	left->failed = left->failed && right->failed;
	if (!left->by_syscall || !right->by_syscall) {
		left->by_syscall = false;
		memset(left->syscalls, 0, sizeof(left->syscalls));
		a->rest = true;
	} else {
		for (size_t i = 0; i < sizeof(left->syscalls); i++)
			left->syscalls[i] |= right->syscalls[i];
		a->rest = a->rest || b->rest;
	}
	ids_cut(left->not_pids, &left->not_pid_count, right->not_pids, right->not_pid_count);
	if (filter_pushdown_any_task(left) || filter_pushdown_any_task(right)) {
		left->pid_count = left->tid_count = 0;
	} else {
		ids_unite(&left->pids, &left->pid_count, right->pids, right->pid_count);
		ids_unite(&left->tids, &left->tid_count, right->tids, right->tid_count);
	}
	filter_pushdown_release(b);
}

void filter_pushdown_split(struct filter_pushdown *half, const struct filter *filter,
			   uint32_t index, bool negate, enum filter_kernel by)
{
	const struct filter_node *node = &filter->nodes[index];
	bool conjunction = (node->kind == NODE_AND) != negate;

	if (node->kind == NODE_NOT) {
		filter_pushdown_split(half, filter, node->first, !negate, by);
		return;
	}
	half_init(half, true, by);
	if (node->kind == NODE_TEST) {
		half_of_test(half, filter, node, negate);
		return;
	}
	for (uint32_t at = node->first; at != FILTER_NO_NODE; at = filter->nodes[at].next) {
		struct filter_pushdown term;
		filter_pushdown_split(&term, filter, at, negate, by);
		if (at == node->first)
			*half = term;
		else if (conjunction)
			filter_pushdown_and(half, &term);
		else
			half_or(half, &term);
	}
}

bool filter_pushdown_same(const struct filter_pushdown *a, const struct filter_pushdown *b)
{
	const struct kernel_filter *left = &a->kernel, *right = &b->kernel;

	return left->nothing == right->nothing && same_syscalls(a, b) &&
	       ids_equal(left->pids, left->pid_count, right->pids, right->pid_count) &&
	       ids_equal(left->tids, left->tid_count, right->tids, right->tid_count) &&
	       ids_equal(left->not_pids, left->not_pid_count, right->not_pids,
			 right->not_pid_count) &&
	       filter_owners_same(left, right);
}

void filter_pushdown_copy(struct filter_pushdown *to, const struct filter_pushdown *from)
{
	*to = *from;
	kernel_filter_copy(&to->kernel, &from->kernel);
}

void filter_kernel_half(const struct filter *filter, struct kernel_filter *into)
{
	struct filter_pushdown half;

	kernel_filter_init(into);
	if (filter_is_all(filter))
		return;
	filter_pushdown_split(&half, filter, filter->root, false, FILTER_BY_PROGRAMS);
	*into = half.kernel;
	into->exact = half.exact && !half.by_result;
	into->totals_exact = half.exact;
	for (size_t i = 0; i < filter->node_count; i++)
		if (filter->nodes[i].kind == NODE_TEST &&
		    (filter->nodes[i].field == FIELD_UID || filter->nodes[i].field == FIELD_CGROUP))
			into->owners = true;
}
