#include "engine/base/lock.h"

void lock_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t inherits;

	pthread_mutexattr_init(&inherits);
	pthread_mutexattr_setprotocol(&inherits, PTHREAD_PRIO_INHERIT);
	/* Fails on a kernel without PI futexes: use a plain mutex. */
	if (pthread_mutex_init(mutex, &inherits))
		pthread_mutex_init(mutex, NULL);
	pthread_mutexattr_destroy(&inherits);
}
