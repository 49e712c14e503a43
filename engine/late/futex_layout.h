/*
 * futex_layout - the lock that the bytes at a futex are, if they are one that names its owner.
 *
 * Most futexes are no locks, and none says what it is: a guess counts only where the
 * whole layout fits. Known are, of glibc for x86-64, pthread_mutex_t (struct
 * __pthread_mutex_s in sysdeps/x86/nptl/bits/struct_mutex.h), which std::mutex and
 * mtx_t are too, a pthread_rwlock_t held by a writer (struct_rwlock.h), and the tid
 * of struct pthread, which pthread_join() waits for; and what the kernel itself
 * defines: the word of locks that inherit priority (futex(2)). Pure functions.
 */
#ifndef LATE_FUTEX_LAYOUT_H
#define LATE_FUTEX_LAYOUT_H

#include "engine/record/futex_op.h"

#include <stddef.h>

/* So much is of use on either side of a futex's address. */
#define FUTEX_LAYOUT_BEFORE 12
#define FUTEX_LAYOUT_AFTER 48

struct futex_bytes {
	uint32_t before[FUTEX_LAYOUT_BEFORE / 4]; /* the words in front of it */
	bool has_before;
	uint32_t after[FUTEX_LAYOUT_AFTER / 4]; /* it and what follows */
	size_t after_bytes; /* that could be read */
};

/*
 * The owner's number as the process itself knows it; 0: these are no lock that tells. moved:
 * the thread was moved here by a requeue, so what its call expects means another word.
 */
uint32_t futex_layout_owner(const struct futex_bytes *bytes, const struct futex_op *op, bool moved);

/*
 * Whether a wait may be pthread_join()'s. Then it is, if the two words that are at
 * uaddr - FUTEX_LAYOUT_THREAD and FUTEX_LAYOUT_SELF behind that both hold that address, as
 * a thread's descriptor does; and the word at uaddr is who is waited for.
 */
#define FUTEX_LAYOUT_THREAD 720
#define FUTEX_LAYOUT_SELF 16
bool futex_layout_may_join(const struct futex_bytes *bytes, const struct futex_op *op);

#endif
