/*
 * embedded_stacks - the user halves of a recording's stacks as they were unwound when it was made.
 *
 * A sample has registers and stack bytes, and to unwind them takes the files of that machine. The
 * recorder adds what it came to: by time, thread and kind of record, which together one sample
 * has. The layout, little-endian, version EMBEDDED_STACKS_VERSION: struct embedded_stacks_head,
 * then its samples in ascending order, its stacks and its addresses. Anybody may have written it:
 * what does not add up is refused as a whole. Immutable once made: any thread.
 */
#ifndef RECORDER_EMBEDDED_STACKS_H
#define RECORDER_EMBEDDED_STACKS_H

#include "engine/record/record.h"
#include "engine/stack/unwind_cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMBEDDED_STACKS_VERSION 1

/* What may have a stack to unwind; these numbers are the version's. */
enum embedded_stacks_kind {
	EMBEDDED_STACKS_OTHER, /* is not kept */
	EMBEDDED_STACKS_SWITCH_OUT,
	EMBEDDED_STACKS_WAKING,
	EMBEDDED_STACKS_SEED,
	EMBEDDED_STACKS_RUNNING,
};

struct embedded_stacks_head {
	uint32_t samples, stacks, ips, unused;
};

struct embedded_stacks_sample {
	uint64_t time_ns;
	uint32_t tid, kind; /* kind: enum embedded_stacks_kind */
	uint32_t stack, unused;
};

struct embedded_stacks_stack {
	uint32_t first, count; /* addresses, innermost first */
	uint32_t flags; /* enum stack_flag, of the unwinder's */
	uint32_t unused;
};

struct embedded_stacks;

/* Takes the bytes, which malloc() made. NULL: they are not what is described above. */
struct embedded_stacks *embedded_stacks_new(char *take_bytes, size_t len);
void embedded_stacks_free(struct embedded_stacks *kept);

/* False: nothing is kept of this sample, or `kept` is NULL. */
bool embedded_stacks_find(const struct embedded_stacks *kept, const struct record *record,
			  struct unwound *unwound);

enum embedded_stacks_kind embedded_stacks_kind_of(const struct record *record);
/* By time, thread, kind. */
int embedded_stacks_compare(const void *a, const void *b);

#endif
