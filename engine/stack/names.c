#include "engine/stack/names.h"

#include "engine/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define CHUNK_BYTES ((size_t)64 << 10)

struct chunk {
	struct chunk *next;
	size_t used, bytes;
	char data[];
};

struct slot {
	const char *text; /* NULL: free */
	uint32_t hash;
	uint32_t len;
};

struct names {
	struct chunk *chunks;
	struct slot *slots;
	size_t capacity, count; /* capacity is a power of two */
	size_t bytes, max_bytes;
	uint64_t seed; /* names are chosen by others: they must not choose collisions */
};

struct names *names_new(size_t max_bytes)
{
	struct names *names = mem_zalloc(1, sizeof(*names));

	names->max_bytes = max_bytes;
	names->capacity = 256;
	names->slots = mem_zalloc(names->capacity, sizeof(*names->slots));
	if (getrandom(&names->seed, sizeof(names->seed), GRND_NONBLOCK) < 0)
		names->seed = (uintptr_t)names;
	return names;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	for (struct chunk *chunk = names->chunks, *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(names->slots);
	free(names);
}

static uint32_t hash_bytes(uint64_t seed, const char *bytes, size_t len)
{
	uint64_t hash = seed ^ len;

	while (len >= 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 29;
		bytes += 8;
		len -= 8;
	}
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3ULL;
	hash *= 0xbf58476d1ce4e5b9ULL;
	return (uint32_t)(hash >> 32);
}

static void grow(struct names *names)
{
	size_t capacity = names->capacity * 2;
	struct slot *slots = mem_zalloc(capacity, sizeof(*slots));

	for (size_t i = 0; i < names->capacity; i++) {
		size_t at = names->slots[i].hash & (capacity - 1);

		if (!names->slots[i].text)
			continue;
		while (slots[at].text)
			at = (at + 1) & (capacity - 1);
		slots[at] = names->slots[i];
	}
	free(names->slots);
	names->slots = slots;
	names->capacity = capacity;
}

static char *take_room(struct names *names, size_t bytes)
{
	struct chunk *chunk = names->chunks;

	if (!chunk || chunk->bytes - chunk->used < bytes) {
		size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;

		chunk = mem_alloc(sizeof(*chunk) + room);
		chunk->used = 0;
		chunk->bytes = room;
		chunk->next = names->chunks;
		names->chunks = chunk;
	}
	chunk->used += bytes;
	return chunk->data + chunk->used - bytes;
}

const char *names_add(struct names *names, const char *bytes, size_t len)
{
	uint32_t hash = hash_bytes(names->seed, bytes, len);
	size_t at = hash & (names->capacity - 1);
	char *text;

	for (; names->slots[at].text; at = (at + 1) & (names->capacity - 1)) {
		const struct slot *slot = &names->slots[at];

		if (slot->hash == hash && slot->len == len && !memcmp(slot->text, bytes, len))
			return slot->text;
	}
	if (len >= names->max_bytes || names->bytes > names->max_bytes - len - 1)
		return NULL;
	text = take_room(names, len + 1);
	memcpy(text, bytes, len);
	text[len] = '\0';
	names->bytes += len + 1;
	names->slots[at] = (struct slot){ .text = text, .hash = hash, .len = (uint32_t)len };
	if (++names->count * 2 > names->capacity)
		grow(names);
	return text;
}

size_t names_bytes(const struct names *names)
{
	return names->bytes + names->capacity * sizeof(*names->slots);
}
