/*
 * bench_collector - cost of one system call for the collector, from the ring to the history.
 *
 *	bench_collector [ROUTE CPUS PROCESSES THREADS NUMBERS CALLS]
 *
 * Fills rings as the kernel does and drains them through merge, decoder, pairing, totals and
 * history. ROUTE is bpf (a record per call) or perf (an enter and an exit). On each CPU, the thread
 * changes after each call: the worst case for caches. Prints a table; with arguments, one line.
 */
#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/model/prefetch_queue.h"
#include "engine/source/bpf/bpf_calls.h"
#include "engine/source/perf/perf_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define RUNS 3
#define HISTORY_BYTES ((size_t)64 << 20)
#define ROUND_BYTES ((size_t)8 << 20) /* size of all rings, which each round fills and drains */
#define SLICE_CALLS 1024 /* number of records per hold of the model lock */
#define FIRST_PID 2000
#define KEY (1ULL << 63)

enum { ENTER_ID = 100, EXIT_ID };

struct workload {
	bool perf;
	uint32_t cpus, processes, threads, numbers;
	uint64_t calls;
};

/* The ring of one CPU. */
struct input {
	void *data;
	struct bpf_cpu *cpu; /* route bpf */
	struct perf_event_mmap_page *page; /* route perf */
	struct perf_ring ring; /* route perf */
	uint64_t time_ns;
	uint32_t turn; /* number of calls so far; selects the next thread */
};

struct bench {
	struct workload load;
	struct input *inputs;
	size_t ring_bytes;
	struct merge merge;
	struct perf_decode decode;
	struct bpf_calls bpf;
	struct model *model;
	struct prefetch_queue prefetch_queue;
	uint64_t calls; /* written so far */
	unsigned slice;
	uint32_t random;
};

/* xorshift: cheap, with a long period. */
static uint32_t next_random(struct bench *bench)
{
	bench->random ^= bench->random << 13;
	bench->random ^= bench->random >> 17;
	bench->random ^= bench->random << 5;
	return bench->random;
}

/* -- Kernel side: filling the rings -------------------------------------------------- */

struct made {
	uint32_t pid, tid, nr;
	uint64_t enter_ns, exit_ns, args[SYSCALL_ARGS];
	int64_t ret;
};

static void make_call(struct bench *bench, uint32_t cpu, struct made *made)
{
	const struct workload *load = &bench->load;
	struct input *input = &bench->inputs[cpu];
	uint32_t of_cpu = load->threads / load->cpus + (cpu < load->threads % load->cpus);
	uint32_t thread = cpu + input->turn % of_cpu * load->cpus, random = next_random(bench);

	made->pid = FIRST_PID + thread % load->processes;
	made->tid = made->pid;
	if (thread >= load->processes)
		made->tid = FIRST_PID + thread;
	made->nr = (input->turn / of_cpu + thread) % load->numbers * 7 % 331;
	made->enter_ns = input->time_ns + 100 + random % 400;
	made->exit_ns = made->enter_ns + 200 + (random >> 10) % 1800;
	input->time_ns = made->exit_ns;
	input->turn++;
	/* The arguments: a descriptor, a buffer, its size, and unused registers. */
	made->args[0] = thread & 15;
	made->args[1] = 0x7f0000000000 + (random & 0xfffff0);
	made->args[2] = 4096;
	made->args[3] = 0x7f8812345678;
	made->args[4] = 0;
	made->args[5] = random & 255;
	made->ret = random & 1 ? 4096 : -11;
}

static void write_emit(struct bench *bench, uint32_t cpu)
{
	struct input *input = &bench->inputs[cpu];
	uint64_t at = input->cpu->reserved;
	struct bpf_record *emit = (void *)((char *)input->data + (at & (bench->ring_bytes - 1)));
	struct made made;

	make_call(bench, cpu, &made);
	*emit = (struct bpf_record){
		.mark = BPF_MARK(at, KEY),
		.time_ns = made.exit_ns,
		.enter_ns = made.enter_ns,
		.ret = made.ret,
		.pid = made.pid,
		.tid = made.tid,
		.nr = (uint16_t)made.nr,
		.cpu = (uint16_t)cpu,
		.kind = BPF_RECORD_CALL,
		.bytes = sizeof(*emit),
	};
	memcpy(emit->args, made.args, sizeof(made.args));
	input->cpu->reserved += sizeof(*emit);
}

/* A sample with PERF_BARE_SAMPLE and a raw part, whose fields are those in tracefs today. */
struct bare_sample {
	struct perf_event_header header;
	uint64_t id, time_ns;
	uint32_t raw_bytes;
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	uint32_t common_tid;
	uint64_t nr, values[SYSCALL_ARGS];
	uint32_t padding; /* counted in raw_bytes, as by the kernel */
} __attribute__((packed));

#define RAW_BYTES(values) (8 + 8 + 8 * (values) + 4)
#define SAMPLE_BYTES(values) (24 + 4 + RAW_BYTES(values))

static void write_sample(struct bench *bench, struct input *input, struct bare_sample *sample,
			 size_t values)
{
	uint64_t at = input->page->data_head & (bench->ring_bytes - 1);
	size_t bytes = SAMPLE_BYTES(values), first = bench->ring_bytes - at;

	sample->header.type = PERF_RECORD_SAMPLE;
	sample->header.size = (uint16_t)bytes;
	sample->raw_bytes = (uint32_t)RAW_BYTES(values);
	if (first > bytes)
		first = bytes;
	memcpy((char *)input->data + at, sample, first);
	memcpy(input->data, (char *)sample + first, bytes - first);
	input->page->data_head += bytes;
}

static void write_pair(struct bench *bench, uint32_t cpu)
{
	struct input *input = &bench->inputs[cpu];
	struct bare_sample enter = { .id = ENTER_ID }, exit = { .id = EXIT_ID };
	struct made made;

	make_call(bench, cpu, &made);
	task_table_set_pid(&bench->decode.tasks, made.tid, made.pid);
	enter.time_ns = made.enter_ns;
	exit.time_ns = made.exit_ns;
	enter.common_tid = exit.common_tid = made.tid;
	enter.nr = exit.nr = made.nr;
	memcpy(enter.values, made.args, sizeof(made.args));
	exit.values[0] = (uint64_t)made.ret;
	write_sample(bench, input, &enter, SYSCALL_ARGS);
	write_sample(bench, input, &exit, 1);
}

/* Fill all rings, so that the drain reads memory that has left the caches. */
static void fill(struct bench *bench)
{
	size_t bytes = bench->load.perf ? SAMPLE_BYTES(SYSCALL_ARGS) + SAMPLE_BYTES(1)
					: sizeof(struct bpf_record);

	for (size_t k = 0; k < bench->ring_bytes / bytes; k++) {
		for (uint32_t cpu = 0; cpu < bench->load.cpus; cpu++) {
			if (bench->load.perf)
				write_pair(bench, cpu);
			else
				write_emit(bench, cpu);
			bench->calls++;
		}
	}
}

/* -- Collector side: draining ----------------------------------------------------------- */

static void take(void *ctx, const struct record *record)
{
	struct bench *bench = ctx;

	prefetch_queue_feed(&bench->prefetch_queue, record);
	if (++bench->slice >= SLICE_CALLS) {
		model_unlock(bench->model);
		model_lock(bench->model);
		bench->slice = 0;
	}
}

static void begin_perf(struct bench *bench)
{
	const struct perf_event_header *header;

	for (uint32_t cpu = 0; cpu < bench->load.cpus; cpu++) {
		struct perf_ring *ring = &bench->inputs[cpu].ring;

		perf_ring_refresh(ring);
		header = perf_ring_peek(ring);
		if (header)
			merge_add(&bench->merge, cpu, perf_decode_time(&bench->decode, header));
	}
}

static void drain_perf(struct bench *bench, uint32_t cpu)
{
	struct perf_ring *ring = &bench->inputs[cpu].ring;
	const struct perf_event_header *header = perf_ring_peek(ring);

	perf_decode(&bench->decode, header, cpu, take, bench);
	perf_ring_advance(ring, header);
	header = perf_ring_peek(ring);
	if (header)
		merge_next(&bench->merge, perf_decode_time(&bench->decode, header));
	else
		merge_drop(&bench->merge);
}

/* Return the CPU time, which other load affects only through the caches. */
static uint64_t own_time_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static void drain(struct bench *bench)
{
	model_lock(bench->model);
	merge_begin(&bench->merge, UINT64_MAX);
	if (bench->load.perf)
		begin_perf(bench);
	else
		bpf_calls_begin(&bench->bpf, &bench->merge, 0);
	while (merge_any(&bench->merge)) {
		uint32_t input = merge_input(&bench->merge);

		if (bench->load.perf)
			drain_perf(bench, input);
		else
			bpf_calls_drain(&bench->bpf, &bench->merge, input, take, bench);
	}
	prefetch_queue_flush(&bench->prefetch_queue);
	for (uint32_t cpu = 0; cpu < bench->load.cpus; cpu++) {
		if (bench->load.perf)
			perf_ring_commit(&bench->inputs[cpu].ring);
		else
			bpf_ring_commit(&bench->bpf.load.rings[cpu].ring);
	}
	model_settle(bench->model, bench->decode.last_ns);
	model_unlock(bench->model);
}

/* -- Runs --------------------------------------------------------------------------------- */

static void *map(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED) {
		perror("bench_collector: mmap");
		exit(1);
	}
	return at;
}

static void open_input(struct bench *bench, uint32_t cpu)
{
	struct bpf_load_ring *of_bpf = &bench->bpf.load.rings[cpu];
	struct input *input = &bench->inputs[cpu];

	input->data = map(bench->ring_bytes + BPF_RECORD_BYTES_MAX);
	input->cpu = map(4096);
	input->page = map(4096);
	input->time_ns = 1000000 + 10 * cpu;
	of_bpf->cpu = cpu;
	bpf_ring_init(&of_bpf->ring, input->cpu, input->data, bench->ring_bytes, KEY);
	perf_ring_init(&input->ring, input->page, input->data, bench->ring_bytes);
}

static void close_input(struct bench *bench, uint32_t cpu)
{
	struct input *input = &bench->inputs[cpu];

	perf_ring_release(&input->ring);
	munmap(input->data, bench->ring_bytes + BPF_RECORD_BYTES_MAX);
	munmap(input->cpu, 4096);
	munmap(input->page, 4096);
}

static void open_decode(struct perf_decode *decode)
{
	static const struct perf_id ids[] = {
		{ .id = ENTER_ID, .kind = PERF_KIND_ENTER, .period = PERF_PERIOD_CALLS },
		{ .id = EXIT_ID, .kind = PERF_KIND_EXIT, .period = PERF_PERIOD_CALLS },
	};

	perf_decode_init(decode);
	decode->bare_calls = true;
	decode->enter_tid = decode->exit_tid = (struct tracepoint_field){ 4, 4, 1, true };
	decode->enter_nr = decode->exit_nr = (struct tracepoint_field){ 8, 8, 1, true };
	decode->enter_args = (struct tracepoint_field){ 16, 8, 6, false };
	decode->exit_ret = (struct tracepoint_field){ 16, 8, 1, true };
	decode->enter_bytes = tracepoint_field_end(&decode->enter_args);
	decode->exit_bytes = tracepoint_field_end(&decode->exit_ret);
	decode->periods[PERF_PERIOD_CALLS] = (struct perf_period){ 0, UINT64_MAX };
	perf_ids_add(&decode->ids, &ids[0]);
	perf_ids_add(&decode->ids, &ids[1]);
}

static void bench_open(struct bench *bench, const struct workload *load)
{
	struct model_options options = { .history_bytes = HISTORY_BYTES };
	struct err err;

	memset(bench, 0, sizeof(*bench));
	bench->load = *load;
	bench->random = 1;
	bench->ring_bytes = 4096;
	while (bench->ring_bytes * 2 * load->cpus <= ROUND_BYTES)
		bench->ring_bytes *= 2;
	bench->inputs = mem_zalloc(load->cpus, sizeof(*bench->inputs));
	open_decode(&bench->decode);
	bench->bpf.decode = &bench->decode;
	bench->bpf.load.rings = mem_zalloc(load->cpus, sizeof(*bench->bpf.load.rings));
	bench->bpf.load.ring_count = load->cpus;
	for (uint32_t cpu = 0; cpu < load->cpus; cpu++)
		open_input(bench, cpu);
	merge_init(&bench->merge, load->cpus);
	if (model_new(&bench->model, &options, &err) < 0) {
		fprintf(stderr, "bench_collector: %s\n", err.text);
		exit(1);
	}
	prefetch_queue_init(&bench->prefetch_queue, bench->model);
}

static void bench_close(struct bench *bench)
{
	for (uint32_t cpu = 0; cpu < bench->load.cpus; cpu++)
		close_input(bench, cpu);
	merge_release(&bench->merge);
	model_free(bench->model);
	perf_decode_release(&bench->decode);
	free(bench->bpf.load.rings);
	free(bench->inputs);
}

struct cost {
	double ns, bytes; /* for one call */
};

static struct cost run(const struct workload *load)
{
	struct bench bench;
	struct model_status status;
	struct history *history;
	struct cost cost;
	uint64_t spent_ns = 0, kept;

	bench_open(&bench, load);
	while (bench.calls < load->calls) {
		uint64_t began_ns;

		fill(&bench);
		began_ns = own_time_ns();
		drain(&bench);
		spent_ns += own_time_ns() - began_ns;
	}
	model_status(bench.model, &status);
	if (status.calls_seen != bench.calls || status.orphans || bench.decode.malformed) {
		fprintf(stderr, "bench_collector: %lu of %lu calls are complete\n",
			(unsigned long)status.calls_seen, (unsigned long)bench.calls);
		exit(1);
	}
	history = model_history(bench.model);
	kept = history_end(history) - history_first(history);
	cost.ns = (double)spent_ns / (double)bench.calls;
	cost.bytes = (double)history_bytes_used(history) / (double)kept;
	bench_close(&bench);
	return cost;
}

/* Return the best run: other load only adds time. */
static struct cost best_of(const struct workload *load, int runs)
{
	struct cost best = run(load);

	for (int i = 1; i < runs; i++) {
		struct cost cost = run(load);

		if (cost.ns < best.ns)
			best.ns = cost.ns;
	}
	return best;
}

static void print_row(const struct workload *load, int runs)
{
	struct cost cost = best_of(load, runs);

	printf("%-5s %5u %10u %8u %8u %11.1f %14.1f\n", load->perf ? "perf" : "bpf", load->cpus,
	       load->processes, load->threads, load->numbers, cost.ns, cost.bytes);
	fflush(stdout);
}

static void print_table(void)
{
	static const struct workload loads[] = {
		{ .cpus = 1, .processes = 1, .threads = 1, .numbers = 8 },
		{ .cpus = 2, .processes = 10, .threads = 100, .numbers = 8 },
		{ .cpus = 2, .processes = 300, .threads = 3000, .numbers = 8 },
		{ .cpus = 2, .processes = 300, .threads = 3000, .numbers = 30 },
		{ .cpus = 2, .processes = 128, .threads = 1024, .numbers = 8, .calls = 10000000 },
		{ .cpus = 128, .processes = 128, .threads = 1024, .numbers = 8, .calls = 10000000 },
	};

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		struct workload load = loads[i];
		int runs = load.calls ? 1 : RUNS;

		if (!load.calls)
			load.calls = 2000000;
		print_row(&load, runs);
		load.perf = true;
		print_row(&load, runs);
	}
}

int main(int argc, char **argv)
{
	printf("%-5s %5s %10s %8s %8s %11s %14s\n", "route", "cpus", "processes", "threads",
	       "numbers", "ns a call", "bytes a call");
	if (argc == 7) {
		struct workload load = {
			.perf = !strcmp(argv[1], "perf"),
			.cpus = (uint32_t)strtoul(argv[2], NULL, 10),
			.processes = (uint32_t)strtoul(argv[3], NULL, 10),
			.threads = (uint32_t)strtoul(argv[4], NULL, 10),
			.numbers = (uint32_t)strtoul(argv[5], NULL, 10),
			.calls = strtoull(argv[6], NULL, 10),
		};

		print_row(&load, 1);
		return 0;
	}
	print_table();
	return 0;
}
