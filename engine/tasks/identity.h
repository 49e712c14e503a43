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

struct identity_table;

struct identity_table *identity_new(void);
void identity_free(struct identity_table *table);

/* Of somebody whose name is all that is known. */
uint32_t identity_id(struct identity_table *table, const char *name);
/* The same with another name, or with another owner: cgroup NULL is unknown. */
uint32_t identity_renamed(struct identity_table *table, uint32_t id, const char *name);
uint32_t identity_owned(struct identity_table *table, uint32_t id, uint32_t uid,
			const char *cgroup);

/* Raw, not escaped; "" for what is not known. */
const char *identity_name(const struct identity_table *table, uint32_t id);
uint32_t identity_uid(const struct identity_table *table, uint32_t id); /* or USERS_UNKNOWN */
const char *identity_cgroup(const struct identity_table *table, uint32_t id); /* or NULL */

size_t identity_bytes(const struct identity_table *table); /* of memory */

#endif
