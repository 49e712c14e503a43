/*
 * futex_owner - who holds a lock that somebody waits for, read from the waiter's memory.
 *
 * A guess: the kernel does not know, except of locks that inherit priority. What is
 * there has to look like a lock that names its owner (futex_layout.h), and the owner has
 * to be a thread of that process, or, of a shared lock, any that lives. The
 * process is not stopped; its memory is read by a reader (process/reader.h). Any thread.
 */
#ifndef ENGINE_FUTEX_OWNER_H
#define ENGINE_FUTEX_OWNER_H

#include "engine/model/futex_op.h"

struct reader;

/*
 * Who asks about many locks remembers of their process what is the same for all: begins as
 * { 0 }, and is for a moment only. NULL to the functions: nobody remembers.
 */
struct futex_owner_memo {
	uint32_t pid;
	bool nested; /* it counts tids in a namespace of its own */
};

/*
 * The tid of a thread that lives, as this program counts tids; 0: nobody knows. op is the
 * waiting call; uaddr is another than its own where a requeue moved it.
 */
uint32_t futex_owner(struct reader *reader, struct futex_owner_memo *memo, uint32_t pid,
		     uint64_t uaddr, const struct futex_op *op);

/* Whether a thread is inside a futex call on uaddr, as /proc says. */
bool futex_owner_waits(uint32_t pid, uint32_t tid, uint64_t uaddr);

#endif
