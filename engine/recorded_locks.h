/*
 * recorded_locks - who holds the locks that threads wait for, told to a recording, and by one.
 *
 * Of the thread that looks (wait_graph.h), under its mutex; what asks a recording, of any.
 */
#ifndef ENGINE_RECORDED_LOCKS_H
#define ENGINE_RECORDED_LOCKS_H

#include "engine/base/idmap.h"
#include "engine/engine.h"
#include "engine/tasks/deadlocks.h"

struct recorded_locks {
	uint32_t file; /* of the recorder; 0: there is none */
	struct idmap waits; /* threads: whom they wait for, as it was told, by a hash */
};

void recorded_locks_init(struct recorded_locks *recorded);
void recorded_locks_release(struct recorded_locks *recorded);
/* Whatever is there is told again. */
void recorded_locks_begin_file(struct recorded_locks *recorded, uint32_t file);
void recorded_locks_write_holders(struct recorded_locks *recorded, struct engine *engine,
				  const struct deadlock_wait *waits, size_t count);
void recorded_locks_write_deadlocks(struct recorded_locks *recorded, struct engine *engine,
				    struct deadlocks *deadlocks);

/* As engine_futex_owner() and engine_deadlocks(), of a recording. */
uint32_t recorded_locks_holder(struct engine *engine, const struct call *call);
size_t recorded_locks_deadlocks(struct engine *engine, struct engine_deadlock *out, size_t max);
/* As engine_deadlocks_told(). */
size_t recorded_locks_deadlocks_ever(struct engine *engine, size_t *cursor,
				     struct engine_deadlock *out, size_t max);
/* With the names that the threads have now. */
void recorded_locks_copy(struct engine *engine, const struct deadlock *deadlock,
			 struct engine_deadlock *out);

#endif
