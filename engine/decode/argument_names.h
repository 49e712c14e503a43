/*
 * argument_names - arguments by their names, and the names of numbers that may stand in them.
 *
 * What the forms show of an argument by a table of constants, and a table of what functions of
 * families/ show by themselves: whatever a line says can be asked for in the same words.
 * Constant data; any thread.
 */
#ifndef DECODE_ARGUMENT_NAMES_H
#define DECODE_ARGUMENT_NAMES_H

#include "engine/decode/syscalls.h"

struct argument {
	uint8_t index;
	uint8_t bytes; /* of its type: the rest of the register means nothing */
	bool is_signed;
	bool is_text; /* points to characters, or to bytes of no known kind */
	bool ends; /* ... which end with a NUL */
	/* Bits of a choice that stands beside flags, as in SOCK_STREAM|SOCK_CLOEXEC; 0: none. */
	uint64_t choice;
};

/* The argument of that name; false: the call has none, or nothing is known of its arguments. */
bool argument_find(const struct syscalls *syscalls, uint32_t nr, const char *name, size_t len,
		   struct argument *found);
/* Names by index from 0, NULL past the last. */
const char *argument_name(const struct syscalls *syscalls, uint32_t nr, unsigned index);
/* The names that the argument `arg` may have, by index from 0; false: there are no more. */
bool argument_constant(const struct syscalls *syscalls, uint32_t nr, unsigned arg, size_t index,
		       const char **name, uint64_t *value);

#endif
