#include "tui/view/process_tree.h"

#include "engine/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* Lines deeper than this are not indented further. */
#define DEPTH_SHOWN 24
#define FOLDED ((void *)1)
#define THREADS_ID (1ULL << 62)
#define THREAD_ID (1ULL << 63)

/* Nodes are linked by number, and `sum` is an index, because the arrays can move as they grow. */
struct process_node {
	const struct engine_row *row;
	uint32_t parent, first, next; /* first child, next sibling; see link_in_order() */
	uint32_t sum; /* index into totals; NONE: no child process */
	uint32_t below;
	uint32_t line; /* index of its line, if visible */
	bool is_thread, reached;
};

void process_tree_init(struct process_tree *tree)
{
	memset(tree, 0, sizeof(*tree));
	idmap_init(&tree->folds);
	idmap_init(&tree->by_pid);
}

void process_tree_release(struct process_tree *tree)
{
	idmap_release(&tree->folds);
	idmap_release(&tree->by_pid);
	free(tree->lines);
	free(tree->nodes);
	free(tree->totals);
	free(tree->ranks);
	free(tree->order);
}

/* The row of threads without a tid must not share the id of its process. */
static uint64_t node_id(const struct process_node *node)
{
	if (!node->is_thread)
		return node->row->pid;
	return node->row->tid ? THREAD_ID | node->row->tid : THREADS_ID | node->row->pid;
}

/* ---- sums of subtrees ---- */

static double histogram_total(const struct engine_row *row)
{
	double total = 0;

	for (int i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		total += (double)row->histogram[i];
	return total;
}

/* Estimate a quantile as the middle of the histogram cell that contains it. */
static uint64_t estimate(const struct engine_row *row, double fraction)
{
	double step = log((double)ENGINE_HISTOGRAM_HIGH_NS / ENGINE_HISTOGRAM_LOW_NS) /
		      ENGINE_HISTOGRAM_CELLS;
	double left = histogram_total(row) * fraction;
	uint64_t ns;
	int cell = 0;

	while (cell < ENGINE_HISTOGRAM_CELLS - 1 && left > (double)row->histogram[cell])
		left -= (double)row->histogram[cell++];
	ns = (uint64_t)((double)ENGINE_HISTOGRAM_LOW_NS * exp(step * (cell + 0.5)));
	return ns < row->min_ns ? row->min_ns : ns > row->max_ns ? row->max_ns : ns;
}

static void add_sums(struct engine_row *into, const struct engine_row *from)
{
	into->calls += from->calls;
	into->errors += from->errors;
	into->total_ns += from->total_ns;
	into->blocked_ns += from->blocked_ns;
	into->running_ns += from->running_ns;
	into->waiting_ns += from->waiting_ns;
	into->queued_ns += from->queued_ns;
	into->runnable_ns += from->runnable_ns;
	into->waits_unknown += from->waits_unknown;
	into->untimed += from->untimed;
	into->calls_per_s += from->calls_per_s;
	into->in_flight += from->in_flight;
	into->threads += from->threads;
	if (from->min_ns && (!into->min_ns || from->min_ns < into->min_ns))
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	if (from->oldest_ns > into->oldest_ns)
		into->oldest_ns = from->oldest_ns;
	for (int i = 0; i < ENGINE_HISTOGRAM_CELLS; i++)
		into->histogram[i] += from->histogram[i];
	into->bare = into->bare && from->bare;
}

static void estimate_quantiles(struct engine_row *sum)
{
	if (histogram_total(sum) <= 0)
		return;
	sum->p50_ns = estimate(sum, 0.50);
	sum->p95_ns = estimate(sum, 0.95);
	sum->p99_ns = estimate(sum, 0.99);
}

static const struct engine_row *sum_of(const struct process_tree *tree,
				       const struct process_node *node)
{
	return node->sum == NONE ? node->row : &tree->totals[node->sum];
}

/* ---- nodes ---- */

static uint32_t add_node(struct process_tree *tree, const struct engine_row *row, bool is_thread)
{
	tree->nodes[tree->node_count] = (struct process_node){
		.row = row,
		.parent = NONE,
		.first = NONE,
		.next = NONE,
		.sum = NONE,
		.is_thread = is_thread,
	};
	return (uint32_t)tree->node_count++;
}

static struct process_node *node_of(const struct process_tree *tree, uint32_t pid)
{
	uintptr_t place = (uintptr_t)idmap_get(&tree->by_pid, pid);

	return place ? &tree->nodes[place - 1] : NULL;
}

/* Skip a main thread that made all calls of its process: its row would add no information. */
static void add_threads(struct process_tree *tree, const struct engine_row *threads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct process_node *process = node_of(tree, threads[i].pid);
		uint32_t node;

		if (!process || process->row->ended_processes ||
		    (threads[i].tid == threads[i].pid && threads[i].calls == process->row->calls &&
		     threads[i].in_flight == process->row->in_flight))
			continue;
		node = add_node(tree, &threads[i], true);
		tree->nodes[node].parent = (uint32_t)(process - tree->nodes);
	}
}

static void add_nodes(struct process_tree *tree, const struct engine_row *processes, size_t count,
		      const struct engine_row *threads, size_t thread_count)
{
	tree->nodes = mem_grow(tree->nodes, &tree->node_capacity, count + thread_count + 1,
			       sizeof(*tree->nodes));
	tree->node_count = 0;
	idmap_clear(&tree->by_pid);
	for (size_t i = 0; i < count; i++) {
		uint32_t node = add_node(tree, &processes[i], false);

		idmap_put(&tree->by_pid, processes[i].pid, (void *)(uintptr_t)(node + 1));
	}
	for (size_t i = 0; i < count; i++) {
		const struct process_node *parent = node_of(tree, processes[i].parent_pid);

		if (parent && parent != &tree->nodes[i])
			tree->nodes[i].parent = (uint32_t)(parent - tree->nodes);
	}
	add_threads(tree, threads, thread_count);
}

static void link_node(struct process_tree *tree, uint32_t at, uint32_t *roots)
{
	struct process_node *node = &tree->nodes[at];
	uint32_t *first = node->parent == NONE ? roots : &tree->nodes[node->parent].first;

	node->next = *first;
	*first = at;
}

/* Link children to parents in any order; returns the first root. */
static uint32_t link_nodes(struct process_tree *tree)
{
	uint32_t roots = NONE;

	for (uint32_t i = 0; i < tree->node_count; i++)
		tree->nodes[i].first = NONE;
	for (uint32_t i = 0; i < tree->node_count; i++)
		link_node(tree, i, &roots);
	return roots;
}

/* ---- from the leaves to the roots ---- */

/* Write each node to .order after its parent; returns the number of nodes that the roots reach. */
static size_t walk(struct process_tree *tree, uint32_t roots)
{
	size_t count = 0, done = 0;

	tree->order = mem_grow(tree->order, &tree->order_capacity, tree->node_count + 1,
			       sizeof(*tree->order));
	for (uint32_t at = roots; at != NONE; at = tree->nodes[at].next)
		tree->order[count++] = at;
	while (done < count) {
		struct process_node *node = &tree->nodes[tree->order[done++]];

		node->reached = true;
		for (uint32_t at = node->first; at != NONE; at = tree->nodes[at].next)
			tree->order[count++] = at;
	}
	return count;
}

/* With reused pids, two processes can be each other's parents. Make them roots. */
static void cut_circles(struct process_tree *tree)
{
	for (uint32_t i = 0; i < tree->node_count; i++)
		if (!tree->nodes[i].reached && !tree->nodes[i].is_thread)
			tree->nodes[i].parent = NONE;
}

static void add_to_parent(struct process_tree *tree, uint32_t at)
{
	struct process_node *node = &tree->nodes[at], *parent;

	if (node->parent == NONE)
		return;
	parent = &tree->nodes[node->parent];
	parent->below += node->below + 1;
	if (node->is_thread)
		return; /* the process includes the calls of its threads */
	if (parent->sum == NONE) {
		tree->totals = mem_grow(tree->totals, &tree->sum_capacity, tree->sum_count + 1,
					sizeof(*tree->totals));
		parent->sum = (uint32_t)tree->sum_count++;
		tree->totals[parent->sum] = *parent->row;
	}
	add_sums(&tree->totals[parent->sum], sum_of(tree, node));
}

static void sum_up(struct process_tree *tree, size_t count)
{
	while (count)
		add_to_parent(tree, tree->order[--count]);
	for (size_t i = 0; i < tree->sum_count; i++)
		estimate_quantiles(&tree->totals[i]);
}

/* ---- order ---- */

/* Sort all nodes at once: then the children of each parent are in order too. */
static uint32_t link_in_order(struct process_tree *tree, const struct process_order *order)
{
	uint32_t roots = NONE;

	tree->ranks = mem_grow(tree->ranks, &tree->rank_capacity, tree->node_count + 1,
			       sizeof(*tree->ranks));
	for (uint32_t i = 0; i < tree->node_count; i++) {
		tree->ranks[i] = (struct totals_order){
			.row = sum_of(tree, &tree->nodes[i]),
			.id = node_id(&tree->nodes[i]),
			.index = i,
			.late = !tree->nodes[i].is_thread,
		};
		tree->nodes[i].first = NONE;
	}
	totals_order_sort(tree->ranks, tree->node_count, order->column, order->descending);
	/* link_node() prepends, so the last node is linked first. */
	for (size_t i = tree->node_count; i-- > 0;)
		link_node(tree, tree->ranks[i].index, &roots);
	return roots;
}

/* ---- lines ---- */

static void add_line(struct process_tree *tree, uint32_t at)
{
	struct process_node *node = &tree->nodes[at];
	const struct process_line *parent = node->parent == NONE
						    ? NULL
						    : &tree->lines[tree->nodes[node->parent].line];
	struct process_line *line = &tree->lines[tree->count];

	*line = (struct process_line){
		.id = node_id(node),
		.own = node->row,
		.below = node->below,
		.depth = parent ? parent->depth + 1 : 0,
		.has_children = node->first != NONE,
		.last = node->next == NONE,
		.guides = parent ? parent->guides : 0,
	};
	line->open = line->has_children && !idmap_get(&tree->folds, line->id);
	line->row = line->has_children && !line->open ? sum_of(tree, node) : node->row;
	if (parent && parent->depth && parent->depth <= DEPTH_SHOWN && !parent->last)
		line->guides |= 1ULL << parent->depth;
	node->line = (uint32_t)tree->count++;
}

static uint32_t after(const struct process_tree *tree, uint32_t at)
{
	const struct process_node *nodes = tree->nodes;

	if (tree->lines[nodes[at].line].open)
		return nodes[at].first;
	while (at != NONE && nodes[at].next == NONE)
		at = nodes[at].parent;
	return at == NONE ? NONE : nodes[at].next;
}

static void make_lines(struct process_tree *tree, uint32_t roots)
{
	tree->lines = mem_grow(tree->lines, &tree->capacity, tree->node_count + 1,
			       sizeof(*tree->lines));
	tree->count = 0;
	for (uint32_t at = roots; at != NONE; at = after(tree, at))
		add_line(tree, at);
}

void process_tree_build(struct process_tree *tree, const struct engine_row *processes, size_t count,
			const struct engine_row *threads, size_t thread_count,
			const struct process_order *order)
{
	uint32_t roots;
	size_t reached;

	tree->sum_count = 0;
	add_nodes(tree, processes, count, threads, threads ? thread_count : 0);
	roots = link_nodes(tree);
	reached = walk(tree, roots);
	if (reached < tree->node_count) {
		cut_circles(tree);
		reached = walk(tree, link_nodes(tree));
	}
	sum_up(tree, reached);
	make_lines(tree, link_in_order(tree, order));
}

/* ---- folding ---- */

void process_tree_fold(struct process_tree *tree, const struct process_line *line, bool folded)
{
	if (folded)
		idmap_put(&tree->folds, line->id, FOLDED);
	else
		idmap_remove(&tree->folds, line->id);
}

static bool is_below(const struct process_tree *tree, uint32_t node, uint64_t id)
{
	for (; node != NONE; node = tree->nodes[node].parent)
		if (node_id(&tree->nodes[node]) == id)
			return true;
	return false;
}

void process_tree_unfold_entry(struct process_tree *tree, size_t line)
{
	uint64_t id = tree->lines[line].id;

	for (uint32_t i = 0; i < tree->node_count; i++)
		if (is_below(tree, i, id))
			idmap_remove(&tree->folds, node_id(&tree->nodes[i]));
}

void process_tree_unfold_all(struct process_tree *tree)
{
	idmap_clear(&tree->folds);
}

void process_tree_fold_all(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].parent == NONE && tree->nodes[i].first != NONE)
			idmap_put(&tree->folds, node_id(&tree->nodes[i]), FOLDED);
}

bool process_tree_parent(const struct process_tree *tree, size_t line, size_t *parent)
{
	if (!tree->lines[line].depth)
		return false;
	*parent = line;
	while (tree->lines[*parent].depth >= tree->lines[line].depth)
		--*parent;
	return true;
}

/* ---- text ---- */

static uint32_t shown_depth(const struct process_line *line)
{
	return line->depth < DEPTH_SHOWN ? line->depth : DEPTH_SHOWN;
}

int process_tree_sign_col(const struct process_line *line)
{
	uint32_t depth = shown_depth(line);

	return depth ? ((int)depth - 1) * 2 : 0;
}

void process_tree_add_guides(const struct process_line *line, struct str *out)
{
	uint32_t depth = shown_depth(line);
	bool folded = line->has_children && !line->open;

	for (uint32_t i = 1; i < depth; i++)
		str_add(out, line->guides & 1ULL << i ? "│ " : "  ");
	if (!depth)
		str_add(out, !line->has_children ? "  " : folded ? "+ " : "- ");
	else if (folded)
		str_add(out, line->last ? "└+ " : "├+ ");
	else
		str_add(out, line->last ? "└─ " : "├─ ");
}
