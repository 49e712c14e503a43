/*
 * copy_args - copies the memory that calls point to into a thread's state or a record. Part of
 * stxtop.bpf.c.
 *
 * Writes chunks of engine/record/capture.h, one after the other. Functions that are not static are
 * verified once per program, for any caller and number of calls. Their parameters are therefore
 * only numbers and the thread; their results are unused unless stated otherwise.
 */
#ifndef BPF_COPY_ARGS_H
#define BPF_COPY_ARGS_H

#include "engine/source/bpf/state.h"

/* How to copy: flags in one number. */
#define COPY_ARG 0xffu /* mask: number of the copied argument */
#define COPY_FLAGS(flags) ((__u32)(flags) << 8) /* enum capture_flag */
#define COPY_TEXT (1u << 16) /* up to a NUL */
#define COPY_REPORTED (1u << 17) /* into the record that is being written ... */
/* ... otherwise into the state of the thread */
#define COPY_BUFFERS (1u << 18) /* also copy the buffers of vectors */
#define COPY_RETURNED (1u << 19) /* the call has returned, so its output is complete */
#define COPY_ONE_OF_MANY (1u << 20) /* a message followed by its length */

#define ADDRESS_MIN 4096 /* smaller numbers are not addresses: no process maps memory there */

/* Destination of chunks. */
struct chunks {
	void *base;
	volatile __u32 *filled; /* bytes used; in memory, to hide the value from the verifier */
	volatile __u8 *left_out; /* set if a chunk was omitted or cut */
	__u32 last; /* highest offset at which a chunk can begin */
	__u32 max; /* maximum number of bytes of a chunk */
};

/* The result is valid until reserve(): programs do not interrupt each other meanwhile. */
static __always_inline bool find_chunks(struct chunks *chunks, struct thread_state *thread,
					__u32 how)
{
	__u32 cpu, ring;
	void *of_cpu;

	if (!(how & COPY_REPORTED)) {
		chunks->base = thread->chunks;
		chunks->filled = &thread->kept;
		chunks->left_out = &thread->large;
		chunks->last = SMALL_BYTES;
		chunks->max = SMALL_BYTES;
		return true;
	}
	cpu = bpf_get_smp_processor_id();
	if (cpu >= BPF_CPUS_MAX)
		return false;
	ring = cpus[cpu].ring - 1;
	of_cpu = bpf_map_lookup_elem(&rings, &ring);
	if (!of_cpu)
		return false;
	chunks->base = of_cpu + (cpus[cpu].reserved & ring_mask);
	chunks->filled = &cpus[cpu].filled;
	chunks->left_out = &cpus[cpu].left_out;
	chunks->last = BPF_RECORD_BYTES_MAX - 2 * sizeof(struct capture_chunk) - CAPTURE_BYTES_MAX;
	chunks->max = CAPTURE_BYTES_MAX;
	return true;
}

/* Copy a string and its NUL, or as many bytes as fit. Return the length, or -errno. */
static __always_inline long copy_text(void *to, __u32 size, __u64 address, bool *cut)
{
	/* If the string is longer, the helper copies `size` bytes and adds a NUL. */
	long len = bpf_probe_read_user_str(to, size + 1, (const void *)address);

	*cut = len > (long)size;
	return *cut ? size : len;
}

static __always_inline long copy_bytes(void *to, __u32 size, __u64 address)
{
	__u32 to_page_end = 4096 - (address & 4095);

	if (!bpf_probe_read_user(to, size, (const void *)address))
		return size;
	/* If the range is not readable, copy the part in its first page. */
	if (to_page_end >= size || bpf_probe_read_user(to, to_page_end, (const void *)address))
		return 0;
	return to_page_end;
}

/* Note unreadable memory, usually an untouched page: the call touches it, and the exit reads it. */
static __always_inline void miss(struct thread_state *thread, __u32 how)
{
	if (!(how & COPY_FLAGS(CAPTURE_AT_EXIT | CAPTURE_LATER)))
		thread->missed |= 1u << (thread->rule & 15);
}

static __always_inline void add_chunk(const struct chunks *chunks, struct thread_state *thread,
				      __u64 address, __u64 wanted, __u32 how)
{
	bool left_out = wanted > chunks->max, cut = left_out;
	__u32 at = *chunks->filled, size = wanted;
	struct capture_chunk *chunk;
	long len;

	if (address < ADDRESS_MIN || !wanted)
		return;
	if (at > chunks->last) {
		*chunks->left_out = 1;
		return;
	}
	if (cut)
		size = chunks->max;
	chunk = chunks->base + at;
	if (how & COPY_TEXT) {
		len = copy_text(chunk + 1, size, address, &cut);
		left_out = left_out && cut;
	} else {
		len = copy_bytes(chunk + 1, size, address);
	}
	if (len <= 0) {
		miss(thread, how);
		return;
	}
	if (left_out)
		*chunks->left_out = 1;
	chunk->address = address;
	chunk->len = len;
	chunk->arg = how & COPY_ARG;
	chunk->flags = (how >> 8 & 0xff) | (cut ? CAPTURE_CUT : 0);
	chunk->origin = how & COPY_FLAGS(CAPTURE_LATER) ? rules.late_origin : rules.origin;
	chunk->unused = 0;
	*chunks->filled = at + sizeof(*chunk) + ((len + 7) & 0x3ff8);
}

/*
 * Maximum number of pieces to which a call points indirectly. Each unmapped piece costs 1 us,
 * possibly during a switch, which stalls this CPU.
 */
#define PIECES_MAX 160

/* Copy a range as one chunk. */
__noinline int copy_range(struct thread_state *thread, __u64 address, __u64 wanted, __u32 how)
{
	struct chunks chunks;

	if (!thread || thread->pieces >= PIECES_MAX)
		return 0;
	thread->pieces++;
	if (find_chunks(&chunks, thread, how))
		add_chunk(&chunks, thread, address, wanted, how);
	return 0;
}

#endif
