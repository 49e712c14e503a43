/*
 * unwind_walk - user stacks from registers and stack bytes, by libunwind.
 *
 * Samples lie in a ring of shared memory; what is mapped where is told by
 * WIRE_MAP for one address at a time, when a walk has met it. Along with
 * a stack goes the list of registers and stack words that it was made from: another
 * sample that has the same there has the same stack. Worker process only.
 */
#ifndef WORKER_UNWIND_WALK_H
#define WORKER_UNWIND_WALK_H

#include "engine/helper/worker_wire.h"

struct symbol_files;
struct unwind_walk;

struct unwind_walk *unwind_walk_new(struct symbol_files *files); /* borrowed */
void unwind_walk_free(struct unwind_walk *walk);

/* Takes fd, the ring. 0 or -errno. */
int unwind_walk_ring(struct unwind_walk *walk, int take_fd, uint64_t bytes);
/* For tests: a ring of the caller's own. */
void unwind_walk_borrow_ring(struct unwind_walk *walk, unsigned char *ring, size_t bytes);
int unwind_walk_map(struct unwind_walk *walk, uint32_t file, const uint64_t values[]);
void unwind_walk_forget(struct unwind_walk *walk, uint32_t space);
/* Writes a struct wire_unwound with what belongs to it. */
void unwind_walk_sample(struct unwind_walk *walk, uint64_t at, struct wire_writer *writer);

#endif
