/* emit - writes records into the ring of a CPU, in place. Part of stxtop.bpf.c. */
#ifndef BPF_EMIT_H
#define BPF_EMIT_H

#include "engine/source/bpf/copy_rules.h"

/* Where a record is written: in the ring of this CPU, at a position. */
struct place {
	void *ring;
	volatile struct bpf_cpu *cpu;
	__u64 position;
	bool full; /* only the reserve for known calls is left */
};

/* False if the ring has no room. known: the reader has a record of the call already. */
static __always_inline bool find_place(struct place *place, __u32 cpu, bool known)
{
	__u64 used;
	__u32 ring;

	if (cpu >= BPF_CPUS_MAX)
		return false;
	place->cpu = &cpus[cpu];
	ring = place->cpu->ring - 1;
	place->ring = bpf_map_lookup_elem(&rings, &ring);
	if (!place->ring)
		return false;
	place->position = place->cpu->reserved;
	used = place->position - place->cpu->consumed;
	place->full = used > full_bytes;
	/* The last part of the ring is for known calls, so that the reader gets their exits. */
	if (used > (known ? ring_mask + 1 - BPF_RECORD_BYTES_MAX : full_bytes))
		return false;
	place->cpu->filled = sizeof(struct bpf_record);
	return true;
}

/*
 * Reserve the record with its `filled` bytes. Programs do not interrupt each other here. If they
 * did, the position would have changed and the chunks would be misplaced: emit no chunks.
 */
static __always_inline struct bpf_record *reserve(struct place *place, __u8 captured)
{
	__u32 filled = place->cpu->filled;
	__u64 position = __sync_fetch_and_add(&place->cpu->reserved, filled);
	struct bpf_record *emit = place->ring + (position & ring_mask);

	emit->bytes = filled;
	emit->captured = position == place->position && filled > sizeof(*emit) ? captured
									       : BPF_CAPTURED_NONE;
	place->position = position;
	return emit;
}

/* Add the chunks stored with the thread. */
static __always_inline void add_stored(struct place *place, const struct thread_state *thread)
{
	void *emit = place->ring + (place->position & ring_mask);
	__u32 kept = thread->kept;

	if (!kept || kept > sizeof(thread->chunks))
		return;
	if (bpf_probe_read_kernel(emit + sizeof(struct bpf_record), kept, thread->chunks))
		return;
	place->cpu->filled = sizeof(struct bpf_record) + kept;
}

/* Copy the memory of the enter rules into the thread's state, if it fits; `later`: postpone it. */
static __always_inline void begin_copying(struct thread_state *thread, bool later)
{
	__u32 nr = thread->nr;

	if (!captures)
		return;
	thread->kept = 0;
	thread->large = 0;
	thread->later = 0;
	thread->missed = 0;
	if (nr >= CAPTURE_CALLS || !rules.calls[nr].at_enter)
		return;
	if (later)
		thread->later = 1;
	else
		copy_rules(thread, nr, rules_given(nr), 0, 0);
	if (thread->large)
		thread->kept = 0;
}

/* Copy the memory of the enter rules directly into the ring. */
static __always_inline void add_given(struct thread_state *thread)
{
	__u32 nr = thread->nr;

	if (nr < CAPTURE_CALLS)
		copy_rules(thread, nr, rules_given(nr),
			   COPY_REPORTED | (thread->later ? COPY_FLAGS(CAPTURE_LATER) : 0), 0);
}

/* At the exit, add the stored chunks, input that was unreadable at the enter, and the output. */
static __always_inline void add_all(struct place *place, struct thread_state *thread, long ret)
{
	__u32 nr = thread->nr, these;

	if (!thread->later)
		add_stored(place, thread);
	if (nr >= CAPTURE_CALLS)
		return;
	these = (rules_given(nr) & (thread->later ? ~0u : thread->missed)) | rules_filled(nr, ret);
	if (these)
		copy_rules(thread, nr, these,
			   COPY_REPORTED | COPY_RETURNED | COPY_FLAGS(CAPTURE_LATER), ret);
}

/* Write the mark last. x86 keeps the order of stores, so a compiler barrier is enough. */
static __always_inline void commit(struct bpf_record *emit, const struct place *place)
{
	asm volatile("" ::: "memory");
	*(volatile __u64 *)&emit->mark = BPF_MARK(place->position, mark_key);
}

static __always_inline void fill_task(struct bpf_record *emit)
{
	__u64 ids = bpf_get_current_pid_tgid();

	emit->pid = ids >> 32;
	emit->tid = (__u32)ids;
}

static __always_inline void fill_enter(struct bpf_record *emit, const struct thread_state *thread)
{
	emit->enter_ns = thread->enter_ns;
	for (int i = 0; i < 6; i++)
		emit->args[i] = thread->args[i];
	emit->nr = thread->nr < 65535 ? thread->nr : 65535;
	emit->cpu = thread->cpu;
}

/*
 * Emit the enter of a call in flight. The thread has not left its CPU since it entered, so this
 * ring has no record with a later time. The time of the enter sorts the record before the perf
 * event of the switch, whichever of event and program ran first.
 */
static __always_inline void emit_in_flight(struct thread_state *thread, __u32 cpu)
{
	struct bpf_record *emit;
	struct place place;

	if (!find_place(&place, cpu, false))
		return;
	if (captures && (thread->later || thread->large))
		add_given(thread);
	else if (captures)
		add_stored(&place, thread);
	emit = reserve(&place, BPF_CAPTURED_ALL);
	emit->time_ns = thread->enter_ns;
	emit->kind = BPF_RECORD_ENTER | thread->resumes;
	emit->ret = 0;
	fill_enter(emit, thread);
	fill_task(emit);
	thread->reported = 1;
	if (captures) {
		thread->large |= thread->later;
		thread->later = 0;
	}
	commit(emit, &place);
}

#endif
