/*
 * args_sweep - every system call with each argument in turn set to 0 and to each of the bits 0 to
 * 33. The other arguments are -1, so that most calls fail. Namespaces confine the effects of calls
 * that succeed. Calls that would stop, end or change the program are omitted.
 */
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS 451 /* strace 6.1 has names for calls below this */
#define GAP_FROM 337
#define GAP_TO 423

/* clang-format off */
static const short left_out[] = {
	SYS_rt_sigreturn, SYS_pause,	   SYS_alarm,	  SYS_clone,	 SYS_fork,
	SYS_vfork,	  SYS_exit,	   SYS_exit_group, SYS_kill,	 SYS_vhangup,
	SYS_setuid,	  SYS_setgid,	   SYS_setreuid,  SYS_setregid,	 SYS_setresuid,
	SYS_setresgid,	  SYS_setfsuid,	   SYS_setfsgid,  SYS_reboot,	 SYS_sync,
	SYS_setsid,	  SYS_iopl,	   SYS_personality, SYS_restart_syscall,
	/* The results of these calls differ in each run. */
	SYS_getcpu,	  SYS_times,	   SYS_time,	  SYS_getpid,	 SYS_gettid,
	SYS_getppid,	  SYS_getpgrp,	   SYS_brk,	  SYS_sysinfo,	 SYS_set_tid_address,
	SYS_unshare,	  SYS_fanotify_init, 335,	  336,
	/* poll() without descriptors waits forever. */
	SYS_poll,
};
/* clang-format on */

static int is_left_out(long nr)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (left_out[i] == nr)
			return 1;
	return 0;
}

int main(void)
{
	signal(SIGSYS, SIG_IGN);
	unshare(CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWNET);
	for (long nr = 0; nr < CALLS; nr++) {
		if ((nr >= GAP_FROM && nr <= GAP_TO) || is_left_out(nr))
			continue;
		for (int arg = 0; arg < 6; arg++) {
			for (int bit = -1; bit < 34; bit++) {
				long a[6] = { -1, -1, -1, -1, -1, -1 };

				a[arg] = bit < 0 ? 0 : 1L << bit;
				/* Skip descriptors that can be open: calls would wait or write. */
				if (arg == 0 && bit < 4)
					continue;
				syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
			}
		}
	}
	return 0;
}
