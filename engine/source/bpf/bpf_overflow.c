#include "engine/source/bpf/bpf_overflow.h"

#include "engine/base/clock.h"
#include "engine/base/histogram.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(BPF_STEPS == HISTOGRAM_STEPS, "the same buckets on both sides");

#define READ_EVERY_NS (200 * NS_PER_MS)
#define MISSED_EVERY_NS NS_PER_S /* each reading takes one system call per program */
#define READ_AFTER (BPF_AGGREGATES / 2) /* in calls: each adds at most one sum */

/* Context of one reading of the sums. */
struct reading {
	struct bpf_overflow *overflow;
	struct perf_decode *decode;
	uint64_t now_ns;
	bool all_match;
	record_fn *take;
	void *ctx;
};

void bpf_overflow_init(struct bpf_overflow *overflow, struct bpf_load *load)
{
	memset(overflow, 0, sizeof(*overflow));
	overflow->load = load;
	overflow->reported = mem_zalloc(load->cpu_count, sizeof(*overflow->reported));
}

void bpf_overflow_set_filter(struct bpf_overflow *overflow, const struct kernel_filter *filter)
{
	overflow->filter_is_exact = filter->totals_exact;
	overflow->filter_changed = true;
}

void bpf_overflow_release(struct bpf_overflow *overflow)
{
	free(overflow->reported);
	overflow->reported = NULL;
}

static void take_sum(void *arg, const struct bpf_sum_key *key, const struct bpf_sum *sum)
{
	const struct reading *reading = arg;
	struct record record = { .time_ns = reading->now_ns,
				 .kind = RECORD_AGGREGATE,
				 .pid = key->pid };

	if (key->group >= HISTOGRAM_GROUPS || !sum->calls)
		return;
	record.aggregate.nr = key->nr;
	record.aggregate.group = key->group;
	record.aggregate.calls = sum->calls;
	record.aggregate.errors = sum->errors;
	record.aggregate.total_ns = sum->total_ns;
	record.aggregate.max_ns = sum->max_ns;
	record.aggregate.min_ns = sum->min_ns;
	record.aggregate.steps = sum->steps;
	record.aggregate.all_match = reading->all_match;
	perf_decode_pass(reading->decode, &record, reading->take, reading->ctx);
}

static void emit_gap(const struct reading *reading, uint32_t cpu, uint64_t count,
		     enum record_loss kind)
{
	struct record record = { .time_ns = reading->now_ns,
				 .kind = RECORD_LOST,
				 .cpu = cpu,
				 .lost = { .count = count, .kind = kind } };

	if (count)
		perf_decode_pass(reading->decode, &record, reading->take, reading->ctx);
}

/* Report the counters of every CPU, also of one that came online later and has no ring. */
static void emit_gaps(const struct reading *reading)
{
	struct bpf_overflow *overflow = reading->overflow;
	const struct bpf_load *load = overflow->load;

	for (uint32_t cpu = 0; cpu < load->cpu_count; cpu++) {
		uint64_t counted, lost;

		counted = __atomic_load_n(&load->cpus[cpu].counted, __ATOMIC_RELAXED);
		lost = __atomic_load_n(&load->cpus[cpu].lost, __ATOMIC_RELAXED);
		if (counted == overflow->reported[cpu].counted &&
		    lost == overflow->reported[cpu].lost)
			continue;
		emit_gap(reading, cpu, counted - overflow->reported[cpu].counted, LOSS_OF_STREAM);
		emit_gap(reading, cpu, lost - overflow->reported[cpu].lost, LOSS_OF_ANYTHING);
		overflow->since_read += counted - overflow->reported[cpu].counted;
		overflow->reported[cpu].counted = counted;
		overflow->reported[cpu].lost = lost;
	}
}

/*
 * Sums that could not be read stay in their map, which is read again at the second next reading. If
 * the last reading fails too, their calls are reported as lost.
 */
static void read_sums(struct reading *reading, bool last)
{
	struct bpf_overflow *overflow = reading->overflow;
	bool all = true;

	if (overflow->since_read)
		all = !bpf_load_take_aggregates(overflow->load, take_sum, reading);
	if (!all)
		overflow->unread += overflow->since_read;
	overflow->since_read = 0;
	if (!last || !overflow->unread)
		return;
	if (bpf_load_take_aggregates(overflow->load, take_sum, reading) ||
	    bpf_load_take_aggregates(overflow->load, take_sum, reading))
		emit_gap(reading, 0, overflow->unread, LOSS_OF_ANYTHING);
}

void bpf_overflow_settle(struct bpf_overflow *overflow, uint64_t now_ns, bool last,
			 struct perf_decode *decode, record_fn *take, void *ctx)
{
	struct reading reading = {
		.overflow = overflow, .decode = decode, .now_ns = now_ns, .take = take, .ctx = ctx
	};
	uint64_t missed;

	emit_gaps(&reading);
	/* Sums counted under the previous filter are read separately. */
	if (!last && !overflow->filter_changed && overflow->since_read < READ_AFTER &&
	    now_ns < overflow->read_ns + READ_EVERY_NS)
		return;
	overflow->read_ns = now_ns;
	reading.all_match = overflow->filter_is_exact && !overflow->filter_changed &&
			    !overflow->unread;
	read_sums(&reading, last);
	overflow->filter_changed = false;
	if (!last && now_ns < overflow->asked_ns + MISSED_EVERY_NS)
		return;
	overflow->asked_ns = now_ns;
	missed = bpf_load_missed(overflow->load);
	if (missed > overflow->missed && overflow->load->ring_count) {
		emit_gap(&reading, overflow->load->rings[0].cpu, missed - overflow->missed,
			 LOSS_OF_ANYTHING);
		overflow->missed = missed;
	}
}
