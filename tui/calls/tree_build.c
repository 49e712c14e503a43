#include "tui/calls/tree_build.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of stacks in a tree, more than a user unfolds; the heaviest are retained. */
#define STACKS_MAX 4096
#define LOOK_EVERY 16
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

void tree_build_init(struct tree_build *build)
{
	memset(build, 0, sizeof(*build));
}

void tree_build_release(struct tree_build *build)
{
	free(build->stacks);
}

static uint64_t weight_of(const struct blocked_stack *stack, enum stack_weight weight)
{
	return weight == WEIGHT_CALLS    ? stack->calls
	       : weight == WEIGHT_ERRORS ? stack->errors
					 : stack->blocked_ns;
}

static int compare_weight(const void *a, const void *b, void *data)
{
	enum stack_weight weight = *(enum stack_weight *)data;
	uint64_t left = weight_of(a, weight), right = weight_of(b, weight);

	return (left < right) - (left > right);
}

/* ---- heaviest stacks: a min-heap by weight ---- */

static void sift_down(struct tree_build *build, size_t at)
{
	struct blocked_stack *heap = build->stacks;

	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < build->count;
		     child++)
			if (weight_of(&heap[child], build->weight) <
			    weight_of(&heap[least], build->weight))
				least = child;
		if (least == at)
			return;
		struct blocked_stack swapped = heap[at];
		heap[at] = heap[least];
		heap[least] = swapped;
		at = least;
	}
}

static void offer(struct tree_build *build, const struct blocked_stack *stack)
{
	uint64_t weight = weight_of(stack, build->weight);

	if (!weight)
		return;
	build->total += weight;
	if (build->count < STACKS_MAX) {
		build->stacks = mem_grow(build->stacks, &build->capacity, build->count + 1,
					 sizeof(*build->stacks));
		build->stacks[build->count++] = *stack;
		if (build->count == STACKS_MAX)
			for (size_t i = STACKS_MAX / 2; i-- > 0;)
				sift_down(build, i);
		return;
	}
	build->left_out++;
	if (weight <= weight_of(&build->stacks[0], build->weight))
		return;
	build->stacks[0] = *stack;
	sift_down(build, 0);
}

/*
 * Offer the stacks of calls in flight with the time blocked so far, and without errors. Calls are
 * first summed by stack, because thousands of threads can wait in one place.
 */
static void offer_in_flight(struct tree_build *build, const struct blocked_stacks *stacks,
			    const struct session *session)
{
	struct blocked_stack *found = mem_alloc(sizeof(*found) * (session->in_flight_count + 1));
	struct idmap by_id = IDMAP_INIT;
	size_t count = 0;

	for (size_t i = 0; i < session->in_flight_count; i++) {
		const struct call *call = &session->in_flight[i];
		uintptr_t index;

		if (!call->stack_id || !call->blocked_ns || !blocked_stacks_has(stacks, call))
			continue;
		index = (uintptr_t)idmap_get(&by_id, call->stack_id);
		if (!index) {
			found[count] = (struct blocked_stack){ .stack_id = call->stack_id };
			index = ++count;
			idmap_put(&by_id, call->stack_id, (void *)index);
		}
		found[index - 1].blocked_ns += call->blocked_ns;
		found[index - 1].calls++;
	}
	for (size_t i = 0; i < count; i++)
		offer(build, &found[i]);
	idmap_release(&by_id);
	free(found);
}

void tree_build_begin(struct tree_build *build, const struct blocked_stacks *stacks,
		      const struct session *session, enum stack_weight weight)
{
	build->count = build->added = build->left_out = 0;
	build->total = 0;
	build->weight = weight;
	build->halves = session->halves;
	build->running = true;
	for (size_t i = 0; i < stacks->count; i++)
		offer(build, &stacks->stacks[i]);
	offer_in_flight(build, stacks, session);
	if (build->count)
		qsort_r(build->stacks, build->count, sizeof(*build->stacks), compare_weight,
			&build->weight);
}

bool tree_build_step(struct tree_build *build, struct engine *engine, struct call_tree *tree,
		     uint64_t until_ns)
{
	struct frame *frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);

	/* Add at least LOOK_EVERY stacks, even after until_ns, so that the build ends. */
	for (size_t done = 0; build->added < build->count &&
			      (!done || done % LOOK_EVERY || clock_now_ns() < until_ns);
	     done++) {
		const struct blocked_stack *stack = &build->stacks[build->added++];
		size_t count = engine_frames(engine, stack->stack_id, frames, FRAMES_MAX);

		count = frames_select_halves(frames, count, build->halves);
		if (count)
			call_tree_add(tree, frames, count, weight_of(stack, build->weight),
				      stack->calls);
	}
	free(frames);
	build->running = build->added < build->count;
	if (!build->running)
		call_tree_finish(tree);
	return !build->running;
}

unsigned tree_build_percent(const struct tree_build *build)
{
	return build->count ? (unsigned)(build->added * 100 / build->count) : 100;
}

size_t frames_select_halves(struct frame *frames, size_t count, enum session_halves halves)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (halves == HALVES_BOTH ||
		    (halves == HALVES_KERNEL) == (frames[i].kind == FRAME_KERNEL))
			frames[kept++] = frames[i];
	}
	return kept;
}
