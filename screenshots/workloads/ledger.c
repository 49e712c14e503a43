/*
 * ledger - two threads that move money between accounts. Each locks the paying account first:
 * sooner or later in opposite order, which is a deadlock. A thread "audit" reads the accounts.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define ACCOUNTS 8

struct account {
	pthread_mutex_t lock;
	long cents;
};

static struct account accounts[ACCOUNTS];

static void rest(long us)
{
	struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
}

__attribute__((noinline)) static void transfer(struct account *from, struct account *to, long cents)
{
	pthread_mutex_lock(&from->lock);
	rest(200);
	pthread_mutex_lock(&to->lock);
	from->cents -= cents;
	to->cents += cents;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *teller(void *name)
{
	unsigned int seed = 7;

	prctl(PR_SET_NAME, name);
	for (int i = 0;; i++) {
		int from = rand_r(&seed) % ACCOUNTS, step = 1 + rand_r(&seed) % (ACCOUNTS - 1);
		transfer(&accounts[from], &accounts[(from + step) % ACCOUNTS], i);
	}
	return NULL;
}

__attribute__((noinline)) static long balance(struct account *account)
{
	pthread_mutex_lock(&account->lock);
	long cents = account->cents;
	pthread_mutex_unlock(&account->lock);
	return cents;
}

static void *audit(void *name)
{
	long all = 0;

	prctl(PR_SET_NAME, name);
	for (;;) {
		for (int i = 0; i < ACCOUNTS; i++)
			all += balance(&accounts[i]);
		rest(5000);
	}
	return (void *)all;
}

int main(void)
{
	pthread_t thread;

	for (int i = 0; i < ACCOUNTS; i++)
		pthread_mutex_init(&accounts[i].lock, NULL);
	if (pthread_create(&thread, NULL, teller, "teller-1") ||
	    pthread_create(&thread, NULL, teller, "teller-2"))
		return 1;
	rest(400);
	audit("audit");
}
