/*
 * symbol_plt - names for the stubs that calls into other files go through.
 *
 * Stubs have no symbols: each jumps through a slot that a relocation names, so
 * the instruction is read (x86-64 only) and the stub called "puts@plt".
 * Worker process only.
 */
#ifndef WORKER_SYMBOL_PLT_H
#define WORKER_SYMBOL_PLT_H

#include "engine/stack/worker/symbol_elf.h"
#include "engine/stack/worker/symbol_entries.h"

void symbol_plt_add(struct symbol_table *table, struct symbol_elf *file);

#endif
