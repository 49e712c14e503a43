/*
 * symbol_table - functions or variables of a file and its debug file, by address.
 *
 * Built once per file; lookups use binary search. Names stay in the mapped files, which must
 * outlive the table. Worker process only.
 */
#ifndef WORKER_SYMBOL_TABLE_H
#define WORKER_SYMBOL_TABLE_H

#include "engine/stack/worker/symbol_elf.h"
#include "engine/stack/worker/symbol_entries.h"

#define SYMBOL_TABLE_MAX ((size_t)8 << 20)

enum symbol_table_of { SYMBOL_TABLE_FUNCTIONS, SYMBOL_TABLE_VARIABLES };

/* debug may be NULL. */
struct symbol_table *symbol_table_new(struct symbol_elf *main_file, struct symbol_elf *debug,
				      enum symbol_table_of of);
void symbol_table_free(struct symbol_table *table);
const struct symbol_entry *symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif
