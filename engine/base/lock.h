/*
 * lock - mutexes of the engine.
 *
 * They use priority inheritance. The collector and the interface may run at a real-time priority.
 * While one of them waits for a mutex, the holder runs at that priority, too.
 * `make lint` rejects other mutexes in engine/.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

void lock_init(pthread_mutex_t *mutex); /* destroy with pthread_mutex_destroy() */

#endif
