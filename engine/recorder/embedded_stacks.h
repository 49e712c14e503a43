/*
 * embedded_stacks - the user halves of a recording's stacks as they were unwound when it was made.
 *
 * A sample has registers and stack bytes, and to unwind them takes the files of that machine. The
 * recorder adds what it came to: by time, thread and kind of record, which together one sample
 * has. The layout, little-endian, version KEPT_UNWOUND_VERSION: struct kept_unwound_head, then its
 * samples in ascending order, its stacks and its addresses. Anybody may have written it: what does
 * not add up is refused as a whole. Immutable once made: any thread.
 */
#ifndef RECORDER_EMBEDDED_STACKS_H
#define RECORDER_EMBEDDED_STACKS_H

#include "engine/record/record.h"
#include "engine/stack/unwind_cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEPT_UNWOUND_VERSION 1

/* What may have a stack to unwind; these numbers are the version's. */
enum kept_unwound_kind {
	KEPT_UNWOUND_OTHER, /* is not kept */
	KEPT_UNWOUND_SWITCH_OUT,
	KEPT_UNWOUND_WAKING,
	KEPT_UNWOUND_SEED,
	KEPT_UNWOUND_RUNNING,
};

struct kept_unwound_head {
	uint32_t samples, stacks, ips, unused;
};

struct kept_unwound_sample {
	uint64_t time_ns;
	uint32_t tid, kind; /* kind: enum kept_unwound_kind */
	uint32_t stack, unused;
};

struct kept_unwound_stack {
	uint32_t first, count; /* addresses, innermost first */
	uint32_t flags; /* enum stack_flag, of the unwinder's */
	uint32_t unused;
};

struct kept_unwound;

/* Takes the bytes, which malloc() made. NULL: they are not what is described above. */
struct kept_unwound *kept_unwound_new(char *take_bytes, size_t len);
void kept_unwound_free(struct kept_unwound *kept);

/* False: nothing is kept of this sample, or `kept` is NULL. */
bool kept_unwound_find(const struct kept_unwound *kept, const struct record *record,
		       struct unwound *unwound);

enum kept_unwound_kind kept_unwound_kind_of(const struct record *record);
/* By time, thread, kind. */
int kept_unwound_compare(const void *a, const void *b);

#endif
