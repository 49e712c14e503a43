/*
 * abba_processes - like abba, with two processes and locks in shared memory.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

struct shared {
	pthread_mutex_t locks[2];
	pthread_barrier_t both_hold;
	pid_t pids[2];
};

static void take_both(struct shared *shared, int own)
{
	int other = !own;
	char name[16];

	snprintf(name, sizeof(name), "cycle-%d", own);
	prctl(PR_SET_NAME, name);
	/* Each process dies with its parent. */
	prctl(PR_SET_PDEATHSIG, 9);
	shared->pids[own] = getpid();
	pthread_mutex_lock(&shared->locks[own]);
	pthread_barrier_wait(&shared->both_hold);
	printf("%s %d %p %d\n", name, shared->pids[own], (void *)&shared->locks[other],
	       shared->pids[other]);
	fflush(stdout);
	pthread_mutex_lock(&shared->locks[other]);
}

int main(void)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_barrierattr_t for_barrier;
	pthread_mutexattr_t for_locks;

	if (shared == MAP_FAILED)
		return 1;
	pthread_mutexattr_init(&for_locks);
	pthread_mutexattr_setpshared(&for_locks, PTHREAD_PROCESS_SHARED);
	for (int i = 0; i < 2; i++)
		pthread_mutex_init(&shared->locks[i], &for_locks);
	pthread_barrierattr_init(&for_barrier);
	pthread_barrierattr_setpshared(&for_barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->both_hold, &for_barrier, 2);
	take_both(shared, fork() == 0);
	return 0;
}
