#include "tui/blocked_stacks.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 256
/* Per step and direction; a step comes ten times a second. */
#define BUDGET_NS (3 * NS_PER_MS)
/* Further behind than this the newest are looked at and the rest is skipped. */
#define BEHIND_MAX 200000
/* More different stacks than a person unfolds; the heaviest are kept. */
#define TREE_STACKS_MAX 1500
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

void blocked_stacks_init(struct blocked_stacks *stacks)
{
	memset(stacks, 0, sizeof(*stacks));
	idmap_init(&stacks->by_id);
}

void blocked_stacks_release(struct blocked_stacks *stacks)
{
	filter_free(stacks->filter);
	idmap_release(&stacks->by_id);
	free(stacks->stacks);
}

/* The history may still hold calls from before the filter in force, hence both. */
static struct filter *subject_filter(const struct session *session, const struct pick *subject)
{
	struct filter *current = narrowing_filter(&session->narrowing);
	struct filter *filter, *both;
	struct filter_error error;
	struct str term = STR_INIT;
	int rc;

	if (subject->has_tid)
		str_addf(&term, "tid == %u", subject->tid);
	else if (subject->has_pid)
		str_addf(&term, "pid == %u", subject->pid);
	else if (subject->has_nr)
		str_addf(&term, "syscall == %s",
			 syscalls_info(engine_syscalls(session->engine), subject->nr)->name);
	/* Most calls never wait and need not be copied. */
	if (term.len)
		str_add(&term, " && blocked > 0ns");
	rc = term.len ? filter_parse(&filter, term.data, engine_filter_names(session->engine),
				     &error) : -1;
	str_release(&term);
	if (rc)
		return NULL;
	if (!current)
		return filter;
	both = filter_and(current, filter);
	filter_free(filter);
	return both;
}

void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct pick *subject)
{
	uint64_t first, end;

	filter_free(stacks->filter);
	stacks->subject = *subject;
	stacks->filter = subject_filter(session, subject);
	idmap_clear(&stacks->by_id);
	stacks->count = 0;
	stacks->blocked_ns = stacks->calls = 0;
	stacks->skipped = false;
	stacks->complete = false;
	engine_calls_range(session->engine, &first, &end);
	stacks->older_seq = stacks->newer_seq = end;
}

bool blocked_stacks_same(const struct pick *a, const struct pick *b)
{
	return a->has_pid == b->has_pid && a->has_tid == b->has_tid && a->has_nr == b->has_nr &&
	       a->pid == b->pid && a->tid == b->tid && a->nr == b->nr;
}

static bool is_of_subject(const struct pick *subject, const struct call *call)
{
	if (subject->has_tid)
		return call->tid == subject->tid;
	if (subject->has_pid)
		return call->pid == subject->pid;
	return subject->has_nr && call->nr == subject->nr;
}

static void add(struct blocked_stacks *stacks, uint32_t stack_id, uint64_t blocked_ns)
{
	uintptr_t index = (uintptr_t)idmap_get(&stacks->by_id, stack_id);

	if (!index) {
		stacks->stacks = mem_grow(stacks->stacks, &stacks->capacity,
					  stacks->count + 1, sizeof(*stacks->stacks));
		stacks->stacks[stacks->count] = (struct blocked_stack){ .stack_id = stack_id };
		index = ++stacks->count;
		idmap_put(&stacks->by_id, stack_id, (void *)index);
	}
	stacks->stacks[index - 1].blocked_ns += blocked_ns;
	stacks->stacks[index - 1].calls++;
	stacks->blocked_ns += blocked_ns;
	stacks->calls++;
}

static bool add_calls(struct blocked_stacks *stacks, const struct call *calls, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (!calls[i].stack_id || !calls[i].blocked_ns)
			continue;
		add(stacks, calls[i].stack_id, calls[i].blocked_ns);
		found = true;
	}
	return found;
}

bool blocked_stacks_step(struct blocked_stacks *stacks, struct engine *engine)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end, until;
	bool found = false;

	if (!stacks->filter)
		return false;
	engine_calls_range(engine, &first, &end);
	if (end - stacks->newer_seq > BEHIND_MAX) {
		stacks->newer_seq = end - BEHIND_MAX / 8;
		stacks->skipped = true;
	}
	until = clock_now_ns() + BUDGET_NS;
	while (stacks->newer_seq < end && clock_now_ns() < until)
		found |= add_calls(stacks, calls,
				   engine_calls_after(engine, &stacks->newer_seq,
						      stacks->filter, calls, seqs, CHUNK));
	until = clock_now_ns() + BUDGET_NS;
	while (stacks->older_seq > first && clock_now_ns() < until)
		found |= add_calls(stacks, calls,
				   engine_calls_before(engine, &stacks->older_seq,
						       stacks->filter, calls, seqs, CHUNK));
	stacks->complete = stacks->older_seq <= first;
	return found;
}

size_t frames_keep_halves(struct frame *frames, size_t count, enum session_halves halves)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (halves == HALVES_BOTH ||
		    (frames[i].kind == FRAME_KERNEL) == (halves == HALVES_KERNEL))
			frames[kept++] = frames[i];
	return kept;
}

static void tree_add(const struct session *session, struct call_tree *tree,
		     struct frame *frames, uint32_t stack_id, uint64_t ns, uint64_t calls)
{
	size_t count = engine_frames(session->engine, stack_id, frames, FRAMES_MAX);

	count = frames_keep_halves(frames, count, session->halves);
	if (count)
		call_tree_add(tree, frames, count, ns, calls);
}

static int compare_weight(const void *a, const void *b)
{
	const struct blocked_stack *left = a, *right = b;

	return (left->blocked_ns < right->blocked_ns) - (left->blocked_ns > right->blocked_ns);
}

uint64_t blocked_stacks_tree(const struct blocked_stacks *stacks,
			     const struct session *session, struct call_tree *tree)
{
	struct frame *frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);
	struct blocked_stack *sorted = NULL;
	size_t count = stacks->count;
	uint64_t total = stacks->blocked_ns;

	if (count) {
		sorted = mem_alloc(sizeof(*sorted) * count);
		memcpy(sorted, stacks->stacks, sizeof(*sorted) * count);
		qsort(sorted, count, sizeof(*sorted), compare_weight);
		if (count > TREE_STACKS_MAX)
			count = TREE_STACKS_MAX;
	}
	for (size_t i = 0; i < count; i++)
		tree_add(session, tree, frames, sorted[i].stack_id, sorted[i].blocked_ns,
			 sorted[i].calls);
	for (size_t i = 0; i < session->in_flight_count; i++) {
		const struct call *call = &session->in_flight[i];

		if (!call->stack_id || !call->blocked_ns ||
		    !is_of_subject(&stacks->subject, call))
			continue;
		tree_add(session, tree, frames, call->stack_id, call->blocked_ns, 1);
		total += call->blocked_ns;
	}
	call_tree_finish(tree);
	free(sorted);
	free(frames);
	return total;
}
