/*
 * data_symbols - names of variables by address: "queue_lock" for a static lock.
 *
 * Part of symbols.h. Results come from the cache; missing ones are requested from the stack worker,
 * and symbols_version() changes when they arrive. Any thread.
 */
#ifndef STACK_DATA_SYMBOLS_H
#define STACK_DATA_SYMBOLS_H

#include "engine/stack/symbols.h"

struct variable {
	const char *symbol; /* escaped and demangled; for the life of `symbols` */
	uint64_t offset; /* from the start of the variable */
	const char *dso; /* escaped path */
};

/*
 * Find the variable of a mapped file that contains the address. False: none, or none known yet;
 * *pending is true while a reply is outstanding.
 */
bool variables_find(struct symbols *symbols, uint32_t pid, uint32_t generation, uint64_t address,
		    struct variable *variable, bool *pending);

#endif
