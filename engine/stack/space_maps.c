#include "engine/stack/space_maps.h"

#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct space_maps *space_maps_new(size_t *total)
{
	struct space_maps *maps = mem_zalloc(1, sizeof(*maps));

	maps->refs = 1;
	maps->total = total;
	return maps;
}

struct space_maps *space_maps_share(struct space_maps *maps)
{
	maps->refs++;
	return maps;
}

void space_maps_drop(struct space_maps *maps)
{
	if (!maps || --maps->refs)
		return;
	*maps->total -= maps->count;
	free(maps->items);
	free(maps);
}

struct space_maps *space_maps_own(struct space_maps *maps)
{
	struct space_maps *copy;

	if (maps->refs == 1)
		return maps;
	copy = space_maps_new(maps->total);
	if (maps->count) {
		copy->items = mem_grow(NULL, &copy->capacity, maps->count, sizeof(*copy->items));
		memcpy(copy->items, maps->items, maps->count * sizeof(*copy->items));
	}
	copy->count = maps->count;
	*copy->total += copy->count;
	space_maps_drop(maps);
	return copy;
}

/* Return the index of the first mapping that ends above address. */
static size_t first_above(const struct space_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->items[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Replace items[from..to) with `count` mappings. False: too many. */
static bool splice(struct space_maps *maps, size_t from, size_t to, const struct mapping *with,
		   size_t count)
{
	size_t now = maps->count - (to - from) + count;

	if (now > SPACE_MAPS_MAX && now > maps->count)
		return false;
	maps->items = mem_grow(maps->items, &maps->capacity, now, sizeof(*maps->items));
	memmove(maps->items + from + count, maps->items + to,
		(maps->count - to) * sizeof(*maps->items));
	memcpy(maps->items + from, with, count * sizeof(*with));
	*maps->total += now - maps->count; /* may decrease: unsigned wrap is intended */
	maps->count = now;
	return true;
}

/* Return the part of old that begins at address. */
static struct mapping tail_from(const struct mapping *old, uint64_t address)
{
	struct mapping tail = *old;

	tail.start = address;
	tail.file_offset += address - old->start;
	return tail;
}

bool space_maps_replace(struct space_maps *maps, const struct mapping *mapping)
{
	size_t from = first_above(maps, mapping->start), to = from;
	struct mapping with[3];
	size_t count = 0;

	while (to < maps->count && maps->items[to].start < mapping->end)
		to++;
	if (from < to && maps->items[from].start < mapping->start) {
		with[count] = maps->items[from];
		with[count++].end = mapping->start;
	}
	with[count++] = *mapping;
	if (from < to && maps->items[to - 1].end > mapping->end)
		with[count++] = tail_from(&maps->items[to - 1], mapping->end);
	return splice(maps, from, to, with, count);
}

/* /proc does not report inode generations: 0 matches any. */
static bool is_same_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode == b->inode && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor &&
	       (a->inode_generation == b->inode_generation || !a->inode_generation ||
		!b->inode_generation);
}

static bool is_other_code(const struct mapping *old, const struct mapping *mapping)
{
	if (!(old->prot & PROT_EXEC))
		return false;
	/*
	 * Not other code: the loader maps the whole file, then its data and zeros over parts of it.
	 */
	if (!(mapping->prot & PROT_EXEC))
		return mapping->inode && !is_same_file(old, mapping);
	if (!old->inode && !mapping->inode)
		return old->path != mapping->path;
	return !is_same_file(old, mapping) ||
	       old->start - old->file_offset != mapping->start - mapping->file_offset;
}

bool space_maps_is_other_code(const struct space_maps *maps, const struct mapping *mapping)
{
	for (size_t i = first_above(maps, mapping->start);
	     i < maps->count && maps->items[i].start < mapping->end; i++)
		if (is_other_code(&maps->items[i], mapping))
			return true;
	return false;
}

void space_maps_fill(struct space_maps *maps, const struct mapping *mapping)
{
	uint64_t at = mapping->start;

	while (at < mapping->end) {
		size_t next = first_above(maps, at);
		struct mapping part = tail_from(mapping, at);

		if (next < maps->count && maps->items[next].start <= at) {
			at = maps->items[next].end;
			continue;
		}
		if (next < maps->count && maps->items[next].start < part.end)
			part.end = maps->items[next].start;
		if (!splice(maps, next, next, &part, 1))
			return;
		at = part.end;
	}
}

const struct mapping *space_maps_find(const struct space_maps *maps, uint64_t address)
{
	size_t at = first_above(maps, address);

	if (at == maps->count || maps->items[at].start > address)
		return NULL;
	return &maps->items[at];
}

/* Maximum number of mappings between the code of a file and the end of its data. */
#define BELOW_MAX 16

const struct mapping *space_maps_code_below(const struct space_maps *maps, uint64_t address)
{
	size_t at = first_above(maps, address);

	if (at < maps->count && maps->items[at].start <= address)
		at++;
	for (unsigned int i = 0; at && i < BELOW_MAX; i++)
		if (maps->items[--at].prot & PROT_EXEC)
			return &maps->items[at];
	return NULL;
}
