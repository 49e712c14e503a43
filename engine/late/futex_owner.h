/*
 * futex_owner - guesses the owner of a contended lock from the waiter's memory.
 *
 * The kernel knows owners only for priority-inheritance locks. The memory must look like a lock
 * that names its owner (futex_layout.h). The owner must be a live thread of the waiter's process
 * or, for a shared lock, of any process. The process is not stopped. A reader process reads its
 * memory and /proc files (READER_FUTEX_OWNER in reader_wire.h). Any thread.
 */
#ifndef LATE_FUTEX_OWNER_H
#define LATE_FUTEX_OWNER_H

#include "engine/helper/reader_wire.h"
#include "engine/record/futex_op.h"

struct reader;

/*
 * Return the tid of a live thread in stxtop's pid namespace; 0: unknown. op is the waiting call;
 * uaddr differs from op->uaddr if a requeue moved the waiter.
 */
uint32_t futex_owner(struct reader *reader, uint32_t pid, uint64_t uaddr,
		     const struct futex_op *op);

/* True if /proc shows the thread inside a futex call on uaddr. */
bool futex_owner_waits(struct reader *reader, uint32_t pid, uint32_t tid, uint64_t uaddr);

reader_handle_fn futex_owner_handle;

#endif
