/* bpf_none - replaces bpf_load.c in builds without BPF (make BPF=0). */
#include "engine/source/bpf/bpf_load.h"

#include <errno.h>

int bpf_load_open(struct bpf_load *load, size_t ring_bytes, enum bpf_load_programs programs,
		  bool captures, struct err *err)
{
	(void)load;
	(void)ring_bytes;
	(void)programs;
	(void)captures;
	return err_set(err, -ENOTSUP,
		       "this stxtop was built without BPF; build it with clang, "
		       "bpftool and libbpf-dev installed");
}

void bpf_load_close(struct bpf_load *load)
{
	(void)load;
}

int bpf_load_run(struct bpf_load *load, enum bpf_load_program program, int event_fd)
{
	(void)load;
	(void)program;
	(void)event_fd;
	return -ENOTSUP;
}

int bpf_load_set_family(struct bpf_load *load, uint32_t id, uint32_t flags)
{
	(void)load;
	(void)id;
	(void)flags;
	return -ENOTSUP;
}

int bpf_load_drop_family(struct bpf_load *load, uint32_t pid)
{
	(void)load;
	(void)pid;
	return -ENOTSUP;
}

int bpf_load_set_chosen(struct bpf_load *load, uint32_t id, uint32_t bits)
{
	(void)load;
	(void)id;
	(void)bits;
	return -ENOTSUP;
}

int bpf_load_set_cgroup(struct bpf_load *load, uint64_t id, uint32_t bits)
{
	(void)load;
	(void)id;
	(void)bits;
	return -ENOTSUP;
}

int bpf_load_take_aggregates(struct bpf_load *load, bpf_load_sum_fn *each, void *ctx)
{
	(void)load;
	(void)each;
	(void)ctx;
	return -ENOTSUP;
}

int bpf_load_each_in_flight(struct bpf_load *load, bpf_load_record_fn *each, void *ctx)
{
	(void)load;
	(void)each;
	(void)ctx;
	return -ENOTSUP;
}

bool bpf_load_registers(struct bpf_load *load, uint32_t tid, struct bpf_registers *registers)
{
	(void)load;
	(void)tid;
	(void)registers;
	return false;
}

uint64_t bpf_load_missed(const struct bpf_load *load)
{
	(void)load;
	return 0;
}
