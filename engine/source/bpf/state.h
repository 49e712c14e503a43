/*
 * state - the state of the BPF programs: task storage, maps and variables.
 *
 * Included by stxtop.bpf.c only, before the parts that use it.
 */
#ifndef BPF_STATE_H
#define BPF_STATE_H

#include "engine/source/bpf/kernel_types.h"
#include "engine/source/bpf/shared.h"

#include <linux/bpf.h> /* first: libbpf's headers need its types */

#include <bpf/bpf_helpers.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Bound on the stored chunks of a call in flight; most are small. Chunks that do not fit are
 * emitted at the enter. No chunk begins after offset SMALL_BYTES or holds more than SMALL_BYTES.
 */
#define SMALL_BYTES 256

/* State stored with a task. */
struct thread_state {
	__u64 enter_ns;
	__u64 args[6];
	__u32 nr;
	__u16 cpu;
	__u8 in_call;
	__u8 reported; /* the reader knows the call in flight ... */
	__u8 held; /* ... or its first part, which was interrupted and may be restarted */
	__u8 resumes; /* BPF_RECORD_RESUMES if this call restarts the held one */
	__u8 switches; /* how often the thread left its CPU in this call, modulo 256 */
	__u8 wanted; /* result of judge() for change number `judged` */
	__u32 judged;
	__u32 uid; /* effective uid when the thread was judged ... */
	__u64 cgroup; /* ... and cgroup id */
	__u32 left; /* settings.overlap at the end of the last call; reset by the next enter */
	__u32 kept; /* bytes used in `chunks` */
	__u8 large; /* chunks did not fit, or were copied later: the ENTER record has them */
	__u8 later; /* the enter rules wait until the call is known to be wanted */
	__u8 rule; /* number of the rule that is being applied */
	__u8 pieces; /* pieces tried so far for the rules of the call */
	__u16 missed; /* bits of the enter rules that met unmapped memory */
	volatile __u64 bytes; /* of this rule; in memory, to hide its range from the verifier */
	__u64 chunks[(2 * SMALL_BYTES + sizeof(struct capture_chunk) + 8) / 8];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_state);
} threads SEC(".maps");

/*
 * The rings, one after the other, read in place. One array costs less than a BPF_MAP_TYPE_RINGBUF
 * per CPU: it needs no lock, no map-in-map lookup, and no RCU grace period per ring. The loader
 * sets the sizes.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 65536 + BPF_RECORD_BYTES_MAX);
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u32);
} family SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u32);
} chosen SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u64);
	__type(value, __u32);
} cgroups SEC(".maps");

/* The key contains the CPU: a per-CPU map wastes memory, as most sums are of one or two CPUs. */
struct sums {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BPF_AGGREGATES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct bpf_sum_key);
	__type(value, struct bpf_sum);
};
struct sums even_sums SEC(".maps");
struct sums odd_sums SEC(".maps");

const volatile __u32 ring_mask = 65535; /* maps a position to an offset: ring size - 1 */
const volatile __u64 mark_key; /* key of BPF_MARK() */
/* Fill limit of a ring for calls that the reader does not know; the rest is for known calls. */
const volatile __u32 full_bytes;
/*
 * Capture the memory that calls point to, by the rules. Set before loading: without captures, the
 * kernel verifies the programs in a tenth of the time.
 */
const volatile bool captures = true;
volatile struct bpf_settings settings;
volatile struct bpf_cpu cpus[BPF_CPUS_MAX];
volatile struct capture_rules rules;
volatile __u64 cgroups_made; /* cgroups created since the programs started */

#endif
