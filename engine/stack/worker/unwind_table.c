#include "engine/stack/worker/unwind_table.h"

#include "engine/base/mem.h"
#include "engine/stack/worker/unwind_cfi.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX ((size_t)4 << 20)

/* Required encodings in .eh_frame_hdr; linkers write no other. */
#define HDR_VERSION 1
#define HDR_ENCODINGS "\x1b\x03\x3b"

struct item {
	uint64_t start;
	uint64_t at; /* offset in the section */
};

struct section {
	struct cfi cfi;
	struct item *items; /* sorted by start */
	size_t count, capacity;
	bool tried;
};

struct unwind_table {
	struct symbol_elf *file, *debug;
	const unsigned char *hdr; /* table of .eh_frame_hdr; NULL: missing or unusable */
	uint64_t hdr_address;
	size_t hdr_count;
	struct section eh, debug_frame;
};

static void read_hdr(struct unwind_table *table)
{
	const unsigned char *hdr;
	uint64_t address;
	uint32_t count;
	size_t bytes;

	if (!symbol_elf_eh_frame_hdr(table->file, &address))
		return;
	hdr = symbol_elf_at(table->file, address, &bytes);
	if (!hdr || bytes < 12 || hdr[0] != HDR_VERSION || memcmp(hdr + 1, HDR_ENCODINGS, 3) != 0)
		return;
	memcpy(&count, hdr + 8, sizeof(count));
	if (!count)
		return;
	table->hdr = hdr + 12;
	table->hdr_address = address;
	table->hdr_count = count < (bytes - 12) / 8 ? count : (bytes - 12) / 8;
}

struct unwind_table *unwind_table_new(struct symbol_elf *file, struct symbol_elf *debug)
{
	struct unwind_table *table = mem_zalloc(1, sizeof(*table));

	table->file = file;
	table->debug = debug;
	read_hdr(table);
	return table;
}

void unwind_table_free(struct unwind_table *table)
{
	if (!table)
		return;
	free(table->eh.items);
	free(table->debug_frame.items);
	free(table);
}

static int32_t hdr_word(const struct unwind_table *table, size_t index, size_t word)
{
	int32_t value;

	memcpy(&value, table->hdr + 8 * index + 4 * word, sizeof(value));
	return value;
}

static bool find_in_hdr(const struct unwind_table *table, uint64_t address, uint64_t *start,
			uint64_t *at)
{
	size_t low = 0, high = table->hdr_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->hdr_address + (uint64_t)(int64_t)hdr_word(table, middle, 0) > address)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return false;
	*start = table->hdr_address + (uint64_t)(int64_t)hdr_word(table, low - 1, 0);
	*at = table->hdr_address + (uint64_t)(int64_t)hdr_word(table, low - 1, 1);
	return true;
}

static int compare_items(const void *a, const void *b)
{
	const struct item *first = a, *second = b;

	return first->start < second->start ? -1 : first->start > second->start;
}

static void index_section(struct section *section)
{
	struct cfi_entry entry;
	size_t at = 0;

	while (section->count < ENTRIES_MAX && cfi_next(&section->cfi, &at, &entry)) {
		uint64_t start, bytes;

		/* Functions discarded by the linker have address 0. */
		if (entry.is_common || !cfi_range(&section->cfi, &entry, &start, &bytes) || !start)
			continue;
		section->items = mem_grow(section->items, &section->capacity, section->count + 1,
					  sizeof(*section->items));
		section->items[section->count++] = (struct item){ .start = start, .at = entry.at };
	}
	if (section->count)
		qsort(section->items, section->count, sizeof(*section->items), compare_items);
}

static const struct item *find_item(const struct section *section, uint64_t address)
{
	size_t low = 0, high = section->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (section->items[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low ? &section->items[low - 1] : NULL;
}

static void read_section(struct symbol_elf *elf, const char *name, bool is_eh,
			 struct section *section)
{
	GElf_Shdr header;

	section->cfi.bytes = symbol_elf_bytes(elf, name, &header, &section->cfi.len);
	if (!section->cfi.bytes)
		return;
	section->cfi.address = header.sh_addr;
	section->cfi.is_eh = is_eh;
	index_section(section);
}

bool unwind_table_eh(struct unwind_table *table, uint64_t address, uint64_t *start, uint64_t *at)
{
	const struct item *item;

	if (table->hdr)
		return find_in_hdr(table, address, start, at);
	if (!table->eh.tried) {
		table->eh.tried = true;
		read_section(table->file, ".eh_frame", true, &table->eh);
	}
	item = find_item(&table->eh, address);
	if (!item)
		return false;
	*start = item->start;
	*at = table->eh.cfi.address + item->at;
	return true;
}

size_t unwind_table_debug(struct unwind_table *table, uint64_t address, uint64_t bias,
			  uint64_t *start, unsigned char *out, size_t max, size_t *frame_at)
{
	struct section *section = &table->debug_frame;
	const struct item *item;

	if (!section->tried) {
		section->tried = true;
		read_section(table->file, ".debug_frame", false, section);
		if (!section->cfi.bytes && table->debug)
			read_section(table->debug, ".debug_frame", false, section);
	}
	item = find_item(section, address);
	if (!item)
		return 0;
	*start = item->start;
	return cfi_rewrite(&section->cfi, item->at, bias, out, max, frame_at);
}
