#include "engine/tasks/identity.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 16
#define IDENTITY_LAST (1u << 30) /* largest id: TOTALS_GROUP_PID + id fits into a uint32_t */
#define EVICT_LOOKS 4096 /* maximum number of entries that one intern() examines */
#define CGROUPS_MAX (1u << 16)
#define CGROUP_BYTES_MAX ((size_t)4 << 20)

/* No padding: compared as bytes. */
struct identity {
	char name[NAME_BYTES];
	uint32_t uid;
	uint32_t cgroup; /* index in cgroups; 0: unknown */
};

struct entry {
	struct identity identity;
	uint32_t id; /* 0: unused, or the unknown identity */
	uint32_t kept; /* new ids up to this one do not evict the entry */
};

struct identity_table {
	struct entry *all; /* id n is at n % IDENTITY_MAX; [0] is the unknown identity */
	size_t count, cap; /* entries, including [0] */
	uint32_t next; /* the next id to assign or skip */
	uint64_t evicted, refused;
	uint32_t *slots; /* places in `all` by hash, linear probing; 0: free */
	size_t slot_count;
	char **cgroups; /* [0] is NULL */
	size_t cgroup_count, cgroup_cap;
	size_t cgroup_bytes; /* size of the paths and of their pointers */
	struct idmap cgroup_numbers; /* by hash of the path */
};

struct identity_table *identity_new(void)
{
	struct identity_table *table = mem_zalloc(1, sizeof(*table));

	table->all = mem_grow(table->all, &table->cap, 1, sizeof(*table->all));
	table->all[0] = (struct entry){ .identity.uid = USERS_UNKNOWN };
	table->count = table->next = 1;
	table->cgroups = mem_grow(table->cgroups, &table->cgroup_cap, 1, sizeof(*table->cgroups));
	table->cgroups[0] = NULL;
	table->cgroup_count = 1;
	table->slot_count = 256;
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	return table;
}

void identity_free(struct identity_table *table)
{
	if (!table)
		return;
	for (size_t i = 1; i < table->cgroup_count; i++)
		free(table->cgroups[i]);
	free(table->cgroups);
	idmap_release(&table->cgroup_numbers);
	free(table->all);
	free(table->slots);
	free(table);
}

static size_t first_slot(const struct identity_table *table, const struct identity *identity)
{
	return hash_bytes(identity, sizeof(*identity)) & (table->slot_count - 1);
}

static uint32_t *slot_of(const struct identity_table *table, const struct identity *identity)
{
	size_t mask = table->slot_count - 1;

	for (size_t i = first_slot(table, identity);; i = (i + 1) & mask) {
		uint32_t *slot = &table->slots[i];

		if (!*slot || !memcmp(&table->all[*slot].identity, identity, sizeof(*identity)))
			return slot;
	}
}

static void grow_slots(struct identity_table *table)
{
	free(table->slots);
	table->slot_count *= 2;
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	for (uint32_t place = 1; place < table->count; place++)
		*slot_of(table, &table->all[place].identity) = place;
}

/* Remove an entry from the slots; later ones of the same run move up, as in idmap. */
static void remove_slot(struct identity_table *table, const struct identity *identity)
{
	size_t mask = table->slot_count - 1;
	size_t hole = (size_t)(slot_of(table, identity) - table->slots);

	for (size_t i = (hole + 1) & mask; table->slots[i]; i = (i + 1) & mask) {
		size_t first = first_slot(table, &table->all[table->slots[i]].identity);

		if (((i - first) & mask) < ((i - hole) & mask))
			continue;
		table->slots[hole] = table->slots[i];
		hole = i;
	}
	table->slots[hole] = 0;
}

/* Return a new id whose place is free, or is freed by evicting its entry. 0: none found. */
static uint32_t take_id(struct identity_table *table)
{
	for (size_t looks = 0; looks < EVICT_LOOKS && table->next < IDENTITY_LAST; looks++) {
		uint32_t id = table->next++, place = id % IDENTITY_MAX;

		if (place == table->count)
			return id;
		if (!place || table->all[place].kept >= id)
			continue;
		remove_slot(table, &table->all[place].identity);
		table->evicted++;
		return id;
	}
	table->refused++;
	return 0;
}

static uint32_t intern(struct identity_table *table, const struct identity *identity)
{
	uint32_t *slot, id, place;

	if (!memcmp(identity, &table->all[0].identity, sizeof(*identity)))
		return 0;
	slot = slot_of(table, identity);
	if (*slot)
		return table->all[*slot].id;
	id = take_id(table);
	if (!id)
		return 0;
	place = id % IDENTITY_MAX;
	if (place == table->count) {
		table->all = mem_grow(table->all, &table->cap, table->count + 1,
				      sizeof(*table->all));
		if ((table->count + 1) * 2 > table->slot_count)
			grow_slots(table);
		table->count++;
	}
	/* Look up again: eviction and growth move slots. */
	*slot_of(table, identity) = place;
	table->all[place] = (struct entry){ .identity = *identity, .id = id };
	return id;
}

static const struct identity *get(const struct identity_table *table, uint32_t id)
{
	uint32_t place = id % IDENTITY_MAX;

	return &table->all[place < table->count && table->all[place].id == id ? place : 0].identity;
}

void identity_keep(struct identity_table *table, uint32_t id)
{
	uint32_t place = id % IDENTITY_MAX;

	if (id && place < table->count && table->all[place].id == id)
		table->all[place].kept = table->next + IDENTITY_MAX;
}

uint32_t identity_turn(const struct identity_table *table)
{
	return table->next / (IDENTITY_MAX / 2);
}

uint64_t identity_not_kept(const struct identity_table *table)
{
	return table->evicted + table->refused;
}

uint32_t identity_renamed(struct identity_table *table, uint32_t id, const char *name)
{
	struct identity identity = *get(table, id);

	memset(identity.name, 0, sizeof(identity.name));
	memcpy(identity.name, name, strnlen(name, NAME_BYTES - 1));
	return intern(table, &identity);
}

uint32_t identity_id(struct identity_table *table, const char *name)
{
	return identity_renamed(table, 0, name);
}

/*
 * Return the index of a path. 0 if the table is full, or if the 64-bit hashes of two paths collide.
 */
static uint32_t cgroup_number(struct identity_table *table, const char *path)
{
	uint64_t hash = hash_text(path);
	uintptr_t known = (uintptr_t)idmap_get(&table->cgroup_numbers, hash);

	if (known)
		return strcmp(table->cgroups[known], path) ? 0 : (uint32_t)known;
	if (table->cgroup_count >= CGROUPS_MAX || table->cgroup_bytes >= CGROUP_BYTES_MAX) {
		table->refused++;
		return 0;
	}
	idmap_put(&table->cgroup_numbers, hash, (void *)(uintptr_t)table->cgroup_count);
	table->cgroups = mem_grow(table->cgroups, &table->cgroup_cap, table->cgroup_count + 1,
				  sizeof(*table->cgroups));
	table->cgroups[table->cgroup_count] = mem_strndup(path, strlen(path));
	table->cgroup_bytes += strlen(path) + 1 + sizeof(*table->cgroups);
	return (uint32_t)table->cgroup_count++;
}

uint32_t identity_owned(struct identity_table *table, uint32_t id, uint32_t uid, const char *cgroup)
{
	struct identity identity = *get(table, id);

	identity.uid = uid;
	if (!cgroup)
		identity.cgroup = 0;
	else if (!identity.cgroup || strcmp(table->cgroups[identity.cgroup], cgroup))
		identity.cgroup = cgroup_number(table, cgroup);
	return intern(table, &identity);
}

const char *identity_name(const struct identity_table *table, uint32_t id)
{
	return get(table, id)->name;
}

uint32_t identity_uid(const struct identity_table *table, uint32_t id)
{
	return get(table, id)->uid;
}

const char *identity_cgroup(const struct identity_table *table, uint32_t id)
{
	return table->cgroups[get(table, id)->cgroup];
}

size_t identity_bytes(const struct identity_table *table)
{
	return table->cap * sizeof(*table->all) + table->slot_count * sizeof(*table->slots) +
	       table->cgroup_bytes + idmap_bytes(&table->cgroup_numbers);
}
