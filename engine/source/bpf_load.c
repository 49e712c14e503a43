#include "engine/source/bpf_load.h"

#include "engine/base/mem.h"
#include "engine/source/online_cpus.h"

/* What bpftool writes is not ours to keep tidy. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#include "stxtop.skel.h"
#pragma GCC diagnostic pop

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#define RING_BYTES_DEFAULT (4u << 20)
#define SUM_BYTES_MAX (32u << 20) /* for the sums of all CPUs together */
#define SUMS_MIN 256
#define SUMS_MAX 8192

/* One ring: its map and what of it is mapped here. */
struct ring_map {
	int fd;
	void *consumer, *producer;
	size_t producer_bytes;
};

struct bpf_load_parts {
	struct stxtop_bpf *skel;
	struct ring_map *maps; /* as many as there are rings */
	struct bpf_sum *per_cpu;
	int cpu_count; /* that are possible: what a map of values for each CPU has */
};

/* ---- why not ------------------------------------------------------------------ */

/* libbpf explains itself on standard error, where nothing of ours may go. */
static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* "none [integrity] confidentiality": the word in brackets is in force. */
static bool is_locked_down(void)
{
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	char line[128] = "";

	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return strstr(line, "[confidentiality]");
}

static int explain(int ret, const char *what, struct err *err)
{
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return err_set(err, ret, "no BPF: this kernel has no /sys/kernel/btf/vmlinux "
			       "(CONFIG_DEBUG_INFO_BTF)");
	if ((ret == -EPERM || ret == -EACCES) && is_locked_down())
		return err_set(err, ret, "no BPF: the kernel is locked down (confidentiality)");
	if ((ret == -EPERM || ret == -EACCES) && geteuid())
		return err_set(err, ret, "no BPF: it needs CAP_BPF and CAP_PERFMON; run as root");
	if (ret == -EPERM || ret == -EACCES)
		return err_set(err, ret, "no BPF: the kernel refuses %s even to root, as in a "
			       "container without CAP_BPF and CAP_PERFMON", what);
	if (ret == -ENOMEM)
		return err_set(err, ret, "no BPF: no memory for %s (a memory limit of the cgroup?)",
			       what);
	return err_set(err, ret, "no BPF: the kernel refuses %s: %s", what, strerror(-ret));
}

/* ---- rings ---------------------------------------------------------------------- */

static void unmap_ring(struct ring_map *map, size_t page)
{
	if (map->producer)
		munmap(map->producer, map->producer_bytes);
	if (map->consumer)
		munmap(map->consumer, page);
	if (map->fd >= 0)
		close(map->fd);
	*map = (struct ring_map){ .fd = -1 };
}

static int map_ring(struct ring_map *map, struct bpf_load_ring *ring, size_t bytes, size_t page)
{
	int ret;

	map->fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "stxtop_ring", 0, 0, (__u32)bytes, NULL);
	if (map->fd < 0)
		return map->fd;
	map->consumer = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map->fd, 0);
	if (map->consumer == MAP_FAILED)
		goto failed;
	map->producer_bytes = page + 2 * bytes;
	map->producer = mmap(NULL, map->producer_bytes, PROT_READ, MAP_SHARED, map->fd,
			     (off_t)page);
	if (map->producer == MAP_FAILED)
		goto failed;
	bpf_ring_init(&ring->ring, map->consumer, map->producer, (char *)map->producer + page,
		      bytes);
	return 0;
failed:
	ret = -errno;
	map->consumer = map->consumer == MAP_FAILED ? NULL : map->consumer;
	map->producer = NULL;
	unmap_ring(map, page);
	return ret;
}

static int open_ring(struct bpf_load *load, uint32_t cpu, size_t page)
{
	struct bpf_load_ring *ring = &load->rings[load->ring_count];
	struct ring_map *map = &load->parts->maps[load->ring_count];
	int ret;

	for (;;) {
		ret = map_ring(map, ring, load->ring_bytes, page);
		if ((ret != -EPERM && ret != -ENOMEM) || load->ring_bytes <= 16 * page)
			break;
		load->ring_bytes /= 2;
	}
	if (ret)
		return ret;
	ring->cpu = cpu;
	load->ring_count++;
	return bpf_map_update_elem(bpf_map__fd(load->parts->skel->maps.rings), &cpu, &map->fd, 0);
}

static size_t round_ring(size_t bytes, size_t page)
{
	size_t rounded = 16 * page;

	while (rounded < bytes && rounded < (1u << 30))
		rounded *= 2;
	return rounded;
}

static int open_rings(struct bpf_load *load, const struct target *online, size_t ring_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int ret = 0;

	load->ring_bytes = round_ring(ring_bytes ? ring_bytes : RING_BYTES_DEFAULT, page);
	load->rings = mem_zalloc(online->cpu_count, sizeof(*load->rings));
	load->parts->maps = mem_zalloc(online->cpu_count, sizeof(*load->parts->maps));
	for (size_t i = 0; !ret && i < online->cpu_count; i++)
		ret = open_ring(load, online->cpus[i], page);
	return ret;
}

/* ---- programs --------------------------------------------------------------------- */

/* What has to be known before the maps are made. */
static int size_maps(struct bpf_load *load, const struct target *online)
{
	struct bpf_load_parts *parts = load->parts;
	uint32_t cpus, sums;
	int ret;

	parts->cpu_count = libbpf_num_possible_cpus();
	if (parts->cpu_count < 0)
		return parts->cpu_count;
	parts->per_cpu = mem_zalloc((size_t)parts->cpu_count, sizeof(*parts->per_cpu));
	sums = SUM_BYTES_MAX / (uint32_t)sizeof(struct bpf_sum) / (uint32_t)parts->cpu_count;
	if (sums > SUMS_MAX)
		sums = SUMS_MAX;
	if (sums < SUMS_MIN)
		sums = SUMS_MIN;
	ret = bpf_map__set_max_entries(parts->skel->maps.sums, sums);
	cpus = (uint32_t)parts->cpu_count;
	for (size_t i = 0; i < online->cpu_count; i++)
		if (online->cpus[i] >= cpus)
			cpus = online->cpus[i] + 1;
	return ret ? ret : bpf_map__set_max_entries(parts->skel->maps.rings, cpus);
}

static int load_programs(struct bpf_load *load, const struct target *online, size_t ring_bytes,
			 struct err *err)
{
	struct bpf_load_parts *parts = load->parts;
	int ret;

	parts->skel = stxtop_bpf__open();
	if (!parts->skel)
		return explain(-errno, "the programs", err);
	ret = size_maps(load, online);
	if (!ret)
		ret = stxtop_bpf__load(parts->skel);
	if (ret)
		return explain(ret, "the programs", err);
	load->settings = &parts->skel->bss->settings;
	load->cpus = parts->skel->bss->cpus;
	ret = open_rings(load, online, ring_bytes);
	return ret ? explain(ret, "ring buffers", err) : 0;
}

int bpf_load_open(struct bpf_load *load, size_t ring_bytes, struct err *err)
{
	struct target online;
	int ret;

	libbpf_set_print(say_nothing);
	memset(load, 0, sizeof(*load));
	load->parts = mem_zalloc(1, sizeof(*load->parts));
	target_init(&online);
	online_cpus(&online);
	ret = load_programs(load, &online, ring_bytes, err);
	target_release(&online);
	if (ret)
		bpf_load_close(load);
	return ret;
}

void bpf_load_close(struct bpf_load *load)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (!load->parts)
		return;
	for (uint32_t i = 0; i < load->ring_count; i++)
		unmap_ring(&load->parts->maps[i], page);
	stxtop_bpf__destroy(load->parts->skel);
	free(load->parts->maps);
	free(load->parts->per_cpu);
	free(load->parts);
	free(load->rings);
	memset(load, 0, sizeof(*load));
}

int bpf_load_watch(const struct bpf_load *load, int epoll_fd)
{
	/* A ring with anything in it is readable all the time: only what wakes us counts. */
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };

	for (uint32_t i = 0; i < load->ring_count; i++)
		if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, load->parts->maps[i].fd, &event))
			return -errno;
	return 0;
}

int bpf_load_attach(struct bpf_load *load, struct err *err)
{
	int ret = stxtop_bpf__attach(load->parts->skel);

	return ret ? explain(ret, "to attach the programs", err) : 0;
}

/* ---- maps ------------------------------------------------------------------------- */

static int set(const struct bpf_map *map, uint32_t id, uint32_t value)
{
	int ret;

	if (value)
		return bpf_map__update_elem(map, &id, sizeof(id), &value, sizeof(value), BPF_ANY);
	ret = bpf_map__delete_elem(map, &id, sizeof(id), 0);
	return ret == -ENOENT ? 0 : ret;
}

int bpf_load_set_family(struct bpf_load *load, uint32_t id, uint32_t flags)
{
	return set(load->parts->skel->maps.family, id, flags);
}

int bpf_load_set_chosen(struct bpf_load *load, uint32_t id, uint32_t bits)
{
	return set(load->parts->skel->maps.chosen, id, bits);
}

static void add_up(struct bpf_sum *sum, const struct bpf_sum *of_cpu)
{
	if (!of_cpu->calls)
		return;
	if (!sum->calls || of_cpu->min_ns < sum->min_ns)
		sum->min_ns = of_cpu->min_ns;
	if (of_cpu->max_ns > sum->max_ns)
		sum->max_ns = of_cpu->max_ns;
	sum->calls += of_cpu->calls;
	sum->errors += of_cpu->errors;
	sum->total_ns += of_cpu->total_ns;
	for (size_t i = 0; i < BPF_STEPS; i++)
		sum->steps[i] += of_cpu->steps[i];
}

int bpf_load_each_sum(struct bpf_load *load, bpf_load_sum_fn *each, void *ctx)
{
	const struct bpf_map *map = load->parts->skel->maps.sums;
	struct bpf_sum *per_cpu = load->parts->per_cpu;
	size_t bytes = (size_t)load->parts->cpu_count * sizeof(*per_cpu);
	struct bpf_sum_key key, next, *at = NULL;
	struct bpf_sum sum;

	while (!bpf_map__get_next_key(map, at, &next, sizeof(next))) {
		key = next;
		at = &key;
		if (bpf_map__lookup_elem(map, &key, sizeof(key), per_cpu, bytes, 0))
			continue;
		memset(&sum, 0, sizeof(sum));
		for (int i = 0; i < load->parts->cpu_count; i++)
			add_up(&sum, &per_cpu[i]);
		each(ctx, &key, &sum);
	}
	return 0;
}

void bpf_load_drop_sum(struct bpf_load *load, const struct bpf_sum_key *key)
{
	bpf_map__delete_elem(load->parts->skel->maps.sums, key, sizeof(*key), 0);
}

uint64_t bpf_load_missed(const struct bpf_load *load)
{
	const struct bpf_program *programs[] = { load->parts->skel->progs.on_enter,
						 load->parts->skel->progs.on_exit };
	uint64_t missed = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct bpf_prog_info info = { .type = 0 };
		__u32 bytes = sizeof(info);

		if (!bpf_obj_get_info_by_fd(bpf_program__fd(programs[i]), &info, &bytes))
			missed += info.recursion_misses;
	}
	return missed;
}
