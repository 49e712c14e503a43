#include "engine/stack/worker/symbol_table.h"

#include "engine/base/mem.h"
#include "engine/stack/worker/symbol_plt.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION_BYTES_MAX ((uint64_t)1 << 30)
#define UNSIZED_BYTES 4096u /* bound on the size of an unsized last symbol */
/* Bound on nested functions around an address, for malformed files. */
#define NESTED_MAX 16u

enum rank {
	RANK_LABEL = 0, /* untyped, as in assembly code */
	RANK_FUNCTION = 8,
	RANK_SIZED = 4,
	RANK_STRONG = 2,
	RANK_GLOBAL = 1,
};

static void add(struct symbol_table *table, const struct symbol_entry *entry)
{
	if (table->count >= SYMBOL_TABLE_MAX)
		return;
	table->entries = mem_grow(table->entries, &table->capacity, table->count + 1,
				  sizeof(*table->entries));
	table->entries[table->count++] = *entry;
}

void symbol_table_add_made(struct symbol_table *table, uint64_t start, uint64_t bytes,
			   char *take_name)
{
	struct symbol_entry entry = {
		.start = start,
		.end = start + bytes,
		.name = take_name,
		.rank = RANK_LABEL,
	};

	table->made = mem_grow(table->made, &table->made_cap, table->made_len + 1,
			       sizeof(*table->made));
	table->made[table->made_len++] = take_name;
	add(table, &entry);
}

/* Return a flag per section: it holds code. Labels in other sections name data. */
static bool *find_code(Elf *elf, size_t *count)
{
	Elf_Scn *section = NULL;
	bool *code;

	if (elf_getshdrnum(elf, count) < 0)
		*count = 0;
	code = mem_zalloc(*count, sizeof(*code));
	while ((section = elf_nextscn(elf, section))) {
		size_t index = elf_ndxscn(section);
		GElf_Shdr header;

		if (index < *count && gelf_getshdr(section, &header))
			code[index] = header.sh_flags & SHF_EXECINSTR;
	}
	return code;
}

static uint8_t rank_of(const GElf_Sym *symbol)
{
	uint8_t rank = GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE ? RANK_LABEL : RANK_FUNCTION;

	if (symbol->st_size)
		rank |= RANK_SIZED;
	if (GELF_ST_BIND(symbol->st_info) != STB_WEAK)
		rank |= RANK_STRONG;
	if (GELF_ST_BIND(symbol->st_info) != STB_LOCAL)
		rank |= RANK_GLOBAL;
	return rank;
}

/* Selection of symbols in a file. */
struct wanted {
	enum symbol_table_of of;
	bool *code; /* per section: find_code() */
	size_t sections;
};

static bool is_function(const GElf_Sym *symbol, const bool *code, size_t sections)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && symbol->st_shndx < sections && code[symbol->st_shndx];
}

/* Require a size: a label without one could stand for any following data. */
static bool is_variable(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_value && symbol->st_size;
}

static bool is_wanted(const GElf_Sym *symbol, const struct wanted *wanted)
{
	return wanted->of == SYMBOL_TABLE_VARIABLES
		       ? is_variable(symbol)
		       : is_function(symbol, wanted->code, wanted->sections);
}

static void add_section(struct symbol_table *table, Elf *elf, Elf_Scn *section,
			const GElf_Shdr *header, const struct wanted *wanted)
{
	Elf_Scn *names_section = elf_getscn(elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Data *names = names_section ? elf_getdata(names_section, NULL) : NULL;
	size_t names_bytes, count;
	GElf_Sym symbol;
	const char *last;

	if (!data || !names || !names->d_buf || !header->sh_entsize)
		return;
	/* Use only names that end inside their section. */
	last = memrchr(names->d_buf, '\0', names->d_size);
	if (!last)
		return;
	names_bytes = (size_t)(last - (const char *)names->d_buf) + 1;
	count = data->d_size / header->sh_entsize;
	for (size_t i = 1; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
		struct symbol_entry entry;

		if (symbol.st_name >= names_bytes || !is_wanted(&symbol, wanted))
			continue;
		entry.name = (const char *)names->d_buf + symbol.st_name;
		if (!*entry.name || *entry.name == '$')
			continue;
		if (symbol.st_size > FUNCTION_BYTES_MAX ||
		    symbol.st_value > UINT64_MAX - symbol.st_size - UNSIZED_BYTES)
			continue;
		entry.start = symbol.st_value;
		entry.end = symbol.st_value + symbol.st_size;
		entry.rank = rank_of(&symbol);
		add(table, &entry);
	}
}

static void add_file(struct symbol_table *table, struct symbol_elf *file, enum symbol_table_of of)
{
	Elf *elf = symbol_elf_handle(file);
	struct wanted wanted = { .of = of };
	Elf_Scn *section = NULL;

	wanted.code = find_code(elf, &wanted.sections);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
			add_section(table, elf, section, &header, &wanted);
	}
	free(wanted.code);
}

/* Typed symbols first, then as in perf: sized, strong, global, fewest leading _, longest name. */
static int compare_entries(const void *a, const void *b)
{
	const struct symbol_entry *x = a, *y = b;
	size_t x_under, y_under, x_len, y_len;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	x_under = strspn(x->name, "_");
	y_under = strspn(y->name, "_");
	if (x_under != y_under)
		return x_under < y_under ? -1 : 1;
	x_len = strnlen(x->name, WIRE_NAME_MAX);
	y_len = strnlen(y->name, WIRE_NAME_MAX);
	if (x_len != y_len)
		return x_len > y_len ? -1 : 1;
	return strncmp(x->name, y->name, WIRE_NAME_MAX);
}

static void sort_entries(struct symbol_table *table)
{
	size_t kept = 0;

	if (table->count)
		qsort(table->entries, table->count, sizeof(*table->entries), compare_entries);
	for (size_t i = 0; i < table->count; i++)
		if (!kept || table->entries[kept - 1].start != table->entries[i].start)
			table->entries[kept++] = table->entries[i];
	table->count = kept;
	/* An unsized symbol extends to the next one. */
	for (size_t i = 0; i < kept; i++) {
		struct symbol_entry *entry = &table->entries[i];
		uint64_t next = i + 1 < kept ? entry[1].start : entry->start + UNSIZED_BYTES;

		if (entry->end == entry->start)
			entry->end = next;
	}
}

struct symbol_table *symbol_table_new(struct symbol_elf *main_file, struct symbol_elf *debug,
				      enum symbol_table_of of)
{
	struct symbol_table *table = mem_zalloc(1, sizeof(*table));

	add_file(table, main_file, of);
	if (debug)
		add_file(table, debug, of);
	if (of == SYMBOL_TABLE_FUNCTIONS)
		symbol_plt_add(table, main_file);
	sort_entries(table);
	return table;
}

void symbol_table_free(struct symbol_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->made_len; i++)
		free(table->made[i]);
	free(table->made);
	free(table->entries);
	free(table);
}

const struct symbol_entry *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->entries[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (unsigned int i = 0; low && i < NESTED_MAX; i++, low--)
		if (address < table->entries[low - 1].end)
			return &table->entries[low - 1];
	return NULL;
}
