#include "engine/stack/worker/symbol_plt.h"

#include "engine/base/idmap.h"
#include "engine/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUBS_MAX 65536u

/* Map each slot of the global offset table to the name of its symbol. */
static void read_slots(struct symbol_elf *file, const char *section_name, struct idmap *slots)
{
	Elf *elf = symbol_elf_handle(file);
	GElf_Shdr header, symbols_header;
	Elf_Scn *section = symbol_elf_section(file, section_name, &header), *symbols_section;
	Elf_Data *data, *symbols;

	if (!section || header.sh_type != SHT_RELA || !header.sh_entsize)
		return;
	symbols_section = elf_getscn(elf, header.sh_link);
	if (!symbols_section || !gelf_getshdr(symbols_section, &symbols_header))
		return;
	data = elf_getdata(section, NULL);
	symbols = elf_getdata(symbols_section, NULL);
	if (!data || !symbols)
		return;
	for (size_t i = 0; i < data->d_size / header.sh_entsize && slots->count < STUBS_MAX; i++) {
		const char *name;
		GElf_Rela rela;
		GElf_Sym symbol;

		if (!gelf_getrela(data, (int)i, &rela) ||
		    (GELF_R_TYPE(rela.r_info) != R_X86_64_JUMP_SLOT &&
		     GELF_R_TYPE(rela.r_info) != R_X86_64_GLOB_DAT) ||
		    !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &symbol))
			continue;
		name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
		if (name && *name)
			idmap_put(slots, rela.r_offset, (void *)(uintptr_t)name);
	}
}

/* Return the slot that the stub at code jumps through; 0: not a stub. */
static uint64_t read_stub(const unsigned char *code, size_t bytes, uint64_t address)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t at = 0;
	int32_t distance;

	if (bytes >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64)))
		at = sizeof(endbr64);
	if (at < bytes && code[at] == 0xf2) /* bnd */
		at++;
	/* jmp *distance(%rip) */
	if (bytes < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&distance, code + at + 2, sizeof(distance));
	return address + at + 6 + (uint64_t)(int64_t)distance;
}

static void add_stubs(struct symbol_table *table, struct symbol_elf *file, const char *section,
		      size_t stub_bytes, const struct idmap *slots)
{
	const unsigned char *code;
	GElf_Shdr header;
	size_t bytes;

	code = symbol_elf_bytes(file, section, &header, &bytes);
	if (!code)
		return;
	for (size_t at = 0; at + stub_bytes <= bytes && table->made_len < STUBS_MAX;
	     at += stub_bytes) {
		uint64_t slot = read_stub(code + at, stub_bytes, header.sh_addr + at);
		const char *name = slot ? idmap_get(slots, slot) : NULL;
		char *stub_name;
		size_t len;

		if (!name)
			continue;
		len = strnlen(name, WIRE_NAME_MAX);
		stub_name = mem_alloc(len + sizeof("@plt"));
		memcpy(stub_name, name, len);
		memcpy(stub_name + len, "@plt", sizeof("@plt"));
		symbol_table_add_made(table, header.sh_addr + at, stub_bytes, stub_name);
	}
}

void symbol_plt_add(struct symbol_table *table, struct symbol_elf *file)
{
	struct idmap slots;
	GElf_Ehdr header;

	if (!gelf_getehdr(symbol_elf_handle(file), &header) || header.e_machine != EM_X86_64)
		return;
	idmap_init(&slots);
	read_slots(file, ".rela.plt", &slots);
	read_slots(file, ".rela.dyn", &slots);
	add_stubs(table, file, ".plt", 16, &slots);
	add_stubs(table, file, ".plt.sec", 16, &slots);
	add_stubs(table, file, ".plt.bnd", 16, &slots);
	add_stubs(table, file, ".plt.got", 8, &slots);
	idmap_release(&slots);
}
