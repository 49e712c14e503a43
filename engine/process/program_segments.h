/*
 * program_segments - what of an ELF file is mapped where, as its program headers say it.
 *
 * Any process may have written the file. What is foreign in complicated formats (symbol tables,
 * DWARF) is read by the unprivileged worker; this is not: two reads of bounded size into
 * structs of fixed size, where nothing is followed, allocated or mapped (a file that is
 * cut meanwhile makes a read short, and nothing else). Headers that contradict each other
 * are refused all together: the kernel maps later ones over earlier ones, and what would be
 * found in between was never there.
 *
 * Any thread. Format: System V ABI, elf(5); fs/binfmt_elf.c for what the kernel makes of it.
 */
#ifndef PROCESS_PROGRAM_SEGMENTS_H
#define PROCESS_PROGRAM_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_SEGMENTS_MAX 16 /* of a file; linkers make four or five */

struct program_segment {
	uint64_t vaddr, offset;
	uint64_t bytes; /* in the file */
	bool code, constant; /* may be executed; may be read and never written */
};

/* By address, without a page in common. */
struct program_segments {
	struct program_segment items[PROGRAM_SEGMENTS_MAX];
	size_t count; /* 0: the file says nothing that can be used */
};

/* fd is a regular file, open for reading. */
void program_segments_read(struct program_segments *segments, int fd);
/*
 * What is to be added to addresses of the file where code from file_offset on is mapped at start;
 * false: it has no such code, or more than one.
 */
bool program_segments_bias(const struct program_segments *segments, uint64_t start,
			   uint64_t file_offset, uint64_t *bias);
/* Where in the file a constant is, and how many bytes from there on; false: it is none. */
bool program_segments_find(const struct program_segments *segments, uint64_t vaddr,
			   uint64_t *offset, uint64_t *bytes);

#endif
