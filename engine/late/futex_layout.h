/*
 * futex_layout - derives the owner of a lock from the bytes at a futex.
 *
 * Most futexes are not locks, and a futex does not identify its type: a guess counts only if the
 * whole layout fits. Known layouts of glibc for x86-64:
 * - pthread_mutex_t, also std::mutex and mtx_t (struct __pthread_mutex_s in
 *   sysdeps/x86/nptl/bits/struct_mutex.h);
 * - a pthread_rwlock_t held by a writer (struct_rwlock.h);
 * - the tid of struct pthread, for which pthread_join() waits.
 * Known layout of the kernel: the word of priority-inheritance locks (futex(2)). Pure functions.
 */
#ifndef LATE_FUTEX_LAYOUT_H
#define LATE_FUTEX_LAYOUT_H

#include "engine/record/futex_op.h"

#include <stddef.h>

/* Number of bytes to read before and after a futex's address. */
#define FUTEX_LAYOUT_BEFORE 12
#define FUTEX_LAYOUT_AFTER 48

struct futex_bytes {
	uint32_t before[FUTEX_LAYOUT_BEFORE / 4]; /* words before the futex */
	bool has_before;
	uint32_t after[FUTEX_LAYOUT_AFTER / 4]; /* the futex word and the words after it */
	size_t after_bytes; /* readable bytes of `after` */
};

/*
 * Return the tid of the owner in the pid namespace of the process; 0: not a lock that names its
 * owner. moved: a requeue moved the waiter here, so the expected value of its call refers to
 * another word.
 */
uint32_t futex_layout_owner(const struct futex_bytes *bytes, const struct futex_op *op, bool moved);

/*
 * True if a wait can be a pthread_join(). The caller must then check that uaddr is in a struct
 * pthread. The address of that struct is T = uaddr - FUTEX_LAYOUT_THREAD, and its words at T and T
 * + FUTEX_LAYOUT_SELF hold T. If so, the word at uaddr is the tid of the joined thread.
 */
#define FUTEX_LAYOUT_THREAD 720
#define FUTEX_LAYOUT_SELF 16
bool futex_layout_may_join(const struct futex_bytes *bytes, const struct futex_op *op);

#endif
