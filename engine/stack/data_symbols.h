/*
 * data_symbols - names of data: "queue_lock" for the address of a lock that is static.
 *
 * A part of symbols.h: answers from the cache, asks the stack worker for what is
 * missing, and symbols_version() changes when that came. Any thread.
 */
#ifndef STACK_DATA_SYMBOLS_H
#define STACK_DATA_SYMBOLS_H

#include "engine/stack/symbols.h"

struct variable {
	const char *symbol; /* escaped and demangled; for the life of `symbols` */
	uint64_t offset; /* from its start */
	const char *dso; /* escaped path */
};

/*
 * Which variable of a file that is mapped there an address is in. false: none, or none
 * that is known yet; *pending tells which, if an answer is still to come.
 */
bool variables_find(struct symbols *symbols, uint32_t pid, uint32_t generation, uint64_t address,
		    struct variable *variable, bool *pending);

#endif
