#include "engine/base/names.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
};

struct names *names_new(size_t max_bytes)
{
	struct names *names = mem_zalloc(1, sizeof(*names));

	names->max_bytes = max_bytes;
	names->capacity = 256;
	names->slots = mem_zalloc(names->capacity, sizeof(*names->slots));
	return names;
}

void names_set_limit(struct names *names, size_t max_bytes)
{
	names->max_bytes = max_bytes;
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
	uint32_t hash = (uint32_t)hash_bytes(bytes, len);
	size_t at = hash & (names->capacity - 1);
	char *text;

	for (; names->slots[at].text; at = (at + 1) & (names->capacity - 1)) {
		const struct slot *slot = &names->slots[at];

		if (slot->hash == hash && slot->len == len && !memcmp(slot->text, bytes, len))
			return slot->text;
	}
	if (len >= names->max_bytes || names->bytes >= names->max_bytes - len)
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
