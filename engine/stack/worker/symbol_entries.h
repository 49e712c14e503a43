/*
 * symbol_entries - entries of a symbol table, for the modules that read or fill it.
 *
 * Names stay in the mapped files or belong to the table. Worker process only.
 */
#ifndef WORKER_SYMBOL_ENTRIES_H
#define WORKER_SYMBOL_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

struct symbol_entry {
	uint64_t start, end;
	const char *name; /* NUL-terminated; as in the file: mangled */
	uint8_t rank; /* among several names for one address, the highest rank wins */
};

struct symbol_table {
	struct symbol_entry *entries; /* sorted by start, which is unique */
	size_t count, capacity;
	char **made; /* names that no file contains ("puts@plt"); owned */
	size_t made_len, made_cap;
};

/*
 * Add a symbol that the file does not contain (used by symbol_plt.c, defined in symbol_table.c).
 * take_name is freed with the table.
 */
void symbol_table_add_made(struct symbol_table *table, uint64_t start, uint64_t bytes,
			   char *take_name);

#endif
