#include "engine/stack/worker/symbol_elf.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define LOADS_MAX 64u
#define SUM_BYTES ((size_t)4 << 20) /* number of bytes between two checks of the clock */
#define UNPACKED_MAX ((uint64_t)256 << 20) /* maximum size of a decompressed section */

struct load {
	uint64_t offset, bytes, address;
	uint64_t memory_bytes; /* includes bytes that the file lacks (.bss) */
	bool executable;
};

struct symbol_elf {
	unsigned char *image;
	size_t bytes;
	Elf *elf;
	struct load loads[LOADS_MAX];
	unsigned int loads_len;
	uint64_t eh_frame_hdr; /* 0: none */
	size_t summed; /* bytes included in `sum` */
	uint32_t sum;
};

static void read_loads(struct symbol_elf *file)
{
	size_t count;

	if (elf_getphdrnum(file->elf, &count) < 0)
		return;
	for (size_t i = 0; i < count && file->loads_len < LOADS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(file->elf, (int)i, &header))
			return;
		if (header.p_type == PT_GNU_EH_FRAME)
			file->eh_frame_hdr = header.p_vaddr;
		if (header.p_type != PT_LOAD || !header.p_filesz)
			continue;
		file->loads[file->loads_len++] = (struct load){
			.offset = header.p_offset,
			.bytes = header.p_filesz,
			.address = header.p_vaddr,
			.memory_bytes = header.p_memsz,
			.executable = header.p_flags & PF_X,
		};
	}
}

/*
 * libelf marks a decompressed section in its header, in place. Make only the pages of the headers
 * writable: all writable pages count as heap (RLIMIT_DATA).
 */
static void unlock_headers(const struct symbol_elf *file)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), from, to, count;
	GElf_Ehdr header;

	if (!gelf_getehdr(file->elf, &header) || elf_getshdrnum(file->elf, &count) < 0 ||
	    header.e_shoff >= file->bytes ||
	    count > (file->bytes - header.e_shoff) / (header.e_shentsize ? header.e_shentsize : 1))
		return;
	from = header.e_shoff & ~(page - 1);
	to = header.e_shoff + count * header.e_shentsize;
	mprotect(file->image + from, to - from, PROT_READ | PROT_WRITE);
	mprotect(file->image, page, PROT_READ | PROT_WRITE);
}

struct symbol_elf *symbol_elf_new(int take_fd)
{
	struct symbol_elf *file = NULL;
	unsigned char *image;
	struct stat st;

	if (fstat(take_fd, &st) < 0 || st.st_size < EI_NIDENT) {
		close(take_fd);
		return NULL;
	}
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, take_fd, 0);
	close(take_fd);
	if (image == MAP_FAILED)
		return NULL;
	file = mem_zalloc(1, sizeof(*file));
	file->image = image;
	file->bytes = (size_t)st.st_size;
	elf_version(EV_CURRENT);
	file->elf = elf_memory((char *)image, file->bytes);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF) {
		symbol_elf_free(file);
		return NULL;
	}
	unlock_headers(file);
	read_loads(file);
	return file;
}

void symbol_elf_free(struct symbol_elf *file)
{
	if (!file)
		return;
	if (file->elf)
		elf_end(file->elf);
	munmap(file->image, file->bytes);
	free(file);
}

Elf *symbol_elf_handle(const struct symbol_elf *file)
{
	return file->elf;
}

bool symbol_elf_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address)
{
	const struct load *found = NULL;

	for (unsigned int i = 0; i < file->loads_len; i++) {
		const struct load *load = &file->loads[i];

		if (offset < load->offset || offset - load->offset >= load->bytes)
			continue;
		if (!found || (load->executable && !found->executable))
			found = load;
	}
	if (found)
		*address = offset - found->offset + found->address;
	return found != NULL;
}

bool symbol_elf_data_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address)
{
	const struct load *code = NULL;

	for (unsigned int i = 0; i < file->loads_len && !code; i++)
		if (file->loads[i].executable)
			code = &file->loads[i];
	if (!code)
		return false;
	*address = offset - code->offset + code->address;
	for (unsigned int i = 0; i < file->loads_len; i++) {
		const struct load *load = &file->loads[i];

		if (!load->executable && *address >= load->address &&
		    *address - load->address < load->memory_bytes)
			return true;
	}
	return false;
}

const unsigned char *symbol_elf_at(const struct symbol_elf *file, uint64_t address, size_t *bytes)
{
	for (unsigned int i = 0; i < file->loads_len; i++) {
		const struct load *load = &file->loads[i];
		uint64_t into = address - load->address, here;

		if (address < load->address || into >= load->bytes || load->offset >= file->bytes ||
		    into >= file->bytes - load->offset)
			continue;
		here = file->bytes - load->offset;
		*bytes = (size_t)((load->bytes < here ? load->bytes : here) - into);
		return file->image + load->offset + into;
	}
	return NULL;
}

void symbol_elf_range(const struct symbol_elf *file, uint64_t *low, uint64_t *high)
{
	*low = file->loads_len ? UINT64_MAX : 0;
	*high = 0;
	for (unsigned int i = 0; i < file->loads_len; i++) {
		const struct load *load = &file->loads[i];
		uint64_t end = load->address + load->memory_bytes;

		if (load->address < *low)
			*low = load->address;
		if (end > load->address && end > *high)
			*high = end;
	}
}

bool symbol_elf_eh_frame_hdr(const struct symbol_elf *file, uint64_t *address)
{
	*address = file->eh_frame_hdr;
	return file->eh_frame_hdr != 0;
}

Elf_Scn *symbol_elf_section(struct symbol_elf *file, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names) < 0)
		return NULL;
	while ((section = elf_nextscn(file->elf, section))) {
		const char *its_name;

		if (!gelf_getshdr(section, header))
			continue;
		its_name = elf_strptr(file->elf, names, header->sh_name);
		if (its_name && !strcmp(its_name, name))
			return section;
	}
	return NULL;
}

/* Decompress a section if it is compressed. False: decompression failed, or it is too large. */
static bool unpack(Elf_Scn *section, GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return true;
	return gelf_getchdr(section, &packed) && packed.ch_size <= UNPACKED_MAX &&
	       elf_compress(section, 0, 0) >= 0 && gelf_getshdr(section, header);
}

const unsigned char *symbol_elf_bytes(struct symbol_elf *file, const char *name, GElf_Shdr *header,
				      size_t *bytes)
{
	Elf_Scn *section = symbol_elf_section(file, name, header);
	Elf_Data *data;

	if (!section || header->sh_type == SHT_NOBITS || !unpack(section, header))
		return NULL;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*bytes = data->d_size;
	return data->d_buf;
}

static bool has_section(struct symbol_elf *file, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == type &&
		    header.sh_size > header.sh_entsize)
			return true;
	return false;
}

static bool has_dwarf(struct symbol_elf *file)
{
	GElf_Shdr header;
	Elf_Scn *section = symbol_elf_section(file, ".debug_info", &header);

	if (!section)
		section = symbol_elf_section(file, ".zdebug_info", &header);
	return section && header.sh_type != SHT_NOBITS && header.sh_size;
}

static bool has_bytes(struct symbol_elf *file, const char *section)
{
	GElf_Shdr header;

	return symbol_elf_section(file, section, &header) && header.sh_type != SHT_NOBITS &&
	       header.sh_size;
}

static void copy_id(const void *id, size_t bytes, uint8_t *to, uint32_t *to_bytes)
{
	*to_bytes = (uint32_t)(bytes > WIRE_ID_MAX ? WIRE_ID_MAX : bytes);
	memcpy(to, id, *to_bytes);
}

static void read_build_id(struct symbol_elf *file, struct wire_file *described)
{
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;

	while ((section = elf_nextscn(file->elf, section))) {
		size_t at = 0, name_at, id_at;
		Elf_Data *data;
		GElf_Nhdr note;

		if (!gelf_getshdr(section, &shdr) || shdr.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(section, NULL);
		while (data && (at = gelf_getnote(data, at, &note, &name_at, &id_at)) > 0) {
			const char *bytes = data->d_buf;

			if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			    !memcmp(bytes + name_at, "GNU", 4)) {
				copy_id(bytes + id_at, note.n_descsz, described->build_id,
					&described->build_id_bytes);
				return;
			}
		}
	}
}

/*
 * Read .gnu_debuglink or .gnu_debugaltlink: a name, a NUL, then a CRC or build-id. Return the part
 * after the NUL, or NULL.
 */
static const unsigned char *read_link(struct symbol_elf *file, const char *section,
				      const char **name, size_t *rest)
{
	GElf_Shdr header;
	size_t bytes;
	const unsigned char *data = symbol_elf_bytes(file, section, &header, &bytes);
	const unsigned char *end = data ? memchr(data, '\0', bytes) : NULL;

	if (!end)
		return NULL;
	*name = (const char *)data;
	*rest = bytes - (size_t)(end + 1 - data);
	return end + 1;
}

void symbol_elf_describe(struct symbol_elf *file, struct wire_file *described)
{
	const unsigned char *id;
	const char *name;
	size_t rest;

	memset(described, 0, sizeof(*described));
	if (has_section(file, SHT_SYMTAB))
		described->flags |= WIRE_HAS_SYMTAB;
	if (has_section(file, SHT_DYNSYM))
		described->flags |= WIRE_HAS_DYNSYM;
	if (has_dwarf(file))
		described->flags |= WIRE_HAS_DWARF;
	if (file->eh_frame_hdr || has_bytes(file, ".eh_frame") || has_bytes(file, ".debug_frame"))
		described->flags |= WIRE_HAS_UNWIND;
	if (!(described->flags & WIRE_HAS_DWARF) || !(described->flags & WIRE_HAS_SYMTAB))
		described->flags |= WIRE_WANTS_DEBUG;
	for (unsigned int i = 0; i < file->loads_len && !described->code_bytes; i++)
		if (file->loads[i].executable) {
			described->code_offset = file->loads[i].offset;
			described->code_bytes = file->loads[i].bytes;
		}
	read_build_id(file, described);
	if (read_link(file, ".gnu_debuglink", &name, &rest) && strlen(name) <= WIRE_FILE_NAME_MAX)
		memcpy(described->debuglink, name, strlen(name) + 1);
	id = read_link(file, ".gnu_debugaltlink", &name, &rest);
	if (id && rest) {
		described->flags |= WIRE_WANTS_ALT;
		copy_id(id, rest, described->alt_id, &described->alt_id_bytes);
	}
}

uint32_t symbol_elf_debug_crc(struct symbol_elf *file)
{
	const unsigned char *at;
	const char *name;
	uint32_t crc = 0;
	size_t rest, pad;

	at = read_link(file, ".gnu_debuglink", &name, &rest);
	if (!at)
		return 0;
	pad = -(size_t)(at - (const unsigned char *)name) & 3;
	if (rest < pad + sizeof(crc))
		return 0;
	memcpy(&crc, at + pad, sizeof(crc));
	return crc;
}

bool symbol_elf_crc(struct symbol_elf *file, uint64_t end_ns, uint32_t *crc)
{
	while (file->summed < file->bytes) {
		size_t left = file->bytes - file->summed;
		size_t bytes = left < SUM_BYTES ? left : SUM_BYTES;

		file->sum = (uint32_t)crc32_z(file->sum, file->image + file->summed, bytes);
		file->summed += bytes;
		if (file->summed < file->bytes && clock_now_ns() >= end_ns)
			return false;
	}
	*crc = file->sum;
	return true;
}
