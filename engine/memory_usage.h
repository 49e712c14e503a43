/*
 * memory_usage - memory in use per part of the program, and its bounds.
 *
 * The owners are queried on demand; collecting calls costs no accounting. Sums over many small
 * objects are estimates. Bounds derive from the size of the history (memory_bounds()). Without such
 * a bound, live threads and processes determine the size. Any thread except the interface's: a
 * query takes the lock of each owner in turn and walks the totals.
 */
#ifndef ENGINE_MEMORY_USAGE_H
#define ENGINE_MEMORY_USAGE_H

#include "engine/memory_owner.h"

#include <stddef.h>

struct engine;

const char *memory_owner_name(enum memory_owner owner);

/* Bounds in bytes, derived from the size of the history. */
struct memory_bounds {
	size_t history, stacks, descriptors, ended_mappings, paths, symbols;
};
struct memory_bounds memory_bounds(size_t history_bytes);

struct memory_usage {
	size_t now, most; /* bytes; `most` over all queries so far */
	size_t bound; /* 0: bounded only by the live threads and processes */
};

/* Query all owners. All zero before engine_start(). */
void engine_memory(struct engine *engine, struct memory_usage use[MEMORY_OWNER_COUNT]);

#endif
