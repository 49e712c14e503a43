/*
 * ping_pong - two threads that take turns through a futex.
 *
 *	ping_pong ROUNDS CPU [CPU]
 *
 * A round is two wakeups, two waits and two context switches. With one CPU, both threads are pinned
 * to it; with two, each thread is pinned to its own. Prints the elapsed nanoseconds of all rounds,
 * without start and end of the program, and their CPU time, which excludes other processes.
 */
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEPTH 6 /* number of user frames between thread start and wait, as in real programs */

struct game {
	uint32_t turn; /* player 0 or 1 */
	uint64_t rounds;
	int cpus[2];
};

struct player {
	struct game *game;
	uint32_t number;
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("ping_pong: sched_setaffinity");
		exit(1);
	}
}

static void wait_turn(struct game *game, uint32_t number)
{
	while (__atomic_load_n(&game->turn, __ATOMIC_ACQUIRE) != number)
		syscall(SYS_futex, &game->turn, FUTEX_WAIT_PRIVATE, 1 - number, NULL, NULL, 0);
}

static void pass_turn(struct game *game, uint32_t number)
{
	__atomic_store_n(&game->turn, 1 - number, __ATOMIC_RELEASE);
	syscall(SYS_futex, &game->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static __attribute__((noinline)) void play(struct player *player, int depth)
{
	if (depth > 1) {
		play(player, depth - 1);
		__asm__ volatile("" ::: "memory"); /* no tail call, which would remove the frame */
		return;
	}
	for (uint64_t i = 0; i < player->game->rounds; i++) {
		wait_turn(player->game, player->number);
		pass_turn(player->game, player->number);
	}
}

static void *player_main(void *arg)
{
	struct player *player = arg;

	pin(player->game->cpus[player->number]);
	play(player, DEPTH);
	return NULL;
}

int main(int argc, char **argv)
{
	struct game game = { .turn = 0 };
	struct player players[2] = { { &game, 0 }, { &game, 1 } };
	pthread_t other;
	uint64_t start_ns, start_cpu_ns;

	if (argc < 3) {
		fprintf(stderr, "usage: ping_pong ROUNDS CPU [CPU]\n");
		return 2;
	}
	game.rounds = strtoull(argv[1], NULL, 10);
	game.cpus[0] = atoi(argv[2]);
	game.cpus[1] = argc > 3 ? atoi(argv[3]) : game.cpus[0];
	if (pthread_create(&other, NULL, player_main, &players[1]))
		return 1;
	start_ns = now_ns(CLOCK_MONOTONIC);
	start_cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	player_main(&players[0]);
	pthread_join(other, NULL);
	printf("%" PRIu64 " %" PRIu64 "\n", now_ns(CLOCK_MONOTONIC) - start_ns,
	       now_ns(CLOCK_PROCESS_CPUTIME_ID) - start_cpu_ns);
	return 0;
}
