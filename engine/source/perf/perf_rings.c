#include "engine/source/perf/perf_rings.h"

#include "engine/base/mem.h"
#include "engine/source/perf/perf_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t round_ring(size_t bytes, size_t page)
{
	size_t rounded = page;

	while (rounded < bytes && rounded < ((size_t)1 << 40))
		rounded *= 2;
	return rounded;
}

static int open_anchor(struct perf_cpu *cpu, size_t ring_bytes)
{
	struct perf_event_attr attr;

	perf_attr_side(&attr);
	/* A ring gets its watermark from the first event that is mapped. */
	attr.wakeup_watermark = (uint32_t)(ring_bytes / 2 > UINT32_MAX ? UINT32_MAX
								       : ring_bytes / 2);
	/* Watch the main thread: if this thread exited, its event would report a hangup. */
	cpu->fd = perf_event_new(&attr, getpid(), cpu->cpu);
	return cpu->fd < 0 ? cpu->fd : 0;
}

static int map_ring(struct perf_cpu *cpu, size_t ring_bytes, size_t page)
{
	struct perf_event_mmap_page *first;
	int ret = open_anchor(cpu, ring_bytes);

	if (ret)
		return ret;
	cpu->map_bytes = page + ring_bytes;
	cpu->map = mmap(NULL, cpu->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cpu->fd, 0);
	if (cpu->map == MAP_FAILED) {
		ret = -errno;
		close(cpu->fd);
		cpu->fd = -1;
		cpu->map = NULL;
		return ret;
	}
	first = cpu->map;
	perf_ring_init(&cpu->ring, first, (const char *)cpu->map + page, ring_bytes);
	return 0;
}

/* -ENODEV if the CPU has gone offline. */
static int open_cpu(struct perf_rings *rings, struct perf_cpu *cpu, size_t page, struct err *err)
{
	struct epoll_event event = { .events = EPOLLIN };
	int ret;

	for (;;) {
		ret = map_ring(cpu, rings->ring_bytes, page);
		/* EPERM: above the mlock limit. ENOMEM: no contiguous memory of that size. */
		if ((ret != -EPERM && ret != -ENOMEM) || rings->ring_bytes <= page)
			break;
		rings->ring_bytes /= 2;
	}
	if (ret == -EPERM || ret == -ENOMEM)
		return err_set(err, ret,
			       "no memory for the perf ring buffers; as root, raise "
			       "kernel.perf_event_mlock_kb, or raise ulimit -l");
	if (ret == -ENODEV)
		return ret;
	if (ret)
		return perf_event_error(ret, "stxtop itself", false, err);
	event.data.u32 = cpu->cpu;
	if (epoll_ctl(rings->epoll_fd, EPOLL_CTL_ADD, cpu->fd, &event))
		return err_set(err, -errno, "cannot wait for events: %s", strerror(errno));
	return 0;
}

int perf_rings_open(struct perf_rings *rings, const uint32_t *cpus, size_t cpu_count,
		    size_t ring_bytes, struct err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int ret = 0;

	memset(rings, 0, sizeof(*rings));
	rings->ring_bytes = round_ring(ring_bytes ? ring_bytes : PERF_RING_BYTES_DEFAULT, page);
	rings->cpus = mem_zalloc(cpu_count, sizeof(*rings->cpus));
	rings->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (rings->epoll_fd < 0)
		ret = err_set(err, -errno, "cannot wait for events: %s", strerror(errno));
	for (size_t i = 0; !ret && i < cpu_count; i++) {
		struct perf_cpu *cpu = &rings->cpus[rings->count];

		cpu->cpu = cpus[i];
		cpu->fd = -1;
		rings->count++;
		ret = open_cpu(rings, cpu, page, err);
		if (ret == -ENODEV) {
			rings->count--;
			ret = 0;
		}
	}
	if (!ret && !rings->count)
		ret = err_set(err, -ENODEV, "none of the CPUs to watch is online");
	if (ret)
		perf_rings_close(rings);
	return ret;
}

void perf_rings_close(struct perf_rings *rings)
{
	for (uint32_t i = 0; i < rings->count; i++) {
		struct perf_cpu *cpu = &rings->cpus[i];

		perf_ring_release(&cpu->ring);
		if (cpu->map)
			munmap(cpu->map, cpu->map_bytes);
		if (cpu->fd >= 0)
			close(cpu->fd);
	}
	if (rings->epoll_fd >= 0)
		close(rings->epoll_fd);
	free(rings->cpus);
	memset(rings, 0, sizeof(*rings));
	rings->epoll_fd = -1;
}

void perf_rings_wake(struct perf_rings *rings, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	/* On failure, the reader notices the descriptor only at its timeout. */
	epoll_ctl(rings->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

int perf_rings_wait(struct perf_rings *rings, int timeout_ms)
{
	struct epoll_event events[16];
	int got = epoll_wait(rings->epoll_fd, events, 16, timeout_ms);

	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	if (got > 0)
		return 1;
	for (uint32_t i = 0; i < rings->count; i++) {
		const struct perf_ring *ring = &rings->cpus[i].ring;

		if (__atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) != ring->cursor)
			return 1;
	}
	return 0;
}
