/*
 * copying - what calls point to, into a thread's state or a ring. Part of stxtop.bpf.c.
 */
#ifndef BPF_COPYING_H
#define BPF_COPYING_H

#include "engine/source/bpf/state.h"

/* Chunks that are written one behind the other. */
struct chunks {
	void *base;
	volatile __u32 *filled; /* in memory, so that the verifier does not follow its values */
	__u32 last;		/* none begins behind this */
	__u32 max;		/* bytes of one */
	__u8 arg, flags;
	bool left_out; /* something did not fit */
};

/* The bytes of a string and its NUL, or as many as there is room for. -errno. */
static __always_inline long copy_text(void *to, __u32 size, __u64 address, bool *cut)
{
	/* A string that is longer gets a NUL, which is not its own. */
	long len = bpf_probe_read_user_str(to, size + 1, (const void *)address);

	*cut = len > (long)size;
	return *cut ? size : len;
}

static __always_inline long copy_bytes(void *to, __u32 size, __u64 address)
{
	__u32 to_page_end = 4096 - (address & 4095);

	if (!bpf_probe_read_user(to, size, (const void *)address))
		return size;
	/* What is there, where not all is. */
	if (to_page_end >= size || bpf_probe_read_user(to, to_page_end, (const void *)address))
		return 0;
	return to_page_end;
}

static __always_inline void add_chunk(struct chunks *chunks, __u64 address, __u64 wanted,
				      bool text)
{
	__u32 at = *chunks->filled, size = wanted;
	struct capture_chunk *chunk;
	bool cut = false;
	long len;

	if (!address || !wanted)
		return;
	if (wanted > chunks->max) {
		size = chunks->max;
		cut = true;
	}
	if (at > chunks->last) {
		chunks->left_out = true;
		return;
	}
	chunk = chunks->base + at;
	if (text) {
		len = copy_text(chunk + 1, size, address, &cut);
		if (cut && wanted > chunks->max)
			chunks->left_out = true;
	} else {
		chunks->left_out |= cut;
		len = copy_bytes(chunk + 1, size, address);
	}
	if (len <= 0)
		return;
	chunk->address = address;
	chunk->len = len;
	chunk->arg = chunks->arg;
	chunk->flags = chunks->flags | (cut ? CAPTURE_CUT : 0);
	chunk->origin = rules.origin;
	chunk->unused = 0;
	*chunks->filled = at + sizeof(*chunk) + ((len + 7) & 0x3ff8);
}

static __always_inline __u64 smaller(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static __always_inline __u64 size_by(const volatile struct capture_rule *rule,
				     const struct thread_state *thread, long ret)
{
	__u32 size_arg = rule->size_arg, length = 0;
	__u64 max = rule->max, times;

	switch (rule->kind) {
	case CAPTURE_TEXT:
	case CAPTURE_FIXED:
		return max;
	case CAPTURE_BY_RESULT:
		times = ret;
		break;
	case CAPTURE_BY_ARG:
		times = size_arg < 6 ? thread->args[size_arg] : 0;
		break;
	case CAPTURE_BY_LENGTH:
		if (size_arg < 6)
			bpf_probe_read_user(&length, sizeof(length),
					    (const void *)thread->args[size_arg]);
		times = (__s32)length < 0 ? 0 : length;
		break;
	default:
		return 0;
	}
	return times < max ? smaller(times * rule->unit, max) : max;
}

/* The rules from `from` to `to` of a call. */
static __always_inline void add_simple(struct chunks *chunks, __u32 nr, __u32 from, __u32 to,
				       const struct thread_state *thread, long ret)
{
	for (__u32 i = 0; i < CAPTURE_RULES; i++) {
		const volatile struct capture_rule *rule = &rules.calls[nr].rules[i];
		__u32 arg = rule->arg;

		if (i < from || i >= to || arg >= 6)
			continue;
		chunks->arg = arg;
		add_chunk(chunks, thread->args[arg], size_by(rule, thread, ret),
			  rule->kind == CAPTURE_TEXT);
	}
}

/* Into what is kept with the thread; false: it has not the room for them. */
static __noinline bool keep_small(struct thread_state *thread)
{
	struct chunks chunks = { .last = SMALL_BYTES, .max = SMALL_BYTES };
	__u32 nr;

	if (!thread)
		return true;
	nr = thread->nr;
	if (nr >= CAPTURE_CALLS)
		return true;
	chunks.base = thread->chunks;
	chunks.filled = &thread->kept;
	add_simple(&chunks, nr, 0, rules.calls[nr].at_enter, thread, 0);
	return !chunks.left_out;
}

#endif
