#include "engine/base/lock.h"

#include <check.h>

START_TEST(a_mutex_locks_and_priority_inheritance_is_available)
{
	pthread_mutexattr_t inherits;
	pthread_mutex_t mutex;

	lock_init(&mutex);
	ck_assert_int_eq(pthread_mutex_lock(&mutex), 0);
	ck_assert_int_ne(pthread_mutex_trylock(&mutex), 0);
	ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
	ck_assert_int_eq(pthread_mutex_destroy(&mutex), 0);
	pthread_mutexattr_init(&inherits);
	ck_assert_int_eq(pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT), 0);
	pthread_mutexattr_destroy(&inherits);
}
END_TEST

Suite *suite_lock(void);
Suite *suite_lock(void)
{
	Suite *suite = suite_create("lock");
	TCase *tests = tcase_create("lock");

	tcase_add_test(tests, a_mutex_locks_and_priority_inheritance_is_available);
	suite_add_tcase(suite, tests);
	return suite;
}
