#include "tui/calls/stack_nodes.h"

#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "tui/session/path_fit.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* A branch with less than 1/OPEN_SHARE of the weight is folded until the user opens it. */
#define OPEN_SHARE 12
/* Maximum number of nodes; real stacks stay far below it. */
#define NODES_MAX 100000

/* clang-format off */
const struct table_column stack_columns[STACK_COLUMN_COUNT] = {
	[STACK_COLUMN_FRAME] = { .id = STACK_COLUMN_FRAME, .name = "frame", .title = "FRAME",
				 .help = "function, its callers below it; share of the total",
				 .min_cols = 16, .flex = 3 },
	[STACK_COLUMN_TIME] = { .id = STACK_COLUMN_TIME, .name = "weight", .title = "BLOCKED",
				.help = "weight of all waits through here", .min_cols = 7,
				.align = ALIGN_RIGHT, .drop = 1 },
	[STACK_COLUMN_CALLS] = { .id = STACK_COLUMN_CALLS, .name = "calls", .title = "CALLS",
				 .help = "calls that waited here", .min_cols = 6,
				 .align = ALIGN_RIGHT, .drop = 2 },
	[STACK_COLUMN_WHERE] = { .id = STACK_COLUMN_WHERE, .name = "where", .title = "WHERE",
				 .help = "source line and file", .min_cols = 18,
				 .flex = 2, .drop = 3 },
};
/* clang-format on */

void stack_nodes_init(struct stack_nodes *nodes)
{
	memset(nodes, 0, sizeof(*nodes));
	nodes->tree = call_tree_new(false);
	nodes->next = call_tree_new(false);
	idmap_init(&nodes->by_id);
}

void stack_nodes_release(struct stack_nodes *nodes)
{
	call_tree_free(nodes->tree);
	call_tree_free(nodes->next);
	idmap_release(&nodes->by_id);
	free(nodes->nodes);
}

struct call_tree *stack_nodes_begin(struct stack_nodes *nodes)
{
	call_tree_clear(nodes->next);
	return nodes->next;
}

static void forget(struct stack_nodes *nodes)
{
	idmap_clear(&nodes->by_id);
	nodes->count = 0;
	nodes->top_count = 0;
}

void stack_nodes_set_inverted(struct stack_nodes *nodes, bool inverted)
{
	forget(nodes);
	call_tree_free(nodes->tree);
	call_tree_free(nodes->next);
	nodes->tree = call_tree_new(inverted);
	nodes->next = call_tree_new(inverted);
	nodes->inverted = inverted;
}

/* Append a node and its siblings; return their number. */
static uint32_t append_siblings(struct stack_nodes *nodes, uint32_t index, uint32_t parent)
{
	uint32_t count = 0;

	while (index != NONE && nodes->count < NODES_MAX) {
		const struct call_tree_node *node = call_tree_node(nodes->tree, index);

		nodes->nodes = mem_grow(nodes->nodes, &nodes->capacity, nodes->count + 1,
					sizeof(*nodes->nodes));
		nodes->nodes[nodes->count++] = (struct stack_node){ node, parent, 0, 0 };
		idmap_put(&nodes->by_id, node->id, (void *)(uintptr_t)nodes->count);
		index = node->next_sibling;
		count++;
	}
	return count;
}

void stack_nodes_show(struct stack_nodes *nodes)
{
	struct call_tree *shown = nodes->tree;

	nodes->tree = nodes->next;
	nodes->next = shown;
	forget(nodes);
	nodes->top_count = append_siblings(nodes, call_tree_first(nodes->tree), NONE);
	for (size_t i = 0; i < nodes->count; i++) {
		uint32_t first = (uint32_t)nodes->count;
		uint32_t count = append_siblings(nodes, nodes->nodes[i].node->first_child,
						 (uint32_t)i);

		nodes->nodes[i].first = first;
		nodes->nodes[i].count = count;
	}
}

/* Return the node; NULL if it does not exist any more. */
static const struct stack_node *find(const struct stack_nodes *nodes, uint64_t id)
{
	uintptr_t index = (uintptr_t)idmap_get(&nodes->by_id, id);

	return index ? &nodes->nodes[index - 1] : NULL;
}

const struct frame *stack_nodes_frame(const struct stack_nodes *nodes, uint64_t id)
{
	const struct stack_node *node = find(nodes, id);

	return node ? node->node->frame : NULL;
}

const struct stack_node **stack_nodes_all(const struct stack_nodes *nodes)
{
	const struct stack_node **all, **waiting;
	size_t count = 0, waits = 0;

	if (!nodes->count)
		return NULL;
	all = mem_zalloc(nodes->count, sizeof(*all));
	waiting = mem_zalloc(nodes->count, sizeof(*waiting));
	for (size_t i = nodes->top_count; i-- > 0;)
		waiting[waits++] = &nodes->nodes[i];
	while (waits) {
		const struct stack_node *node = waiting[--waits];

		all[count++] = node;
		for (size_t i = node->count; i-- > 0;)
			waiting[waits++] = &nodes->nodes[node->first + i];
	}
	free(waiting);
	return all;
}

static size_t child_count(void *data, uint64_t id)
{
	const struct stack_nodes *nodes = data;
	const struct stack_node *node;

	if (id == TREE_ROOT)
		return nodes->top_count;
	node = find(nodes, id);
	return node ? node->count : 0;
}

static uint64_t child(void *data, uint64_t id, size_t index)
{
	const struct stack_nodes *nodes = data;
	const struct stack_node *node = id == TREE_ROOT ? NULL : find(nodes, id);

	return nodes->nodes[(node ? node->first : 0) + index].node->id;
}

static bool open_by_default(void *data, uint64_t id)
{
	const struct stack_nodes *nodes = data;
	const struct stack_node *node = find(nodes, id);

	return node && (node->count == 1 ||
			node->node->weight >= call_tree_weight(nodes->tree) / OPEN_SHARE);
}

static bool flat(void *data, uint64_t id)
{
	return child_count(data, id) == 1;
}

/* True if the frame before it has the same note: a run of frames shows a note once. */
static bool is_reported(const struct frame *frame, const struct frame *before)
{
	return before && before->note && !strcmp(before->note, frame->note);
}

void stack_frame_text(struct str *out, const struct frame *frame, const struct frame *before,
		      bool address)
{
	if (address)
		str_addf(out, "%016llx ", (unsigned long long)frame->ip);
	if (frame->symbol) {
		str_add(out, frame->symbol);
		if (address)
			str_addf(out, "+0x%llx", (unsigned long long)frame->offset);
	} else if (!address) {
		str_addx(out, frame->ip);
	}
	if (frame->pending && !frame->symbol)
		str_add(out, " …");
	if (frame->inlined)
		str_add(out, " (inlined)");
	if (frame->note && !is_reported(frame, before))
		str_addf(out, "  -- %s", frame->note);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void add_line(struct str *out, const struct frame *frame, bool path)
{
	if (frame->file)
		str_addf(out, "%s:%u", path ? frame->file : base_name(frame->file), frame->line);
}

static void add_dso(struct str *out, const struct frame *frame, bool path)
{
	if (frame->dso)
		str_add(out, path ? frame->dso : base_name(frame->dso));
	if (path && !frame->symbol && frame->dso_offset)
		str_addf(out, "+0x%llx", (unsigned long long)frame->dso_offset);
}

void stack_frame_where(struct str *out, const struct frame *frame, bool path)
{
	add_line(out, frame, path);
	if (frame->file)
		str_add(out, "  ");
	add_dso(out, frame, path);
}

/* Append the location. If it is too wide, first shorten the DSO to its name, then the line. */
static void add_where(struct str *out, const struct frame *frame, bool path, int cols)
{
	struct str line = STR_INIT, dso = STR_INIT;
	int line_cols, dso_cols, name_cols;

	add_line(&line, frame, path);
	add_dso(&dso, frame, path);
	line_cols = line.len ? utf8_text_width(line.data, line.len) + 2 : 0;
	dso_cols = utf8_text_width(dso.data, dso.len);
	name_cols = 2 + utf8_text_width(base_name(dso.data), strlen(base_name(dso.data)));
	if (dso_cols > cols - line_cols)
		dso_cols = cols - line_cols > name_cols ? cols - line_cols
			   : dso_cols < name_cols       ? dso_cols
							: name_cols;
	if (line.len)
		path_fit(out, line.data, cols - dso_cols > 3 ? cols - dso_cols - 2 : cols);
	if (line.len && dso.len)
		str_add(out, "  ");
	if (dso.len)
		path_fit(out, dso.data, dso_cols > 0 ? dso_cols : 1);
	str_release(&line);
	str_release(&dso);
}

/* True if numbers are informative: at the top, where branches part, or where the weight changes. */
static bool has_numbers(const struct stack_nodes *nodes, const struct stack_node *node)
{
	return !nodes->weightless &&
	       (node->parent == NONE || nodes->nodes[node->parent].count > 1 ||
		nodes->nodes[node->parent].node->weight != node->node->weight);
}

static enum role frame_role(const struct frame *frame)
{
	if (frame->inlined)
		return ROLE_INLINED;
	return frame->kind == FRAME_KERNEL ? ROLE_KERNEL : ROLE_USER;
}

static const struct frame *frame_before(const struct stack_nodes *nodes,
					const struct stack_node *node)
{
	return node->parent == NONE ? NULL : nodes->nodes[node->parent].node->frame;
}

static void cell(void *data, uint64_t id, int column_id, struct table_cell *out)
{
	const struct stack_nodes *nodes = data;
	const struct stack_node *node = find(nodes, id);
	char text[UNITS_TEXT_BYTES];

	if (!node)
		return;
	out->role = ROLE_NUMBER;
	switch ((enum stack_column)column_id) {
	case STACK_COLUMN_FRAME:
		if (has_numbers(nodes, node))
			str_addf(&out->text, "%s%%  ",
				 units_format_percent(text, node->node->weight,
						      call_tree_weight(nodes->tree)));
		stack_frame_text(&out->text, node->node->frame, frame_before(nodes, node),
				 nodes->addresses);
		out->role = frame_role(node->node->frame);
		break;
	case STACK_COLUMN_TIME:
		if (has_numbers(nodes, node))
			str_add(&out->text, nodes->counts
						    ? units_format_count(text, node->node->weight)
						    : units_format_ns(text, node->node->weight));
		break;
	case STACK_COLUMN_CALLS:
		if (has_numbers(nodes, node))
			str_add(&out->text, units_format_count(text, node->node->calls));
		break;
	case STACK_COLUMN_WHERE:
		if (out->cols)
			add_where(&out->text, node->node->frame, nodes->addresses, out->cols);
		else
			stack_frame_where(&out->text, node->node->frame, nodes->addresses);
		out->role = ROLE_DIM;
		break;
	case STACK_COLUMN_COUNT:
		break;
	}
}

const struct tree_ops stack_tree_ops = {
	.child_count = child_count,
	.child = child,
	.cell = cell,
	.open_by_default = open_by_default,
	.flat = flat,
};
