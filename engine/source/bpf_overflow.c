#include "engine/source/bpf_overflow.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/model/histogram.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(BPF_STEPS == HISTOGRAM_STEPS, "the same buckets on both sides");

#define READ_EVERY_NS (200 * NS_PER_MS)

#define DROPPED_AT_ONCE 64 /* sums of one reading: each costs a system call */

/* What was handed over of a sum. */
struct known_sum {
	struct bpf_sum sum;
	bool ended; /* its process was gone after the last reading: nothing can be added */
};

/* What a reading of the sums works with. */
struct reading {
	struct bpf_overflow *overflow;
	struct perf_decode *decode;
	uint64_t now_ns;
	bool all_match;
	record_fn *take;
	void *ctx;
	struct bpf_sum_key dropped[DROPPED_AT_ONCE]; /* to be: the walk needs its place */
	size_t dropped_count;
};

void bpf_overflow_init(struct bpf_overflow *overflow, struct bpf_load *load)
{
	memset(overflow, 0, sizeof(*overflow));
	overflow->load = load;
	overflow->told = mem_zalloc(load->ring_count, sizeof(*overflow->told));
}

void bpf_overflow_set_filter(struct bpf_overflow *overflow, const struct kernel_filter *filter)
{
	overflow->filter_is_exact = filter->exact;
	overflow->filter_changed = true;
}

void bpf_overflow_release(struct bpf_overflow *overflow)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&overflow->known, &cursor)))
		free(slot->value);
	idmap_release(&overflow->known);
	free(overflow->told);
	overflow->told = NULL;
}

/* The longest that a sum can hold of what it grew by since `before`. */
static uint64_t longest(const struct bpf_sum *grown, const struct bpf_sum *sum, uint32_t group,
			uint64_t before_max_ns)
{
	uint64_t high_ns = 0;

	if (sum->max_ns > before_max_ns)
		return sum->max_ns;
	for (uint32_t i = 0; i < BPF_STEPS; i++)
		if (grown->steps[i])
			high_ns = histogram_bucket_high(group * BPF_STEPS + i);
	return high_ns < sum->max_ns ? high_ns : sum->max_ns;
}

static uint64_t shortest(const struct bpf_sum *grown, const struct bpf_sum *sum, uint32_t group,
			 uint64_t before_min_ns)
{
	uint64_t low_ns = sum->min_ns;

	if (sum->min_ns < before_min_ns)
		return sum->min_ns;
	for (uint32_t i = BPF_STEPS; i-- > 0;)
		if (grown->steps[i])
			low_ns = histogram_bucket_low(group * BPF_STEPS + i);
	return low_ns > sum->min_ns ? low_ns : sum->min_ns;
}

/* Sums of processes that are no more give their room to others, a few at a time. */
static void consider_drop(struct reading *reading, const struct bpf_sum_key *key,
			  struct known_sum *known)
{
	bool was_ended = known->ended;

	if (reading->dropped_count == DROPPED_AT_ONCE)
		return;
	known->ended = kill((pid_t)key->pid, 0) && errno == ESRCH;
	if (was_ended && known->ended)
		reading->dropped[reading->dropped_count++] = *key;
}

static void drop_ended(struct reading *reading)
{
	struct bpf_overflow *overflow = reading->overflow;
	uint64_t id;

	for (size_t i = 0; i < reading->dropped_count; i++) {
		bpf_load_drop_sum(overflow->load, &reading->dropped[i]);
		memcpy(&id, &reading->dropped[i], sizeof(id));
		free(idmap_remove(&overflow->known, id));
	}
}

static void take_sum(void *arg, const struct bpf_sum_key *key, const struct bpf_sum *sum)
{
	struct reading *reading = arg;
	struct record record = { .time_ns = reading->now_ns, .kind = RECORD_COUNTED,
				 .pid = key->pid };
	struct bpf_sum grown = *sum, *before;
	struct known_sum *known;
	uint64_t id;

	if (key->group >= HISTOGRAM_GROUPS)
		return;
	memcpy(&id, key, sizeof(id));
	known = idmap_get(&reading->overflow->known, id);
	if (!known) {
		known = mem_zalloc(1, sizeof(*known));
		known->sum.min_ns = UINT64_MAX;
		idmap_put(&reading->overflow->known, id, known);
	}
	before = &known->sum;
	if (sum->calls == before->calls) {
		consider_drop(reading, key, known);
		return;
	}
	known->ended = false; /* the number is another process's */
	grown.calls -= before->calls;
	grown.errors -= before->errors;
	grown.total_ns -= before->total_ns;
	for (uint32_t i = 0; i < BPF_STEPS; i++)
		grown.steps[i] -= before->steps[i];
	record.counted.nr = key->nr;
	record.counted.group = key->group;
	record.counted.calls = grown.calls;
	record.counted.errors = grown.errors;
	record.counted.total_ns = grown.total_ns;
	record.counted.max_ns = longest(&grown, sum, key->group, before->max_ns);
	record.counted.min_ns = shortest(&grown, sum, key->group, before->min_ns);
	record.counted.steps = grown.steps;
	record.counted.all_match = reading->all_match;
	*before = *sum;
	perf_decode_pass(reading->decode, &record, reading->take, reading->ctx);
}

static void tell_gap(const struct reading *reading, uint32_t cpu, uint64_t count,
		     enum record_loss kind)
{
	struct record record = { .time_ns = reading->now_ns, .kind = RECORD_LOST, .cpu = cpu,
				 .lost = { .count = count, .kind = kind } };

	if (count)
		perf_decode_pass(reading->decode, &record, reading->take, reading->ctx);
}

/* What the programs counted on each CPU; and once in a while, calls that they never saw. */
static void tell_gaps(const struct reading *reading)
{
	struct bpf_overflow *overflow = reading->overflow;
	const struct bpf_load *load = overflow->load;

	for (uint32_t i = 0; i < load->ring_count; i++) {
		uint32_t cpu = load->rings[i].cpu;
		uint64_t counted, lost;

		if (cpu >= BPF_CPUS_MAX)
			continue;
		counted = __atomic_load_n(&load->cpus[cpu].counted, __ATOMIC_RELAXED);
		lost = __atomic_load_n(&load->cpus[cpu].lost, __ATOMIC_RELAXED);
		if (counted == overflow->told[i].counted && lost == overflow->told[i].lost)
			continue;
		tell_gap(reading, cpu, counted - overflow->told[i].counted,
			 LOSS_OF_STREAM);
		tell_gap(reading, cpu, lost - overflow->told[i].lost, LOSS_OF_ANYTHING);
		overflow->counted += counted - overflow->told[i].counted;
		overflow->lost += lost - overflow->told[i].lost;
		overflow->told[i].counted = counted;
		overflow->told[i].lost = lost;
		overflow->stale = true;
	}
}

void bpf_overflow_settle(struct bpf_overflow *overflow, uint64_t now_ns, bool last,
			 struct perf_decode *decode, record_fn *take, void *ctx)
{
	struct reading reading = { .overflow = overflow, .decode = decode, .now_ns = now_ns,
				   .take = take, .ctx = ctx };
	uint64_t missed;

	tell_gaps(&reading);
	/* What grew before the filter in force came is read by itself. */
	if (!last && !overflow->filter_changed && now_ns < overflow->read_ns + READ_EVERY_NS)
		return;
	overflow->read_ns = now_ns;
	reading.all_match = overflow->filter_is_exact && !overflow->filter_changed;
	if (overflow->stale)
		bpf_load_each_sum(overflow->load, take_sum, &reading);
	drop_ended(&reading);
	overflow->stale = false;
	overflow->filter_changed = false;
	missed = bpf_load_missed(overflow->load);
	if (missed > overflow->missed && overflow->load->ring_count) {
		tell_gap(&reading, overflow->load->rings[0].cpu, missed - overflow->missed,
			 LOSS_OF_ANYTHING);
		overflow->lost += missed - overflow->missed;
		overflow->missed = missed;
	}
}
