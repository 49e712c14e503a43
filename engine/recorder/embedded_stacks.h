/*
 * embedded_stacks - unwound user stacks, embedded in a recording.
 *
 * A sample holds registers and stack bytes; unwinding them needs the files of the recorded machine.
 * The recorder therefore stores the unwound addresses, keyed by time, thread and record kind. Each
 * key stands for at most one sample.
 *
 * Layout, little-endian, version EMBEDDED_STACKS_VERSION: struct embedded_stacks_head, its samples
 * in ascending order, its stacks, its addresses. The bytes are untrusted: an inconsistent section
 * is rejected as a whole. Immutable once created: any thread.
 */
#ifndef RECORDER_EMBEDDED_STACKS_H
#define RECORDER_EMBEDDED_STACKS_H

#include "engine/record/record.h"
#include "engine/stack/unwind_cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMBEDDED_STACKS_VERSION 1

/* Record kinds with a stack to unwind. A change of the values needs a new version. */
enum embedded_stacks_kind {
	EMBEDDED_STACKS_OTHER, /* not stored */
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
	uint32_t first, count; /* range of its addresses, innermost first */
	uint32_t flags; /* enum stack_flag of the unwinder */
	uint32_t unused;
};

struct embedded_stacks;

/* Takes ownership of the bytes, from malloc(). NULL: the layout is invalid. */
struct embedded_stacks *embedded_stacks_new(char *take_bytes, size_t len);
void embedded_stacks_free(struct embedded_stacks *kept);

/*
 * Look up the sample of a record; *unwound is borrowed from `kept`. False: the record has no
 * embedded stack, or `kept` is NULL.
 */
bool embedded_stacks_find(const struct embedded_stacks *kept, const struct record *record,
			  struct unwound *unwound);

enum embedded_stacks_kind embedded_stacks_kind_of(const struct record *record);
/* For qsort() and bsearch(): order by time, thread, kind. */
int embedded_stacks_compare(const void *a, const void *b);

#endif
