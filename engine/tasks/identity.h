/*
 * identity - what a thread is called and whose it is, as one number.
 *
 * A name, an effective user and a cgroup are interned together, since they change together
 * seldom: a call keeps the one number. Names and paths are chosen by others, so
 * both are bounded: of what comes after, nothing is known. Number 0 is nobody: no name, no
 * user, no cgroup. Owned and locked by the model.
 */
#ifndef TASKS_IDENTITY_H
#define TASKS_IDENTITY_H

#include "engine/base/users.h"

#include <stdbool.h>
#include <stdint.h>

struct who_table;

struct who_table *who_new(void);
void who_free(struct who_table *table);

/* Of somebody whose name is all that is known. */
uint32_t who_id(struct who_table *table, const char *name);
/* The same with another name, or with another owner: cgroup NULL is unknown. */
uint32_t who_renamed(struct who_table *table, uint32_t id, const char *name);
uint32_t who_owned(struct who_table *table, uint32_t id, uint32_t uid, const char *cgroup);

/* Raw, not escaped; "" for what is not known. */
const char *who_name(const struct who_table *table, uint32_t id);
uint32_t who_uid(const struct who_table *table, uint32_t id); /* or USERS_UNKNOWN */
const char *who_cgroup(const struct who_table *table, uint32_t id); /* or NULL */

size_t who_bytes(const struct who_table *table); /* of memory */

#endif
