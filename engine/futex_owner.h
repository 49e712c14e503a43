/*
 * futex_owner - who holds a lock that somebody waits for, read from the waiter's memory.
 *
 * A guess: the kernel does not know, except of locks that inherit priority. What is
 * read is the layout of glibc's pthread_mutex_t (lock, count, owner, users, kind; see
 * sysdeps/nptl/bits/struct_mutex.h), the tid that robust locks and those that
 * inherit keep in the futex word (futex(2)), and the tid that pthread_join() waits
 * for. The process is not stopped. A few system calls, no waiting. Any thread.
 */
#ifndef ENGINE_FUTEX_OWNER_H
#define ENGINE_FUTEX_OWNER_H

#include "engine/model/futex_op.h"

/* The tid of a thread that lives, as this program counts tids; 0: nobody knows. */
uint32_t futex_owner(uint32_t pid, uint64_t uaddr, const struct futex_op *op);

/* Whether a thread is inside a futex call on uaddr, as /proc says. */
bool futex_owner_waits(uint32_t pid, uint32_t tid, uint64_t uaddr);

#endif
