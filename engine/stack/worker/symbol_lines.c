#include "engine/stack/worker/symbol_lines.h"

#include "engine/base/mem.h"
#include "engine/stack/worker/symbol_demangle.h"
#include "engine/stack/worker/symbol_units.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIES_MAX 100000u /* maximum number visited per function */
#define DEPTH_MAX 64u

struct symbol_lines {
	Dwarf *dwarf, *alt;
	struct symbol_units *units;
};

struct symbol_lines *symbol_lines_new(Elf *elf, Elf *alt)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	struct symbol_lines *lines;

	if (!dwarf)
		return NULL;
	lines = mem_zalloc(1, sizeof(*lines));
	lines->dwarf = dwarf;
	lines->alt = alt ? dwarf_begin_elf(alt, DWARF_C_READ, NULL) : NULL;
	if (lines->alt)
		dwarf_setalt(dwarf, lines->alt);
	lines->units = symbol_units_new(dwarf);
	return lines;
}

void symbol_lines_free(struct symbol_lines *lines)
{
	if (!lines)
		return;
	symbol_units_free(lines->units);
	dwarf_end(lines->dwarf);
	if (lines->alt)
		dwarf_end(lines->alt);
	free(lines);
}

struct inlining {
	Dwarf_Die dies[WIRE_FRAMES_MAX - 1]; /* outermost first */
	size_t count;
	size_t seen;
};

/* Find the chain of inlined functions around address, inside of parent. */
static bool find_inlined(struct inlining *inlining, Dwarf_Die *parent, uint64_t address,
			 unsigned int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (++inlining->seen > DIES_MAX)
			return true;
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block &&
		    tag != DW_TAG_try_block && tag != DW_TAG_catch_block)
			continue;
		if (dwarf_haspc(&die, address) != 1)
			continue;
		if (tag == DW_TAG_inlined_subroutine) {
			if (inlining->count == WIRE_FRAMES_MAX - 1)
				return true;
			inlining->dies[inlining->count++] = die;
		}
		find_inlined(inlining, &die, address, depth + 1);
		return true;
	} while (dwarf_siblingof(&die, &die) == 0);
	return false;
}

static char *name_of(Dwarf_Die *die, char *out, size_t out_bytes)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (!name)
		name = dwarf_diename(die);
	*out = '\0';
	return name ? symbol_demangle(name, out, out_bytes) : out;
}

/* Return the absolute path: line tables may have paths relative to DW_AT_comp_dir. */
static const char *whole_path(Dwarf_Die *unit, const char *path, char *out, size_t out_bytes)
{
	Dwarf_Attribute attribute;
	const char *directory = NULL;

	if (path && *path != '/' && dwarf_attr(unit, DW_AT_comp_dir, &attribute))
		directory = dwarf_formstring(&attribute);
	if (!directory)
		return path;
	/* The end of a path that is too long is cut. */
	snprintf(out, out_bytes, "%s/%s", directory, path);
	return out;
}

struct place {
	const char *path;
	uint32_t line;
};

static struct place place_of_address(Dwarf_Die *unit, uint64_t address)
{
	struct place place = { NULL, 0 };
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number;

	if (!line)
		return place;
	place.path = dwarf_linesrc(line, NULL, NULL);
	if (dwarf_lineno(line, &number) == 0 && number > 0)
		place.line = (uint32_t)number;
	return place;
}

/* Return the call site of an inlined function. */
static struct place place_of_call(Dwarf_Die *unit, Dwarf_Die *die)
{
	struct place place = { NULL, 0 };
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_attr(die, DW_AT_call_line, &attribute) &&
	    dwarf_formudata(&attribute, &line) == 0 && line <= INT32_MAX)
		place.line = (uint32_t)line;
	if (dwarf_attr(die, DW_AT_call_file, &attribute) &&
	    dwarf_formudata(&attribute, &file) == 0 &&
	    dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
		place.path = dwarf_filesrc(files, file, NULL, NULL);
	return place;
}

static void write_one(struct wire_writer *writer, Dwarf_Die *unit, const char *name,
		      const struct place *place, uint64_t offset, bool inlined)
{
	char path[WIRE_PATH_MAX + 1];

	wire_write_frame(writer, name, whole_path(unit, place->path, path, sizeof(path)), offset,
			 place->line, inlined);
}

void symbol_lines_write(struct symbol_lines *lines, uint64_t address, struct wire_writer *writer)
{
	struct inlining inlining = { .count = 0, .seen = 0 };
	char name[WIRE_NAME_MAX + 1] = "";
	Dwarf_Die unit, function;
	Dwarf_Addr entry = address;
	bool has_function;
	struct place place;

	if (!symbol_units_find(lines->units, address, &unit, &function, &has_function)) {
		wire_write_count(writer, 0);
		return;
	}
	if (has_function)
		find_inlined(&inlining, &function, address, 0);
	place = place_of_address(&unit, address);
	wire_write_count(writer, (uint32_t)inlining.count + 1);
	for (size_t i = inlining.count; i-- > 0;) {
		name_of(&inlining.dies[i], name, sizeof(name));
		write_one(writer, &unit, name, &place, 0, true);
		place = place_of_call(&unit, &inlining.dies[i]);
	}
	*name = '\0';
	if (has_function) {
		name_of(&function, name, sizeof(name));
		if (dwarf_entrypc(&function, &entry) != 0 || entry > address)
			entry = address;
	}
	write_one(writer, &unit, name, &place, address - entry, false);
}
