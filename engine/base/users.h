/*
 * users - looks up user ids and names in /etc/passwd.
 *
 * Reads only that file and skips NSS: names are looked up while the user types, and a directory
 * server can take seconds. Any thread.
 */
#ifndef BASE_USERS_H
#define BASE_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USERS_UNKNOWN UINT32_MAX /* (uid_t)-1, which is never assigned */

/* Look up the uid of a name. False if the file has no such user. */
bool users_number(const char *name, size_t len, uint32_t *uid);

/* Copy the first name with this uid. False if the file has none. */
bool users_name(uint32_t uid, char *name, size_t name_bytes);
/* Copy the user name most similar to an unknown one. False if none is similar. */
bool users_nearest(const char *name, size_t len, char *nearest, size_t nearest_bytes);

#endif
