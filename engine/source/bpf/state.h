/*
 * state - what the programs in the kernel keep: with each task, in maps, in variables.
 *
 * Included by stxtop.bpf.c alone, before the parts that work on it.
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
 * Chunks of a call in flight that are kept with its task: few bytes, as most are. What does
 * not fit is told at the enter. No chunk begins behind the first SMALL_BYTES, none has more.
 */
#define SMALL_BYTES 256

/* What is kept with a task. */
struct thread_state {
	__u64 enter_ns;
	__u64 args[6];
	__u32 nr;
	__u16 cpu;
	__u8 in_call;
	__u8 reported; /* the reader knows of the call in flight ... */
	__u8 held; /* ... or of its first part, which returned to be restarted */
	__u8 resumes; /* BPF_RECORD_RESUMES: that is what it goes on with */
	__u8 switches; /* how often the thread left its CPU in it, modulo 256 */
	__u8 wanted; /* by whatever was in force at `judged` */
	__u32 judged;
	__u32 uid; /* effective, when it was judged ... */
	__u64 cgroup; /* ... and the number of its cgroup */
	__u32 left; /* settings.overlap when the last call ended, unless another one began */
	__u32 kept; /* bytes of chunks below */
	__u8 large; /* they did not fit, or came later: the reader is told of them by themselves */
	__u8 later; /* nothing is copied until it is known that the call is wanted */
	__u8 rule; /* that is being followed */
	__u8 pieces; /* that were tried for the rules so far */
	__u16 missed; /* bits of those of the enter that met memory which was not there */
	volatile __u64 bytes; /* that it is for: in memory, so that the verifier forgets how */
	__u64 chunks[(2 * SMALL_BYTES + sizeof(struct capture_chunk) + 8) / 8];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_state);
} threads SEC(".maps");

/*
 * The rings, one after the other, read where they are. One whole array costs less than a
 * BPF_MAP_TYPE_RINGBUF for each CPU: no lock, no look-up of a map in a map, and no RCU grace
 * period for each at the start. The sizes are set by who loads.
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

/* With the CPU in the key, and not a value for each: most sums are of one or two. */
struct sums {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BPF_AGGREGATES);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct bpf_sum_key);
	__type(value, struct bpf_sum);
};
struct sums even_sums SEC(".maps");
struct sums odd_sums SEC(".maps");

const volatile __u32 ring_mask = 65535; /* of positions to places: the size less one */
const volatile __u64 mark_key; /* of BPF_MARK() */
const volatile __u32 full_bytes; /* calls that were not told yet leave the rest to others */
/*
 * What calls point to is told too, by the rules. Said before the programs are loaded: those
 * that do not, the kernel has checked in a tenth of the time.
 */
const volatile bool captures = true;
volatile struct bpf_settings settings;
volatile struct bpf_cpu cpus[BPF_CPUS_MAX];
volatile struct capture_rules rules;
volatile __u64 cgroups_made; /* counts those that were made since the programs run */

#endif
