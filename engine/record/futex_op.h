/*
 * futex_op - decodes futex calls: futex(2), futex_waitv(2) and the calls of futex2.
 *
 * A pure function of syscall number and arguments. futex_waitv() and futex_requeue() take their
 * addresses from memory; these stay unknown (0).
 */
#ifndef RECORD_FUTEX_OP_H
#define RECORD_FUTEX_OP_H

#include <stdbool.h>
#include <stdint.h>

enum futex_verb {
	FUTEX_VERB_WAIT,
	FUTEX_VERB_WAKE,
	FUTEX_VERB_WAKE_BOTH, /* WAKE_OP: wakes at uaddr, and conditionally at uaddr2 */
	FUTEX_VERB_REQUEUE, /* wakes waiters of uaddr, moves further ones to uaddr2 */
	FUTEX_VERB_LOCK, /* priority inheritance; waits if the lock is held */
	FUTEX_VERB_TRYLOCK,
	FUTEX_VERB_UNLOCK,
	FUTEX_VERB_COUNT
};

struct futex_op {
	enum futex_verb verb;
	bool shared; /* no FUTEX_PRIVATE_FLAG */
	bool inherits; /* the futex word holds the tid of the lock owner (FUTEX_*_PI) */
	bool has_timeout;
	uint32_t value; /* expected futex word of a wait */
	uint32_t wakes; /* maximum number of wakeups at uaddr */
	uint32_t moves; /* maximum number of waiters moved to uaddr2; WAKE_BOTH: woken there */
	uint64_t uaddr; /* 0: unknown */
	uint64_t uaddr2; /* 0: none */
};

/* True if the call is a known futex operation. args are those that the kernel received. */
bool futex_op_parse(struct futex_op *op, uint32_t nr, const uint64_t *args);

/* True if nr is a futex syscall: a cheap test for code that sees every call. */
bool futex_op_is(uint32_t nr);

/* True if the call may sleep until another thread wakes it. */
static inline bool futex_op_waits(const struct futex_op *op)
{
	return op->verb == FUTEX_VERB_WAIT || op->verb == FUTEX_VERB_LOCK;
}

#endif
