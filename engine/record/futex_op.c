#include "engine/record/futex_op.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>

/* Missing from older system headers. */
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
enum {
	NR_FUTEX_WAITV = 449,
	NR_FUTEX_WAKE = 454,
	NR_FUTEX_WAIT = 455,
	NR_FUTEX_REQUEUE = 456,
};
/* FUTEX2_PRIVATE of futex2 is the bit of FUTEX_PRIVATE_FLAG. */
#define FUTEX2_PRIVATE_BIT FUTEX_PRIVATE_FLAG

struct command {
	enum futex_verb verb;
	bool known;
	bool inherits;
	bool two_addresses;
};

/* Indexed by futex operation, without its flags. */
static const struct command commands[] = {
	[FUTEX_WAIT] = { FUTEX_VERB_WAIT, .known = true },
	[FUTEX_WAKE] = { FUTEX_VERB_WAKE, .known = true },
	[FUTEX_REQUEUE] = { FUTEX_VERB_REQUEUE, .known = true, .two_addresses = true },
	[FUTEX_CMP_REQUEUE] = { FUTEX_VERB_REQUEUE, .known = true, .two_addresses = true },
	[FUTEX_WAKE_OP] = { FUTEX_VERB_WAKE_BOTH, .known = true, .two_addresses = true },
	[FUTEX_LOCK_PI] = { FUTEX_VERB_LOCK, .known = true, .inherits = true },
	[FUTEX_UNLOCK_PI] = { FUTEX_VERB_UNLOCK, .known = true, .inherits = true },
	[FUTEX_TRYLOCK_PI] = { FUTEX_VERB_TRYLOCK, .known = true, .inherits = true },
	[FUTEX_WAIT_BITSET] = { FUTEX_VERB_WAIT, .known = true },
	[FUTEX_WAKE_BITSET] = { FUTEX_VERB_WAKE, .known = true },
	/* The word at uaddr is not a lock; the one at uaddr2 is. */
	[FUTEX_WAIT_REQUEUE_PI] = { FUTEX_VERB_WAIT, .known = true, .two_addresses = true },
	[FUTEX_CMP_REQUEUE_PI] = { FUTEX_VERB_REQUEUE, .known = true, .two_addresses = true },
	[FUTEX_LOCK_PI2] = { FUTEX_VERB_LOCK, .known = true, .inherits = true },
};

/* The kernel takes counts as ints; some callers pass -1 for "all". */
static uint32_t count_of(uint64_t arg)
{
	uint32_t count = (uint32_t)arg;

	return count > INT32_MAX ? INT32_MAX : count;
}

static bool parse_futex(struct futex_op *op, const uint64_t *args)
{
	uint32_t number = (uint32_t)args[1] & (uint32_t)FUTEX_CMD_MASK;
	const struct command *command;

	if (number >= sizeof(commands) / sizeof(*commands) || !commands[number].known)
		return false;
	command = &commands[number];
	*op = (struct futex_op){
		.verb = command->verb,
		.shared = !(args[1] & FUTEX_PRIVATE_FLAG),
		.inherits = command->inherits,
		.value = (uint32_t)args[2],
		.uaddr = args[0],
		.uaddr2 = command->two_addresses ? args[4] : 0,
	};
	switch (op->verb) {
	case FUTEX_VERB_WAIT:
	case FUTEX_VERB_LOCK:
		op->has_timeout = args[3] != 0;
		break;
	case FUTEX_VERB_WAKE:
		op->wakes = count_of(args[2]);
		break;
	case FUTEX_VERB_REQUEUE:
		/* The waiters to wake are requeued too: they run once they own the lock. */
		if (number == FUTEX_CMP_REQUEUE_PI) {
			op->moves = count_of((uint64_t)count_of(args[2]) + count_of(args[3]));
			break;
		}
		op->wakes = count_of(args[2]);
		op->moves = count_of(args[3]);
		break;
	case FUTEX_VERB_WAKE_BOTH:
		op->wakes = count_of(args[2]);
		op->moves = count_of(args[3]);
		break;
	case FUTEX_VERB_UNLOCK:
		op->wakes = 1;
		break;
	default:
		break;
	}
	return true;
}

bool futex_op_parse(struct futex_op *op, uint32_t nr, const uint64_t *args)
{
	switch (nr) {
	case SYS_futex:
		return parse_futex(op, args);
	case NR_FUTEX_WAITV:
		*op = (struct futex_op){ .verb = FUTEX_VERB_WAIT, .has_timeout = args[3] != 0 };
		return true;
	case NR_FUTEX_WAIT:
		*op = (struct futex_op){
			.verb = FUTEX_VERB_WAIT,
			.shared = !(args[3] & FUTEX2_PRIVATE_BIT),
			.has_timeout = args[4] != 0,
			.value = (uint32_t)args[1],
			.uaddr = args[0],
		};
		return true;
	case NR_FUTEX_WAKE:
		*op = (struct futex_op){
			.verb = FUTEX_VERB_WAKE,
			.shared = !(args[3] & FUTEX2_PRIVATE_BIT),
			.wakes = count_of(args[2]),
			.uaddr = args[0],
		};
		return true;
	case NR_FUTEX_REQUEUE:
		*op = (struct futex_op){
			.verb = FUTEX_VERB_REQUEUE,
			.wakes = count_of(args[2]),
			.moves = count_of(args[3]),
		};
		return true;
	default:
		return false;
	}
}

bool futex_op_is(uint32_t nr)
{
	return nr == SYS_futex || nr == NR_FUTEX_WAITV ||
	       (nr >= NR_FUTEX_WAKE && nr <= NR_FUTEX_REQUEUE);
}
