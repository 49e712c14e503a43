#include "engine/source/perf/perf_event_set.h"

#include "engine/base/mem.h"
#include "engine/source/perf/deferred_close.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int set_up(int fd, const struct perf_cpu *cpu, const char *filter, uint64_t *id)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->fd))
		return -errno;
	if (filter && *filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_ID, id))
		return -errno;
	return 0;
}

static const char *filter_of(const struct perf_recipe *recipe, enum perf_kind kind)
{
	switch (kind) {
	case PERF_KIND_ENTER:
	case PERF_KIND_EXIT:
	case PERF_KIND_WAKING:
	case PERF_KIND_BARE_WAKING:
	case PERF_KIND_EVENT:
		return recipe->filter;
	case PERF_KIND_SWITCH:
	case PERF_KIND_USER_STACK:
		return recipe->switch_filter;
	default:
		return NULL;
	}
}

static void keep(struct perf_event_set *probes, int fd, struct perf_probe_on on)
{
	probes->fds = mem_grow(probes->fds, &probes->capacity, probes->count + 1,
			       sizeof(*probes->fds));
	probes->on = mem_grow(probes->on, &probes->on_capacity, probes->count + 1,
			      sizeof(*probes->on));
	probes->on[probes->count] = on;
	probes->fds[probes->count++] = fd;
}

static int open_one(struct perf_event_set *probes, const struct perf_recipe *recipe,
		    enum perf_kind kind, const struct perf_place *place, const struct perf_cpu *cpu,
		    struct perf_ids *ids, uint8_t period)
{
	struct perf_id known = { .root = place->tid,
				 .kind = (uint8_t)kind,
				 .period = period,
				 .single = recipe->single };
	struct perf_event_attr attr = recipe->attrs[kind];
	int fd, ret;

	if (kind == PERF_KIND_EVENT)
		known.event = recipe->event;
	attr.inherit = place->inherit;
	fd = perf_event_new(&attr, place->tid ? (int32_t)place->tid : -1, cpu->cpu);
	if (fd < 0)
		return fd;
	ret = set_up(fd, cpu, filter_of(recipe, kind), &known.id);
	if (ret) {
		close(fd);
		return ret;
	}
	keep(probes, fd, (struct perf_probe_on){ place->tid, place->head });
	perf_ids_add(ids, &known);
	return 0;
}

int perf_event_set_open(struct perf_event_set *probes, const struct perf_recipe *recipe,
			const struct perf_place *place, const struct perf_rings *rings,
			struct perf_ids *ids, uint8_t period)
{
	size_t before = probes->count;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < rings->count; i++)
		for (int kind = 0; !ret && kind < PERF_KIND_COUNT; kind++)
			if (recipe->kinds & 1u << kind)
				ret = open_one(probes, recipe, (enum perf_kind)kind, place,
					       &rings->cpus[i], ids, period);
	if (ret)
		while (probes->count > before)
			close(probes->fds[--probes->count]);
	return ret;
}

int perf_event_set_enable(const struct perf_event_set *probes, size_t first)
{
	for (size_t i = first; i < probes->count; i++)
		if (ioctl(probes->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			return -errno;
	return 0;
}

void perf_event_set_disable(const struct perf_event_set *probes)
{
	for (size_t i = 0; i < probes->count; i++)
		ioctl(probes->fds[i], PERF_EVENT_IOC_DISABLE, 0);
}

/* Return an event's ring. A place is opened ring by ring, with all kinds of events on each. */
static uint32_t ring_of(const struct perf_recipe *recipe, const struct perf_rings *rings,
			size_t index)
{
	size_t kinds = (size_t)__builtin_popcount(recipe->kinds);

	return (uint32_t)(index / kinds % rings->count);
}

int perf_event_set_enable_on(const struct perf_event_set *probes, const struct perf_recipe *recipe,
			     const struct perf_rings *rings, uint32_t ring)
{
	for (size_t i = 0; i < probes->count; i++)
		if (ring_of(recipe, rings, i) == ring &&
		    ioctl(probes->fds[i], PERF_EVENT_IOC_ENABLE, 0))
			return -errno;
	return 0;
}

void perf_event_set_disable_on(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, const struct perf_rings *rings,
			       uint32_t ring)
{
	for (size_t i = 0; i < probes->count; i++)
		if (ring_of(recipe, rings, i) == ring)
			ioctl(probes->fds[i], PERF_EVENT_IOC_DISABLE, 0);
}

int perf_event_set_set_filter(const struct perf_event_set *probes, const char *filter)
{
	for (size_t i = 0; i < probes->count; i++)
		if (ioctl(probes->fds[i], PERF_EVENT_IOC_SET_FILTER, filter))
			return -errno;
	return 0;
}

void perf_event_set_count_lost(const struct perf_event_set *probes,
			       const struct perf_recipe *recipe, struct perf_rings *rings)
{
	uint64_t values[2]; /* the event's count, unused, and its number of lost records */

	for (size_t i = 0; i < probes->count; i++)
		if (read(probes->fds[i], values, sizeof(values)) == sizeof(values))
			rings->cpus[ring_of(recipe, rings, i)].failed += values[1];
}

void perf_event_set_split(struct perf_event_set *probes, uint32_t head, struct perf_event_set *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < probes->count; i++) {
		if (probes->on[i].head == head) {
			keep(out, probes->fds[i], probes->on[i]);
			continue;
		}
		probes->fds[kept] = probes->fds[i];
		probes->on[kept++] = probes->on[i];
	}
	probes->count = kept;
}

void perf_event_set_close(struct perf_event_set *probes)
{
	perf_event_set_disable(probes);
	deferred_close(probes->fds, probes->count);
	free(probes->fds);
	free(probes->on);
	memset(probes, 0, sizeof(*probes));
}
