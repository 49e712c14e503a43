/*
 * spaces - address spaces: which file was mapped where, by process and generation.
 *
 * The collector feeds RECORD_MAP, FORK, COMM (exec) and TASK_EXIT. For a process that existed
 * before tracing, the first lookup makes the names or unwinder thread read /proc/PID/maps.
 *
 * A generation ends with exec, and when other code is mapped over existing code (one library
 * unloaded, another loaded in its place). A fork shares the maps of its parent until one of them
 * changes.
 *
 * Ended processes and generations are retained for late lookups. Those that were looked up, or
 * lived for a second, share spaces_set_limit() bytes; the oldest is evicted first. The other ended
 * spaces share a quarter as many bytes. Has its own lock: any thread.
 */
#ifndef STACK_SPACES_H
#define STACK_SPACES_H

#include "engine/record/record.h"
#include "engine/stack/space_maps.h"

struct reader;
struct spaces;

/* Continue `hash` with the identity of the mapped file, without the addresses (hash.h). */
uint64_t mapping_hash(uint64_t hash, const struct mapping *mapping);

struct spaces *spaces_new(void);
void spaces_free(struct spaces *spaces);
/* Set the reader of /proc/PID/maps (file_probe.h); borrowed. Call before use. */
void spaces_set_reader(struct spaces *spaces, struct reader *reader);

/* Limit the bytes for mappings of ended spaces; default 16 MiB. Call before the first record. */
void spaces_set_limit(struct spaces *spaces, size_t bytes);
/* Limit the bytes of paths; beyond it, mappings of further files have no name. */
void spaces_set_paths_limit(struct spaces *spaces, size_t bytes);

/*
 * Expect the same records again from the beginning; generations get the same numbers. Until a
 * generation is fed again, lookups find its earlier state.
 */
void spaces_start_over(struct spaces *spaces);

void spaces_feed(struct spaces *spaces, const struct record *record);
/*
 * Return the generation to which the next record of the process would belong. It is 0 for a process
 * that existed when tracing began. Later ones (fork, exec, other code) have unique numbers.
 */
uint32_t spaces_generation(const struct spaces *spaces, uint32_t pid);
/* As spaces_generation(); *version changes with the known mappings of that generation. */
uint32_t spaces_current(const struct spaces *spaces, uint32_t pid, uint32_t *version);
/* Return the start time of the current generation; 0: before the first record. */
uint64_t spaces_since(const struct spaces *spaces, uint32_t pid);
/* Find the mapping at ip. False: none known. */
bool spaces_find(struct spaces *spaces, uint32_t pid, uint32_t generation, uint64_t ip,
		 struct mapping *out);
/*
 * Find the nearest executable mapping that starts at or below address, even if the mapping ends
 * before address.
 */
bool spaces_find_code_below(struct spaces *spaces, uint32_t pid, uint32_t generation,
			    uint64_t address, struct mapping *out);
/*
 * Read /proc/PID/maps into the gaps between the known mappings of a generation, at most once a
 * second. False if not read: no such generation, no permission, read less than a second ago, or the
 * process has exited or called exec. May block. Any thread.
 */
bool spaces_load_proc(struct spaces *spaces, uint32_t pid, uint32_t generation);
/* Copy the known mappings of a generation; the caller frees them. Return their number. */
size_t spaces_copy(struct spaces *spaces, uint32_t pid, uint32_t generation,
		   struct mapping **mappings);
/* Return the number of stored mappings; shared ones count once. */
size_t spaces_mappings(struct spaces *spaces);

/* Get the memory of mappings (ended processes included) and of file paths. */
void spaces_bytes(struct spaces *spaces, size_t *of_mappings, size_t *of_paths);

#endif
