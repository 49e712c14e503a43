/*
 * spaces - address spaces: which file was mapped where, by process and generation.
 *
 * Fed by the collector with RECORD_MAP, FORK, COMM(exec), TASK_EXIT; a process
 * that existed before is read from /proc/PID/maps when it is first asked for, by
 * the symbols thread. A generation ends with exec, and when other code is mapped where there
 * was some (a library that is unloaded, another loaded in its place); a fork shares its
 * parent's until one of them changes. Ended processes and generations are kept for late
 * questions: those that were asked about or lived for a second in spaces_set_limit() bytes, the
 * oldest forgotten first, and the others, of which nobody may ever ask, in a quarter more. Has its
 * own lock: any thread.
 */
#ifndef STACK_SPACES_H
#define STACK_SPACES_H

#include "engine/record/record.h"
#include "engine/stack/space_maps.h"

struct reader;
struct spaces;

/* Of what is mapped, wherever it is; goes on from hash (hash.h). */
uint64_t mapping_hash(uint64_t hash, const struct mapping *mapping);

struct spaces *spaces_new(void);
void spaces_free(struct spaces *spaces);
/* Before it is used: who reads /proc/PID/maps, see file_probe.h; borrowed. */
void spaces_set_reader(struct spaces *spaces, struct reader *reader);

/*
 * How many bytes mappings of what has ended may take; by default 16 MiB. Before anything is fed.
 */
void spaces_set_limit(struct spaces *spaces, size_t bytes);
/* Of paths; beyond them, mappings of other files have no name. */
void spaces_set_paths_limit(struct spaces *spaces, size_t bytes);

/*
 * What follows was told before, from the beginning, and generations have the same numbers again.
 * Until it has come, what was known of them is found as before.
 */
void spaces_start_over(struct spaces *spaces);

void spaces_feed(struct spaces *spaces, const struct record *record);
/*
 * The generation that a record of now belongs to. 0 is the one that a process had
 * when tracing began; what FORK, exec and other code begin later have numbers of their own,
 * never used twice.
 */
uint32_t spaces_generation(const struct spaces *spaces, uint32_t pid);
/*
 * The same, and in *version a number that changes whenever something else is known to be
 * mapped in that generation.
 */
uint32_t spaces_current(const struct spaces *spaces, uint32_t pid, uint32_t *version);
/* When that generation began; 0: before anything was fed. */
uint64_t spaces_since(const struct spaces *spaces, uint32_t pid);
/* What was mapped at ip; false: nothing known there. */
bool spaces_find(struct spaces *spaces, uint32_t pid, uint32_t generation, uint64_t ip,
		 struct mapping *out);
/* The nearest executable mapping that begins at or below address, whether it is in it or not. */
bool spaces_find_code_below(struct spaces *spaces, uint32_t pid, uint32_t generation,
			    uint64_t address, struct mapping *out);
/*
 * Reads /proc/PID/maps into the gaps of what a generation is known to have mapped, at
 * most once a second; may be slow. false: the process is gone or may not be
 * read, or has become another program. Symbols thread.
 */
bool spaces_load_proc(struct spaces *spaces, uint32_t pid, uint32_t generation);
/* All that a generation is known to have mapped, to be freed by the caller; their number. */
size_t spaces_copy(struct spaces *spaces, uint32_t pid, uint32_t generation,
		   struct mapping **mappings);
/* How many mappings are kept in all, shared ones once. */
size_t spaces_mappings(struct spaces *spaces);

/* Of memory: of mappings, those of ended processes included, and of the paths of their files. */
void spaces_bytes(struct spaces *spaces, size_t *of_mappings, size_t *of_paths);

#endif
