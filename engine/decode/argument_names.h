/*
 * argument_names - finds arguments by name, and the constant names that their values can have.
 *
 * Covers the constants tables of the forms, and a table for the show functions of families/ that
 * use constants themselves. So a filter can use every name that the text of a call shows. Constant
 * data; any thread.
 */
#ifndef DECODE_ARGUMENT_NAMES_H
#define DECODE_ARGUMENT_NAMES_H

#include "engine/decode/syscalls.h"

struct argument {
	uint8_t index;
	uint8_t bytes; /* width of its type; the upper bits of the register are undefined */
	bool is_signed;
	bool is_text; /* points to characters, or to untyped bytes */
	bool ends; /* the characters end with a NUL */
	/* Mask of an enumeration combined with flags, as in SOCK_STREAM|SOCK_CLOEXEC; 0: none. */
	uint64_t choice;
};

/* Find an argument by name. False: the call has no such argument, or its arguments are unknown. */
bool argument_find(const struct syscalls *syscalls, uint32_t nr, const char *name, size_t len,
		   struct argument *found);
/* Return the name of an argument, index from 0; NULL past the last. */
const char *argument_name(const struct syscalls *syscalls, uint32_t nr, unsigned index);
/* Get a constant that the argument `arg` can have, index from 0. False past the last. */
bool argument_constant(const struct syscalls *syscalls, uint32_t nr, unsigned arg, size_t index,
		       const char **name, uint64_t *value);

#endif
