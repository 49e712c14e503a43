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
/* Adding stacks ends then: a key must show its effect meanwhile. */
#define TREE_NS (5 * NS_PER_MS)
#define TREE_LOOK_EVERY 16
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
static struct filter *subject_filter(const struct session *session, const struct pick *subject,
				     bool everything)
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
		str_add(&term, " && ");
	if (term.len || everything)
		str_add(&term, "blocked > 0ns");
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

static void begin(struct blocked_stacks *stacks, const struct session *session,
		  const struct pick *subject, bool everything)
{
	uint64_t first, end;

	filter_free(stacks->filter);
	stacks->subject = *subject;
	stacks->everything = everything;
	stacks->filter = subject_filter(session, subject, everything);
	idmap_clear(&stacks->by_id);
	stacks->count = 0;
	stacks->blocked_ns = stacks->calls = 0;
	stacks->skipped = false;
	stacks->complete = false;
	engine_calls_range(session->engine, &first, &end);
	stacks->older_seq = stacks->newer_seq = end;
}

void blocked_stacks_begin(struct blocked_stacks *stacks, const struct session *session,
			  const struct pick *subject)
{
	begin(stacks, session, subject, false);
}

void blocked_stacks_begin_all(struct blocked_stacks *stacks, const struct session *session)
{
	begin(stacks, session, &(struct pick){ 0 }, true);
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

static void add(struct blocked_stacks *stacks, const struct call *call)
{
	uint32_t stack_id = call->stack_id;
	uintptr_t index = (uintptr_t)idmap_get(&stacks->by_id, stack_id);

	if (!index) {
		stacks->stacks = mem_grow(stacks->stacks, &stacks->capacity,
					  stacks->count + 1, sizeof(*stacks->stacks));
		stacks->stacks[stacks->count] = (struct blocked_stack){ .stack_id = stack_id };
		index = ++stacks->count;
		idmap_put(&stacks->by_id, stack_id, (void *)index);
	}
	stacks->stacks[index - 1].blocked_ns += call->blocked_ns;
	stacks->stacks[index - 1].calls++;
	stacks->stacks[index - 1].errors += call_failed(call);
	stacks->blocked_ns += call->blocked_ns;
	stacks->calls++;
}

static bool add_calls(struct blocked_stacks *stacks, const struct call *calls, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		if (!calls[i].stack_id || !calls[i].blocked_ns)
			continue;
		add(stacks, &calls[i]);
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
		     struct frame *frames, uint32_t stack_id, uint64_t weight, uint64_t calls)
{
	size_t count = engine_frames(session->engine, stack_id, frames, FRAMES_MAX);

	count = frames_keep_halves(frames, count, session->halves);
	if (count)
		call_tree_add(tree, frames, count, weight, calls);
}

static uint64_t weight_of(const struct blocked_stack *stack, enum stack_weight weight)
{
	return weight == WEIGHT_CALLS ? stack->calls :
	       weight == WEIGHT_ERRORS ? stack->errors : stack->blocked_ns;
}

static int compare_weight(const void *a, const void *b, void *data)
{
	enum stack_weight weight = *(enum stack_weight *)data;
	uint64_t left = weight_of(a, weight), right = weight_of(b, weight);

	return (left < right) - (left > right);
}

/* What has waited so far; nobody knows yet whether it will fail. */
static uint64_t add_in_flight(const struct blocked_stacks *stacks, const struct session *session,
			      enum stack_weight weight, struct call_tree *tree,
			      struct frame *frames, uint64_t until_ns)
{
	uint64_t total = 0;
	bool late = false;

	if (weight == WEIGHT_ERRORS)
		return 0;
	for (size_t i = 0; i < session->in_flight_count; i++) {
		const struct call *call = &session->in_flight[i];
		uint64_t value = weight == WEIGHT_CALLS ? 1 : call->blocked_ns;

		if (!call->stack_id || !call->blocked_ns ||
		    !(stacks->everything || is_of_subject(&stacks->subject, call)))
			continue;
		total += value;
		late = late || (i % TREE_LOOK_EVERY == 0 && clock_now_ns() >= until_ns);
		if (!late)
			tree_add(session, tree, frames, call->stack_id, value, 1);
	}
	return total;
}

uint64_t blocked_stacks_tree(const struct blocked_stacks *stacks,
			     const struct session *session, enum stack_weight weight,
			     struct call_tree *tree, size_t *left_out)
{
	struct frame *frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);
	struct blocked_stack *sorted = NULL;
	size_t count = stacks->count, added = 0;
	uint64_t until_ns = clock_now_ns() + TREE_NS;
	uint64_t total = 0;

	if (count) {
		sorted = mem_alloc(sizeof(*sorted) * count);
		memcpy(sorted, stacks->stacks, sizeof(*sorted) * count);
		qsort_r(sorted, count, sizeof(*sorted), compare_weight, &weight);
	}
	for (size_t i = 0; i < count; i++)
		total += weight_of(&sorted[i], weight);
	while (added < count && added < TREE_STACKS_MAX && weight_of(&sorted[added], weight) &&
	       (added % TREE_LOOK_EVERY || clock_now_ns() < until_ns)) {
		tree_add(session, tree, frames, sorted[added].stack_id,
			 weight_of(&sorted[added], weight), sorted[added].calls);
		added++;
	}
	if (left_out)
		for (*left_out = 0; added + *left_out < count &&
		     weight_of(&sorted[added + *left_out], weight); (*left_out)++)
			;
	total += add_in_flight(stacks, session, weight, tree, frames, until_ns + TREE_NS / 2);
	call_tree_finish(tree);
	free(sorted);
	free(frames);
	return total;
}
