#include "engine/stack/stacks.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)256 << 10)
#define PAGE_ENTRIES 4096u /* entries whose addresses are found through one page */

struct entry {
	uint32_t pid, generation;
	uint16_t kernel_count, user_count;
	uint32_t flags;
	uint32_t alias; /* the whole stack of one that was pending; 0 otherwise */
	uint32_t unused; /* 0: entries are compared as bytes */
	uint64_t ips[];
};

struct chunk {
	struct chunk *next;
	size_t used, bytes;
	_Alignas(8) unsigned char data[];
};

struct slot {
	uint32_t id; /* 0: free */
	uint32_t hash;
};

struct stacks {
	struct chunk *chunks;
	struct entry ***pages; /* entry of id: pages[(id - 1) / PAGE_ENTRIES][…] */
	size_t pages_cap;
	struct slot *slots;
	size_t capacity; /* of slots; a power of two */
	size_t bytes, max_bytes;
	uint32_t count;
	uint64_t refused;
};

struct stacks *stacks_new(size_t max_bytes)
{
	struct stacks *stacks = mem_zalloc(1, sizeof(*stacks));

	stacks->max_bytes = max_bytes;
	stacks->capacity = 1024;
	stacks->slots = mem_zalloc(stacks->capacity, sizeof(*stacks->slots));
	stacks->bytes = stacks->capacity * sizeof(*stacks->slots);
	return stacks;
}

void stacks_free(struct stacks *stacks)
{
	if (!stacks)
		return;
	for (struct chunk *chunk = stacks->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	for (uint32_t first = 0; first < stacks->count; first += PAGE_ENTRIES)
		free(stacks->pages[first / PAGE_ENTRIES]);
	free(stacks->pages);
	free(stacks->slots);
	free(stacks);
}

static struct entry *entry_of(const struct stacks *stacks, uint32_t id)
{
	return stacks->pages[(id - 1) / PAGE_ENTRIES][(id - 1) % PAGE_ENTRIES];
}

static uint32_t hash_entry(const struct entry *key)
{
	uint64_t hash = hash_u64((uint64_t)key->pid << 32 | key->generation);
	size_t count = (size_t)key->kernel_count + key->user_count;

	hash = hash_mix(hash, key->flags | (uint64_t)key->kernel_count << 32);
	for (size_t i = 0; i < count; i++)
		hash = hash_mix(hash, key->ips[i]);
	return (uint32_t)hash;
}

static size_t entry_bytes(const struct entry *entry)
{
	size_t frames = (size_t)entry->kernel_count + entry->user_count;

	return sizeof(*entry) + frames * sizeof(uint64_t);
}

static void grow(struct stacks *stacks)
{
	size_t capacity = stacks->capacity * 2;
	struct slot *slots = mem_zalloc(capacity, sizeof(*slots));

	for (size_t i = 0; i < stacks->capacity; i++) {
		size_t at = stacks->slots[i].hash & (capacity - 1);

		if (!stacks->slots[i].id)
			continue;
		while (slots[at].id)
			at = (at + 1) & (capacity - 1);
		slots[at] = stacks->slots[i];
	}
	stacks->bytes += (capacity - stacks->capacity) * sizeof(*slots);
	free(stacks->slots);
	stacks->slots = slots;
	stacks->capacity = capacity;
}

/* NULL: past the limit. */
static struct entry *take_room(struct stacks *stacks, size_t bytes)
{
	struct chunk *chunk = stacks->chunks;

	if (!chunk || chunk->bytes - chunk->used < bytes) {
		if (stacks->bytes + CHUNK_BYTES > stacks->max_bytes)
			return NULL;
		chunk = mem_alloc(sizeof(*chunk) + CHUNK_BYTES);
		chunk->used = 0;
		chunk->bytes = CHUNK_BYTES;
		chunk->next = stacks->chunks;
		stacks->chunks = chunk;
		stacks->bytes += CHUNK_BYTES;
	}
	chunk->used += bytes;
	return (struct entry *)(void *)(chunk->data + chunk->used - bytes);
}

static uint32_t keep(struct stacks *stacks, const struct entry *key)
{
	size_t bytes = entry_bytes(key);
	struct entry *entry = stacks->count < UINT32_MAX - 1 ? take_room(stacks, bytes) : NULL;
	size_t page = stacks->count / PAGE_ENTRIES;

	if (!entry) {
		stacks->refused++;
		return 0;
	}
	memcpy(entry, key, bytes);
	if (stacks->count % PAGE_ENTRIES == 0) {
		stacks->pages = mem_grow(stacks->pages, &stacks->pages_cap, page + 1,
					 sizeof(*stacks->pages));
		stacks->pages[page] = mem_zalloc(PAGE_ENTRIES, sizeof(**stacks->pages));
		stacks->bytes += PAGE_ENTRIES * sizeof(**stacks->pages);
	}
	stacks->pages[page][stacks->count % PAGE_ENTRIES] = entry;
	return ++stacks->count;
}

static uint32_t find_or_keep(struct stacks *stacks, const struct entry *key)
{
	uint32_t hash = hash_entry(key);
	size_t at = hash & (stacks->capacity - 1);
	uint32_t id;

	for (; stacks->slots[at].id; at = (at + 1) & (stacks->capacity - 1)) {
		const struct slot *slot = &stacks->slots[at];
		const struct entry *entry;

		if (slot->hash != hash)
			continue;
		entry = entry_of(stacks, slot->id);
		if (entry->kernel_count == key->kernel_count &&
		    entry->user_count == key->user_count && !memcmp(entry, key, entry_bytes(key)))
			return slot->id;
	}
	id = keep(stacks, key);
	if (!id)
		return 0;
	stacks->slots[at] = (struct slot){ .id = id, .hash = hash };
	if ((size_t)id * 2 > stacks->capacity)
		grow(stacks);
	return id;
}

/* The two halves without markers, and what to call them when there is no marker yet. */
static void split_chain(const struct record_stack *stack, struct entry *key)
{
	uint64_t user[STACK_FRAMES_MAX];
	enum { NEITHER, KERNEL, USER, OTHER } half = NEITHER;

	for (uint32_t i = 0; i < stack->count; i++) {
		uint64_t ip = stack->ips[i];
		bool kernel;

		if (ip >= (uint64_t)PERF_CONTEXT_MAX) {
			half = ip == (uint64_t)PERF_CONTEXT_KERNEL ? KERNEL
				: ip == (uint64_t)PERF_CONTEXT_USER ? USER : OTHER;
			continue;
		}
		if (half == OTHER) /* a guest's frames, a hypervisor's: nobody can name them */
			continue;
		kernel = half == NEITHER ? ip >> 63 : half == KERNEL;
		if (kernel && key->kernel_count < STACK_FRAMES_MAX)
			key->ips[key->kernel_count++] = ip;
		else if (kernel)
			key->flags |= STACK_KERNEL_CUT;
		else if (key->user_count < STACK_FRAMES_MAX)
			user[key->user_count++] = ip;
		else
			key->flags |= STACK_USER_CUT;
	}
	memcpy(key->ips + key->kernel_count, user, key->user_count * sizeof(user[0]));
	if (stack->kernel_denied && !key->kernel_count)
		key->flags |= STACK_KERNEL_DENIED;
}

union key {
	struct entry entry;
	unsigned char bytes[sizeof(struct entry) + 2 * STACK_FRAMES_MAX * sizeof(uint64_t)];
};

/* The kernel's addresses mean the same in every process: one stack for all. */
static void own_key(struct entry *key, uint32_t pid, uint32_t generation, uint32_t flags)
{
	if (!key->user_count)
		return;
	key->pid = pid;
	key->generation = generation;
	key->flags |= flags;
}

uint32_t stacks_add(struct stacks *stacks, uint32_t pid, uint32_t generation,
		    const struct record_stack *stack)
{
	union key key;

	memset(&key.entry, 0, sizeof(key.entry));
	split_chain(stack, &key.entry);
	if (!key.entry.kernel_count && !key.entry.user_count)
		return 0;
	own_key(&key.entry, pid, generation, STACK_USER_FP);
	return find_or_keep(stacks, &key.entry);
}

/* Gives a key the unwinder's user half, if that says more than its own. */
static void replace_user(struct entry *key, const uint64_t *user_ips, uint16_t user_count,
			 uint32_t flags)
{
	uint32_t of_user = STACK_USER_CUT | STACK_USER_FP | STACK_USER_PENDING;

	if (!user_count || user_count > STACK_FRAMES_MAX ||
	    ((flags & STACK_USER_STOPPED) && user_count < key->user_count)) {
		key->flags &= ~(uint32_t)STACK_USER_PENDING;
		key->flags |= flags & STACK_USER_FILE_FAILED;
		return;
	}
	key->flags = (key->flags & ~of_user) | flags;
	key->user_count = user_count;
	memcpy(key->ips + key->kernel_count, user_ips, user_count * sizeof(*user_ips));
}

uint32_t stacks_add_unwound(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack, const uint64_t *user_ips,
			    uint16_t user_count, uint32_t flags)
{
	union key key;

	memset(&key.entry, 0, sizeof(key.entry));
	split_chain(stack, &key.entry);
	own_key(&key.entry, 0, 0, STACK_USER_FP);
	replace_user(&key.entry, user_ips, user_count, flags);
	if (!key.entry.kernel_count && !key.entry.user_count)
		return 0;
	own_key(&key.entry, pid, generation, 0);
	return find_or_keep(stacks, &key.entry);
}

uint32_t stacks_add_pending(struct stacks *stacks, uint32_t pid, uint32_t generation,
			    const struct record_stack *stack)
{
	union key key;

	memset(&key.entry, 0, sizeof(key.entry));
	split_chain(stack, &key.entry);
	own_key(&key.entry, pid, generation, STACK_USER_FP);
	key.entry.pid = pid;
	key.entry.generation = generation;
	key.entry.flags |= STACK_USER_PENDING;
	return keep(stacks, &key.entry);
}

void stacks_resolve(struct stacks *stacks, uint32_t id, const uint64_t *user_ips,
		    uint16_t user_count, uint32_t flags)
{
	struct entry *entry;
	union key key;

	if (id == 0 || id > stacks->count)
		return;
	entry = entry_of(stacks, id);
	if (!(entry->flags & STACK_USER_PENDING))
		return;
	memcpy(&key.entry, entry, entry_bytes(entry));
	replace_user(&key.entry, user_ips, user_count, flags);
	if (!key.entry.user_count)
		key.entry.pid = key.entry.generation = 0;
	entry->alias = find_or_keep(stacks, &key.entry);
	/* Without room for it the sample's own frames are what there is. */
	entry->flags &= ~(uint32_t)STACK_USER_PENDING;
}

bool stacks_get(const struct stacks *stacks, uint32_t id, struct stack *out)
{
	const struct entry *entry;

	if (id == 0 || id > stacks->count)
		return false;
	entry = entry_of(stacks, id);
	if (entry->alias) {
		id = entry->alias;
		entry = entry_of(stacks, id);
	}
	*out = (struct stack){
		.id = id,
		.pid = entry->pid,
		.generation = entry->generation,
		.kernel_count = entry->kernel_count,
		.user_count = entry->user_count,
		.flags = entry->flags,
		.ips = entry->ips,
	};
	return true;
}

uint32_t stacks_count(const struct stacks *stacks)
{
	return stacks->count;
}

size_t stacks_bytes(const struct stacks *stacks)
{
	return stacks->bytes;
}

uint64_t stacks_refused(const struct stacks *stacks)
{
	return stacks->refused;
}
