/*
 * lock - mutexes that the interface takes.
 *
 * They use priority inheritance. The interface may run at a real-time priority; while it waits for
 * a mutex, the holder runs at that priority too and is not preempted.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

void lock_init(pthread_mutex_t *mutex); /* destroy with pthread_mutex_destroy() */

#endif
