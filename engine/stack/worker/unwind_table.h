/*
 * unwind_table - from an address of a file to the description of its frame.
 *
 * Looks in .eh_frame through the linker's index, .eh_frame_hdr; where there is
 * none, or one of another kind than GNU ld's and lld's, an index of the same kind is
 * made from .eh_frame. Compilers that write no .eh_frame may write .debug_frame, in
 * the file or in its debug file. Worker process only: nothing here is trusted.
 */
#ifndef WORKER_UNWIND_TABLE_H
#define WORKER_UNWIND_TABLE_H

#include "engine/stack/worker/symbol_elf.h"

struct unwind_table;

/* debug may be NULL. Both are borrowed. */
struct unwind_table *unwind_table_new(struct symbol_elf *file, struct symbol_elf *debug);
void unwind_table_free(struct unwind_table *table);

/* The description in .eh_frame at or before an address, its own address in *at. */
bool unwind_table_eh(struct unwind_table *table, uint64_t address, uint64_t *start, uint64_t *at);

/*
 * The one in .debug_frame, written to out[max] as .eh_frame has it: a common entry,
 * then the frame's own at *frame_at. Addresses in it are moved by `bias`. The number of
 * bytes, or 0: there is none, or it is broken.
 */
size_t unwind_table_debug(struct unwind_table *table, uint64_t address, uint64_t bias,
			  uint64_t *start, unsigned char *out, size_t max, size_t *frame_at);

#endif
