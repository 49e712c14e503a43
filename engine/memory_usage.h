/*
 * memory_usage - which part of the program has how much memory, and what its bound is.
 *
 * Owners are asked when somebody looks: nothing is counted while calls are collected. Sums of many
 * small objects are estimates. Bounds are derived from the history's size (memory_bounds()), but
 * where what lives, threads and processes, sets them. Any thread but the interface's: it takes
 * the locks of those that it asks one after the other, and walks the totals.
 */
#ifndef ENGINE_MEMORY_USAGE_H
#define ENGINE_MEMORY_USAGE_H

#include "engine/memory_owner.h"

#include <stddef.h>

struct engine;

const char *memory_owner_name(enum memory_owner owner);

/* What the history's size allows each to have. */
struct memory_bounds {
	size_t history, stacks, descriptors, ended_mappings, paths, symbols;
};
struct memory_bounds memory_bounds(size_t history_bytes);

struct memory_usage {
	size_t now, most; /* bytes; `most` of all times that somebody asked */
	size_t bound; /* 0: what lives on the machine sets it */
};

/* All zero before the engine was started. */
void engine_memory(struct engine *engine, struct memory_usage use[MEMORY_OWNER_COUNT]);

#endif
