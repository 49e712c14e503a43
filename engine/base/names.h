/*
 * names - byte strings kept once, at an address that never changes.
 *
 * Two equal strings have one address, so that they may be compared by pointer.
 * Nothing is ever removed; names_free() ends them all. Not thread-safe: its
 * owner's lock guards it.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

struct names;

/* max_bytes bounds what strings of hostile processes may cost in all. */
struct names *names_new(size_t max_bytes);
/* From now on; what is there stays. */
void names_set_limit(struct names *names, size_t max_bytes);
void names_free(struct names *names);

/* The one copy of these bytes, NUL-terminated; NULL when there is no room for it. */
const char *names_add(struct names *names, const char *bytes, size_t len);

size_t names_bytes(const struct names *names);

#endif
