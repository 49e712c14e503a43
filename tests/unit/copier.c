#include "tests/unit/copier.h"

#include "engine/decode/capture_rules.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Replace what the kernel and <bpf/bpf_helpers.h> provide to BPF programs. */
#define __BPF_HELPERS__
#define __BPF_CORE_READ_H__
#define bpf_core_field_exists(field) 1
#define bpf_core_type_exists(type) 1
#define SEC(name)
#define __uint(name, value) int(*name)[value]
#define __type(name, value) __typeof__(value) *name
/* A program takes the address of a member even if the pointer is NULL; the read then fails. */
#define OF_THE_KERNEL unused, no_sanitize("null")
#undef __always_inline
#define __always_inline inline __attribute__((always_inline, OF_THE_KERNEL))
#define __noinline __attribute__((noinline, OF_THE_KERNEL))

struct task_struct;
struct thread_state;

static long bpf_probe_read_user(void *to, uint32_t bytes, const void *from);
static long bpf_probe_read_user_str(void *to, uint32_t bytes, const void *from);
static long bpf_probe_read_kernel(void *to, uint32_t bytes, const void *from);
static long bpf_probe_read_kernel_str(void *to, uint32_t bytes, const void *from);
static uint32_t bpf_get_smp_processor_id(void);
static uint64_t bpf_get_current_pid_tgid(void);
static uint64_t bpf_get_current_task(void);
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
#include "engine/source/bpf/emit.h"
#pragma GCC diagnostic pop

#define COPIER_FDS 8
#define COPIER_NAMES 64

/* A file, its directories from the root, and its two mounts. */
struct kernel_file {
	struct file file;
	struct socket_alloc both; /* inode of the file; its socket if the file is one */
	struct sock sock;
	struct super_block super;
	struct dentry dentries[COPIER_NAMES + 1], mounted;
	struct mount mounts[2];
	char names[COPIER_NAMES][64];
};

static struct {
	struct thread_state thread;
	struct task_struct task;
	struct kernel_file files[COPIER_FDS], directory;
	struct file *table[COPIER_FDS];
	struct fdtable fdtable;
	struct files_struct all_files;
	struct fs_struct fs;
	_Alignas(8) unsigned char ring[COPIER_RING_BYTES + BPF_RECORD_BYTES_MAX];
	unsigned char chunks[4 * BPF_RECORD_BYTES_MAX];
	size_t len;
	const struct bpf_record *reported;
	bool defer;
	struct syscalls *syscalls;
} copier;

/* Read page by page up to the first unmapped page; return the number of bytes. */
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

/* A read that faults fills the buffer with zeros. */
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

/* Kernel structs are in the memory of this process, too. */
static long bpf_probe_read_kernel(void *to, uint32_t bytes, const void *from)
{
	return bpf_probe_read_user(to, bytes, from);
}

static long bpf_probe_read_kernel_str(void *to, uint32_t bytes, const void *from)
{
	return bpf_probe_read_user_str(to, bytes, from);
}

static uint64_t bpf_get_current_task(void)
{
	return (uint64_t)(uintptr_t)&copier.task;
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

/* ---- interface of tests ---------------------------------------------------------- */

const struct syscalls *copier_start(uint32_t string_bytes)
{
	struct capture_rules *made = malloc(sizeof(*made));

	memset(&copier.thread, 0, sizeof(copier.thread));
	copier.syscalls = syscalls_load(NULL);
	capture_rules_make(made, copier.syscalls, string_bytes, true);
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

/* Collect the chunks after a record, as a history does. */
static void keep(const struct bpf_record *emit)
{
	copier.reported = emit;
	if (emit->captured == BPF_CAPTURED_ALL)
		copier.len = 0;
	if (emit->captured == BPF_CAPTURED_NONE || copier.len + emit->bytes > sizeof(copier.chunks))
		return;
	memcpy(copier.chunks + copier.len, emit + 1, emit->bytes - sizeof(*emit));
	copier.len += emit->bytes - sizeof(*emit);
}

void copier_switch(void)
{
	uint64_t position = cpus[0].reserved;

	cpus[0].consumed = position;
	emit_in_flight(&copier.thread, 0);
	keep((const struct bpf_record *)(copier.ring + position % COPIER_RING_BYTES));
}

static void name_it(struct dentry *dentry, struct dentry *parent, const char *name)
{
	static struct hlist_bl_node *listed;

	*dentry = (struct dentry){ .d_hash.pprev = &listed, .d_parent = parent };
	dentry->d_name.name = (const unsigned char *)name;
}

/* Return the last dentry of the path. Each mount begins with its own root. */
static struct dentry *place(struct kernel_file *made, const struct copier_file *file)
{
	struct dentry *at = &made->dentries[0], *parent = at;
	const char *from = file->path;
	unsigned count = 0;

	name_it(at, at, "/");
	made->mounts[0] = (struct mount){ .mnt_parent = &made->mounts[0], .mnt.mnt_root = at };
	made->mounts[1] = (struct mount){ .mnt_parent = &made->mounts[0] };
	made->file.f_path.mnt = &made->mounts[0].mnt;
	for (; *from == '/' && from[1] && count < COPIER_NAMES; count++) {
		size_t len = strcspn(++from, "/");

		snprintf(made->names[count], sizeof(made->names[count]), "%.*s", (int)len, from);
		from += len;
		at = &made->dentries[count + 1];
		name_it(at, parent, made->names[count]);
		parent = at;
		if (count + 1 != file->above)
			continue;
		made->mounts[1].mnt_mountpoint = at;
		made->mounts[1].mnt.mnt_root = parent = &made->mounted;
		name_it(parent, parent, "/");
		made->file.f_path.mnt = &made->mounts[1].mnt;
	}
	return parent;
}

void copier_has_file(int fd, const struct copier_file *file)
{
	struct kernel_file *made = fd < 0 ? &copier.directory : &copier.files[fd];
	struct dentry *dentry = place(made, file);

	if (*file->path != '/') {
		dentry = &made->dentries[1];
		name_it(dentry, dentry, file->path);
	}
	if (file->deleted)
		dentry->d_hash.pprev = NULL;
	made->super.s_magic = file->magic;
	made->both.vfs_inode = (struct inode){ .i_mode = file->mode,
					       .i_rdev = file->device,
					       .i_ino = file->inode,
					       .i_sb = &made->super };
	made->both.socket.sk = &made->sock;
	made->sock = (struct sock){ .sk_type = file->type };
	made->sock.__sk_common = (struct sock_common){ .skc_family = file->family,
						       .skc_daddr = file->remote,
						       .skc_rcv_saddr = file->local,
						       .skc_dport = file->remote_port,
						       .skc_num = file->local_port };
	dentry->d_inode = made->file.f_inode = &made->both.vfs_inode;
	made->file.f_path.dentry = dentry;
	if (fd < 0)
		copier.fs.pwd = made->file.f_path;
	else
		copier.table[fd] = &made->file;
	copier.fdtable = (struct fdtable){ .max_fds = COPIER_FDS, .fd = copier.table };
	copier.all_files.fdt = &copier.fdtable;
	copier.task.files = &copier.all_files;
	copier.task.fs = &copier.fs;
}

void copier_enter(uint32_t nr, const uint64_t args[6])
{
	struct thread_state *thread = &copier.thread;

	memcpy(thread->args, args, sizeof(thread->args));
	thread->nr = nr;
	copier.len = 0;
	copier.reported = NULL;
	begin_copying(thread, copier.defer);
	if (thread->large)
		copier_switch();
}

void copier_exit(int64_t ret)
{
	struct thread_state *thread = &copier.thread;
	struct bpf_record *emit;
	struct place place;

	cpus[0].consumed = cpus[0].reserved;
	if (!find_place(&place, 0, true))
		abort();
	add_all(&place, thread, ret);
	emit = reserve(&place, thread->large ? BPF_CAPTURED_MORE : BPF_CAPTURED_ALL);
	emit->kind = BPF_RECORD_CALL;
	emit->ret = ret;
	fill_enter(emit, thread);
	fill_task(emit);
	commit(emit, &place);
	keep(emit);
}

const struct bpf_record *copier_reported(void)
{
	return copier.reported;
}

struct captured_bytes copier_captured(void)
{
	return (struct captured_bytes){ copier.chunks, copier.len };
}
