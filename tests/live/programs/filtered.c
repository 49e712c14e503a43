/*
 * filtered FOLDER ROUNDS - four threads in two processes that make known calls, for filters. Each
 * thread prints "NAME PID TID", waits for the end of standard input, and makes ROUNDS rounds.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_OPEN 77

static int rounds, go;
static char *folder;

static void make_calls(int round)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), word = 0;
	char path[256];
	struct stat stat;

	snprintf(path, sizeof(path), "%s/missing", folder);
	if (open(path, O_RDONLY) >= 0)
		abort();
	snprintf(path, sizeof(path), "%s/made-%ld", folder, syscall(SYS_gettid));
	close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640));
	close(NOT_OPEN);
	if (write(null, path, (size_t)round % 7) < 0)
		abort();
	fcntl(null, F_GETFD);
	fcntl(null, F_SETFD, 0);
	fstatat(AT_FDCWD, path, &stat, 0);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
	syscall(SYS_getppid);
	syscall(SYS_getuid);
	munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
	close(null);
}

static void *thread(void *arg)
{
	char line[64], byte;

	prctl(PR_SET_NAME, arg);
	snprintf(line, sizeof(line), "%s %d %ld\n", (char *)arg, getpid(), syscall(SYS_gettid));
	if (write(STDOUT_FILENO, line, __builtin_strlen(line)) < 0)
		abort();
	while (read(go, &byte, 1) > 0)
		;
	for (int i = 0; i < rounds; i++)
		make_calls(i);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;
	pid_t child;

	if (argc != 3)
		return 2;
	folder = argv[1];
	rounds = atoi(argv[2]);
	go = STDIN_FILENO;
	child = fork();
	if (pthread_create(&other, NULL, thread, child ? "two" : "four"))
		return 1;
	thread(child ? "one" : "three");
	pthread_join(other, NULL);
	if (child)
		waitpid(child, NULL, 0);
	return 0;
}
