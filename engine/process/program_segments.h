/*
 * program_segments - the loadable segments of an ELF file, from its program headers.
 *
 * Any process may have written the file, so an unprivileged worker parses complicated formats
 * (symbol tables, DWARF). This parser is safe without one. It makes two reads of bounded size into
 * structs of fixed size, follows no references, and neither allocates nor maps. If the file is
 * truncated meanwhile, a read is only short. If two segments overlap, no header is used: the kernel
 * maps the later one over the earlier one, so memory would differ from the file.
 *
 * Any thread. Format: System V ABI, elf(5); fs/binfmt_elf.c for how the kernel uses it.
 */
#ifndef PROCESS_PROGRAM_SEGMENTS_H
#define PROCESS_PROGRAM_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_SEGMENTS_MAX 16 /* maximum number per file; linkers create four or five */

struct program_segment {
	uint64_t vaddr, offset;
	uint64_t bytes; /* size in the file */
	bool code, constant; /* code: executable; constant: readable and never writable */
};

/* Sorted by address; no two segments share a page. */
struct program_segments {
	struct program_segment items[PROGRAM_SEGMENTS_MAX];
	size_t count; /* 0: no usable headers */
};

/* fd is a regular file, open for reading. */
void program_segments_read(struct program_segments *segments, int fd);
/*
 * Compute the bias to add to addresses of the file, if its code at file_offset is mapped at
 * `start`. False: no code segment, or more than one, begins in that page.
 */
bool program_segments_bias(const struct program_segments *segments, uint64_t start,
			   uint64_t file_offset, uint64_t *bias);
/*
 * Find the file offset of a constant, and the number of bytes from there to the end of its segment.
 * False: vaddr is not in constant data.
 */
bool program_segments_find(const struct program_segments *segments, uint64_t vaddr,
			   uint64_t *offset, uint64_t *bytes);

#endif
