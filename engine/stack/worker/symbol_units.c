#include "engine/stack/worker/symbol_units.h"

#include "engine/base/mem.h"

#include <dwarf.h>
#include <stdlib.h>

/* Files are untrusted; these bounds exceed the largest real files. */
#define UNITS_MAX ((size_t)1 << 20)
#define RANGES_MAX ((size_t)8 << 20)
#define DIES_MAX ((size_t)8 << 20) /* maximum number visited per unit */
#define DEPTH_MAX 32u

struct range {
	uint64_t low, high;
	uint64_t what; /* index of a unit, or offset of a function in .debug_info */
};

struct ranges {
	struct range *items; /* sorted by low */
	uint64_t *highest; /* highest end of items[0..i] */
	size_t count, capacity;
};

struct unit {
	Dwarf_Off die;
	struct ranges functions;
	bool read;
};

struct symbol_units {
	Dwarf *dwarf;
	struct unit *units;
	size_t count, capacity;
	struct ranges ranges;
};

static void ranges_add_die(struct ranges *ranges, Dwarf_Die *die, uint64_t what)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while (ranges->count < RANGES_MAX && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		/* Functions discarded by the linker have address 0. */
		if (low >= high || low == 0)
			continue;
		ranges->items = mem_grow(ranges->items, &ranges->capacity, ranges->count + 1,
					 sizeof(*ranges->items));
		ranges->items[ranges->count++] = (struct range){ low, high, what };
	}
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1; /* the inner one last */
	return x->what < y->what ? -1 : x->what > y->what;
}

static void ranges_sort(struct ranges *ranges)
{
	uint64_t highest = 0;

	if (!ranges->count)
		return;
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	ranges->highest = mem_zalloc(ranges->count, sizeof(*ranges->highest));
	for (size_t i = 0; i < ranges->count; i++) {
		if (ranges->items[i].high > highest)
			highest = ranges->items[i].high;
		ranges->highest[i] = highest;
	}
}

/* Return the innermost range around an address. */
static const struct range *ranges_find(const struct ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low && ranges->highest[low - 1] > address; low--)
		if (ranges->items[low - 1].high > address)
			return &ranges->items[low - 1];
	return NULL;
}

static void ranges_release(struct ranges *ranges)
{
	free(ranges->items);
	free(ranges->highest);
}

struct symbol_units *symbol_units_new(Dwarf *dwarf)
{
	struct symbol_units *units = mem_zalloc(1, sizeof(*units));
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;

	units->dwarf = dwarf;
	while (units->count < UNITS_MAX &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		units->units = mem_grow(units->units, &units->capacity, units->count + 1,
					sizeof(*units->units));
		units->units[units->count] = (struct unit){ .die = dwarf_dieoffset(&die) };
		ranges_add_die(&units->ranges, &die, units->count++);
	}
	ranges_sort(&units->ranges);
	return units;
}

void symbol_units_free(struct symbol_units *units)
{
	if (!units)
		return;
	for (size_t i = 0; i < units->count; i++)
		ranges_release(&units->units[i].functions);
	free(units->units);
	ranges_release(&units->ranges);
	free(units);
}

static bool holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static void read_functions(struct unit *unit, Dwarf_Die *parent, size_t *dies, unsigned int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (++*dies > DIES_MAX)
			return;
		if (tag == DW_TAG_subprogram)
			ranges_add_die(&unit->functions, &die, dwarf_dieoffset(&die));
		if (holds_functions(tag) && dwarf_haschildren(&die) == 1)
			read_functions(unit, &die, dies, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

bool symbol_units_find(struct symbol_units *units, uint64_t address, Dwarf_Die *unit_die,
		       Dwarf_Die *function, bool *has_function)
{
	const struct range *range = ranges_find(&units->ranges, address);
	struct unit *unit;
	size_t dies = 0;

	if (!range)
		return false;
	unit = &units->units[range->what];
	if (!dwarf_offdie(units->dwarf, unit->die, unit_die))
		return false;
	if (!unit->read) {
		unit->read = true;
		read_functions(unit, unit_die, &dies, 0);
		ranges_sort(&unit->functions);
	}
	range = ranges_find(&unit->functions, address);
	*has_function = range && dwarf_offdie(units->dwarf, range->what, function);
	return true;
}
