#include "engine/collector/rates.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct rates {
	uint64_t ticked_ns;
	uint64_t calls_seen;
	struct rates_summary summary;
	uint64_t cpu_total, cpu_idle; /* of /proc/stat, in ticks */
	uint64_t own_ns;
};

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

	rates->ticked_ns = clock_now_ns();
	rates->own_ns = read_own_cpu_ns();
	read_machine_cpu(&rates->cpu_total, &rates->cpu_idle);
	return rates;
}

void rates_free(struct rates *rates)
{
	free(rates);
}

static void tick_processors(struct rates *rates, double elapsed_s)
{
	uint64_t total, idle;
	uint64_t own_ns = read_own_cpu_ns();

	rates->summary.own_cpu = (double)(own_ns - rates->own_ns) / NS_PER_S / elapsed_s;
	rates->own_ns = own_ns;
	if (!read_machine_cpu(&total, &idle))
		return;
	/* iowait can decrease on a machine that hot-plugs CPUs. */
	if (total > rates->cpu_total && idle >= rates->cpu_idle &&
	    idle - rates->cpu_idle <= total - rates->cpu_total)
		rates->summary.cpu_busy = 1.0 - (double)(idle - rates->cpu_idle) /
							(double)(total - rates->cpu_total);
	rates->cpu_total = total;
	rates->cpu_idle = idle;
}

void rates_tick(struct rates *rates, const struct model *model, uint64_t now_ns)
{
	struct model_status status;
	double elapsed_s;
	uint64_t calls;

	if (now_ns < rates->ticked_ns + NS_PER_S)
		return;
	elapsed_s = (double)(now_ns - rates->ticked_ns) / NS_PER_S;
	rates->ticked_ns = now_ns;

	model_status(model, &status);
	calls = status.calls_seen - rates->calls_seen;
	if (status.calls_seen < rates->calls_seen)
		calls = status.calls_seen;
	rates->calls_seen = status.calls_seen;
	rates->summary.calls_per_s = (double)calls / elapsed_s;
	memmove(rates->summary.seconds, rates->summary.seconds + 1,
		(RATES_SECONDS - 1) * sizeof(rates->summary.seconds[0]));
	rates->summary.seconds[RATES_SECONDS - 1] = calls > UINT32_MAX ? UINT32_MAX
								       : (uint32_t)calls;
	tick_processors(rates, elapsed_s);
}

void rates_summary(const struct rates *rates, struct rates_summary *summary)
{
	*summary = rates->summary;
}
