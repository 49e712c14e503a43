/*
 * lock - mutexes that the interface takes.
 *
 * The interface may run at a real-time priority. While it waits for one of these, who holds it runs
 * at that priority too, and is not left without a processor with the lock in its hands.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

void lock_init(pthread_mutex_t *mutex); /* ended with pthread_mutex_destroy() */

#endif
