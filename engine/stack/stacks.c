#include "engine/stack/stacks.h"

#include "engine/base/hash.h"
#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)256 << 10)
#define ID_BYTES 48 /* upper bound on the bytes of an idmap per id */
#define EVICT_TRIES 4 /* maximum number of chunks searched for room, about 50 us each */

struct entry {
	/* Usage. `pid` and all members after it identify the stack and are compared as bytes. */
	uint64_t rows_end; /* one past the newest row that shows it; 0: none yet */
	uint32_t id;
	uint32_t turn; /* last value of stacks->turn at which a holder reported it */
	uint32_t pid, generation;
	uint16_t kernel_count, user_count;
	uint32_t flags;
	uint32_t alias; /* id of the whole stack, once a pending one is resolved; 0: none */
	uint32_t unused; /* always 0, as it is compared */
	uint64_t ips[];
};

#define KEY_AT offsetof(struct entry, pid)

struct chunk {
	struct chunk *next; /* the chunk filled after it */
	size_t used, bytes;
	_Alignas(8) unsigned char data[];
};

struct slot {
	uint32_t id; /* 0: free */
	uint32_t hash;
};

struct stacks {
	struct chunk *oldest, *newest;
	struct idmap entries; /* by id */
	struct slot *slots;
	size_t capacity; /* number of slots; a power of two */
	size_t bytes, max_bytes;
	uint32_t count; /* ids assigned so far */
	uint32_t live; /* ids still stored */
	uint64_t refused, evicted, evicted_shown;
	uint64_t first_row, rows_end; /* range of the rows in the history */
	uint32_t turn;
	stacks_holders_fn *holders;
	void *holders_ctx;
};

struct stacks *stacks_new(size_t max_bytes)
{
	struct stacks *stacks = mem_zalloc(1, sizeof(*stacks));

	stacks->max_bytes = max_bytes;
	stacks->capacity = 1024;
	stacks->slots = mem_zalloc(stacks->capacity, sizeof(*stacks->slots));
	stacks->bytes = stacks->capacity * sizeof(*stacks->slots);
	idmap_init(&stacks->entries);
	return stacks;
}

void stacks_set_limit(struct stacks *stacks, size_t max_bytes)
{
	stacks->max_bytes = max_bytes;
}

void stacks_free(struct stacks *stacks)
{
	if (!stacks)
		return;
	for (struct chunk *chunk = stacks->oldest, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	idmap_release(&stacks->entries);
	free(stacks->slots);
	free(stacks);
}

/* Return NULL if there is no such id, or it was evicted. */
static struct entry *entry_of(const struct stacks *stacks, uint32_t id)
{
	return id ? idmap_get(&stacks->entries, id) : NULL;
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

/* -- Eviction -------------------------------------------------------------------- */

static void hold(struct stacks *stacks, struct entry *entry)
{
	entry->turn = stacks->turn;
	entry = entry_of(stacks, entry->alias);
	if (entry)
		entry->turn = stacks->turn;
}

void stacks_hold(struct stacks *stacks, uint32_t id)
{
	struct entry *entry = entry_of(stacks, id);

	if (entry)
		hold(stacks, entry);
}

static struct entry *entry_at(struct chunk *chunk, size_t at)
{
	return (struct entry *)(void *)(chunk->data + at);
}

static bool is_wanted(const struct stacks *stacks, const struct entry *entry, uint64_t first_row)
{
	return entry->turn == stacks->turn || entry->rows_end > first_row;
}

/* Return the bytes that stay if rows before first_row lose their stacks. */
static size_t wanted_bytes(const struct stacks *stacks, struct chunk *chunk, uint64_t first_row)
{
	size_t wanted = 0;

	for (size_t at = 0, bytes; at < chunk->used; at += bytes) {
		const struct entry *entry = entry_at(chunk, at);

		bytes = entry_bytes(entry);
		if (is_wanted(stacks, entry, first_row))
			wanted += bytes;
	}
	return wanted;
}

/* Delete from a table with linear probing: move back later entries that lookups would miss. */
static void drop_slot(struct stacks *stacks, const struct entry *entry)
{
	size_t mask = stacks->capacity - 1;
	size_t at = hash_entry(entry) & mask, gap, home;

	while (stacks->slots[at].id && stacks->slots[at].id != entry->id)
		at = (at + 1) & mask;
	if (!stacks->slots[at].id)
		return; /* a stack that is or was pending has no slot */
	for (gap = at; stacks->slots[at = (at + 1) & mask].id;) {
		home = stacks->slots[at].hash & mask;
		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		stacks->slots[gap] = stacks->slots[at];
		gap = at;
	}
	stacks->slots[gap] = (struct slot){ 0, 0 };
}

static void drop(struct stacks *stacks, struct entry *entry)
{
	stacks->evicted++;
	stacks->evicted_shown += entry->rows_end > stacks->first_row;
	stacks->live--;
	drop_slot(stacks, entry);
	idmap_remove(&stacks->entries, entry->id);
	stacks->bytes -= ID_BYTES;
}

/* Move the entries that stay to the start of the chunk. */
static void compact(struct stacks *stacks, struct chunk *chunk, uint64_t first_row)
{
	size_t kept = 0;

	for (size_t at = 0, bytes; at < chunk->used; at += bytes) {
		struct entry *entry = entry_at(chunk, at);

		bytes = entry_bytes(entry);
		if (!is_wanted(stacks, entry, first_row)) {
			drop(stacks, entry);
			continue;
		}
		memmove(chunk->data + kept, entry, bytes);
		entry = entry_at(chunk, kept);
		idmap_put(&stacks->entries, entry->id, entry);
		kept += bytes;
	}
	chunk->used = kept;
}

static void make_newest(struct stacks *stacks, struct chunk *chunk)
{
	chunk->next = NULL;
	if (stacks->newest)
		stacks->newest->next = chunk;
	else
		stacks->oldest = chunk;
	stacks->newest = chunk;
}

/*
 * Make room in the oldest chunk, which becomes the newest. First evict stacks that no task holds
 * and no row shows. While that frees less than half of the chunk, also evict stacks that only the
 * older half of the remaining rows shows.
 */
static void evict(struct stacks *stacks)
{
	struct chunk *chunk = stacks->oldest;
	uint64_t first_row = stacks->first_row;

	stacks->turn++;
	if (stacks->holders)
		stacks->holders(stacks->holders_ctx, stacks);
	while (first_row < stacks->rows_end &&
	       wanted_bytes(stacks, chunk, first_row) > chunk->bytes / 2)
		first_row += (stacks->rows_end - first_row + 1) / 2;
	compact(stacks, chunk, first_row);
	if (chunk == stacks->newest)
		return;
	stacks->oldest = chunk->next;
	make_newest(stacks, chunk);
}

/* Return room for an entry. NULL: at the limit, and evictions did not help. */
static struct entry *take_room(struct stacks *stacks, size_t bytes)
{
	struct chunk *chunk = stacks->newest;

	if (chunk && chunk->bytes - chunk->used >= bytes)
		goto found;
	if (stacks->bytes + CHUNK_BYTES <= stacks->max_bytes) {
		chunk = mem_alloc(sizeof(*chunk) + CHUNK_BYTES);
		chunk->used = 0;
		chunk->bytes = CHUNK_BYTES;
		make_newest(stacks, chunk);
		stacks->bytes += CHUNK_BYTES;
		goto found;
	}
	for (int tries = 0; chunk && tries < EVICT_TRIES; tries++) {
		evict(stacks);
		chunk = stacks->newest;
		if (chunk->bytes - chunk->used >= bytes)
			goto found;
	}
	return NULL;
found:
	chunk->used += bytes;
	return (struct entry *)(void *)(chunk->data + chunk->used - bytes);
}

static uint32_t keep(struct stacks *stacks, const struct entry *key)
{
	size_t bytes = entry_bytes(key);
	struct entry *entry = stacks->count < UINT32_MAX - 1 ? take_room(stacks, bytes) : NULL;

	if (!entry) {
		stacks->refused++;
		return 0;
	}
	memcpy(entry, key, bytes);
	stacks->live++;
	stacks->bytes += ID_BYTES;
	entry->id = ++stacks->count;
	idmap_put(&stacks->entries, entry->id, entry);
	/* Do not evict it before its holder has stored the id. */
	entry->turn = stacks->turn;
	return entry->id;
}

static uint32_t find_or_store(struct stacks *stacks, const struct entry *key)
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
		    entry->user_count == key->user_count &&
		    !memcmp((const char *)entry + KEY_AT, (const char *)key + KEY_AT,
			    entry_bytes(key) - KEY_AT))
			return slot->id;
	}
	id = keep(stacks, key);
	if (!id)
		return 0;
	/* Making room may have moved other slots. */
	at = hash & (stacks->capacity - 1);
	while (stacks->slots[at].id)
		at = (at + 1) & (stacks->capacity - 1);
	stacks->slots[at] = (struct slot){ .id = id, .hash = hash };
	if ((size_t)stacks->live * 2 > stacks->capacity)
		grow(stacks);
	return id;
}

/*
 * Split the callchain into kernel and user half, without the context markers. For frames before the
 * first marker, bit 63 shows a kernel address.
 */
static void split_chain(const struct record_stack *stack, struct entry *key)
{
	uint64_t user[STACK_FRAMES_MAX];
	enum { NEITHER, KERNEL, USER, OTHER } half = NEITHER;

	key->flags |= (stack->cut & STACK_CUT_KERNEL ? STACK_KERNEL_CUT : 0) |
		      (stack->cut & STACK_CUT_USER ? STACK_USER_CUT : 0);
	for (uint32_t i = 0; i < stack->count; i++) {
		uint64_t ip = stack->ips[i];
		bool kernel;

		if (ip >= (uint64_t)PERF_CONTEXT_MAX) {
			half = ip == (uint64_t)PERF_CONTEXT_KERNEL ? KERNEL
			       : ip == (uint64_t)PERF_CONTEXT_USER ? USER
								   : OTHER;
			continue;
		}
		if (half == OTHER) /* frames of a guest or hypervisor cannot be named */
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

/*
 * Set the address space only if there are user frames: kernel addresses mean the same everywhere.
 */
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
	return find_or_store(stacks, &key.entry);
}

/* Use the user half from the unwinder if it is better than the one in the sample. */
static void replace_user(struct entry *key, const uint64_t *user_ips, uint16_t user_count,
			 uint32_t flags)
{
	uint32_t of_user = STACK_USER_CUT | STACK_USER_FP | STACK_USER_PENDING;

	if (!user_count || user_count > STACK_FRAMES_MAX ||
	    (stack_cut(flags) && user_count < key->user_count)) {
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
	return find_or_store(stacks, &key.entry);
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
	struct entry *entry = entry_of(stacks, id), *whole;
	union key key;

	if (!entry || !(entry->flags & STACK_USER_PENDING))
		return;
	memcpy(&key.entry, entry, entry_bytes(entry));
	key.entry.rows_end = 0;
	replace_user(&key.entry, user_ips, user_count, flags);
	if (!key.entry.user_count)
		key.entry.pid = key.entry.generation = 0;
	whole = entry_of(stacks, find_or_store(stacks, &key.entry));
	/* Making room may have moved or evicted this entry. */
	entry = entry_of(stacks, id);
	if (!entry)
		return;
	if (whole) {
		entry->alias = whole->id;
		whole->turn = entry->turn > whole->turn ? entry->turn : whole->turn;
		if (whole->rows_end < entry->rows_end)
			whole->rows_end = entry->rows_end;
	}
	/* Without room for the whole stack, the frames of the sample remain. */
	entry->flags &= ~(uint32_t)STACK_USER_PENDING;
}

bool stacks_get(const struct stacks *stacks, uint32_t id, struct stack *out)
{
	const struct entry *entry = entry_of(stacks, id);

	if (entry && entry->alias) {
		id = entry->alias;
		entry = entry_of(stacks, id);
	}
	if (!entry)
		return false;
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

void stacks_note_row(struct stacks *stacks, uint32_t id, uint64_t row, uint64_t first_row)
{
	struct entry *entry = entry_of(stacks, id);

	stacks->first_row = first_row;
	if (stacks->rows_end <= row)
		stacks->rows_end = row + 1;
	for (int i = 0; i < 2 && entry; i++, entry = entry_of(stacks, entry->alias))
		if (entry->rows_end <= row)
			entry->rows_end = row + 1;
}

void stacks_set_holders(struct stacks *stacks, stacks_holders_fn *holders, void *ctx)
{
	stacks->holders = holders;
	stacks->holders_ctx = ctx;
}

uint32_t stacks_count(const struct stacks *stacks)
{
	return stacks->live;
}

uint64_t stacks_evicted(const struct stacks *stacks)
{
	return stacks->evicted;
}

uint64_t stacks_evicted_shown(const struct stacks *stacks)
{
	return stacks->evicted_shown;
}

size_t stacks_bytes(const struct stacks *stacks)
{
	return stacks->bytes;
}

uint64_t stacks_refused(const struct stacks *stacks)
{
	return stacks->refused;
}
