#include "engine/process/kernel_names.h"

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 12)

/* Compare hashes only: collisions of 64-bit hashes are too rare to store the text. */
static struct kernel_name *slot_of(const struct kernel_names *names, uint64_t hash)
{
	size_t i = hash & (names->capacity - 1);

	while (names->slots[i].address && names->slots[i].hash != hash)
		i = (i + 1) & (names->capacity - 1);
	return &names->slots[i];
}

static void grow(struct kernel_names *names)
{
	struct kernel_names larger = { .capacity = names->capacity ? names->capacity * 2
								   : FIRST_SLOTS };

	larger.slots = mem_zalloc(larger.capacity, sizeof(*larger.slots));
	for (size_t i = 0; i < names->capacity; i++)
		if (names->slots[i].address)
			*slot_of(&larger, names->slots[i].hash) = names->slots[i];
	larger.count = names->count;
	free(names->slots);
	*names = larger;
}

void kernel_names_add_line(struct kernel_names *names, const char *line)
{
	struct kernel_name *slot;
	uint64_t address, hash;
	char *end;

	/* Format: "ffffffff81000000 T name", followed by a tab and "[module]" for modules. */
	address = strtoull(line, &end, 16);
	if (!address || end[0] != ' ' || !strchr("tTwW", end[1]) || !end[1] || end[2] != ' ')
		return;
	if ((names->count + 1) * 2 > names->capacity)
		grow(names);
	hash = hash_bytes(end + 3, strcspn(end + 3, "\t\n"));
	slot = slot_of(names, hash);
	if (slot->address)
		return;
	*slot = (struct kernel_name){ .hash = hash, .address = address };
	names->count++;
}

void kernel_names_read(struct kernel_names *names)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		kernel_names_add_line(names, line);
	fclose(file);
}

void kernel_names_release(struct kernel_names *names)
{
	free(names->slots);
	memset(names, 0, sizeof(*names));
}

uint64_t kernel_names_find(const struct kernel_names *names, const char *name, size_t len)
{
	return names->capacity ? slot_of(names, hash_bytes(name, len))->address : 0;
}
