/* Reads this very process, which may always be read. */
#include "engine/futex_owner.h"

#include "tests/unit/runner.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t owner_at(const void *address, struct futex_op op)
{
	return futex_owner((uint32_t)getpid(), (uintptr_t)address, &op);
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

/* Somebody holds it, and somebody else waits, which the word must say. */
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
	ck_assert_uint_eq(owner_at(mutex, op), holder.tid);
	pthread_barrier_wait(&holder.seen);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	ck_assert_uint_eq(owner_at(mutex, op), 0);
}

START_TEST(of_a_plain_lock)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	check_held(&mutex, wait_op);
}
END_TEST

START_TEST(of_a_robust_lock)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	check_held(&mutex, (struct futex_op){ .verb = FUTEX_VERB_WAIT, .shared = true });
}
END_TEST

START_TEST(of_a_lock_that_inherits)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attributes);
	check_held(&mutex, (struct futex_op){ .verb = FUTEX_VERB_LOCK, .inherits = true });
}
END_TEST

START_TEST(nothing_is_guessed_from)
{
	uint32_t tid = (uint32_t)gettid();
	struct {
		const char *name;
		uint32_t words[5];
		struct futex_op op;
	} cases[] = {
		{ "a lock that nobody waits for", { 1, 0, tid, 1, 0 }, wait_op },
		{ "a tid that is no thread's", { 2, 0, 0x3ffffff0, 1, 0 }, wait_op },
		{ "the first process, which is another", { 2, 0, 1, 1, 0 }, wait_op },
		{ "what is no pthread_mutex_t", { 2, 0, tid, 1, 0xdeadbeef }, wait_op },
		{ "a robust lock whose owner died",
		  { tid | FUTEX_WAITERS | FUTEX_OWNER_DIED }, wait_op },
		{ "a counter that looks like a tid", { tid, 0, tid, 1, 0 }, wait_op },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(owner_at(cases[i].words, cases[i].op) == 0, "%s", cases[i].name);
	/* And this is what they all but are. */
	cases[0].words[0] = 2;
	ck_assert_uint_eq(owner_at(cases[0].words, wait_op), tid);
	ck_assert_uint_eq(futex_owner((uint32_t)getpid(), 0, &wait_op), 0);
	ck_assert_uint_eq(futex_owner((uint32_t)getpid(), 8, &wait_op), 0);
	ck_assert_uint_eq(futex_owner(0x3ffffff0, (uintptr_t)cases[0].words, &wait_op), 0);
}
END_TEST

START_TEST(the_last_word_of_a_page_is_one)
{
	const struct futex_op op = { .verb = FUTEX_VERB_LOCK, .inherits = true };
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *word = (uint32_t *)(void *)(page + 4096 - sizeof(*word));

	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert_int_eq(munmap(page + 4096, 4096), 0);
	*word = (uint32_t)gettid() | FUTEX_WAITERS;
	ck_assert_uint_eq(owner_at(word, op), (uint32_t)gettid());
	munmap(page, 4096);
}
END_TEST

/* pthread_join() waits until the kernel clears the word with the thread's tid in it. */
START_TEST(who_is_joined_is_waited_for)
{
	uint32_t word = (uint32_t)gettid();
	struct futex_op op = { .verb = FUTEX_VERB_WAIT, .shared = true, .value = word };

	ck_assert_uint_eq(owner_at(&word, op), word);
	op.value--;
	ck_assert_uint_eq(owner_at(&word, op), 0);
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

START_TEST(waiting_is_seen)
{
	struct sleeper sleeper = { .word = 0 };
	uint32_t pid = (uint32_t)getpid();
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_there, &sleeper);
	while (!sleeper.tid || !futex_owner_waits(pid, sleeper.tid, (uintptr_t)&sleeper.word))
		usleep(1000);
	ck_assert(!futex_owner_waits(pid, sleeper.tid, (uintptr_t)&sleeper.word + 4));
	ck_assert(!futex_owner_waits(pid, (uint32_t)gettid(), (uintptr_t)&sleeper.word));
	syscall(SYS_futex, &sleeper.word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	pthread_join(thread, NULL);
	ck_assert(!futex_owner_waits(pid, sleeper.tid, (uintptr_t)&sleeper.word));
}
END_TEST

Suite *suite_futex_owner(void);
Suite *suite_futex_owner(void)
{
	Suite *suite = suite_create("futex_owner");
	TCase *tcase = tcase_create("futex_owner");

	tcase_add_test(tcase, of_a_plain_lock);
	tcase_add_test(tcase, of_a_robust_lock);
	tcase_add_test(tcase, of_a_lock_that_inherits);
	tcase_add_test(tcase, nothing_is_guessed_from);
	tcase_add_test(tcase, the_last_word_of_a_page_is_one);
	tcase_add_test(tcase, who_is_joined_is_waited_for);
	tcase_add_test(tcase, waiting_is_seen);
	suite_add_tcase(suite, tcase);
	return suite;
}
