#include "engine/tasks/identity.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 16
#define WHO_MAX (1u << 20)
#define CGROUPS_MAX (1u << 16)

/* Without holes: compared as bytes. */
struct who {
	char name[NAME_BYTES];
	uint32_t uid;
	uint32_t cgroup; /* number of a path; 0: not known */
};

struct who_table {
	struct who *all; /* [0] is nobody */
	size_t count, cap;
	uint32_t *slots; /* numbers by hash, linear probing; 0: free */
	size_t slot_count;
	char **cgroups; /* [0] is NULL */
	size_t cgroup_count, cgroup_cap;
	size_t cgroup_bytes; /* of their texts */
	struct idmap cgroup_numbers; /* by the hash of the path */
};

struct who_table *who_new(void)
{
	struct who_table *table = mem_zalloc(1, sizeof(*table));

	table->all = mem_grow(table->all, &table->cap, 1, sizeof(*table->all));
	table->all[0] = (struct who){ .uid = USERS_UNKNOWN };
	table->count = 1;
	table->cgroups = mem_grow(table->cgroups, &table->cgroup_cap, 1, sizeof(*table->cgroups));
	table->cgroups[0] = NULL;
	table->cgroup_count = 1;
	table->slot_count = 256;
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	return table;
}

void who_free(struct who_table *table)
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

static uint32_t *slot_of(const struct who_table *table, const struct who *who)
{
	size_t mask = table->slot_count - 1;

	for (size_t i = hash_bytes(who, sizeof(*who)) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &table->slots[i];

		if (!*slot || !memcmp(&table->all[*slot], who, sizeof(*who)))
			return slot;
	}
}

static void grow_slots(struct who_table *table)
{
	free(table->slots);
	table->slot_count *= 2;
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	for (uint32_t id = 1; id < table->count; id++)
		*slot_of(table, &table->all[id]) = id;
}

static uint32_t intern(struct who_table *table, const struct who *who)
{
	uint32_t *slot;

	if (!memcmp(who, &table->all[0], sizeof(*who)))
		return 0;
	slot = slot_of(table, who);
	if (*slot)
		return *slot;
	if (table->count >= WHO_MAX)
		return 0;
	if (table->count * 2 >= table->slot_count) {
		grow_slots(table);
		slot = slot_of(table, who);
	}
	table->all = mem_grow(table->all, &table->cap, table->count + 1, sizeof(*table->all));
	table->all[table->count] = *who;
	*slot = (uint32_t)table->count++;
	return *slot;
}

static const struct who *get(const struct who_table *table, uint32_t id)
{
	return &table->all[id < table->count ? id : 0];
}

uint32_t who_renamed(struct who_table *table, uint32_t id, const char *name)
{
	struct who who = *get(table, id);

	memset(who.name, 0, sizeof(who.name));
	memcpy(who.name, name, strnlen(name, NAME_BYTES - 1));
	return intern(table, &who);
}

uint32_t who_id(struct who_table *table, const char *name)
{
	return who_renamed(table, 0, name);
}

/* 0 also where two paths have the same hash, all 64 bits of it. */
static uint32_t cgroup_number(struct who_table *table, const char *path)
{
	uint64_t hash = hash_text(path);
	uintptr_t known = (uintptr_t)idmap_get(&table->cgroup_numbers, hash);

	if (known)
		return strcmp(table->cgroups[known], path) ? 0 : (uint32_t)known;
	if (table->cgroup_count >= CGROUPS_MAX)
		return 0;
	idmap_put(&table->cgroup_numbers, hash, (void *)(uintptr_t)table->cgroup_count);
	table->cgroups = mem_grow(table->cgroups, &table->cgroup_cap, table->cgroup_count + 1,
				  sizeof(*table->cgroups));
	table->cgroups[table->cgroup_count] = mem_strndup(path, strlen(path));
	table->cgroup_bytes += strlen(path) + 1 + sizeof(*table->cgroups);
	return (uint32_t)table->cgroup_count++;
}

uint32_t who_owned(struct who_table *table, uint32_t id, uint32_t uid, const char *cgroup)
{
	struct who who = *get(table, id);

	who.uid = uid;
	if (!cgroup)
		who.cgroup = 0;
	else if (!who.cgroup || strcmp(table->cgroups[who.cgroup], cgroup))
		who.cgroup = cgroup_number(table, cgroup);
	return intern(table, &who);
}

const char *who_name(const struct who_table *table, uint32_t id)
{
	return get(table, id)->name;
}

uint32_t who_uid(const struct who_table *table, uint32_t id)
{
	return get(table, id)->uid;
}

const char *who_cgroup(const struct who_table *table, uint32_t id)
{
	return table->cgroups[get(table, id)->cgroup];
}

size_t who_bytes(const struct who_table *table)
{
	return table->cap * sizeof(*table->all) + table->slot_count * sizeof(*table->slots) +
	       table->cgroup_bytes + idmap_bytes(&table->cgroup_numbers);
}
