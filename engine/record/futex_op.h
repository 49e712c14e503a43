/*
 * futex_op - what a futex call asks for: futex(2), futex_waitv(2) and the calls of futex2.
 *
 * A pure function of a call's number and arguments; the addresses that
 * futex_waitv() and futex_requeue() take are in memory and stay unknown (0).
 */
#ifndef RECORD_FUTEX_OP_H
#define RECORD_FUTEX_OP_H

#include <stdbool.h>
#include <stdint.h>

enum futex_verb {
	FUTEX_VERB_WAIT,
	FUTEX_VERB_WAKE,
	FUTEX_VERB_WAKE_BOTH, /* WAKE_OP: wakes at uaddr, perhaps at uaddr2 too */
	FUTEX_VERB_REQUEUE, /* wakes some at uaddr, moves others to uaddr2 */
	FUTEX_VERB_LOCK, /* priority inheriting: a wait, if somebody has it */
	FUTEX_VERB_TRYLOCK,
	FUTEX_VERB_UNLOCK,
	FUTEX_VERB_COUNT
};

struct futex_op {
	enum futex_verb verb;
	bool shared; /* without FUTEX_PRIVATE_FLAG */
	bool inherits; /* the futex word holds its owner's tid (FUTEX_*_PI) */
	bool has_timeout;
	uint32_t value; /* what a wait expects there */
	uint32_t wakes; /* at most so many at uaddr */
	uint32_t moves; /* at most so many from uaddr to uaddr2; for WAKE_BOTH: woken there */
	uint64_t uaddr; /* 0: not known */
	uint64_t uaddr2; /* 0: none */
};

/* Whether the call is one on futexes that anybody knows; args as the kernel got them. */
bool futex_op_parse(struct futex_op *op, uint32_t nr, const uint64_t *args);

/* Whether it is about system call nr at all: for those who see every call. */
bool futex_op_is(uint32_t nr);

/* It may sleep until another thread ends that. */
static inline bool futex_op_waits(const struct futex_op *op)
{
	return op->verb == FUTEX_VERB_WAIT || op->verb == FUTEX_VERB_LOCK;
}

#endif
