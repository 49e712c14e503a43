/*
 * symbol_files - the files handed to a stack worker, by number.
 *
 * Worker process only: the content of all files is untrusted.
 */
#ifndef WORKER_SYMBOL_FILES_H
#define WORKER_SYMBOL_FILES_H

#include "engine/helper/worker_wire.h"
#include "engine/stack/worker/symbol_elf.h"

struct symbol_files;
struct unwind_walk;

struct symbol_files *symbol_files_new(void);
void symbol_files_free(struct symbol_files *files);

/* Return the file. NULL: not opened. Borrowed until the number is opened again. */
struct symbol_elf *symbol_files_elf(const struct symbol_files *files, uint32_t number,
				    enum wire_role role);
/* Return the unwinder of these files, created on first use; owned by `files`. */
struct unwind_walk *symbol_files_walk(struct symbol_files *files);

/*
 * Take ownership of fd. 0 with a description, or -errno: not ELF, or not the debug file of this
 * file. -EAGAIN: checking takes longer; call again without a descriptor (-1).
 */
int symbol_files_open(struct symbol_files *files, uint32_t number, uint32_t role, int take_fd,
		      struct wire_file *described);
/* Write the function at a file offset: a count of 0 or 1, and the frame. */
void symbol_files_name(struct symbol_files *files, uint32_t number, uint64_t offset,
		       struct wire_writer *writer);
/* Write the source lines at a file offset, inlined functions first. */
void symbol_files_lines(struct symbol_files *files, uint32_t number, uint64_t offset,
			struct wire_writer *writer);

#endif
