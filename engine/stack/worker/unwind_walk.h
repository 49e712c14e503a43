/*
 * unwind_walk - user stacks from registers and stack bytes, by libunwind.
 *
 * Samples are in a ring of shared memory. WIRE_MAP sends the mapping of one address, after a walk
 * has reached it. Each stack comes with the registers and stack words that it depends on: a sample
 * with the same values has the same stack. Worker process only.
 */
#ifndef WORKER_UNWIND_WALK_H
#define WORKER_UNWIND_WALK_H

#include "engine/helper/worker_wire.h"

struct symbol_files;
struct unwind_walk;

struct unwind_walk *unwind_walk_new(struct symbol_files *files); /* borrowed */
void unwind_walk_free(struct unwind_walk *walk);

/* Take ownership of fd, the ring. 0 or -errno. */
int unwind_walk_ring(struct unwind_walk *walk, int take_fd, uint64_t bytes);
/* For tests: use a ring of the caller. */
void unwind_walk_borrow_ring(struct unwind_walk *walk, unsigned char *ring, size_t bytes);
int unwind_walk_map(struct unwind_walk *walk, uint32_t file, const uint64_t values[]);
void unwind_walk_forget(struct unwind_walk *walk, uint32_t space);
/* Unwind the sample at offset `at`; write a struct wire_unwound, its frames and its reads. */
void unwind_walk_sample(struct unwind_walk *walk, uint64_t at, struct wire_writer *writer);

#endif
