/*
 * bpf_load - the BPF programs with their maps and rings.
 *
 * The only user of libbpf; bpf_none.c replaces it in builds without BPF and returns an error. A
 * message explains each refusal of the kernel. The kernel removes the programs when their last
 * descriptor is closed, so none remain when stxtop exits or is killed. One thread at a time.
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

/* Shared with the users of the loader. The members are valid until bpf_load_close(). */
struct bpf_load {
	struct bpf_settings *settings; /* running programs read them at every call */
	struct capture_rules *rules; /* in force if opened with `captures` */
	const volatile __u64 *cgroups_made; /* cgroups created so far */
	const struct bpf_cpu *cpus; /* BPF_CPUS_MAX of them, written by the programs */
	struct bpf_load_ring *rings; /* one per online CPU */
	uint32_t ring_count;
	uint32_t cpu_count; /* number of `cpus` that can ever be online */
	size_t ring_bytes; /* of each ring, as granted */
	struct bpf_load_parts *parts; /* private to bpf_load.c */
};

enum bpf_load_programs {
	BPF_LOAD_ANY, /* load all programs */
	BPF_LOAD_NOT_ALL, /* omit the programs at all calls: verifying them takes time */
	BPF_LOAD_NOT_SINGLE,
};

/*
 * Load the programs. ring_bytes is rounded up to a power of two and halved until it is granted; 0:
 * the default. Afterwards the programs follow families, and calls in flight can be listed. On
 * failure return -errno with a message, and nothing is open.
 */
int bpf_load_open(struct bpf_load *load, size_t ring_bytes, enum bpf_load_programs programs,
		  bool captures, struct err *err);
void bpf_load_close(struct bpf_load *load); /* a zeroed load is allowed */

enum bpf_load_program {
	BPF_LOAD_ENTER, /* at every call */
	BPF_LOAD_EXIT,
	BPF_LOAD_SWITCH, /* reports calls whose threads leave their CPU */
	BPF_LOAD_SYSCALL_ENTER, /* at a tracepoint event of one call */
	BPF_LOAD_SYSCALL_EXIT,
};

/*
 * Attach a program. Return a descriptor, which detaches the program when it is closed; or -errno.
 * event_fd: for BPF_LOAD_SYSCALL_ENTER and BPF_LOAD_SYSCALL_EXIT, a perf event; it can stay
 * disabled, and can be closed afterwards. Any thread.
 */
int bpf_load_run(struct bpf_load *load, enum bpf_load_program program, int event_fd);

/* Set an entry of the family or chosen map (shared.h) by pid or tid; 0 removes it. -errno. */
int bpf_load_set_family(struct bpf_load *load, uint32_t id, uint32_t flags);
/* Remove the target process and all its descendants from the family map. -errno. */
int bpf_load_drop_family(struct bpf_load *load, uint32_t pid);
int bpf_load_set_chosen(struct bpf_load *load, uint32_t id, uint32_t bits);
/* Set an entry by cgroup id. -errno. */
int bpf_load_set_cgroup(struct bpf_load *load, uint64_t id, uint32_t bits);

/*
 * Take the sums of calls that the rings had no room for, and pass every sum to each(). The sums of
 * one process, call and group can come in parts, such as one per CPU. On -errno, the second next
 * call of this function returns the remaining sums.
 */
typedef void bpf_load_sum_fn(void *ctx, const struct bpf_sum_key *key, const struct bpf_sum *sum);
int bpf_load_take_aggregates(struct bpf_load *load, bpf_load_sum_fn *each, void *ctx);

/*
 * List calls in flight for BPF_LONG_NS that were not reported, as BPF_RECORD_ENTER. Walks all
 * threads of the machine. -errno.
 */
typedef void bpf_load_record_fn(void *ctx, const struct bpf_record *emit);
int bpf_load_each_in_flight(struct bpf_load *load, bpf_load_record_fn *each, void *ctx);

/*
 * Read the user registers of a thread that waits in a system call. For a running thread they are
 * outdated. Before Linux 6.1 they may be another thread's: the caller must compare sp and pc. False
 * if the thread is gone or the kernel cannot provide registers. Takes about 10 us.
 */
bool bpf_load_registers(struct bpf_load *load, uint32_t tid, struct bpf_registers *registers);

/* Count how often the kernel skipped a program because it was already running on that CPU. */
uint64_t bpf_load_missed(const struct bpf_load *load);

#endif
