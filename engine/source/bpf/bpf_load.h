/*
 * bpf_load - the programs in the kernel, their maps and rings.
 *
 * The one user of libbpf; bpf_none.c stands in where it was left out of the build, and
 * refuses. What the kernel will not have is explained in a sentence. Programs end
 * with the last descriptor of theirs, so nothing stays behind whatever becomes of us.
 * One thread at a time.
 */
#ifndef BPF_BPF_LOAD_H
#define BPF_BPF_LOAD_H

#include "engine/base/err.h"
#include "engine/source/bpf/bpf_ring.h"
#include "engine/source/bpf/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_load_ring {
	struct bpf_ring ring;
	uint32_t cpu;
};

/* What the loader shares with those who use it; all of it lives until bpf_load_close(). */
struct bpf_load {
	struct bpf_settings *settings; /* read by the programs as they are written */
	struct capture_rules *rules; /* in force if it was opened with `captures` */
	const volatile __u64 *cgroups_made; /* only grows */
	const struct bpf_cpu *cpus; /* BPF_CPUS_MAX of them, written by the programs */
	struct bpf_load_ring *rings; /* one for each CPU that is online */
	uint32_t ring_count;
	uint32_t cpu_count; /* of `cpus`, those that may be online at some time */
	size_t ring_bytes; /* of each, as granted */
	struct bpf_load_parts *parts; /* libbpf's */
};

enum bpf_load_programs {
	BPF_LOAD_ANY, /* there are all of them */
	BPF_LOAD_NOT_ALL, /* without those at all calls: the kernel takes its time to check them */
	BPF_LOAD_NOT_SINGLE,
};

/*
 * ring_bytes 0: the default; rounded up, and halved until it is granted. From then on families
 * are followed, and calls in flight can be listed. 0, or -errno, a sentence, and nothing is
 * open.
 */
int bpf_load_open(struct bpf_load *load, size_t ring_bytes, enum bpf_load_programs programs,
		  bool captures, struct err *err);
void bpf_load_close(struct bpf_load *load); /* zeroed is fine */

enum bpf_load_program {
	BPF_LOAD_ENTER, /* of all calls */
	BPF_LOAD_EXIT,
	BPF_LOAD_SWITCH, /* tells of calls whose threads leave their CPU */
	BPF_LOAD_SYSCALL_ENTER, /* at an event of a tracepoint of one call */
	BPF_LOAD_SYSCALL_EXIT,
};

/*
 * A descriptor that has the program run until it is closed; -errno. event_fd: a perf event for
 * BPF_LOAD_SYSCALL_ENTER and BPF_LOAD_SYSCALL_EXIT, which need not be enabled and may be closed
 * afterwards. Any thread.
 */
int bpf_load_run(struct bpf_load *load, enum bpf_load_program program, int event_fd);

/* The maps of shared.h, by pid or tid; 0 flags or bits: as if it was never there. -errno. */
int bpf_load_set_family(struct bpf_load *load, uint32_t id, uint32_t flags);
/* All that descend from the process that was named, and itself, are not there any more. -errno. */
int bpf_load_drop_family(struct bpf_load *load, uint32_t pid);
int bpf_load_set_chosen(struct bpf_load *load, uint32_t id, uint32_t bits);
/* By number of a cgroup. -errno. */
int bpf_load_set_cgroup(struct bpf_load *load, uint64_t id, uint32_t bits);

/*
 * The sums of what the rings had no room for since the last time: each() for every key, and
 * one may come several times, as it does for each CPU. -errno: those that are left come next time
 * but one.
 */
typedef void bpf_load_sum_fn(void *ctx, const struct bpf_sum_key *key, const struct bpf_sum *sum);
int bpf_load_take_aggregates(struct bpf_load *load, bpf_load_sum_fn *each, void *ctx);

/*
 * Calls that are in flight for BPF_LONG_NS and were not told, as BPF_RECORD_ENTER: walks all
 * threads of the machine. -errno.
 */
typedef void bpf_load_record_fn(void *ctx, const struct bpf_record *emit);
int bpf_load_each_in_flight(struct bpf_load *load, bpf_load_record_fn *each, void *ctx);

/*
 * Registers of a thread that waits in a system call; of another, those of some other moment.
 * false: not to be had here, or there is no such thread. Some ten microseconds.
 */
bool bpf_load_registers(struct bpf_load *load, uint32_t tid, struct bpf_registers *registers);

/* Times that the kernel left out a program because it was running on that CPU already. */
uint64_t bpf_load_missed(const struct bpf_load *load);

#endif
