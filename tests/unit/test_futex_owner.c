/* Reads the memory of this process. */
#include "engine/late/futex_owner.h"

#include "engine/late/late_probe.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Return a reader without its own process; it lasts as long as the test. */
static struct reader *here(void)
{
	static struct reader *reader;

	if (!reader)
		reader = late_probe_new_here();
	return reader;
}

static uint32_t owner_at(const void *address, struct futex_op op)
{
	op.uaddr = (uintptr_t)address;
	return futex_owner(here(), (uint32_t)getpid(), op.uaddr, &op);
}

static const struct futex_op wait_op = { .verb = FUTEX_VERB_WAIT, .value = 2 };

struct holder {
	pthread_mutex_t *mutex;
	pthread_barrier_t held, seen;
	uint32_t tid;
};

static void *hold(void *arg)
{
	struct holder *holder = arg;

	holder->tid = (uint32_t)gettid();
	pthread_mutex_lock(holder->mutex);
	pthread_barrier_wait(&holder->held);
	pthread_barrier_wait(&holder->seen);
	pthread_mutex_unlock(holder->mutex);
	return NULL;
}

static void *want(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

/* Check the owner while one thread holds the lock and another waits, which changes the word. */
static void check_held(pthread_mutex_t *mutex, struct futex_op op)
{
	struct holder holder = { .mutex = mutex };
	_Atomic uint32_t *word = (_Atomic uint32_t *)(void *)mutex;
	pthread_t threads[2];
	uint32_t free_word;

	pthread_barrier_init(&holder.held, NULL, 2);
	pthread_barrier_init(&holder.seen, NULL, 2);
	pthread_create(&threads[0], NULL, hold, &holder);
	pthread_barrier_wait(&holder.held);
	free_word = *word;
	pthread_create(&threads[1], NULL, want, mutex);
	while (*word == free_word)
		usleep(1000);
	op.value = *word;
	ck_assert_uint_eq(owner_at(mutex, op), holder.tid);
	op.value ^= 1;
	ck_assert_uint_eq(owner_at(mutex, op), op.inherits ? holder.tid : 0);
	pthread_barrier_wait(&holder.seen);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	op.value = *word;
	ck_assert_uint_eq(owner_at(mutex, op), 0);
}

START_TEST(plain_lock_has_its_owner)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	need_own_memory("plain_lock_has_its_owner");
	check_held(&mutex, wait_op);
}
END_TEST

START_TEST(robust_lock_has_its_owner)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	need_own_memory("robust_lock_has_its_owner");
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	check_held(&mutex, (struct futex_op){ .verb = FUTEX_VERB_WAIT, .shared = true });
}
END_TEST

START_TEST(priority_inheritance_lock_has_its_owner)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	need_own_memory("priority_inheritance_lock_has_its_owner");
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attributes);
	check_held(&mutex, (struct futex_op){ .verb = FUTEX_VERB_LOCK, .inherits = true });
}
END_TEST

/* Memory that looks like a lock, with the tid of a thread or another number as its owner. */
START_TEST(an_owner_is_a_thread_of_the_process)
{
	need_own_memory("an_owner_is_a_thread_of_the_process");
	struct {
		const char *name;
		uint32_t number, owner;
	} cases[] = {
		{ "a thread", (uint32_t)gettid(), (uint32_t)gettid() },
		{ "a tid without a thread", 0x3ffffff0, 0 },
		{ "pid 1, another process", 1, 0 },
	};
	_Alignas(8) uint32_t words[10] = { 2, 0, 0, 1 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		words[2] = cases[i].number;
		ck_assert_msg(owner_at(words, wait_op) == cases[i].owner, "%s", cases[i].name);
	}
	words[2] = (uint32_t)gettid();
	ck_assert_uint_eq(futex_owner(here(), (uint32_t)getpid(), 0, &wait_op), 0);
	ck_assert_uint_eq(futex_owner(here(), (uint32_t)getpid(), 8, &wait_op), 0);
	ck_assert_uint_eq(futex_owner(here(), 0x3ffffff0, (uintptr_t)words, &wait_op), 0);
}
END_TEST

START_TEST(last_word_of_a_page_is_readable)
{
	const struct futex_op op = { .verb = FUTEX_VERB_LOCK, .inherits = true };
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *word = (uint32_t *)(void *)(page + 4096 - sizeof(*word));

	need_own_memory("last_word_of_a_page_is_readable");
	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert_int_eq(munmap(page + 4096, 4096), 0);
	*word = (uint32_t)gettid() | FUTEX_WAITERS;
	ck_assert_uint_eq(owner_at(word, op), (uint32_t)gettid());
	munmap(page, 4096);
}
END_TEST

/* -- Waits of real threads --------------------------------------------------------- */

struct waiting {
	void *(*wait)(void *);
	void *on;
	_Atomic uint32_t tid;
};

static void *run_waiting(void *arg)
{
	struct waiting *waiting = arg;

	waiting->tid = (uint32_t)gettid();
	return waiting->wait(waiting->on);
}

/* Read from /proc the arguments of the futex call in which a thread sleeps. */
static void read_wait(uint32_t tid, uint64_t args[6])
{
	char path[64], line[256], *at;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%u/syscall", tid);
	for (;;) {
		file = fopen(path, "r");
		ck_assert_ptr_nonnull(file);
		at = fgets(line, sizeof(line), file);
		fclose(file);
		if (at && strtol(at, &at, 10) == SYS_futex)
			break;
		usleep(1000);
	}
	for (int i = 0; i < 6; i++)
		args[i] = strtoull(at, &at, 16);
}

/* Start a thread that waits, and return the owner of its futex. */
static uint32_t owner_for(pthread_t *thread, void *(*wait)(void *), void *on)
{
	struct waiting waiting = { .wait = wait, .on = on };
	struct futex_op op;
	uint64_t args[6];

	pthread_create(thread, NULL, run_waiting, &waiting);
	while (!waiting.tid)
		usleep(1000);
	read_wait(waiting.tid, args);
	ck_assert(futex_op_parse(&op, SYS_futex, args));
	return futex_owner(here(), (uint32_t)getpid(), op.uaddr, &op);
}

static void *join(void *thread)
{
	pthread_join(*(pthread_t *)thread, NULL);
	return NULL;
}

static void *sleep_for_good(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

START_TEST(a_joined_thread_is_the_owner)
{
	need_own_memory("a_joined_thread_is_the_owner");
	/* Static, as threads that outlive the test still use it. */
	static struct waiting sleeper = { .wait = sleep_for_good };
	uint32_t word = (uint32_t)gettid();
	struct futex_op op = { .verb = FUTEX_VERB_WAIT, .shared = true, .value = word };
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, run_waiting, &sleeper);
	while (!sleeper.tid)
		usleep(1000);
	ck_assert_uint_eq(owner_for(&threads[1], join, &threads[0]), sleeper.tid);
	/* A word that holds a tid but is not in a struct pthread has no owner. */
	op.uaddr = (uintptr_t)&word;
	ck_assert_uint_eq(owner_at(&word, op), 0);
}
END_TEST

static void *read_lock(void *lock)
{
	pthread_rwlock_rdlock(lock);
	return NULL;
}

static void *write_lock(void *lock)
{
	pthread_rwlock_wrlock(lock);
	return NULL;
}

START_TEST(a_writer_owns_a_rwlock_readers_do_not)
{
	need_own_memory("a_writer_owns_a_rwlock_readers_do_not");
	/* Static, as threads that outlive the test still use it. */
	static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	pthread_t threads[4];

	pthread_rwlock_wrlock(&lock);
	ck_assert_uint_eq(owner_for(&threads[0], read_lock, &lock), (uint32_t)gettid());
	ck_assert_uint_eq(owner_for(&threads[1], write_lock, &lock), (uint32_t)gettid());
	pthread_rwlock_init(&lock, NULL);
	pthread_rwlock_rdlock(&lock);
	ck_assert_uint_eq(owner_for(&threads[2], write_lock, &lock), 0);
}
END_TEST

/* The memory after the word looks like the other fields of a lock that this thread owns. */
struct bait {
	union {
		pthread_cond_t condition;
		sem_t semaphore;
		pthread_barrier_t barrier;
		_Atomic uint32_t word;
	};
	pthread_mutex_t mutex;
	uint32_t tids[16];
};

static void *wait_condition(void *arg)
{
	struct bait *bait = arg;

	pthread_mutex_lock(&bait->mutex);
	pthread_cond_wait(&bait->condition, &bait->mutex);
	return NULL;
}

static void *wait_semaphore(void *bait)
{
	sem_wait(&((struct bait *)bait)->semaphore);
	return NULL;
}

static void *wait_barrier(void *bait)
{
	pthread_barrier_wait(&((struct bait *)bait)->barrier);
	return NULL;
}

/* Wait as locks of Rust and Go do. */
static void *wait_word(void *bait)
{
	syscall(SYS_futex, &((struct bait *)bait)->word, FUTEX_WAIT_BITSET_PRIVATE, 2, NULL, NULL,
		FUTEX_BITSET_MATCH_ANY);
	return NULL;
}

START_TEST(other_waits_have_no_owner)
{
	static struct bait baits[4];
	pthread_t thread;

	for (size_t i = 0; i < sizeof(baits) / sizeof(*baits); i++) {
		for (size_t j = 0; j < 16; j++)
			baits[i].tids[j] = (uint32_t)gettid();
		pthread_mutex_init(&baits[i].mutex, NULL);
	}
	pthread_cond_init(&baits[0].condition, NULL);
	ck_assert_uint_eq(owner_for(&thread, wait_condition, &baits[0]), 0);
	sem_init(&baits[1].semaphore, 0, 0);
	ck_assert_uint_eq(owner_for(&thread, wait_semaphore, &baits[1]), 0);
	pthread_barrier_init(&baits[2].barrier, NULL, 2);
	ck_assert_uint_eq(owner_for(&thread, wait_barrier, &baits[2]), 0);
	baits[3].word = 2;
	((uint32_t *)(void *)&baits[3])[2] = (uint32_t)gettid();
	ck_assert_uint_eq(owner_for(&thread, wait_word, &baits[3]), 0);
}
END_TEST

static void *wait_there(void *word)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return NULL;
}

struct sleeper {
	_Atomic uint32_t tid;
	uint32_t word;
};

static void *sleep_there(void *arg)
{
	struct sleeper *sleeper = arg;

	sleeper->tid = (uint32_t)gettid();
	return wait_there(&sleeper->word);
}

START_TEST(waiting_thread_is_detected)
{
	struct sleeper sleeper = { .word = 0 };
	uint32_t pid = (uint32_t)getpid();
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_there, &sleeper);
	while (!sleeper.tid ||
	       !futex_owner_waits(here(), pid, sleeper.tid, (uintptr_t)&sleeper.word))
		usleep(1000);
	ck_assert(!futex_owner_waits(here(), pid, sleeper.tid, (uintptr_t)&sleeper.word + 4));
	ck_assert(!futex_owner_waits(here(), pid, (uint32_t)gettid(), (uintptr_t)&sleeper.word));
	syscall(SYS_futex, &sleeper.word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(thread, NULL);
	ck_assert(!futex_owner_waits(here(), pid, sleeper.tid, (uintptr_t)&sleeper.word));
}
END_TEST

Suite *suite_futex_owner(void);
Suite *suite_futex_owner(void)
{
	Suite *suite = suite_create("futex_owner");
	TCase *tcase = tcase_create("futex_owner");

	tcase_add_test(tcase, plain_lock_has_its_owner);
	tcase_add_test(tcase, robust_lock_has_its_owner);
	tcase_add_test(tcase, priority_inheritance_lock_has_its_owner);
	tcase_add_test(tcase, an_owner_is_a_thread_of_the_process);
	tcase_add_test(tcase, last_word_of_a_page_is_readable);
	tcase_add_test(tcase, a_joined_thread_is_the_owner);
	tcase_add_test(tcase, a_writer_owns_a_rwlock_readers_do_not);
	tcase_add_test(tcase, other_waits_have_no_owner);
	tcase_add_test(tcase, waiting_thread_is_detected);
	suite_add_tcase(suite, tcase);
	return suite;
}
