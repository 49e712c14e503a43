#include "engine/recorder/embedded_stacks.h"

#include "engine/base/mem.h"
#include "engine/stack/stacks.h"

#include <stdlib.h>

struct embedded_stacks {
	char *bytes;
	const struct embedded_stacks_head *head;
	const struct embedded_stacks_sample *samples;
	const struct embedded_stacks_stack *stacks;
	const uint64_t *ips;
};

_Static_assert(sizeof(struct embedded_stacks_head) == 16 &&
		       sizeof(struct embedded_stacks_sample) == 24 &&
		       sizeof(struct embedded_stacks_stack) == 16,
	       "structures are contiguous in the file");

#define FLAGS_MAX 0xffffu /* all bits below those of stack_flags_guessed() */
#define FLAGS_KNOWN \
	(STACK_USER_FP | STACK_USER_DWARF | STACK_USER_STOPPED | STACK_USER_CUT | \
	 STACK_USER_FILE_FAILED)

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int embedded_stacks_compare(const void *a, const void *b)
{
	const struct embedded_stacks_sample *x = a, *y = b;
	int order = compare_numbers(x->time_ns, y->time_ns);

	if (!order)
		order = compare_numbers(x->tid, y->tid);
	return order ? order : compare_numbers(x->kind, y->kind);
}

enum embedded_stacks_kind embedded_stacks_kind_of(const struct record *record)
{
	switch (record->kind) {
	case RECORD_SWITCH_OUT:
		return EMBEDDED_STACKS_SWITCH_OUT;
	case RECORD_WAKING:
		return EMBEDDED_STACKS_WAKING;
	case RECORD_INFLIGHT:
		return EMBEDDED_STACKS_SEED;
	case RECORD_RUNNING:
		return EMBEDDED_STACKS_RUNNING;
	default:
		return EMBEDDED_STACKS_OTHER;
	}
}

static bool lay_out(struct embedded_stacks *kept, size_t len)
{
	const struct embedded_stacks_head *head = (const void *)kept->bytes;

	if (len < sizeof(*head) ||
	    len != sizeof(*head) + head->samples * (uint64_t)sizeof(*kept->samples) +
			    head->stacks * (uint64_t)sizeof(*kept->stacks) +
			    head->ips * (uint64_t)sizeof(*kept->ips))
		return false;
	kept->head = head;
	kept->samples = (const void *)(head + 1);
	kept->stacks = (const void *)(kept->samples + head->samples);
	kept->ips = (const void *)(kept->stacks + head->stacks);
	return true;
}

static bool is_sound(const struct embedded_stacks *kept)
{
	const struct embedded_stacks_head *head = kept->head;

	for (size_t i = 0; i < head->samples; i++)
		if (kept->samples[i].stack >= head->stacks ||
		    (i && embedded_stacks_compare(&kept->samples[i - 1], &kept->samples[i]) >= 0))
			return false;
	for (size_t i = 0; i < head->stacks; i++) {
		const struct embedded_stacks_stack *stack = &kept->stacks[i];

		if (stack->first > head->ips || stack->count > head->ips - stack->first ||
		    stack->count > STACK_FRAMES_MAX || (stack->flags & FLAGS_MAX & ~FLAGS_KNOWN) ||
		    stack_flags_guessed(stack->flags) > stack->count)
			return false;
	}
	return true;
}

struct embedded_stacks *embedded_stacks_new(char *take_bytes, size_t len)
{
	struct embedded_stacks *kept = mem_zalloc(1, sizeof(*kept));

	kept->bytes = take_bytes;
	if (lay_out(kept, len) && is_sound(kept))
		return kept;
	embedded_stacks_free(kept);
	return NULL;
}

void embedded_stacks_free(struct embedded_stacks *kept)
{
	if (!kept)
		return;
	free(kept->bytes);
	free(kept);
}

bool embedded_stacks_find(const struct embedded_stacks *kept, const struct record *record,
			  struct unwound *unwound)
{
	const struct embedded_stacks_sample key = {
		.time_ns = record->time_ns,
		.tid = record->tid,
		.kind = embedded_stacks_kind_of(record),
	};
	const struct embedded_stacks_sample *sample;
	const struct embedded_stacks_stack *stack;

	if (!kept)
		return false;
	sample = bsearch(&key, kept->samples, kept->head->samples, sizeof(key),
			 embedded_stacks_compare);
	if (!sample)
		return false;
	stack = &kept->stacks[sample->stack];
	*unwound = (struct unwound){
		.ips = kept->ips + stack->first,
		.count = (uint16_t)stack->count,
		.flags = stack->flags,
	};
	return true;
}
