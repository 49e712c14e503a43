/*
 * owners - known numbers of calls under different owners.
 *
 * Usage: owners [CGROUP_PROCS_FILE INNER_FILE BACK_FILE]. As root:
 *	11 getppid by user 0
 *	22 getpgrp by user 65534, 5 failing close(-1)
 *	33 getsid by user 0 again
 *	44 getuid in the cgroup, by user 0
 *	15 geteuid in the inner cgroup
 *	16 getgid back in the original cgroup
 *	 3 nanosleep of 30 ms, 7 failing close(-1)
 *	17 getegid on the last allowed CPU, 18 getpid on the first one
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void repeat(long nr, int times, long arg)
{
	for (int i = 0; i < times; i++)
		syscall(nr, arg);
}

static void be(uid_t uid)
{
	if (syscall(SYS_setresuid, -1, uid, -1)) {
		perror("setresuid");
		exit(1);
	}
}

static void join(const char *file)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(file);
		exit(1);
	}
	close(fd);
}

static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	struct timespec nap = { .tv_nsec = 30 * 1000 * 1000 };
	int first = -1, last = -1;
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		first = first < 0 ? cpu : first;
		last = cpu;
	}
	repeat(SYS_getppid, 11, 0);
	be(65534);
	repeat(SYS_getpgrp, 22, 0);
	repeat(SYS_close, 5, -1);
	be(0);
	repeat(SYS_getsid, 33, 0);
	if (argc > 3) {
		join(argv[1]);
		repeat(SYS_getuid, 44, 0);
		join(argv[2]);
		repeat(SYS_geteuid, 15, 0);
		join(argv[3]);
		repeat(SYS_getgid, 16, 0);
	}
	for (int i = 0; i < 3; i++)
		syscall(SYS_nanosleep, &nap, NULL);
	repeat(SYS_close, 7, -1);
	stay_on(last);
	repeat(SYS_getegid, 17, 0);
	stay_on(first);
	repeat(SYS_getpid, 18, 0);
	return 0;
}
