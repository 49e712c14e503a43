#include "engine/tasks/futex_table.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 64
/* Number of futexes that are compared to find one to evict. */
#define VICTIMS 32
/* Number of futexes with waiters after which a search ends. Without a victim, the table grows. */
#define HELD_MAX 256

void futex_table_init(struct futex_table *table)
{
	memset(table, 0, sizeof(*table));
	idmap_init(&table->memories);
}

/* -- Shared memory --------------------------------------------------------------- */

static uint64_t memory_key(uint64_t device, uint64_t inode, uint64_t offset)
{
	return hash_mix(hash_mix(hash_u64(device), inode), offset);
}

static void leave_memory(struct futex_table *table, struct futex *futex)
{
	struct futex_memory *memory = futex->memory;
	uint64_t key;

	futex->memory = NULL;
	if (!memory || --memory->users)
		return;
	key = memory_key(memory->device, memory->inode, memory->offset);
	/* A futex_memory whose hash collided with an earlier one is not in `memories`. */
	if (idmap_get(&table->memories, key) == memory)
		idmap_remove(&table->memories, key);
	free(memory);
}

void futex_table_place(struct futex_table *table, struct futex *futex, uint64_t device,
		       uint64_t inode, uint64_t offset)
{
	uint64_t key = memory_key(device, inode, offset);
	struct futex_memory *memory;
	bool is_taken;

	leave_memory(table, futex);
	memory = idmap_get(&table->memories, key);
	is_taken = memory != NULL;
	if (!memory || memory->device != device || memory->inode != inode ||
	    memory->offset != offset) {
		memory = mem_zalloc(1, sizeof(*memory));
		memory->device = device;
		memory->inode = inode;
		memory->offset = offset;
		if (!is_taken)
			idmap_put(&table->memories, key, memory);
	}
	memory->users++;
	futex->memory = memory;
}

/* -- The table ------------------------------------------------------------------- */

static void futex_free(struct futex_table *table, struct futex *futex)
{
	leave_memory(table, futex);
	histogram_release(&futex->times);
	free(futex->wakers);
	free(futex->label);
	free(futex);
}

void futex_table_release(struct futex_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		futex_free(table, table->all[i]);
	idmap_release(&table->memories);
	free(table->all);
	free(table->slots);
	futex_table_init(table);
}

static size_t slot_of(const struct futex_table *table, const struct futex_key *key)
{
	uint64_t hash = hash_mix(hash_u64(key->uaddr),
				 key->generation | (uint64_t)key->shared << 32);

	return (size_t)hash & (table->slot_count - 1);
}

static bool is_same(const struct futex_key *a, const struct futex_key *b)
{
	return a->uaddr == b->uaddr && a->generation == b->generation && a->shared == b->shared;
}

struct futex *futex_table_find(const struct futex_table *table, const struct futex_key *key)
{
	struct futex *futex;

	if (!table->count)
		return NULL;
	for (futex = table->slots[slot_of(table, key)]; futex; futex = futex->chain)
		if (is_same(&futex->key, key))
			return futex;
	return NULL;
}

static void link_chain(struct futex_table *table, struct futex *futex)
{
	struct futex **slot = &table->slots[slot_of(table, &futex->key)];

	futex->chain = *slot;
	*slot = futex;
}

static void unlink_chain(struct futex_table *table, struct futex *futex)
{
	struct futex **slot = &table->slots[slot_of(table, &futex->key)];

	while (*slot != futex)
		slot = &(*slot)->chain;
	*slot = futex->chain;
}

static void grow_slots(struct futex_table *table)
{
	if (table->count < table->slot_count)
		return;
	free(table->slots);
	table->slot_count = table->slot_count ? table->slot_count * 2 : SLOTS_MIN;
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	for (size_t i = 0; i < table->count; i++)
		link_chain(table, table->all[i]);
}

/* Find the least used of VICTIMS futexes without waiters, and halve the use counts of all these. */
static bool find_victim(struct futex_table *table, size_t *victim)
{
	bool found = false;

	for (int looked = 0, held = 0; looked < VICTIMS && held < HELD_MAX;) {
		size_t at = table->hand++ % table->count;
		struct futex *futex = table->all[at];

		if (futex->holds) {
			held++;
			continue;
		}
		looked++;
		if (!found || futex->uses < table->all[*victim]->uses)
			*victim = at;
		found = true;
		futex->uses /= 2;
	}
	return found;
}

static void fold(struct futex_table *table, size_t at)
{
	struct futex *futex = table->all[at];

	table->folded.futexes++;
	table->folded.waits += futex->waits;
	table->folded.total_ns += futex->total_ns;
	unlink_chain(table, futex);
	futex_free(table, futex);
	table->all[at] = table->all[--table->count];
}

struct futex *futex_table_get(struct futex_table *table, const struct futex_key *key)
{
	struct futex *futex = futex_table_find(table, key);
	size_t victim;

	if (futex)
		return futex;
	if (table->count >= FUTEX_TABLE_MAX && find_victim(table, &victim))
		fold(table, victim);
	grow_slots(table);
	futex = mem_zalloc(1, sizeof(*futex));
	futex->id = ++table->last_id;
	futex->key = *key;
	histogram_init(&futex->times);
	table->all = mem_grow(table->all, &table->cap, table->count + 1, sizeof(*table->all));
	table->all[table->count++] = futex;
	link_chain(table, futex);
	return futex;
}
