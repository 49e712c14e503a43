/*
 * unwind_space - the mappings of an address space, and words of the mapped files.
 */
#include "engine/base/mem.h"
#include "engine/stack/worker/symbol_files.h"
#include "engine/stack/worker/unwind_state.h"
#include "engine/stack/worker/unwind_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MODULES_MAX 4096u /* maximum number per space */
#define SPACES_MAX 256u

static void free_space(struct walk_space *space)
{
	if (!space)
		return;
	if (space->as)
		unw_destroy_addr_space(space->as);
	free(space->modules);
	free(space);
}

void unwind_space_forget_all(struct unwind_walk *walk)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&walk->spaces, &cursor)))
		free_space(slot->value);
	idmap_clear(&walk->spaces);
}

void unwind_walk_forget(struct unwind_walk *walk, uint32_t space)
{
	free_space(idmap_remove(&walk->spaces, space));
}

struct walk_space *unwind_space_get(struct unwind_walk *walk, uint32_t number)
{
	struct walk_space *space = idmap_get(&walk->spaces, number);

	if (space)
		return space;
	if (walk->spaces.count >= SPACES_MAX)
		unwind_space_forget_all(walk);
	space = mem_zalloc(1, sizeof(*space));
	space->as = unwind_access_new();
	idmap_put(&walk->spaces, number, space);
	return space;
}

static struct walk_module *find_module(struct walk_space *space, uint64_t ip)
{
	if (space->last < space->count && ip >= space->modules[space->last].start &&
	    ip < space->modules[space->last].end)
		return &space->modules[space->last];
	for (size_t i = 0; i < space->count; i++)
		if (ip >= space->modules[i].start && ip < space->modules[i].end) {
			space->last = i;
			return &space->modules[i];
		}
	return NULL;
}

struct walk_module *unwind_walk_module(struct unwind_walk *walk, uint64_t address)
{
	return find_module(walk->space, address);
}

static struct unwind_table *table_of(struct unwind_walk *walk, uint32_t file,
				     struct symbol_elf *elf)
{
	struct unwind_table *table = idmap_get(&walk->tables, file);

	if (!table) {
		table = unwind_table_new(elf, symbol_files_elf(walk->files, file, WIRE_DEBUG));
		idmap_put(&walk->tables, file, table);
	}
	return table;
}

int unwind_walk_map(struct unwind_walk *walk, uint32_t file, const uint64_t values[])
{
	struct walk_space *space = unwind_space_get(walk, (uint32_t)values[WIRE_MAP_SPACE]);
	uint64_t address = values[WIRE_MAP_ADDRESS], in_file, low, high;
	struct walk_module module = {
		.start = values[WIRE_MAP_START],
		.end = values[WIRE_MAP_END],
		.file = file,
		.is_code = values[WIRE_MAP_IS_CODE],
	};

	if (space->count >= MODULES_MAX || address < module.start || address >= module.end)
		return -EINVAL;
	module.elf = file ? symbol_files_elf(walk->files, file, WIRE_MAIN) : NULL;
	if (module.elf &&
	    !symbol_elf_address(module.elf, address - module.start + values[WIRE_MAP_FILE_OFFSET],
				&in_file))
		module.elf = NULL;
	if (module.elf) {
		unwind_walk_blame(walk, file);
		module.table = table_of(walk, file, module.elf);
		module.bias = address - in_file;
		symbol_elf_range(module.elf, &low, &high);
		module.low = low + module.bias;
		module.high = high + module.bias;
		unwind_walk_blame(walk, 0);
	}
	space->modules = mem_grow(space->modules, &space->capacity, space->count + 1,
				  sizeof(*space->modules));
	space->modules[space->count++] = module;
	return 0;
}

/* Read a word of a file, with zeros past the end of its segment. */
static bool read_module(const struct walk_module *module, uint64_t address, unw_word_t *value)
{
	const unsigned char *bytes;
	size_t left;

	if (!module->elf)
		return false;
	bytes = symbol_elf_at(module->elf, address - module->bias, &left);
	if (!bytes)
		return false;
	*value = 0;
	memcpy(value, bytes, left < sizeof(*value) ? left : sizeof(*value));
	return true;
}

bool unwind_space_read(struct unwind_walk *walk, uint64_t address, unw_word_t *value)
{
	struct walk_space *space = walk->space;
	const struct walk_module *module = find_module(space, address);

	if (module && module->elf)
		return read_module(module, address, value);
	/* Data segments are not sent as mappings: search the address ranges of the files. */
	for (size_t i = 0; i < space->count; i++)
		if (address >= space->modules[i].low && address < space->modules[i].high &&
		    read_module(&space->modules[i], address, value))
			return true;
	return false;
}
