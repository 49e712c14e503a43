/*
 * judged_work - threads, timers, signals and memory, as in ordinary programs. Threads take turns,
 * so that the order of calls is fixed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static int turn[THREADS + 1][2]; /* pipes: a thread starts when it has read the byte */

static void *work(void *arg)
{
	int *own = arg, number = (int)((int(*)[2])own - turn);
	char name[16] = "worker-0", byte;
	cpu_set_t cpus;
	uint64_t count;
	int event;

	name[7] = (char)('0' + number);
	read(own[0], &byte, 1);
	event = eventfd(3, EFD_CLOEXEC | EFD_NONBLOCK);
	prctl(PR_SET_NAME, name);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	sched_yield();
	read(event, &count, sizeof(count));
	read(event, &count, sizeof(count));
	write(event, &(uint64_t){ 1 }, 8);
	close(event);
	write(turn[number + 1][1], &byte, 1);
	return NULL;
}

static void threads(void)
{
	pthread_t thread[THREADS];
	char byte = 'b';

	for (int i = 0; i <= THREADS; i++)
		pipe2(turn[i], O_CLOEXEC);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, turn[i]);
	write(turn[0][1], &byte, 1);
	read(turn[THREADS][0], &byte, 1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static volatile sig_atomic_t caught;

static void catch (int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	caught += info->si_code;
}

static void timers(void)
{
	struct itimerspec soon = { { 0, 0 }, { 0, 1000000 } }, old;
	struct timespec nap = { 0, 2000000 }, left;
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct sigevent event = { .sigev_notify = SIGEV_NONE };
	struct itimerval none = { { 0, 0 }, { 0, 0 } };
	uint64_t expired;
	timer_t timer;

	timerfd_settime(fd, 0, &soon, NULL);
	read(fd, &expired, sizeof(expired));
	soon.it_interval.tv_sec = 5;
	soon.it_value.tv_sec = 1000;
	timerfd_settime(fd, TFD_TIMER_ABSTIME, &soon, &old);
	close(fd);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	soon.it_value.tv_nsec = 0;
	timer_settime(timer, 0, &soon, &old);
	timer_getoverrun(timer);
	timer_delete(timer);
	setitimer(ITIMER_VIRTUAL, &none, NULL);
	nanosleep(&nap, &left);
	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &(struct timespec){ 1, 0 }, NULL);
	syscall(SYS_clock_getres, CLOCK_BOOTTIME, &left);
}

static void signals(void)
{
	struct sigaction action = { .sa_sigaction = catch, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct signalfd_siginfo info;
	sigset_t set, was;
	int fd, status, ready[2];
	pid_t child;

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 5 });
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, &was);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	raise(SIGUSR2);
	read(fd, &info, 4);
	sigpending(&set);
	sigaddset(&set, SIGUSR2);
	sigwaitinfo(&set, NULL);
	sigprocmask(SIG_SETMASK, &was, NULL);
	close(fd);
	pipe(ready);
	child = fork();
	if (!child) {
		write(ready[1], "", 1);
		pause();
		_exit(1);
	}
	read(ready[0], &status, 1);
	kill(child, SIGTERM);
	waitpid(child, &status, 0);
}

static void memory(void)
{
	int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *map, *huge;

	ftruncate(fd, 1 << 20);
	for (int i = 0; i < 200; i++) {
		map = mmap(NULL, 65536, PROT_READ | PROT_WRITE, i & 1 ? MAP_SHARED : MAP_PRIVATE,
			   fd, (i & 15) * 65536);
		map[i] = 1;
		mprotect(map, 4096, i & 2 ? PROT_READ : PROT_NONE);
		madvise(map, 65536, i & 4 ? MADV_WILLNEED : MADV_RANDOM);
		munmap(map, 65536);
	}
	huge = mmap(NULL, 1 << 22, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	memset(huge, 1, 1 << 16);
	huge = mremap(huge, 1 << 22, 1 << 23, MREMAP_MAYMOVE);
	mlock2(huge, 4096, MLOCK_ONFAULT);
	munlock(huge, 4096);
	msync(huge, 4096, MS_ASYNC);
	munmap(huge, 1 << 23);
	free(malloc(1 << 20));
	brk(sbrk(0));
	fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
	unlink("mapped");
	close(fd);
}

int main(void)
{
	threads();
	timers();
	signals();
	memory();
	return 0;
}
