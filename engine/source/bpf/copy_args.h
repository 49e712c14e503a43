/*
 * copy_args - what calls point to, into a thread's state or a record. Part of stxtop.bpf.c.
 *
 * Chunks of engine/record/capture.h, one behind the other. The functions that are not static
 * are verified once for each program, whoever calls them and how often: so they take nothing
 * but numbers and the thread, and what they return is nothing if not said.
 */
#ifndef BPF_COPY_ARGS_H
#define BPF_COPY_ARGS_H

#include "engine/source/bpf/state.h"

/* How to copy: one number. */
#define COPY_ARG 0xffu /* on behalf of this argument */
#define COPY_FLAGS(flags) ((__u32)(flags) << 8) /* enum capture_flag */
#define COPY_TEXT (1u << 16) /* up to a NUL */
#define COPY_REPORTED (1u << 17) /* behind the record that is being made ... */
/* ... else to what is kept with the thread */
#define COPY_BUFFERS (1u << 18) /* what vectors point to, too */
#define COPY_RETURNED (1u << 19) /* the call wrote what it had to */
#define COPY_ONE_OF_MANY (1u << 20) /* a message with its length behind it */

#define ADDRESS_MIN 4096 /* small numbers are no addresses: nobody has memory there */

/* Where they go. */
struct chunks {
	void *base;
	volatile __u32 *filled; /* in memory, so that the verifier does not follow its values */
	volatile __u8 *left_out; /* set where one was left out, or some of it */
	__u32 last; /* none begins behind this */
	__u32 max; /* bytes of one */
};

/* Programs interrupt each other not between this and reserve(), so the place stays. */
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

/* A page that nobody touched yet, as it mostly is: the call will have brought it in. */
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
 * Pieces that a call points to indirectly, at most. Memory that is not there costs a microsecond
 * to find out, which may be at a switch, where nothing else happens on this CPU meanwhile.
 */
#define PIECES_MAX 160

/* Some bytes as one chunk. */
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
