#include "engine/export/call_tree.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct item {
	struct call_tree_node node;
	struct frame frame; /* node.frame points here once the array is final */
};

struct call_tree {
	struct item *items;
	size_t count, capacity;
	struct idmap by_id; /* index + 1, as a pointer */
	uint32_t *order; /* scratch memory of call_tree_finish() */
	size_t order_cap;
	uint32_t first;
	uint64_t weight;
	bool outermost_first;
};

struct call_tree *call_tree_new(bool outermost_first)
{
	struct call_tree *tree = mem_zalloc(1, sizeof(*tree));

	tree->outermost_first = outermost_first;
	tree->first = NONE;
	idmap_init(&tree->by_id);
	return tree;
}

void call_tree_free(struct call_tree *tree)
{
	if (!tree)
		return;
	idmap_release(&tree->by_id);
	free(tree->items);
	free(tree->order);
	free(tree);
}

void call_tree_clear(struct call_tree *tree)
{
	idmap_clear(&tree->by_id);
	tree->count = 0;
	tree->first = NONE;
	tree->weight = 0;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return hash_bytes_mix(hash, text, strlen(text));
}

/* Hash texts instead of addresses, so that the id survives a rebuild. */
static uint64_t path_id(uint64_t parent, const struct frame *frame)
{
	uint64_t id = hash_mix(hash_u64(parent), (uint64_t)frame->kind << 1 | frame->inlined);

	id = mix_text(id, frame->dso ? frame->dso : "");
	if (frame->symbol)
		return mix_text(id, frame->symbol);
	return hash_mix(id, frame->dso && *frame->dso ? frame->dso_offset : frame->ip);
}

static uint32_t child_of(struct call_tree *tree, uint32_t parent, const struct frame *frame)
{
	uint64_t id = path_id(parent == NONE ? 0 : tree->items[parent].node.id, frame);
	size_t found = (size_t)(uintptr_t)idmap_get(&tree->by_id, id);
	struct item *item;

	if (found) {
		item = &tree->items[found - 1];
		/* The stacks have different lines of the function, so the node has none. */
		if (item->frame.line != frame->line || item->frame.file != frame->file) {
			item->frame.line = 0;
			item->frame.file = NULL;
		}
		if (item->frame.ip != frame->ip)
			item->frame.offset = 0;
		item->frame.pending |= frame->pending;
		/*
		 * A note is about stacks that end in this frame, or about its file. Show it even if
		 * other stacks continue.
		 */
		if (!item->frame.note)
			item->frame.note = frame->note;
		return (uint32_t)(found - 1);
	}
	tree->items = mem_grow(tree->items, &tree->capacity, tree->count + 1, sizeof(*tree->items));
	item = &tree->items[tree->count++];
	item->frame = *frame;
	item->node = (struct call_tree_node){
		.id = id,
		.parent = parent,
		.first_child = NONE,
		.next_sibling = NONE,
		.depth = parent == NONE ? 0 : tree->items[parent].node.depth + 1,
	};
	idmap_put(&tree->by_id, id, (void *)(uintptr_t)tree->count);
	return (uint32_t)(tree->count - 1);
}

static bool begins(const struct frame *frame, const char *with)
{
	return frame->kind == FRAME_KERNEL && frame->symbol &&
	       !strncmp(frame->symbol, with, strlen(with));
}

/*
 * Functions in .sched.text (__sched in the kernel source), which /proc/PID/stack omits at the inner
 * end. The list has prefixes, as the ends of the names differ between kernel versions.
 */
static bool is_scheduler(const struct frame *frame)
{
	static const char *const names[] = {
		"__schedule",
		"schedule",
		"io_schedule",
		"preempt_schedule",
		"__cond_resched",
		"__wait_on_bit",
		"out_of_line_wait_on_bit",
		"bit_wait",
		"__wait_for_common",
		"wait_for_completion",
		"__mutex_lock",
		"mutex_lock",
		"__ww_mutex_lock",
		"ww_mutex_lock",
		"__down",
		"down",
		"rwsem_down_",
		"percpu_down_",
		"__percpu_down_",
		"rt_mutex_",
		"__rt_mutex_",
		"ldsem_down_",
		"do_nanosleep",
		"hrtimer_nanosleep_restart",
		"usleep_range_state",
		"yield",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (begins(frame, names[i]))
			return true;
	return false;
}

size_t call_tree_scheduler_frames(const struct frame *frames, size_t count)
{
	size_t waited = 0;

	if (!count || !begins(&frames[0], "__schedule"))
		return 0;
	while (waited < count && is_scheduler(&frames[waited]))
		waited++;
	return waited < count ? waited : 0;
}

/* Return the frame that stands for the unknown callers of a frame with `cut`. */
static struct frame cut_frame(const struct frame *cut)
{
	return (struct frame){
		.kind = cut->kind, .symbol = "[cut]", .dso = "", .cut = true, .note = cut->note
	};
}

/* Add a frame, and "[cut]" as its caller if the stack is cut there. Return the last node. */
static uint32_t add_frame(struct call_tree *tree, uint32_t at, const struct frame *frame,
			  uint64_t weight, uint64_t calls)
{
	struct frame both[2] = { *frame };
	unsigned count = 1;

	if (frame->cut) {
		both[count++] = cut_frame(frame);
		both[0].note = NULL;
	}
	for (unsigned i = 0; i < count; i++) {
		at = child_of(tree, at, &both[tree->outermost_first ? count - 1 - i : i]);
		tree->items[at].node.weight += weight;
		tree->items[at].node.calls += calls;
	}
	return at;
}

void call_tree_add(struct call_tree *tree, const struct frame *frames, size_t count,
		   uint64_t weight, uint64_t calls)
{
	size_t skipped = call_tree_scheduler_frames(frames, count);
	uint32_t at = NONE;

	frames += skipped;
	count -= skipped;
	if (!count)
		return;
	tree->weight += weight;
	for (size_t i = 0; i < count && tree->count < NONE - 2; i++)
		at = add_frame(tree, at, &frames[tree->outermost_first ? count - 1 - i : i], weight,
			       calls);
}

/* Compare content instead of ids, which differ from run to run. */
static int compare_places(const struct frame *x, const struct frame *y)
{
	int order = strcmp(x->dso ? x->dso : "", y->dso ? y->dso : "");

	if (order)
		return order;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->inlined != y->inlined)
		return x->inlined < y->inlined ? -1 : 1;
	if (x->dso_offset != y->dso_offset)
		return x->dso_offset < y->dso_offset ? -1 : 1;
	return (x->ip > y->ip) - (x->ip < y->ip);
}

static int compare_siblings(const void *a, const void *b, void *arg)
{
	const struct call_tree *tree = arg;
	const struct item *x = &tree->items[*(const uint32_t *)a];
	const struct item *y = &tree->items[*(const uint32_t *)b];
	const char *x_name = x->frame.symbol ? x->frame.symbol : "";
	const char *y_name = y->frame.symbol ? y->frame.symbol : "";
	int order;

	if (x->node.parent != y->node.parent)
		return x->node.parent < y->node.parent ? -1 : 1;
	if (x->node.weight != y->node.weight)
		return x->node.weight > y->node.weight ? -1 : 1;
	if (x->node.calls != y->node.calls)
		return x->node.calls > y->node.calls ? -1 : 1;
	order = strcmp(x_name, y_name);
	if (order)
		return order;
	return compare_places(&x->frame, &y->frame);
}

void call_tree_finish(struct call_tree *tree)
{
	uint32_t *last = NULL;

	tree->first = NONE;
	if (!tree->count)
		return;
	tree->order = mem_grow(tree->order, &tree->order_cap, tree->count, sizeof(*tree->order));
	for (size_t i = 0; i < tree->count; i++) {
		tree->items[i].node.frame = &tree->items[i].frame;
		tree->items[i].node.first_child = NONE;
		tree->items[i].node.next_sibling = NONE;
		tree->order[i] = (uint32_t)i;
	}
	qsort_r(tree->order, tree->count, sizeof(*tree->order), compare_siblings, tree);
	for (size_t i = 0; i < tree->count; i++) {
		uint32_t index = tree->order[i];
		uint32_t parent = tree->items[index].node.parent;

		if (i == 0 || tree->items[tree->order[i - 1]].node.parent != parent)
			last = parent == NONE ? &tree->first
					      : &tree->items[parent].node.first_child;
		*last = index;
		last = &tree->items[index].node.next_sibling;
	}
}

uint32_t call_tree_first(const struct call_tree *tree)
{
	return tree->first;
}

const struct call_tree_node *call_tree_node(const struct call_tree *tree, uint32_t index)
{
	return index < tree->count ? &tree->items[index].node : NULL;
}

uint64_t call_tree_weight(const struct call_tree *tree)
{
	return tree->weight;
}
