#include "engine/rates.h"

#include "engine/base/clock.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* One cell of the totals as the last tick saw it. */
struct sample {
	uint64_t calls;
	double rate;
};

struct rates {
	struct idmap samples;
	size_t live; /* samples that the last tick met */
	bool rebase;
	struct totals_walk walk; /* of this tick, some cells at each drain */
	bool walking, refilling;
	double elapsed_s; /* of the tick that is going on */
	uint64_t ticked_ns;
	uint64_t calls_seen;
	struct rates_summary summary;
	uint64_t cpu_total, cpu_idle; /* of /proc/stat, in ticks */
	uint64_t own_ns;
};

/* 22 bits hold the largest pid that Linux gives out; a call's number has 16. */
static uint64_t sample_key(uint32_t pid, uint32_t tid, uint32_t nr)
{
	return (uint64_t)pid << 42 ^ (uint64_t)tid << 20 ^ nr;
}

/* The first line: cpu user nice system idle iowait irq softirq steal … */
static bool read_machine_cpu(uint64_t *total, uint64_t *idle)
{
	char text[256];
	unsigned long long part[8] = { 0 };
	int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	ssize_t got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = '\0';
	if (sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &part[0], &part[1],
		   &part[2], &part[3], &part[4], &part[5], &part[6], &part[7]) < 4)
		return false;
	*total = 0;
	for (size_t i = 0; i < 8; i++)
		*total += part[i];
	*idle = part[3] + part[4];
	return true;
}

static uint64_t read_own_cpu_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

struct rates *rates_new(void)
{
	struct rates *rates = mem_zalloc(1, sizeof(*rates));

	idmap_init(&rates->samples);
	rates->ticked_ns = clock_now_ns();
	rates->own_ns = read_own_cpu_ns();
	read_machine_cpu(&rates->cpu_total, &rates->cpu_idle);
	return rates;
}

static void samples_clear(struct rates *rates)
{
	size_t cursor = 0;
	struct idmap_slot *slot;

	while ((slot = idmap_next(&rates->samples, &cursor)))
		free(slot->value);
	idmap_clear(&rates->samples);
}

void rates_free(struct rates *rates)
{
	if (!rates)
		return;
	totals_walk_end(&rates->walk);
	samples_clear(rates);
	idmap_release(&rates->samples);
	free(rates);
}

static void sample_cell(void *ctx, uint32_t pid, uint32_t tid, uint32_t nr,
			const struct totals_cell *cell)
{
	struct rates *rates = ctx;
	uint64_t key = sample_key(pid, tid, nr);
	struct sample *sample = idmap_get(&rates->samples, key);

	rates->live++;
	if (!sample) {
		sample = mem_zalloc(1, sizeof(*sample));
		idmap_put(&rates->samples, key, sample);
	}
	/* Fewer than before: a process that took the number over. */
	if (rates->rebase)
		sample->rate = 0;
	else if (cell->calls >= sample->calls)
		sample->rate = (double)(cell->calls - sample->calls) / rates->elapsed_s;
	sample->calls = cell->calls;
}

static void tick_processors(struct rates *rates)
{
	uint64_t total, idle;
	uint64_t own_ns = read_own_cpu_ns();

	rates->summary.own_cpu = (double)(own_ns - rates->own_ns) / NS_PER_S / rates->elapsed_s;
	rates->own_ns = own_ns;
	if (!read_machine_cpu(&total, &idle))
		return;
	/* iowait may go backwards on a machine that hot-plugs processors. */
	if (total > rates->cpu_total && idle >= rates->cpu_idle &&
	    idle - rates->cpu_idle <= total - rates->cpu_total)
		rates->summary.cpu_busy = 1.0 - (double)(idle - rates->cpu_idle) /
						    (double)(total - rates->cpu_total);
	rates->cpu_total = total;
	rates->cpu_idle = idle;
}

/* Some of the cells of this tick. */
static void walk_on(struct rates *rates)
{
	rates->walking = totals_walk_step(&rates->walk, TOTALS_WALK_CELLS, sample_cell, rates);
	if (rates->walking)
		return;
	totals_walk_end(&rates->walk);
	rates->rebase = rates->refilling || rates->walk.cleared;
	/* Cells go when ended threads are folded; their samples must not pile up. */
	if (rates->samples.count > 2 * rates->live + 64) {
		samples_clear(rates);
		rates->rebase = true;
	}
}

void rates_tick(struct rates *rates, const struct model *model, uint64_t now_ns)
{
	struct model_status status;
	uint64_t calls;

	if (rates->walking)
		walk_on(rates);
	if (rates->walking || now_ns < rates->ticked_ns + NS_PER_S)
		return;
	rates->elapsed_s = (double)(now_ns - rates->ticked_ns) / NS_PER_S;
	rates->ticked_ns = now_ns;

	model_status(model, &status);
	calls = status.calls_seen - rates->calls_seen;
	if (status.calls_seen < rates->calls_seen)
		calls = status.calls_seen;
	rates->calls_seen = status.calls_seen;
	rates->summary.calls_per_s = (double)calls / rates->elapsed_s;
	memmove(rates->summary.seconds, rates->summary.seconds + 1,
		(RATES_SECONDS - 1) * sizeof(rates->summary.seconds[0]));
	rates->summary.seconds[RATES_SECONDS - 1] = calls > UINT32_MAX ? UINT32_MAX
								       : (uint32_t)calls;
	tick_processors(rates);

	rates->live = 0;
	rates->refilling = status.refilling;
	totals_walk_begin(&rates->walk, model_totals(model));
	walk_on(rates);
}

void rates_rebase(struct rates *rates)
{
	totals_walk_end(&rates->walk);
	rates->walking = false;
	rates->rebase = true;
}

double rates_of(const struct rates *rates, uint32_t pid, uint32_t tid, uint32_t nr)
{
	const struct sample *sample = idmap_get(&rates->samples, sample_key(pid, tid, nr));

	return sample ? sample->rate : 0;
}

void rates_summary(const struct rates *rates, struct rates_summary *summary)
{
	*summary = rates->summary;
}
