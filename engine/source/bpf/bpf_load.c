#include "engine/source/bpf/bpf_load.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/process/online_cpus.h"
#include "engine/process/proc_tasks.h"
#include "engine/source/bpf/bpf_load_error.h"

/* Ignore warnings in the skeleton, which bpftool generates. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#include "stxtop.skel.h"
#pragma GCC diagnostic pop

#include <bpf/bpf.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#define RING_BYTES_DEFAULT (4u << 20)
#define RING_BYTES_MIN (64u << 10)
#define RINGS_BYTES_MAX ((size_t)256 << 20)
#define SUMS_AT_ONCE 256
#define LOG_BYTES (1u << 20) /* if a log is longer, loading fails with -ENOSPC, hiding the error */

/* Buffer for one batch of sums. */
struct sum_batch {
	struct bpf_sum_key keys[SUMS_AT_ONCE];
	struct bpf_sum sums[SUMS_AT_ONCE];
};

struct bpf_load_parts {
	char *logs; /* verifier logs, while loading */
	struct stxtop_bpf *skel;
	enum bpf_load_programs programs;
	bool captures;
	void *map; /* all the rings */
	size_t map_bytes;
	struct sum_batch *sums;
};

/* ---- errors -------------------------------------------------------------------- */

/* Silence libbpf, which prints errors to stderr: the screen must not be disturbed. */
static int say_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/* Give each program its own part of the log; pages are allocated only when written. */
static void store_logs(struct bpf_load_parts *parts)
{
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, parts->skel->obj) count++;
	parts->logs = mem_alloc(count * LOG_BYTES);
	count = 0;
	bpf_object__for_each_program(program, parts->skel->obj)
	{
		char *log = parts->logs + count++ * LOG_BYTES;

		log[0] = '\0';
		bpf_program__set_log_buf(program, log, LOG_BYTES);
	}
}

static void drop_logs(struct bpf_load_parts *parts)
{
	free(parts->logs);
	parts->logs = NULL;
}

static int explain_programs(const struct bpf_load_parts *parts, int ret, struct err *err)
{
	struct bpf_program *program;
	size_t count = 0;

	if (parts->skel)
		bpf_object__for_each_program(program, parts->skel->obj)
		{
			const char *log = parts->logs + count++ * LOG_BYTES;

			if (log[0])
				return bpf_refusal_explain(ret, BPF_STAGE_PROGRAMS,
							   bpf_program__name(program), log, err);
		}
	return bpf_refusal_explain(ret, BPF_STAGE_PROGRAMS, NULL, NULL, err);
}

/* ---- rings ---------------------------------------------------------------------- */

/* Return the size of one ring. With many CPUs the default is smaller, to bound the total. */
static size_t ring_bytes_for(size_t cpus, size_t wanted)
{
	size_t bytes = RING_BYTES_MIN;
	size_t limit = RINGS_BYTES_MAX / cpus;

	if (!wanted)
		wanted = limit < RING_BYTES_DEFAULT ? limit : RING_BYTES_DEFAULT;
	while (bytes < wanted && bytes < (1u << 30))
		bytes *= 2;
	return bytes;
}

static int map_rings(struct bpf_load *load, const struct target *online)
{
	struct bpf_load_parts *parts = load->parts;
	struct stxtop_bpf__bss *bss = parts->skel->bss;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t stride = load->ring_bytes + BPF_RECORD_BYTES_MAX;

	parts->map_bytes = (online->cpu_count * stride + page - 1) / page * page;
	parts->map = mmap(NULL, parts->map_bytes, PROT_READ, MAP_SHARED,
			  bpf_map__fd(parts->skel->maps.rings), 0);
	if (parts->map == MAP_FAILED) {
		parts->map = NULL;
		return -errno;
	}
	load->rings = mem_zalloc(online->cpu_count, sizeof(*load->rings));
	for (size_t i = 0; i < online->cpu_count; i++) {
		uint32_t cpu = online->cpus[i];

		if (cpu >= BPF_CPUS_MAX)
			continue;
		load->rings[load->ring_count].cpu = cpu;
		bpf_ring_init(&load->rings[load->ring_count].ring, &bss->cpus[cpu],
			      (const char *)parts->map + load->ring_count * stride,
			      load->ring_bytes, parts->skel->rodata->mark_key);
		bss->cpus[cpu].ring = ++load->ring_count;
	}
	return 0;
}

/* ---- programs --------------------------------------------------------------------- */

/* Return a random key for BPF_MARK(). */
static uint64_t mark_key(void)
{
	uint64_t key;

	/* If there is no entropy yet, early after boot, use the time. */
	if (getrandom(&key, sizeof(key), GRND_NONBLOCK) != sizeof(key))
		key = clock_now_ns() * 0x9e3779b97f4a7c15ULL;
	return key | 1ULL << 63;
}

/* Set sizes and constants, which must be known before the maps are created. */
static int size_maps(struct bpf_load *load, const struct target *online)
{
	struct bpf_load_parts *parts = load->parts;
	uint32_t sums;
	int possible, ret;

	possible = libbpf_num_possible_cpus();
	if (possible < 0)
		return possible;
	load->cpu_count = possible < BPF_CPUS_MAX ? (uint32_t)possible : BPF_CPUS_MAX;
	parts->skel->rodata->captures = parts->captures;
	parts->skel->rodata->mark_key = mark_key();
	parts->skel->rodata->ring_mask = (uint32_t)load->ring_bytes - 1;
	parts->skel->rodata->full_bytes =
		(uint32_t)((load->ring_bytes - BPF_RECORD_BYTES_MAX) / 8 * 7);
	sums = online->cpu_count < BPF_AGGREGATES_MAX / BPF_AGGREGATES
		       ? (uint32_t)online->cpu_count * BPF_AGGREGATES
		       : BPF_AGGREGATES_MAX;
	ret = bpf_map__set_max_entries(parts->skel->maps.even_sums, sums);
	if (!ret)
		ret = bpf_map__set_max_entries(parts->skel->maps.odd_sums, sums);
	if (!ret)
		ret = bpf_map__set_max_entries(parts->skel->maps.rings,
					       (uint32_t)online->cpu_count);
	return ret ? ret
		   : bpf_map__set_value_size(parts->skel->maps.rings,
					     (uint32_t)load->ring_bytes + BPF_RECORD_BYTES_MAX);
}

/* Probe a tracepoint program, which has the same helpers: iterators cannot be probed. */
static bool has_registers(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_TRACEPOINT, BPF_FUNC_task_pt_regs, NULL) == 1;
}

/* Choose the programs to load. Those that bpf_load_run() attaches are not attached here. */
static void choose_programs(const struct stxtop_bpf *skel, enum bpf_load_programs programs)
{
	bpf_program__set_autoattach(skel->progs.list_registers, false);
	bpf_program__set_autoload(skel->progs.list_registers, has_registers());
	bpf_program__set_autoattach(skel->progs.on_enter, false);
	bpf_program__set_autoattach(skel->progs.on_exit, false);
	bpf_program__set_autoattach(skel->progs.on_switch, false);
	bpf_program__set_autoload(skel->progs.on_enter, programs != BPF_LOAD_NOT_ALL);
	bpf_program__set_autoload(skel->progs.on_exit, programs != BPF_LOAD_NOT_ALL);
	bpf_program__set_autoload(skel->progs.on_single_enter, programs != BPF_LOAD_NOT_SINGLE);
	bpf_program__set_autoload(skel->progs.on_single_exit, programs != BPF_LOAD_NOT_SINGLE);
}

static int try_load(struct bpf_load *load, const struct target *online)
{
	int ret;

	load->parts->skel = stxtop_bpf__open();
	if (!load->parts->skel)
		return -errno;
	drop_logs(load->parts);
	store_logs(load->parts);
	choose_programs(load->parts->skel, load->parts->programs);
	ret = size_maps(load, online);
	return ret ? ret : stxtop_bpf__load(load->parts->skel);
}

static int load_programs(struct bpf_load *load, const struct target *online, size_t ring_bytes,
			 struct err *err)
{
	struct bpf_load_parts *parts = load->parts;
	int ret;

	load->ring_bytes = ring_bytes_for(online->cpu_count, ring_bytes);
	for (;;) {
		ret = try_load(load, online);
		/* Some older kernels limit an array element, here a ring, to 4 MiB. */
		if ((ret != -E2BIG && ret != -ENOMEM) || load->ring_bytes <= RING_BYTES_MIN)
			break;
		load->ring_bytes /= 2;
		stxtop_bpf__destroy(parts->skel);
		parts->skel = NULL;
	}
	if (ret)
		explain_programs(parts, ret, err);
	drop_logs(parts);
	if (ret)
		return ret;
	load->settings = &parts->skel->bss->settings;
	load->cgroups_made = &parts->skel->bss->cgroups_made;
	load->cpus = parts->skel->bss->cpus;
	load->rules = &parts->skel->bss->rules;
	parts->sums = mem_zalloc(1, sizeof(*parts->sums));
	ret = map_rings(load, online);
	if (ret)
		return bpf_refusal_explain(ret, BPF_STAGE_RINGS, NULL, NULL, err);
	/* Until settings->running is set, the programs emit nothing. */
	ret = stxtop_bpf__attach(parts->skel);
	return ret ? bpf_refusal_explain(ret, BPF_STAGE_ATTACH, NULL, NULL, err) : 0;
}

int bpf_load_open(struct bpf_load *load, size_t ring_bytes, enum bpf_load_programs programs,
		  bool captures, struct err *err)
{
	struct target online;
	int ret;

	memset(load, 0, sizeof(*load));
	if (!proc_tasks_initial_namespace())
		return err_set(err, -ENOTSUP,
			       "no BPF: its tids are those outside this pid namespace; run stxtop "
			       "outside the container");
	/* Without permission to create a map, fail at once, before reading BTF. */
	ret = bpf_map_create(BPF_MAP_TYPE_ARRAY, "stxtop_try", 4, 4, 1, NULL);
	if (ret < 0)
		return bpf_refusal_explain(ret, BPF_STAGE_MAPS, NULL, NULL, err);
	close(ret);
	libbpf_set_print(say_nothing);
	load->parts = mem_zalloc(1, sizeof(*load->parts));
	load->parts->programs = programs;
	load->parts->captures = captures;
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
	if (!load->parts)
		return;
	if (load->parts->map)
		munmap(load->parts->map, load->parts->map_bytes);
	stxtop_bpf__destroy(load->parts->skel);
	free(load->parts->sums);
	free(load->parts);
	free(load->rings);
	memset(load, 0, sizeof(*load));
}

int bpf_load_run(struct bpf_load *load, enum bpf_load_program program, int event_fd)
{
	const struct stxtop_bpf *skel = load->parts->skel;

	switch (program) {
	case BPF_LOAD_ENTER:
		return bpf_raw_tracepoint_open(NULL, bpf_program__fd(skel->progs.on_enter));
	case BPF_LOAD_EXIT:
		return bpf_raw_tracepoint_open(NULL, bpf_program__fd(skel->progs.on_exit));
	case BPF_LOAD_SWITCH:
		return bpf_raw_tracepoint_open(NULL, bpf_program__fd(skel->progs.on_switch));
	case BPF_LOAD_SYSCALL_ENTER:
		return bpf_link_create(bpf_program__fd(skel->progs.on_single_enter), event_fd,
				       BPF_PERF_EVENT, NULL);
	case BPF_LOAD_SYSCALL_EXIT:
		return bpf_link_create(bpf_program__fd(skel->progs.on_single_exit), event_fd,
				       BPF_PERF_EVENT, NULL);
	}
	return -EINVAL;
}

/* ---- maps ------------------------------------------------------------------------- */

static int set(const struct bpf_map *map, const void *id, size_t id_bytes, uint32_t value)
{
	int ret;

	if (value)
		return bpf_map__update_elem(map, id, id_bytes, &value, sizeof(value), BPF_ANY);
	ret = bpf_map__delete_elem(map, id, id_bytes, 0);
	return ret == -ENOENT ? 0 : ret;
}

int bpf_load_set_family(struct bpf_load *load, uint32_t id, uint32_t flags)
{
	return set(load->parts->skel->maps.family, &id, sizeof(id), flags);
}

/*
 * Find members of the family in one scan, then remove them: programs change the map meanwhile.
 * Return their number, or -errno.
 */
static int drop_members(int map_fd, uint32_t pid, uint32_t *members, uint32_t max)
{
	uint32_t id, flags, *last = NULL, count = 0;

	while (count < max && !bpf_map_get_next_key(map_fd, last, &id)) {
		last = &id;
		if (!bpf_map_lookup_elem(map_fd, &id, &flags) && flags & BPF_FAMILY_PROCESS &&
		    flags >> BPF_FAMILY_SHIFT == pid)
			members[count++] = id;
	}
	for (uint32_t i = 0; i < count; i++)
		if (bpf_map_delete_elem(map_fd, &members[i]) && errno != ENOENT)
			return -errno;
	return (int)count;
}

int bpf_load_drop_family(struct bpf_load *load, uint32_t pid)
{
	const struct bpf_map *map = load->parts->skel->maps.family;
	uint32_t max = bpf_map__max_entries(map);
	uint32_t *members = mem_alloc(max * sizeof(*members));
	int ret;

	/* A member that forked during the scan has a child that the next scan finds. */
	do
		ret = drop_members(bpf_map__fd(map), pid, members, max);
	while (ret > 0);
	free(members);
	return ret;
}

int bpf_load_set_chosen(struct bpf_load *load, uint32_t id, uint32_t bits)
{
	return set(load->parts->skel->maps.chosen, &id, sizeof(id), bits);
}

int bpf_load_set_cgroup(struct bpf_load *load, uint64_t id, uint32_t bits)
{
	return set(load->parts->skel->maps.cgroups, &id, sizeof(id), bits);
}

/*
 * Switch the programs to the other map of sums. Wait for programs that still use the first: a
 * program sets `counting` before it reads which map to use. Return the descriptor of the first map.
 */
static int turn_sums(struct bpf_load *load)
{
	const struct bpf_load_parts *parts = load->parts;
	uint32_t before = load->settings->sums;

	__atomic_store_n(&load->settings->sums, before + 1, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < load->cpu_count; i++) {
		const uint32_t *counting = &load->cpus[i].counting;
		uint32_t seen = __atomic_load_n(counting, __ATOMIC_SEQ_CST);

		while (seen % 2 && __atomic_load_n(counting, __ATOMIC_SEQ_CST) == seen)
			sched_yield();
	}
	return bpf_map__fd(before % 2 ? parts->skel->maps.odd_sums : parts->skel->maps.even_sums);
}

int bpf_load_take_aggregates(struct bpf_load *load, bpf_load_sum_fn *each, void *ctx)
{
	struct sum_batch *batch = load->parts->sums;
	int fd = turn_sums(load), ret = 0;
	uint32_t at, count;
	void *from = NULL;

	/* Read a batch of buckets; the last batch comes with ENOENT. */
	while (!ret) {
		count = SUMS_AT_ONCE;
		ret = bpf_map_lookup_and_delete_batch(fd, from, &at, batch->keys, batch->sums,
						      &count, NULL);
		if (ret && ret != -ENOENT)
			return ret;
		for (uint32_t i = 0; i < count; i++)
			each(ctx, &batch->keys[i], &batch->sums[i]);
		from = &at;
	}
	return 0;
}

int bpf_load_each_in_flight(struct bpf_load *load, bpf_load_record_fn *each, void *ctx)
{
	int fd = bpf_iter_create(bpf_link__fd(load->parts->skel->links.list_in_flight));
	struct bpf_record emits[64];
	ssize_t got;

	if (fd < 0)
		return fd;
	/* The kernel returns whole records if the buffer has room for at least one. */
	while ((got = read(fd, emits, sizeof(emits))) > 0)
		for (size_t i = 0; i < (size_t)got / sizeof(*emits); i++)
			each(ctx, &emits[i]);
	close(fd);
	return got < 0 ? -errno : 0;
}

bool bpf_load_registers(struct bpf_load *load, uint32_t tid, struct bpf_registers *registers)
{
	union bpf_iter_link_info one = { .task.tid = tid };
	LIBBPF_OPTS(bpf_link_create_opts, options, .iter_info = &one, .iter_info_len = sizeof(one));
	int program = bpf_program__fd(load->parts->skel->progs.list_registers);
	int link, fd;
	bool got;

	if (program < 0)
		return false;
	/* Before Linux 6.1 the iterator ignores the tid: the registers may be another thread's. */
	link = bpf_link_create(program, 0, BPF_TRACE_ITER, &options);
	if (link < 0)
		return false;
	fd = bpf_iter_create(link);
	got = fd >= 0 && read(fd, registers, sizeof(*registers)) == (ssize_t)sizeof(*registers);
	if (fd >= 0)
		close(fd);
	close(link);
	return got;
}

uint64_t bpf_load_missed(const struct bpf_load *load)
{
	const struct bpf_program *programs[] = { load->parts->skel->progs.on_enter,
						 load->parts->skel->progs.on_exit,
						 load->parts->skel->progs.on_single_enter,
						 load->parts->skel->progs.on_single_exit };
	uint64_t missed = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct bpf_prog_info info = { .type = 0 };
		__u32 bytes = sizeof(info);

		if (bpf_program__fd(programs[i]) >= 0 &&
		    !bpf_obj_get_info_by_fd(bpf_program__fd(programs[i]), &info, &bytes))
			missed += info.recursion_misses;
	}
	return missed;
}
