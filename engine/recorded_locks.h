/*
 * recorded_locks - owners of contended locks, written to a recording and read back from one.
 *
 * Call the write functions under the mutex of the wait graph (wait_graph.h). Read functions: any
 * thread.
 */
#ifndef ENGINE_RECORDED_LOCKS_H
#define ENGINE_RECORDED_LOCKS_H

#include "engine/base/idmap.h"
#include "engine/engine.h"
#include "engine/tasks/deadlocks.h"

struct recorded_locks {
	uint32_t file; /* number of the recorder's file; 0: none */
	struct idmap waits; /* tid of a waiting thread to a hash of the owner that was written */
};

void recorded_locks_init(struct recorded_locks *recorded);
void recorded_locks_release(struct recorded_locks *recorded);
/* Begin a new file: write all owners again. */
void recorded_locks_begin_file(struct recorded_locks *recorded, uint32_t file);
void recorded_locks_write_holders(struct recorded_locks *recorded, struct engine *engine,
				  const struct deadlock_wait *waits, size_t count);
void recorded_locks_write_deadlocks(struct recorded_locks *recorded, struct engine *engine,
				    struct deadlocks *deadlocks);

/* engine_futex_owner() and engine_deadlocks() for a recording. */
uint32_t recorded_locks_holder(struct engine *engine, const struct call *call);
size_t recorded_locks_deadlocks(struct engine *engine, struct engine_deadlock *out, size_t max);
/* engine_deadlocks_recorded() for a recording. */
size_t recorded_locks_deadlocks_ever(struct engine *engine, size_t *cursor,
				     struct engine_deadlock *out, size_t max);
/* Copy a deadlock with the present names of its threads. */
void recorded_locks_copy(struct engine *engine, const struct deadlock *deadlock,
			 struct engine_deadlock *out);

#endif
