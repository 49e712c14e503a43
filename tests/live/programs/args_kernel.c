/*
 * args_kernel - calls with a command that determines the meaning of the other arguments: bpf(),
 * io_uring, ptrace(), keyctl(), prctl(), landlock, quotas, queues, signals, files. Each call fails
 * or pretends to succeed.
 */
#include "pretend.h"

#include <linux/stat.h>
#include <stdint.h>
#include <string.h>

#define NOBODY 0x7fffffffL /* a pid without a process */
#define ROOM 4096

static unsigned char *bytes;

static void fill(void)
{
	memset(bytes, 0, ROOM);
	for (size_t i = 0; i < 512; i += 8)
		bytes[i] = (unsigned char)(1 + i / 8);
}

static void both(long nr, long a, long b, long c, long d)
{
	fill();
	syscall(nr, a, b, c, d, 0L, 0L);
	fill();
	pretend(nr, a, b, c, d, 0);
}

static void programs(void)
{
	for (long command = 0; command < 36; command++)
		for (long size = 8; size <= 128; size += 24)
			both(SYS_bpf, command, (long)bytes, size, 0);
	for (long operation = 0; operation < 4; operation++)
		for (long flags = 0; flags < 64; flags += 7)
			pretend(SYS_seccomp, operation, flags, bytes, 0, 0);
	for (long type = 0; type < 6; type++) {
		fill();
		bytes[0] = (unsigned char)type;
		pretend(SYS_perf_event_open, bytes, -1, 2, 3, type);
	}
	for (long size = 0; size <= 24; size += 8)
		both(SYS_landlock_create_ruleset, (long)bytes, size, 0, 0);
	both(SYS_landlock_add_rule, -1, 1, (long)bytes, 0);
}

static void rings(void)
{
	for (long operation = 0; operation < 24; operation++)
		for (long count = 0; count < 40; count += count < 2 ? 1 : 30)
			both(SYS_io_uring_register, -1, operation, (long)bytes, count);
	both(SYS_io_uring_setup, 5, (long)bytes, 0, 0);
	for (int operation = 0; operation < 10; operation++) {
		uint64_t *block = (uint64_t *)(bytes + 1024);

		fill();
		bytes[16] = (unsigned char)operation;
		*block = (uint64_t)bytes;
		pretend(SYS_io_submit, 1, 1, block, 0, 0);
		pretend(SYS_io_cancel, 1, bytes, bytes + 128, 0, 0);
	}
}

static void processes(void)
{
	static const short codes[] = { 0, 1, 2, 3, 4, 5, 6, 8, -1, -2, -3, -4, -5, -6, -60, 128 };

	for (long request = 1; request < 34; request++)
		if (request != 8 && request != 16 && request != 17)
			both(SYS_ptrace, request, NOBODY, (long)bytes + 512, (long)bytes);
	for (long request = 0x4200; request < 0x4210; request++) {
		both(SYS_ptrace, request, NOBODY, (long)bytes + 256, (long)bytes);
		both(SYS_ptrace, request, NOBODY, 8, (long)bytes);
	}
	for (long signal = 1; signal < 34; signal++) {
		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
			int code = codes[i];

			fill();
			bytes[0] = (unsigned char)signal;
			memcpy(bytes + 8, &code, sizeof(code));
			syscall(SYS_rt_sigqueueinfo, NOBODY, signal, bytes);
		}
	}
	for (long flag = 0; flag < 34; flag++) {
		uint64_t flags = 1ull << flag;

		fill();
		memcpy(bytes, &flags, sizeof(flags));
		pretend(SYS_clone3, bytes, 88, 0, 0, 0);
	}
	for (unsigned status = 0; status < 0x10000; status += 997) {
		memcpy(bytes, &status, sizeof(status));
		pretend(SYS_wait4, 1, bytes, 0, 0, 0);
	}
	for (long size = 0; size < 80; size += 8) {
		fill();
		bytes[0] = (unsigned char)size;
		pretend(SYS_sched_setattr, 0, bytes, 0, 0, 0);
		pretend(SYS_sched_getattr, 0, bytes, size, 0, 0);
		pretend(SYS_sched_getattr, 0, bytes, 56, 0, 0);
		both(SYS_modify_ldt, size / 8, (long)bytes, 16, 0);
		both(SYS_kexec_load, 5, size / 4, (long)bytes, size);
	}
	for (long bit = 0; bit < 64; bit++) {
		pretend(SYS_unshare, 1L << bit, 0, 0, 0, 0);
		pretend(SYS_clone, 1L << bit, bytes, bytes + 64, bytes + 128, bytes + 192);
		pretend(SYS_shmget, 1, 4096, 1L << bit | 0600, 0, 0);
		pretend(SYS_memfd_create, bytes, 1L << bit, 0, 0, 0);
		pretend(SYS_mmap, 0, 4096, 0, 1L << bit, -1);
	}
	fill();
	pretend(SYS_times, bytes, 0, 0, 0, 0);
	pretend(SYS_capget, bytes, bytes + 64, 0, 0, 0);
	pretend(SYS_uname, bytes, 0, 0, 0, 0);
	pretend(SYS_sysinfo, bytes, 0, 0, 0, 0);
	for (long which = 0; which < 16; which++)
		both(SYS_getrlimit, which, (long)bytes, 0, 0);
}

static void keys(void)
{
	for (long operation = 0; operation < 33; operation++) {
		both(SYS_keyctl, operation, (long)bytes, (long)bytes, 3);
		both(SYS_keyctl, operation, 1, 2, 3);
		both(SYS_keyctl, operation, -1, -2, -3);
		pretend(SYS_keyctl, operation, bytes, bytes + 64, bytes + 128, bytes + 192);
	}
	for (long option = 1; option < 63; option++)
		if (option != 22)
			pretend(SYS_prctl, option, 1, bytes, 0, 0);
	for (long command = 0; command < 9; command++)
		both(SYS_quotactl, (0x800000 + command) << 8, (long)bytes, 5, (long)bytes);
	for (long command = 0; command < 12; command++) {
		both(SYS_shmctl, -1, command, (long)bytes, 0);
		both(SYS_msgctl, -1, command, (long)bytes, 0);
		both(SYS_semctl, -1, 1, command, (long)bytes);
	}
}

static void files(void)
{
	for (unsigned kind = 0; kind < 16; kind++) {
		uint16_t mode = (uint16_t)(kind << 12 | 04711);

		fill();
		memcpy(bytes + 24, &mode, sizeof(mode));
		pretend(SYS_stat, bytes + 512, bytes, 0, 0, 0);
		memcpy(bytes + 28, &mode, sizeof(mode));
		bytes[0] = (unsigned char)(1u << kind % 8);
		pretend(SYS_statx, -100, bytes + 512, 0, STATX_BASIC_STATS, bytes);
	}
	for (long bit = 0; bit < 32; bit++) {
		fill();
		bytes[64] = bytes[65] = 0;
		bytes[64 + bit / 8] = (unsigned char)(1 << bit % 8);
		pretend(SYS_openat2, -100, bytes, bytes + 64, 24, 0);
		pretend(SYS_fcntl, -1, bit, bytes, 0, 0);
		pretend(SYS_setxattr, bytes, bytes + 64, bytes + 128, 5, bit);
		pretend(SYS_mount, bytes, bytes + 64, bytes + 128, 1L << bit, bytes + 192);
		pretend(SYS_fsconfig, -1, bit % 8, bytes, bytes + 64, bit % 3);
	}
	fill();
	pretend(SYS_statfs, bytes + 512, bytes, 0, 0, 0);
}

int main(void)
{
	bytes = pretend_memory();
	pretend_from_now();
	programs();
	rings();
	processes();
	keys();
	files();
	return 0;
}
