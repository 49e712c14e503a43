#include "tests/unit/copier.h"

#include "engine/decode/capture_rules.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* What the kernel and <bpf/bpf_helpers.h> have for programs. */
#define __BPF_HELPERS__
#define SEC(name)
#define __uint(name, value) int (*name)[value]
#define __type(name, value) __typeof__(value) *name
#undef __always_inline
#define __always_inline inline __attribute__((always_inline, unused))
#define __noinline __attribute__((noinline, unused))

struct task_struct;
struct thread_state;

static long bpf_probe_read_user(void *to, uint32_t bytes, const void *from);
static long bpf_probe_read_user_str(void *to, uint32_t bytes, const void *from);
static long bpf_probe_read_kernel(void *to, uint32_t bytes, const void *from);
static uint32_t bpf_get_smp_processor_id(void);
static uint64_t bpf_get_current_pid_tgid(void);
static struct task_struct *bpf_get_current_task_btf(void) __attribute__((unused));
static void *bpf_map_lookup_elem(const void *map, const void *key);
static void *bpf_task_storage_get(const void *map, struct task_struct *task, void *value,
				  uint64_t flags) __attribute__((unused));

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include "engine/source/bpf/telling.h"
#pragma GCC diagnostic pop

static struct {
	struct thread_state thread;
	_Alignas(8) unsigned char ring[COPIER_RING_BYTES + BPF_TELL_BYTES_MAX];
	unsigned char chunks[4 * BPF_TELL_BYTES_MAX];
	size_t len;
	const struct bpf_tell *told;
	bool defer;
	struct syscalls *syscalls;
} copier;

/* As far as it is there, page by page, as a fault ends it. */
static size_t read_here(void *to, size_t bytes, uintptr_t from)
{
	size_t done = 0;

	while (done < bytes) {
		size_t page = 4096 - (from + done) % 4096;
		size_t want = bytes - done < page ? bytes - done : page;
		struct iovec local = { (char *)to + done, want };
		struct iovec remote = { (void *)(from + done), want };

		if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != (ssize_t)want)
			break;
		done += want;
	}
	return done;
}

/* What cannot be read whole is zeros. */
static long bpf_probe_read_user(void *to, uint32_t bytes, const void *from)
{
	if (read_here(to, bytes, (uintptr_t)from) == bytes)
		return 0;
	memset(to, 0, bytes);
	return -EFAULT;
}

static long bpf_probe_read_user_str(void *to, uint32_t bytes, const void *from)
{
	size_t known = read_here(to, bytes, (uintptr_t)from);
	char *end = memchr(to, '\0', known);

	if (end)
		return end - (char *)to + 1;
	if (known < bytes)
		return -EFAULT;
	((char *)to)[bytes - 1] = '\0';
	return bytes;
}

static long bpf_probe_read_kernel(void *to, uint32_t bytes, const void *from)
{
	memcpy(to, from, bytes);
	return 0;
}

static uint32_t bpf_get_smp_processor_id(void)
{
	return 0;
}

static uint64_t bpf_get_current_pid_tgid(void)
{
	return 0x100000001;
}

static struct task_struct *bpf_get_current_task_btf(void)
{
	return NULL;
}

static void *bpf_map_lookup_elem(const void *map, const void *key)
{
	return map == &rings && !*(const uint32_t *)key ? copier.ring : NULL;
}

static void *bpf_task_storage_get(const void *map, struct task_struct *task, void *value,
				  uint64_t flags)
{
	(void)map;
	(void)task;
	(void)value;
	(void)flags;
	return &copier.thread;
}

/* ---- what a test does ------------------------------------------------------------ */

const struct syscalls *copier_start(uint32_t string_bytes)
{
	struct capture_rules *made = malloc(sizeof(*made));

	memset(&copier.thread, 0, sizeof(copier.thread));
	copier.syscalls = syscalls_load(NULL);
	capture_rules_make(made, copier.syscalls, string_bytes);
	*(struct capture_rules *)(uintptr_t)&rules = *made;
	free(made);
	cpus[0].ring = 1;
	copier.defer = false;
	copier_at(0);
	return copier.syscalls;
}

void copier_end(void)
{
	syscalls_free(copier.syscalls);
}

void copier_at(uint64_t position)
{
	cpus[0].reserved = cpus[0].consumed = position;
}

void copier_defer(bool defer)
{
	copier.defer = defer;
}

/* What a history does with the chunks behind a record. */
static void keep(const struct bpf_tell *tell)
{
	copier.told = tell;
	if (tell->captured == BPF_CAPTURED_ALL)
		copier.len = 0;
	if (tell->captured == BPF_CAPTURED_NONE || copier.len + tell->bytes > sizeof(copier.chunks))
		return;
	memcpy(copier.chunks + copier.len, tell + 1, tell->bytes - sizeof(*tell));
	copier.len += tell->bytes - sizeof(*tell);
}

void copier_switch(void)
{
	uint64_t position = cpus[0].reserved;

	cpus[0].consumed = position;
	tell_in_flight(&copier.thread, 0);
	keep((const struct bpf_tell *)(copier.ring + position % COPIER_RING_BYTES));
}

void copier_enter(uint32_t nr, const uint64_t args[6])
{
	struct thread_state *thread = &copier.thread;

	memcpy(thread->args, args, sizeof(thread->args));
	thread->nr = nr;
	copier.len = 0;
	copier.told = NULL;
	begin_copying(thread, copier.defer);
	if (thread->large)
		copier_switch();
}

void copier_exit(int64_t ret)
{
	struct thread_state *thread = &copier.thread;
	struct bpf_tell *tell;
	struct place place;

	cpus[0].consumed = cpus[0].reserved;
	if (!find_place(&place, 0, true))
		abort();
	add_all(&place, thread, ret);
	tell = reserve(&place, thread->large ? BPF_CAPTURED_MORE : BPF_CAPTURED_ALL);
	tell->kind = BPF_TELL_CALL;
	tell->ret = ret;
	fill_enter(tell, thread);
	fill_task(tell);
	commit(tell, &place);
	keep(tell);
}

const struct bpf_tell *copier_told(void)
{
	return copier.told;
}

struct captured_bytes copier_captured(void)
{
	return (struct captured_bytes){ copier.chunks, copier.len };
}
