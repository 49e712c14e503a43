/*
 * symbol_elf - one ELF file in memory, read by libelf.
 *
 * Worker process only. The file is mapped, not copied. If it is truncated while it is read, SIGBUS
 * ends the worker and the file loses its symbols.
 */
#ifndef WORKER_SYMBOL_ELF_H
#define WORKER_SYMBOL_ELF_H

#include "engine/helper/worker_wire.h"

#include <gelf.h>

struct symbol_elf;

/* Take ownership of fd. NULL: not a readable ELF file. */
struct symbol_elf *symbol_elf_new(int take_fd);
void symbol_elf_free(struct symbol_elf *file);

Elf *symbol_elf_handle(const struct symbol_elf *file);
void symbol_elf_describe(struct symbol_elf *file, struct wire_file *described);
/* Return the CRC in .gnu_debuglink; 0: none. */
uint32_t symbol_elf_debug_crc(struct symbol_elf *file);
/*
 * Compute the CRC of the whole file, as in .gnu_debuglink. False: end_ns has passed; the next call
 * continues.
 */
bool symbol_elf_crc(struct symbol_elf *file, uint64_t end_ns, uint32_t *crc);

/* Convert a file offset to the address that symbols use. */
bool symbol_elf_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address);
/* Same for an offset of data_offset.h, without DATA_OFFSET: an address in a data segment. */
bool symbol_elf_data_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address);

/*
 * Return the file content at such an address; *bytes: up to the end of its segment. NULL: none.
 */
const unsigned char *symbol_elf_at(const struct symbol_elf *file, uint64_t address, size_t *bytes);
/* Get the address range of the segments of the file; *high is exclusive. */
void symbol_elf_range(const struct symbol_elf *file, uint64_t *low, uint64_t *high);
/* Get the address of .eh_frame_hdr from the program headers. False: none. */
bool symbol_elf_eh_frame_hdr(const struct symbol_elf *file, uint64_t *address);

/* Return the section and its header; NULL: none with that name. */
Elf_Scn *symbol_elf_section(struct symbol_elf *file, const char *name, GElf_Shdr *header);
/*
 * Return the decompressed content of a section; NULL: none. At most 256 MiB if compressed,
 * otherwise at most the size of the file.
 */
const unsigned char *symbol_elf_bytes(struct symbol_elf *file, const char *name, GElf_Shdr *header,
				      size_t *bytes);

#endif
