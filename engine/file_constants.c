#include "engine/file_constants.h"

#include "engine/base/mem.h"
#include "engine/file_age.h"
#include "engine/stack/mapped_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES 16
#define SEGMENTS_MAX 16 /* of a file; linkers make four or five */
#define HEADERS_MAX 64
#define PAGE_BYTES 4096

/* What of a file is mapped where, as the file says it. */
struct segment {
	uint64_t vaddr, offset, bytes;
	bool code;
};

/* Those of a file that may not be written. */
struct file {
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	int fd; /* -1: nothing to be had */
	struct segment segments[SEGMENTS_MAX];
	size_t count;
};

struct file_constants {
	struct spaces *spaces;
	struct file files[FILES];
	size_t next;
};

struct file_constants *file_constants_new(struct spaces *spaces)
{
	struct file_constants *constants = mem_zalloc(1, sizeof(*constants));

	constants->spaces = spaces;
	for (size_t i = 0; i < FILES; i++)
		constants->files[i].fd = -1;
	return constants;
}

void file_constants_free(struct file_constants *constants)
{
	if (!constants)
		return;
	for (size_t i = 0; i < FILES; i++)
		if (constants->files[i].fd >= 0)
			close(constants->files[i].fd);
	free(constants);
}

/* -- What a file says of itself, which may be anything ---------------------------------------- */

static void take_segment(struct file *file, const Elf64_Phdr *header)
{
	if (header->p_type != PT_LOAD || header->p_flags & PF_W || !(header->p_flags & PF_R) ||
	    file->count == SEGMENTS_MAX)
		return;
	file->segments[file->count++] = (struct segment){
		.vaddr = header->p_vaddr, .offset = header->p_offset, .bytes = header->p_filesz,
		.code = header->p_flags & PF_X };
}

/* One of 64 bits; of others nothing is known. */
static void read_segments(struct file *file)
{
	Elf64_Phdr headers[HEADERS_MAX];
	Elf64_Ehdr elf;
	size_t bytes;

	if (pread(file->fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(headers[0]) || elf.e_phnum > HEADERS_MAX)
		return;
	bytes = elf.e_phnum * sizeof(headers[0]);
	if (pread(file->fd, headers, bytes, (off_t)elf.e_phoff) != (ssize_t)bytes)
		return;
	for (size_t i = 0; i < elf.e_phnum; i++)
		take_segment(file, &headers[i]);
}

static const struct file *find_file(struct file_constants *constants,
				    const struct mapping *mapping)
{
	struct file *file;
	const char *note;

	for (size_t i = 0; i < FILES; i++) {
		file = &constants->files[i];
		if (file->inode == mapping->inode && file->major == mapping->dev_major &&
		    file->minor == mapping->dev_minor &&
		    file->inode_generation == mapping->inode_generation)
			return file;
	}
	file = &constants->files[constants->next++ % FILES];
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct file){ .major = mapping->dev_major, .minor = mapping->dev_minor,
			       .inode = mapping->inode,
			       .inode_generation = mapping->inode_generation };
	file->fd = mapped_file_open(0, mapping, &note);
	if (file->fd < 0)
		file->fd = -1;
	else
		read_segments(file);
	return file;
}

/* -- Where it was -------------------------------------------------------------------------- */

/* What is added to addresses in the file; false: the mapping is of no code that it has. */
static bool find_bias(const struct file *file, const struct mapping *mapping, uint64_t *bias)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct segment *segment = &file->segments[i];
		uint64_t in_page = segment->offset % PAGE_BYTES;

		if (!segment->code || segment->offset - in_page != mapping->file_offset)
			continue;
		*bias = mapping->start - (segment->vaddr - in_page);
		return true;
	}
	return false;
}

static size_t read_at(const struct file *file, const struct mapping *mapping, uint64_t address,
		      void *to, size_t len)
{
	uint64_t bias;

	if (!find_bias(file, mapping, &bias))
		return 0;
	for (size_t i = 0; i < file->count; i++) {
		const struct segment *segment = &file->segments[i];
		uint64_t at = address - bias - segment->vaddr;
		ssize_t count;

		if (at >= segment->bytes)
			continue;
		if (len > segment->bytes - at)
			len = (size_t)(segment->bytes - at);
		count = pread(file->fd, to, len, (off_t)(segment->offset + at));
		return count > 0 ? (size_t)count : 0;
	}
	return 0;
}

size_t file_constants_read(struct file_constants *constants, uint32_t pid, uint32_t generation,
			   uint64_t address, void *to, size_t len, uint64_t since_ns)
{
	const struct file *file;
	struct mapping mapping;

	/* Constants lie behind the code of their file, before that of the next one. */
	if (!spaces_find_code_below(constants->spaces, pid, generation, address, &mapping) ||
	    !mapping.inode)
		return 0;
	file = find_file(constants, &mapping);
	if (file->fd < 0 || file_age_changed(file->fd, since_ns))
		return 0;
	return read_at(file, &mapping, address, to, len);
}
