/*
 * shop - the program recorded in tests/replay/shop.data: every view has something to show.
 *
 *	shop            "clerk" threads and a "manager" that holds their lock for long
 *	└ store         another user: missing files, a file that is written and synced,
 *	  │             a pipe with orders from the clerks
 *	  └ till        two tellers in a deadlock
 *
 * It works for about 300 ms and then hangs.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NOBODY 65534
#define ROUNDS 12

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t drawers[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t both;
static int orders[2];

static void nap(long ms)
{
	struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static void name(const char *text)
{
	prctl(PR_SET_NAME, text);
}

static void start(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, argument))
		exit(1);
}

/* ---- till ---- */

__attribute__((noinline)) static void open_drawers(int first)
{
	pthread_mutex_lock(&drawers[first]);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&drawers[!first]);
}

static void *teller(void *first)
{
	name(first ? "teller-2" : "teller-1");
	open_drawers(first ? 1 : 0);
	return NULL;
}

static void till(void)
{
	name("till");
	pthread_barrier_init(&both, NULL, 2);
	start(teller, NULL);
	start(teller, &both);
	pause();
}

/* ---- store ---- */

__attribute__((noinline)) static void look_for_goods(int round)
{
	static const char *const goods[] = { "/srv/shop/tea", "/srv/shop/bread", "/srv/shop/salt" };
	int fd = open(goods[round % 3], O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

__attribute__((noinline)) static void write_down(int stock, const char *order, ssize_t bytes)
{
	if (write(stock, order, (size_t)bytes) == bytes)
		fdatasync(stock);
}

static void store(void)
{
	char order[64];
	ssize_t bytes;

	name("store");
	if (setgid(NOBODY) || setuid(NOBODY))
		exit(1);
	close(orders[1]);
	if (!fork())
		till();
	int stock = open("/srv/shop/stock", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	for (int round = 0; (bytes = read(orders[0], order, sizeof(order))) > 0; round++) {
		look_for_goods(round);
		write_down(stock, order, bytes);
	}
	pause();
}

/* ---- shop ---- */

static void *clerk(void *number)
{
	static const char order[] = "two of them, please\n";

	name(number ? "clerk-2" : "clerk-1");
	for (int round = 0; round < ROUNDS; round++) {
		pthread_mutex_lock(&counter);
		if (write(orders[1], order, sizeof(order) - 1) < 0)
			exit(1);
		pthread_mutex_unlock(&counter);
		nap(8);
	}
	pause();
	return NULL;
}

__attribute__((noinline)) static void count_everything(void)
{
	pthread_mutex_lock(&counter);
	nap(25);
	pthread_mutex_unlock(&counter);
}

static void *manager(void *unused)
{
	name("manager");
	for (int round = 0; round < ROUNDS - 4; round++) {
		count_everything();
		nap(4);
	}
	pause();
	return unused;
}

int main(void)
{
	pid_t child;

	name("shop");
	signal(SIGUSR1, SIG_IGN);
	if (pipe(orders) || (child = fork()) < 0)
		return 1;
	if (!child)
		store();
	nap(20);
	start(manager, NULL);
	start(clerk, NULL);
	start(clerk, orders);
	nap(250);
	kill(child, SIGUSR1);
	pause();
	return 0;
}
