/*
 * names - interns byte strings at stable addresses.
 *
 * Equal strings have one address and can be compared by pointer. Strings are never removed;
 * names_free() frees all. Not thread-safe: the owner locks.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

struct names;

/* max_bytes bounds the total size, because hostile processes can create any number of strings. */
struct names *names_new(size_t max_bytes);
/* Change the bound for new strings; stored strings stay. */
void names_set_limit(struct names *names, size_t max_bytes);
void names_free(struct names *names);

/* Return the interned, NUL-terminated copy of these bytes; NULL if the bound is reached. */
const char *names_add(struct names *names, const char *bytes, size_t len);

size_t names_bytes(const struct names *names);

#endif
