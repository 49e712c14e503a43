#include "engine/late/file_constants.h"

#include "engine/base/mem.h"
#include "engine/process/file_unchanged.h"
#include "engine/process/program_segments.h"
#include "engine/stack/mapped_file.h"

#include <stdlib.h>
#include <unistd.h>

#define FILES 16

struct file {
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	int fd; /* -1: unusable */
};

struct file_constants {
	struct file files[FILES];
	size_t next;
};

struct file_constants *file_constants_new(void)
{
	struct file_constants *constants = mem_zalloc(1, sizeof(*constants));

	for (size_t i = 0; i < FILES; i++)
		constants->files[i].fd = -1;
	return constants;
}

static const struct file *find_file(struct file_constants *constants, const struct mapping *mapping)
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
	*file = (struct file){ .major = mapping->dev_major,
			       .minor = mapping->dev_minor,
			       .inode = mapping->inode,
			       .inode_generation = mapping->inode_generation };
	file->fd = mapped_file_open(0, mapping, &note);
	if (file->fd < 0)
		file->fd = -1;
	return file;
}

/* Read the program headers each time: the file can have changed since the last call. */
static size_t read_at(const struct file *file, const struct mapping *mapping, uint64_t address,
		      void *to, size_t len)
{
	struct program_segments segments;
	uint64_t bias, offset, bytes;
	ssize_t count;

	program_segments_read(&segments, file->fd);
	if (!program_segments_bias(&segments, mapping->start, mapping->file_offset, &bias) ||
	    !program_segments_find(&segments, address - bias, &offset, &bytes))
		return 0;
	count = pread(file->fd, to, len < bytes ? len : bytes, (off_t)offset);
	return count > 0 ? (size_t)count : 0;
}

size_t file_constants_read(struct file_constants *constants, const struct mapping *mapping,
			   uint64_t address, void *to, size_t len, uint64_t since_ns)
{
	const struct file *file = find_file(constants, mapping);
	size_t read;

	if (file->fd < 0)
		return 0;
	read = read_at(file, mapping, address, to, len);
	/* Check this last: the file can have changed during the read. */
	return file_age_changed(file->fd, since_ns) ? 0 : read;
}
