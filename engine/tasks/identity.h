/*
 * identity - interned triples of comm, effective uid and cgroup.
 *
 * The three rarely change separately, so a call stores one id for them. Id 0 is the unknown
 * identity: no comm, no user, no cgroup. Traced programs choose comms and cgroup paths, so both
 * tables are bounded. Beyond IDENTITY_MAX identities, the oldest one that is not kept is evicted;
 * its id then stands for the unknown identity, and is never assigned again. The owner calls
 * identity_keep() for each id that it uses, after each change of identity_turn(). When the table of
 * cgroups is full, a new cgroup is unknown. Owned and locked by the model.
 */
#ifndef TASKS_IDENTITY_H
#define TASKS_IDENTITY_H

#include "engine/base/users.h"

#include <stdbool.h>
#include <stdint.h>

struct identity_table;

struct identity_table *identity_new(void);
void identity_free(struct identity_table *table);

/* Return the identity of a comm with unknown user and cgroup. */
uint32_t identity_id(struct identity_table *table, const char *name);
/* Return identity `id` with its comm, or its owner, replaced. cgroup NULL: unknown. */
uint32_t identity_renamed(struct identity_table *table, uint32_t id, const char *name);
uint32_t identity_owned(struct identity_table *table, uint32_t id, uint32_t uid,
			const char *cgroup);

/* Raw, not escaped; "" if unknown. */
const char *identity_name(const struct identity_table *table, uint32_t id);
uint32_t identity_uid(const struct identity_table *table, uint32_t id); /* or USERS_UNKNOWN */
const char *identity_cgroup(const struct identity_table *table, uint32_t id); /* or NULL */

#define IDENTITY_MAX (1u << 18) /* a power of two */
/* Protect an id from eviction while the next IDENTITY_MAX ids are assigned: two turns. */
void identity_keep(struct identity_table *table, uint32_t id);
/* Changes after every IDENTITY_MAX / 2 ids. */
uint32_t identity_turn(const struct identity_table *table);
/* Number of identities that were evicted or not stored, and of cgroups that were not stored. */
uint64_t identity_not_kept(const struct identity_table *table);

size_t identity_bytes(const struct identity_table *table); /* memory in bytes */

#endif
