/*
 * args_values - enumerated arguments, each with every value in a range that ends after the last
 * value with a name. The objects do not exist, so that most calls fail.
 */
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NONE 0x7fffffffL /* neither a process nor a descriptor has it */

static const struct {
	short nr, arg, from, to;
	long args[6];
} choices[] = {
	{ SYS_socket, 0, 0, 50, { 0, -1, 0 } },
	{ SYS_socket, 1, 0, 20, { 1, 0, -1 } },
	{ SYS_socket, 2, 0, 300, { 2, 15, 0 } },
	{ SYS_socket, 2, 0, 30, { 16, 15, 0 } },
	{ SYS_socket, 2, 0, 12, { 31, 15, 0 } },
	{ SYS_socket, 2, 0, 300, { 17, 15, 0 } },
	{ SYS_setsockopt, 1, 0, 290, { -1, 0, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 90, { -1, 1, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 60, { -1, 0, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 90, { -1, 41, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 50, { -1, 6, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 110, { -1, 17, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 30, { -1, 263, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 20, { -1, 270, 0, 0, 0 } },
	{ SYS_setsockopt, 2, 0, 20, { -1, 279, 0, 0, 0 } },
	{ SYS_getsockopt, 2, 0, 90, { -1, 1, 0, 0, 0 } },
	{ SYS_prctl, 1, 0, 45, { 23, 0, 0, 0, 0 } },
	{ SYS_prctl, 1, 0, 10, { 47, 0, -1, -1, -1 } },
	{ SYS_prctl, 1, 0, 20, { 35, 0, -1, -1, -1 } },
	{ SYS_prctl, 1, 0, 5, { 52, 0, -1, -1, -1 } },
	{ SYS_prctl, 1, 0, 5, { 53, 0, -1, -1, -1 } },
	{ SYS_fcntl, 1, 0, 60, { -1, 0, 0 } },
	{ SYS_fcntl, 1, 1020, 1045, { -1, 0, 0 } },
	{ SYS_ptrace, 0, 1, 40, { 0, NONE, 0, 0 } },
	{ SYS_ptrace, 0, 0x4200, 0x4220, { 0, NONE, 0, 0 } },
	{ SYS_ptrace, 2, 0, 320, { 3, NONE, 0, 0 } },
	{ SYS_ptrace, 3, 0, 66, { 7, NONE, 0, 0 } },
	{ SYS_tgkill, 2, 0, 70, { NONE, NONE, 0 } },
	{ SYS_madvise, 2, 0, 110, { -1, -1, 0 } },
	{ SYS_lseek, 2, 0, 10, { -1, 0, 0 } },
	{ SYS_futex, 1, 0, 20, { 0, 0, 0, 0, 0, 0 } },
	{ SYS_futex, 1, 128, 148, { 0, 0, 0, 0, 0, 0 } },
	{ SYS_futex, 1, 384, 400, { 0, 0, 0, 0, 0, 0 } },
	{ SYS_futex, 5, 0, 40, { 0, 9, 0, 0, 0, 0 } },
	{ SYS_clock_gettime, 0, 0, 20, { 0, 0 } },
	{ SYS_timer_create, 0, 0, 20, { 0, -1, 0 } },
	{ SYS_getitimer, 0, 0, 6, { 0, 0 } },
	{ SYS_prlimit64, 1, 0, 20, { NONE, 0, 0, 0 } },
	{ SYS_getrlimit, 0, 0, 20, { 0, 0 } },
	{ SYS_getrusage, 0, 0, 5, { 0, 0 } },
	{ SYS_getpriority, 0, 3, 9, { 0, NONE } },
	{ SYS_ioprio_get, 0, 4, 9, { 0, NONE } },
	{ SYS_ioprio_set, 2, 0, 20, { 9, NONE, 0 } },
	{ SYS_sched_get_priority_max, 0, 0, 10, { 0 } },
	{ SYS_sched_setscheduler, 1, 0, 10, { NONE, 0, 0 } },
	{ SYS_bpf, 0, 0, 45, { 0, 0, 0 } },
	{ SYS_keyctl, 0, 32, 40, { 0, NONE, 0, 0, 0 } },
	{ SYS_rt_sigprocmask, 0, 3, 6, { 0, 0, 0, 8 } },
	{ SYS_waitid, 0, 0, 6, { 0, NONE, 0, 4, 0 } },
	{ SYS_kcmp, 2, 0, 10, { NONE, NONE, 0, 0, 0 } },
	{ SYS_epoll_ctl, 1, 0, 6, { -1, 0, -1, 0 } },
	{ SYS_mmap, 3, 0, 20, { 0, 0, 0, 0, -1, 0 } },
	{ SYS_fadvise64, 3, 0, 8, { -1, 0, 0, 0 } },
	{ SYS_flock, 1, 0, 20, { -1, 0 } },
	{ SYS_fsconfig, 1, 0, 12, { -1, 0, 0, 0, 0 } },
	{ SYS_io_uring_register, 1, 0, 40, { -1, 0, 0, 0 } },
	{ SYS_seccomp, 0, 2, 8, { 0, 0, 0 } },
	{ SYS_shmctl, 1, 0, 20, { -1, 0, 0 } },
	{ SYS_semctl, 2, 0, 25, { -1, 0, 0, 0 } },
	{ SYS_msgctl, 1, 0, 20, { -1, 0, 0 } },
	{ SYS_shutdown, 1, 0, 5, { -1, 0 } },
	{ SYS_arch_prctl, 0, 0x1000, 0x1030, { 0, -1 } },
	{ SYS_arch_prctl, 0, 0x2000, 0x2010, { 0, -1 } },
	{ SYS_set_mempolicy, 0, 0, 12, { 0, -1, -1 } },
	{ SYS_membarrier, 0, 0, 20, { 0, -1, 0 } },
	{ SYS_reboot, 2, 0, 4, { 0, 0, 0, 0 } },
	{ SYS_syslog, 0, 11, 14, { 0, 0, 0 } },
	{ SYS_quotactl, 0, 0, 8, { 0, 0, 0, 0 } },
	{ SYS_umask, 0, 0, 1024, { 0 } },
	{ SYS_mknod, 1, 0, 70, { -1, 0, 0 } },
	{ SYS_openat, 2, 0, 70, { -1, -1, 0, 0 } },
	{ SYS_statx, 2, 0, 70, { -1, -1, 0, 0, 0 } },
	{ SYS_chmod, 1, 0, 70, { 0, 0 } },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		for (long value = choices[i].from; value <= choices[i].to; value++) {
			long a[6];

			for (int k = 0; k < 6; k++)
				a[k] = k == choices[i].arg ? value : choices[i].args[k];
			syscall(choices[i].nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		}
	}
	/* Options of prctl() that change nothing when they fail. */
	for (long option = 1; option < 80; option++)
		if (option != 22 && option != 24 && option != 59 && option != 4)
			syscall(SYS_prctl, option, -1L, -1L, -1L, -1L);
	/* File types, as bits of a mode. */
	for (long type = 0; type < 16; type++)
		syscall(SYS_mknod, -1L, type << 12 | 04755, 0x103L);
	for (long request = 0; request < 0x10000; request += 7)
		syscall(SYS_ioctl, -1L, request, 0L);
	return 0;
}
