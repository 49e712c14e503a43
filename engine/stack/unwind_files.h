/*
 * unwind_files - spaces, mappings and files that the worker of the unwinder knows.
 *
 * A new worker starts empty; spaces, mappings and files are sent again as requests need them. If
 * workers crashed on a file, its mappings are sent without the file. One thread at a time.
 */
#ifndef STACK_UNWIND_FILES_H
#define STACK_UNWIND_FILES_H

#include "engine/stack/spaces.h"
#include "engine/stack/symbol_paths.h"
#include "engine/stack/unwind_cache.h"
#include "engine/stack/worker.h"

struct unwind_files;

/* All pointers are borrowed. */
struct unwind_files *unwind_files_new(struct worker *worker, struct spaces *spaces,
				      const struct symbol_paths *places, struct reader *reader,
				      bool recorded);
void unwind_files_free(struct unwind_files *files);

/*
 * Get the number of a space in the worker. A space that changed since the last call gets a new
 * number. 0 or -errno of worker_ask().
 */
int unwind_files_space(struct unwind_files *files, const struct unwind_space *space,
		       uint32_t *number);
/* Send the worker the mapping at an address. 0 or -errno of worker_ask(). */
int unwind_files_map(struct unwind_files *files, const struct unwind_space *space, uint32_t number,
		     uint64_t address);
/* True if the file mapped at an address is no longer read because workers crashed on it. */
bool unwind_files_has_failed(struct unwind_files *files, const struct unwind_space *space,
			     uint64_t address);
/* Account a failure of the worker with this code against the file that it read (0: none). */
void unwind_files_blame(struct unwind_files *files, uint32_t file, int code);

#endif
