/*
 * symbol_lines - source lines and inlined functions of one file, from its DWARF.
 *
 * Compilation units are listed once per file, functions of a unit when it is
 * first asked about, so that the price of a huge file is paid only for the
 * units that are looked at. Worker process only.
 */
#ifndef WORKER_SYMBOL_LINES_H
#define WORKER_SYMBOL_LINES_H

#include "engine/stack/worker/symbol_elf.h"

struct symbol_lines;

/* elf, and alt (NULL: none) for what several debug files share, must outlive the result. */
struct symbol_lines *symbol_lines_new(Elf *elf, Elf *alt);
void symbol_lines_free(struct symbol_lines *lines);

/* Writes the frames at an address: a count (0: nothing known), then inlined ones first. */
void symbol_lines_write(struct symbol_lines *lines, uint64_t address, struct wire_writer *writer);

#endif
