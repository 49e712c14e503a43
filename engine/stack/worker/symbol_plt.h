/*
 * symbol_plt - names for PLT stubs.
 *
 * Stubs have no symbols: each jumps through a slot that a relocation names. The code of the stub is
 * decoded to find its slot (x86-64 only), and the stub is named "puts@plt". Worker process only.
 */
#ifndef WORKER_SYMBOL_PLT_H
#define WORKER_SYMBOL_PLT_H

#include "engine/stack/worker/symbol_elf.h"
#include "engine/stack/worker/symbol_entries.h"

void symbol_plt_add(struct symbol_table *table, struct symbol_elf *file);

#endif
