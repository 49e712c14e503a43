/*
 * symbol_table - the functions, or the variables, of a file and its debug file, by address.
 *
 * Built once per file and searched by halves. Names stay where they are in the
 * mapped files, which must outlive the table. Worker process only.
 */
#ifndef WORKER_SYMBOL_TABLE_H
#define WORKER_SYMBOL_TABLE_H

#include "engine/stack/worker/symbol_elf.h"

#define SYMBOL_TABLE_MAX ((size_t)8 << 20)

struct symbol_entry {
	uint64_t start, end;
	const char *name; /* NUL-terminated, as it lies in the file: mangled */
	uint8_t rank; /* of several names for one address the highest wins */
};

struct symbol_table {
	struct symbol_entry *entries; /* by start, no two alike */
	size_t count, capacity;
	char **made; /* names that are in no file ("puts@plt") */
	size_t made_len, made_cap;
};

enum symbol_table_of { SYMBOL_TABLE_FUNCTIONS, SYMBOL_TABLE_VARIABLES };

/* debug may be NULL. */
struct symbol_table *symbol_table_new(struct symbol_elf *main_file, struct symbol_elf *debug,
				      enum symbol_table_of of);
void symbol_table_free(struct symbol_table *table);
const struct symbol_entry *symbol_table_find(const struct symbol_table *table, uint64_t address);

/* For those that fill it (symbol_plt.c); take_name is freed with the table. */
void symbol_table_add_made(struct symbol_table *table, uint64_t start, uint64_t bytes,
			   char *take_name);

#endif
