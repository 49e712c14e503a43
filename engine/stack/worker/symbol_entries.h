/*
 * symbol_entries - what a symbol table consists of, for those that read or fill it.
 *
 * Names stay where they are in the mapped files, or belong to the table. Worker process only.
 */
#ifndef WORKER_SYMBOL_ENTRIES_H
#define WORKER_SYMBOL_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * Adds a symbol that symbol_table.c, where this function is, does not find in the file itself
 * (symbol_plt.c); take_name is freed with the table.
 */
void symbol_table_add_made(struct symbol_table *table, uint64_t start, uint64_t bytes,
			   char *take_name);

#endif
