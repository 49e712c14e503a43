#include "engine/process/program_segments.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADERS_MAX 64
#define PAGE_BYTES 4096
#define IN_PAGE(at) ((at) % PAGE_BYTES)

/*
 * True if the segment is inside the file, can be mapped, and begins at or after `end`, the end of
 * the previous segment.
 */
static bool makes_sense(const Elf64_Phdr *header, uint64_t file_bytes, uint64_t end)
{
	return header->p_filesz <= header->p_memsz && header->p_offset <= file_bytes &&
	       header->p_filesz <= file_bytes - header->p_offset &&
	       header->p_memsz <= INT64_MAX - PAGE_BYTES && header->p_vaddr <= INT64_MAX &&
	       IN_PAGE(header->p_vaddr) == IN_PAGE(header->p_offset) &&
	       header->p_vaddr - IN_PAGE(header->p_vaddr) >= end;
}

static bool take_all(struct program_segments *segments, const Elf64_Phdr *headers, size_t count,
		     uint64_t file_bytes)
{
	uint64_t end = 0; /* end of the pages of the previous segment */

	for (size_t i = 0; i < count; i++) {
		const Elf64_Phdr *header = &headers[i];

		if (header->p_type != PT_LOAD || !header->p_memsz)
			continue;
		if (segments->count == PROGRAM_SEGMENTS_MAX ||
		    !makes_sense(header, file_bytes, end))
			return false;
		end = header->p_vaddr + header->p_memsz + PAGE_BYTES - 1;
		end -= IN_PAGE(end);
		segments->items[segments->count++] = (struct program_segment){
			.vaddr = header->p_vaddr,
			.offset = header->p_offset,
			.bytes = header->p_filesz,
			.code = header->p_flags & PF_X,
			.constant = header->p_flags & PF_R && !(header->p_flags & PF_W)
		};
	}
	return true;
}

void program_segments_read(struct program_segments *segments, int fd)
{
	Elf64_Phdr headers[HEADERS_MAX];
	Elf64_Ehdr elf;
	struct stat st;
	size_t bytes;

	segments->count = 0;
	/* Only ELF64: stxtop does not read 32-bit files. */
	if (fstat(fd, &st) || pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(headers[0]) || elf.e_phnum > HEADERS_MAX ||
	    elf.e_phoff > INT64_MAX)
		return;
	bytes = elf.e_phnum * sizeof(headers[0]);
	if (pread(fd, headers, bytes, (off_t)elf.e_phoff) != (ssize_t)bytes ||
	    !take_all(segments, headers, elf.e_phnum, (uint64_t)st.st_size))
		segments->count = 0;
}

bool program_segments_bias(const struct program_segments *segments, uint64_t start,
			   uint64_t file_offset, uint64_t *bias)
{
	bool found = false;

	for (size_t i = 0; i < segments->count; i++) {
		const struct program_segment *segment = &segments->items[i];
		uint64_t in_page = IN_PAGE(segment->offset);

		if (!segment->code || segment->offset - in_page != file_offset)
			continue;
		if (found)
			return false;
		*bias = start - (segment->vaddr - in_page);
		found = true;
	}
	return found;
}

bool program_segments_find(const struct program_segments *segments, uint64_t vaddr,
			   uint64_t *offset, uint64_t *bytes)
{
	for (size_t i = 0; i < segments->count; i++) {
		const struct program_segment *segment = &segments->items[i];
		uint64_t at = vaddr - segment->vaddr;

		if (!segment->constant || vaddr < segment->vaddr || at >= segment->bytes)
			continue;
		*offset = segment->offset + at;
		*bytes = segment->bytes - at;
		return true;
	}
	return false;
}
