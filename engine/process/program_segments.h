/*
 * program_segments - the loadable segments of an ELF file, from its program headers.
 *
 * Any process may have written the file. The unprivileged worker parses the complicated formats
 * (symbol tables, DWARF). This parser may run here: it makes two reads of bounded size into structs
 * of fixed size. It follows no references, and neither allocates nor maps; a file truncated
 * meanwhile only yields a short read. Headers that contradict each other are all rejected: the
 * kernel maps later segments over earlier ones, so the file contents between them would be wrong.
 *
 * Any thread. Format: System V ABI, elf(5); fs/binfmt_elf.c for how the kernel uses it.
 */
#ifndef PROCESS_PROGRAM_SEGMENTS_H
#define PROCESS_PROGRAM_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_SEGMENTS_MAX 16 /* per file; linkers create four or five */

struct program_segment {
	uint64_t vaddr, offset;
	uint64_t bytes; /* in the file */
	bool code, constant; /* executable; readable and never writable */
};

/* Sorted by address; no two segments share a page. */
struct program_segments {
	struct program_segment items[PROGRAM_SEGMENTS_MAX];
	size_t count; /* 0: no usable headers */
};

/* fd is a regular file, open for reading. */
void program_segments_read(struct program_segments *segments, int fd);
/*
 * Compute the bias to add to addresses of the file, if code from file_offset on is mapped at
 * `start`. False: the file has no such code, or more than one match.
 */
bool program_segments_bias(const struct program_segments *segments, uint64_t start,
			   uint64_t file_offset, uint64_t *bias);
/*
 * Find the file offset of a constant, and the bytes from there to the end of its segment. False:
 * vaddr is not in constant data.
 */
bool program_segments_find(const struct program_segments *segments, uint64_t vaddr,
			   uint64_t *offset, uint64_t *bytes);

#endif
