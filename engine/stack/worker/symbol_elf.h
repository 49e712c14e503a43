/*
 * symbol_elf - one ELF file in memory, read by libelf.
 *
 * Runs in the worker process only. The file is mapped and never copied; one
 * that is cut short while it is read ends the worker (SIGBUS), which costs that
 * file its symbols.
 */
#ifndef WORKER_SYMBOL_ELF_H
#define WORKER_SYMBOL_ELF_H

#include "engine/helper/worker_wire.h"

#include <gelf.h>

struct symbol_elf;

/* Takes fd. NULL: not an ELF file that can be read. */
struct symbol_elf *symbol_elf_new(int take_fd);
void symbol_elf_free(struct symbol_elf *file);

Elf *symbol_elf_handle(const struct symbol_elf *file);
void symbol_elf_describe(struct symbol_elf *file, struct wire_file *described);
/* Of .gnu_debuglink; 0: there is none. */
uint32_t symbol_elf_debug_crc(struct symbol_elf *file);
/*
 * Of the whole file, as a debuglink has it. False: time was up before the end; another call
 * goes on from there.
 */
bool symbol_elf_crc(struct symbol_elf *file, uint64_t end_ns, uint32_t *crc);

/* From an offset in the file to the address that its symbols speak of. */
bool symbol_elf_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address);
/* The same of what data_offset.h counts, without its bit: an address in a segment of data. */
bool symbol_elf_data_address(const struct symbol_elf *file, uint64_t offset, uint64_t *address);

/* What lies in the file at such an address: bytes up to the end of its segment, or NULL. */
const unsigned char *symbol_elf_at(const struct symbol_elf *file, uint64_t address, size_t *bytes);
/* The addresses that its segments take up, from the first byte to behind the last. */
void symbol_elf_range(const struct symbol_elf *file, uint64_t *low, uint64_t *high);
/* Where the index of its unwind tables is, by the program headers; false: there is none. */
bool symbol_elf_eh_frame_hdr(const struct symbol_elf *file, uint64_t *address);

/* The section's header; NULL: none of that name. */
Elf_Scn *symbol_elf_section(struct symbol_elf *file, const char *name, GElf_Shdr *header);
/* Its bytes, unpacked, or NULL where it has none. Bounded by the file, or by 256 MiB. */
const unsigned char *symbol_elf_bytes(struct symbol_elf *file, const char *name, GElf_Shdr *header,
				      size_t *bytes);

#endif
