/*
 * symbol_files - the files that a stack worker has been handed, by number.
 *
 * Runs in the worker process only: everything read here was written by others.
 */
#ifndef WORKER_SYMBOL_FILES_H
#define WORKER_SYMBOL_FILES_H

#include "engine/helper/worker_wire.h"
#include "engine/stack/worker/symbol_elf.h"

struct symbol_files;
struct unwind_walk;

struct symbol_files *symbol_files_new(void);
void symbol_files_free(struct symbol_files *files);

/* NULL: no such file was opened. Borrowed until the number is opened again. */
struct symbol_elf *symbol_files_elf(const struct symbol_files *files, uint32_t number,
				    enum wire_role role);
/* What unwinds with these files, made when it is first asked for; theirs. */
struct unwind_walk *symbol_files_walk(struct symbol_files *files);

/*
 * Takes fd. 0 with what there is in it, or -errno: not ELF, or not this file's debug file.
 * -EAGAIN: whether it is takes longer to find out; ask again, without a descriptor (-1).
 */
int symbol_files_open(struct symbol_files *files, uint32_t number, uint32_t role, int take_fd,
		      struct wire_file *described);
/* Writes the function at a file offset: a count of 0 or 1, and the frame. */
void symbol_files_name(struct symbol_files *files, uint32_t number, uint64_t offset,
		       struct wire_writer *writer);
/* Writes the source lines at a file offset, inlined functions first. */
void symbol_files_lines(struct symbol_files *files, uint32_t number, uint64_t offset,
			struct wire_writer *writer);

#endif
