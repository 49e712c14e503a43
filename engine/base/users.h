/*
 * users - the numbers of users by their names, from /etc/passwd.
 *
 * Only that file is read, not what a name service may know: a name is asked for while it
 * is typed, and a directory server may take seconds. Any thread.
 */
#ifndef BASE_USERS_H
#define BASE_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USERS_UNKNOWN UINT32_MAX /* (uid_t)-1: nobody has it */

/* false: the file has no such user. */
bool users_number(const char *name, size_t len, uint32_t *uid);

/* A name of that number; false: the file has none. */
bool users_name(uint32_t uid, char *name, size_t name_bytes);
/* The name there that is most like one which nobody has; false: none is like it. */
bool users_nearest(const char *name, size_t len, char *nearest, size_t nearest_bytes);

#endif
