/* overflow - sums of the calls that a ring had no room for. Part of stxtop.bpf.c. */
#ifndef BPF_OVERFLOW_H
#define BPF_OVERFLOW_H

#include "engine/source/bpf/call_filter.h"

/* Return the bucket: group and step of histogram_bucket() in engine/base/histogram.c. */
static __always_inline __u32 bucket_of(__u64 ns)
{
	__u64 bits = ns;
	__u32 group;

	if (ns < BPF_STEPS)
		return ns;
	/*
	 * Count the bits up to the highest one set, without branches: the verifier would follow
	 * both ways of each. clang 14 has no __builtin_clzll for BPF.
	 */
	bits |= bits >> 1;
	bits |= bits >> 2;
	bits |= bits >> 4;
	bits |= bits >> 8;
	bits |= bits >> 16;
	bits |= bits >> 32;
	bits -= bits >> 1 & 0x5555555555555555ULL;
	bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	group = (bits * 0x0101010101010101ULL >> 56) - 5; /* 32 is the first value of group 1 */
	return group * BPF_STEPS + (ns >> (group - 1) & (BPF_STEPS - 1));
}

/* Return the map to add to. The reader switches maps and waits for users of the old one. */
static __always_inline void *sums_now(void)
{
	return settings.sums % 2 ? (void *)&odd_sums : (void *)&even_sums;
}

static __always_inline struct bpf_sum *sum_of(const struct bpf_sum_key *key)
{
	static const struct bpf_sum empty = { .min_ns = ~0ULL };
	void *sums = sums_now();
	struct bpf_sum *sum = bpf_map_lookup_elem(sums, key);

	if (sum)
		return sum;
	bpf_map_update_elem(sums, key, &empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(sums, key);
}

static __noinline int count(struct thread_state *thread, long ret, __u64 dur_ns)
{
	__u32 bucket = bucket_of(dur_ns), cpu = bpf_get_smp_processor_id();
	struct bpf_sum_key key = { .pid = bpf_get_current_pid_tgid() >> 32, .cpu = cpu };
	struct bpf_sum *sum;

	if (!thread || cpu >= BPF_CPUS_MAX)
		return 0;
	key.nr = thread->nr < 65535 ? thread->nr : 65535;
	key.group = bucket / BPF_STEPS;
	/* The atomic adds order these accesses: see turn_sums() in bpf_load.c. */
	__sync_fetch_and_add(&cpus[cpu].counting, 1);
	sum = sum_of(&key);
	if (sum) {
		sum->calls++;
		sum->errors += failed(ret);
		sum->total_ns += dur_ns;
		if (dur_ns < sum->min_ns)
			sum->min_ns = dur_ns;
		if (dur_ns > sum->max_ns)
			sum->max_ns = dur_ns;
		sum->steps[bucket & (BPF_STEPS - 1)]++;
		cpus[cpu].counted++;
	} else {
		cpus[cpu].lost++;
	}
	__sync_fetch_and_add(&cpus[cpu].counting, 1);
	return 0;
}

#endif
