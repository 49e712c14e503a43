/*
 * futex_owner - who holds a lock that somebody waits for, read from the waiter's memory.
 *
 * A guess: the kernel does not know, except of locks that inherit priority. What is
 * there has to look like a lock that names its owner (futex_layout.h), and the owner has
 * to be a thread of that process, or, of a shared lock, any that lives. The
 * process is not stopped; its memory and what /proc says of it are read in a reader's process,
 * READER_FUTEX_OWNER of reader_wire.h. Any thread.
 */
#ifndef LATE_FUTEX_OWNER_H
#define LATE_FUTEX_OWNER_H

#include "engine/helper/reader_wire.h"
#include "engine/record/futex_op.h"

struct reader;

/*
 * The tid of a thread that lives, as this program counts tids; 0: nobody knows. op is the
 * waiting call; uaddr is another than its own where a requeue moved it.
 */
uint32_t futex_owner(struct reader *reader, uint32_t pid, uint64_t uaddr,
		     const struct futex_op *op);

/* Whether a thread is inside a futex call on uaddr, as /proc says. */
bool futex_owner_waits(struct reader *reader, uint32_t pid, uint32_t tid, uint64_t uaddr);

reader_handle_fn futex_owner_handle;

#endif
