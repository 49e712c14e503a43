/*
 * unwind_table - finds the frame description for an address of a file.
 *
 * Uses the linker's index of .eh_frame, .eh_frame_hdr. If it is missing, or not of the kind that
 * GNU ld and lld write, such an index is built from .eh_frame. Compilers that omit .eh_frame may
 * write .debug_frame, in the file or in its debug file. Worker process only: all input is
 * untrusted.
 */
#ifndef WORKER_UNWIND_TABLE_H
#define WORKER_UNWIND_TABLE_H

#include "engine/stack/worker/symbol_elf.h"

struct unwind_table;

/* Borrows both files; debug may be NULL. */
struct unwind_table *unwind_table_new(struct symbol_elf *file, struct symbol_elf *debug);
void unwind_table_free(struct unwind_table *table);

/* Find the last .eh_frame entry of code that starts at or before address; *at: its own address. */
bool unwind_table_eh(struct unwind_table *table, uint64_t address, uint64_t *start, uint64_t *at);

/*
 * Write the description in .debug_frame to out[max] in the format of .eh_frame: a common entry,
 * then the frame entry at *frame_at. Its addresses are moved by `bias`. Return the number of bytes;
 * 0: none, or malformed.
 */
size_t unwind_table_debug(struct unwind_table *table, uint64_t address, uint64_t bias,
			  uint64_t *start, unsigned char *out, size_t max, size_t *frame_at);

#endif
