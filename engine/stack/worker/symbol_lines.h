/*
 * symbol_lines - source lines and inlined functions of one file, from its DWARF.
 *
 * Compilation units are listed once per file; the functions of a unit are read on its first lookup.
 * So a huge file costs only the units that are used. Worker process only.
 */
#ifndef WORKER_SYMBOL_LINES_H
#define WORKER_SYMBOL_LINES_H

#include "engine/stack/worker/symbol_elf.h"

struct symbol_lines;

/*
 * alt: the file with the parts that several debug files share; NULL: none. Both outlive the result.
 */
struct symbol_lines *symbol_lines_new(Elf *elf, Elf *alt);
void symbol_lines_free(struct symbol_lines *lines);

/* Write the frames at an address: a count (0: unknown), then the frames, inlined ones first. */
void symbol_lines_write(struct symbol_lines *lines, uint64_t address, struct wire_writer *writer);

#endif
