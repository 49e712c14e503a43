/*
 * orders - the order service of a small shop on SQLite, for the pictures. "checkout" threads
 * store orders, "report" adds them up. All share one connection and its lock, so checkouts wait
 * for the report.
 *
 *	orders DATABASE
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define CHECKOUTS 4

static sqlite3 *database;
static pthread_mutex_t database_lock = PTHREAD_MUTEX_INITIALIZER;

static void rest(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

__attribute__((noinline)) static void query(const char *sql)
{
	char *message = NULL;

	if (sqlite3_exec(database, sql, NULL, NULL, &message) == SQLITE_OK)
		return;
	fprintf(stderr, "orders: %s\n", message);
	exit(1);
}

__attribute__((noinline)) static void store_order(int customer)
{
	char sql[128];

	snprintf(sql, sizeof(sql), "insert into orders(customer, cents) values (%d, %d)", customer,
		 customer * 37 % 9900);
	pthread_mutex_lock(&database_lock);
	query(sql);
	pthread_mutex_unlock(&database_lock);
}

/* Hold the lock while adding up: the mistake to be found. */
__attribute__((noinline)) static void sum_up_orders(void)
{
	pthread_mutex_lock(&database_lock);
	query("select customer % 97, sum(cents), count(*) from orders, hours "
	      "where id > (select max(id) from orders) - 6000 "
	      "group by 1 order by 2 desc");
	pthread_mutex_unlock(&database_lock);
}

static void *checkout(void *number)
{
	int customer = *(int *)number;

	prctl(PR_SET_NAME, "checkout");
	for (;;) {
		store_order(customer);
		customer += CHECKOUTS;
		rest(3 + customer % 5);
	}
	return NULL;
}

static void *report(void *unused)
{
	prctl(PR_SET_NAME, "report");
	for (;;) {
		sum_up_orders();
		rest(150);
	}
	return unused;
}

int main(int argc, char **argv)
{
	static int numbers[CHECKOUTS];
	pthread_t thread;

	if (argc != 2 || sqlite3_open(argv[1], &database) != SQLITE_OK)
		return 1;
	query("pragma journal_mode = wal; pragma synchronous = full;"
	      "create table orders(id integer primary key, customer integer, cents integer);"
	      "create table hours(hour integer);"
	      "with recursive h(x) as (select 0 union all select x + 1 from h where x < 23) "
	      "insert into hours select x from h;"
	      "with recursive o(x) as (select 1 union all select x + 1 from o where x < 6000) "
	      "insert into orders(customer, cents) select x % 500, x * 31 % 9900 from o");
	for (int i = 0; i < CHECKOUTS; i++) {
		numbers[i] = i;
		if (pthread_create(&thread, NULL, checkout, &numbers[i]))
			return 1;
	}
	if (pthread_create(&thread, NULL, report, NULL))
		return 1;
	pause();
}
