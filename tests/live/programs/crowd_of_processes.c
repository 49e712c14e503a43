/* crowd_of_processes COUNT - COUNT sleeping processes; prints their pids, comma-separated. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pid_t parent = getpid();

	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid < 0) {
			perror("fork");
			return 1;
		}
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				return 1;
			for (;;)
				pause();
		}
		printf("%s%d", i ? "," : "", (int)pid);
	}
	putchar('\n');
	fflush(stdout);
	pause();
	return 0;
}
