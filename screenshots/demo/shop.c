/*
 * shop FILE - the program in the recording of --demo: a shop server with three faults.
 *
 * - a report holds the ledger's lock while it reads, and orders wait for the lock;
 * - each entry of the journal is synced to a slow disk;
 * - a client sends its requests byte by byte.
 *
 * Compiled with frame pointers and without inlining, so that a recording by frame pointers has
 * complete stacks. Some functions only wrap a call of the C library: the library has no frame
 * pointers, so the function that calls it is missing from the stack.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REQUEST "order 42 tea 3\n"

static pthread_mutex_t ledger = PTHREAD_MUTEX_INITIALIZER;
static int journal;
static int sockets[2];

static void pass(long us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

static void lock_ledger(void)
{
	pthread_mutex_lock(&ledger);
}

static void unlock_ledger(void)
{
	pthread_mutex_unlock(&ledger);
}

/* -- Orders: short, except for the lock ------------------------------------------------------ */

static void ledger_add(int order)
{
	lock_ledger();
	pass(200 + order % 7 * 40);
	unlock_ledger();
}

static void take_order(int order)
{
	ledger_add(order);
	pass(8000);
}

static void *checkout(void *unused)
{
	for (int order = 0;; order++)
		take_order(order);
	return unused;
}

/* -- The report: holds the lock for a long time -------------------------------------------- */

static void read_month(void)
{
	pass(70000);
}

static void make_report(void)
{
	lock_ledger();
	read_month();
	unlock_ledger();
}

static void *report(void *unused)
{
	for (;;) {
		make_report();
		pass(250000);
	}
	return unused;
}

/* -- The journal: waits for the disk ------------------------------------------------------- */

static void flush_disk(void)
{
	fdatasync(journal);
}

static void append_entry(const char *entry, size_t len)
{
	if (write(journal, entry, len) < 0)
		abort();
	flush_disk();
}

static void *keep_journal(void *unused)
{
	static char entry[65536];

	memset(entry, 'x', sizeof(entry));
	for (;;) {
		append_entry(entry, sizeof(entry));
		if (lseek(journal, 0, SEEK_CUR) > 16 << 20 && ftruncate(journal, 0))
			abort();
		pass(30000);
	}
	return unused;
}

/* -- Requests: a byte at a time ------------------------------------------------------------ */

static void answer_request(int fd)
{
	char byte;

	do
		if (read(fd, &byte, 1) != 1)
			exit(0);
	while (byte != '\n');
	if (write(fd, "ok\n", 3) != 3)
		exit(0);
}

static void *serve(void *unused)
{
	for (;;)
		answer_request(sockets[0]);
	return unused;
}

static void send_request(int fd)
{
	char answer[3];

	for (const char *at = REQUEST; *at; at++)
		if (write(fd, at, 1) != 1)
			exit(0);
	if (read(fd, answer, sizeof(answer)) != 3)
		exit(0);
}

static void be_client(int fd)
{
	prctl(PR_SET_NAME, "client");
	for (;;) {
		send_request(fd);
		pass(20000);
	}
}

struct thread {
	void *(*run)(void *unused);
	const char *name;
};

static void *begin(void *data)
{
	struct thread *thread = data;

	prctl(PR_SET_NAME, thread->name);
	return thread->run(NULL);
}

static void start(void *(*run)(void *unused), const char *name)
{
	struct thread *thread = malloc(sizeof(*thread));
	pthread_t id;

	if (!thread)
		abort();
	thread->run = run;
	thread->name = name;
	if (pthread_create(&id, NULL, begin, thread))
		abort();
}

int main(int argc, char **argv)
{
	pid_t client;

	journal = open(argc > 1 ? argv[1] : "journal", O_CREAT | O_WRONLY | O_TRUNC | O_APPEND,
		       0600);
	if (journal < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return 1;
	client = fork();
	if (!client)
		be_client(sockets[1]);
	start(serve, "server");
	start(checkout, "checkout-1");
	start(checkout, "checkout-2");
	start(keep_journal, "journal");
	start(report, "report");
	pass(3500000);
	kill(client, SIGTERM);
	waitpid(client, NULL, 0);
	exit(0);
}
