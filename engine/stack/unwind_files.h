/*
 * unwind_files - what the unwinder has told its worker: spaces, mappings and files.
 *
 * A worker that is replaced knows nothing, and is told again as questions come. The
 * file that a worker died over goes on as a mapping without a file. One thread at
 * a time.
 */
#ifndef STACK_UNWIND_FILES_H
#define STACK_UNWIND_FILES_H

#include "engine/stack/spaces.h"
#include "engine/stack/symbol_paths.h"
#include "engine/stack/unwind_cache.h"
#include "engine/stack/worker.h"

struct unwind_files;

/* Borrowed, all three. */
struct unwind_files *unwind_files_new(struct worker *worker, struct spaces *spaces,
				      const struct symbol_paths *places, struct reader *reader,
				      bool recorded);
void unwind_files_free(struct unwind_files *files);

/*
 * The number by which the worker knows a space; of one that has changed since it
 * was last asked for, a new number. 0 or -errno of worker_ask().
 */
int unwind_files_space(struct unwind_files *files, const struct unwind_space *space,
		       uint32_t *number);
/* Tells the worker what is mapped at an address. 0 or -errno of worker_ask(). */
int unwind_files_map(struct unwind_files *files, const struct unwind_space *space, uint32_t number,
		     uint64_t address);
/* Whether the file that is mapped at an address is not read any more, because of that. */
bool unwind_files_has_failed(struct unwind_files *files, const struct unwind_space *space,
			     uint64_t address);
/* The worker died with this code while it read the file (0: none). */
void unwind_files_blame(struct unwind_files *files, uint32_t file, int code);

#endif
