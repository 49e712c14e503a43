/*
 * args_alone - calls that the other programs args_* omit because they could stop, end or change
 * the program. The arguments here prevent that.
 */
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	static const short with_nobody[] = {
		SYS_setuid,    SYS_setgid,    SYS_setreuid,      SYS_setregid,
		SYS_setresuid, SYS_setresgid, SYS_setfsuid,      SYS_setfsgid,
		SYS_reboot,    SYS_iopl,      SYS_fanotify_init, SYS_restart_syscall,
	};
	static const short plain[] = {
		SYS_getppid, SYS_getpgrp, SYS_getpid, SYS_gettid, SYS_alarm, SYS_time,
	};
	unsigned char room[256];

	for (unsigned i = 0; i < sizeof(with_nobody) / sizeof(with_nobody[0]); i++)
		syscall(with_nobody[i], -1L, -1L, -1L, -1L);
	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		syscall(plain[i], 0L);
	syscall(SYS_sysinfo, room);
	syscall(SYS_times, room);
	syscall(SYS_getcpu, room, room + 8, 0L);
	if (!syscall(SYS_fork))
		syscall(SYS_exit, 0);
	wait(NULL);
	if (!vfork())
		_exit(0);
	wait(NULL);
	syscall(SYS_setsid);
	return 0;
}
