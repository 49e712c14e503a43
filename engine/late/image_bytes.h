/*
 * image_bytes - whether memory of a process is what a file has there, and had.
 *
 * One thread. Keeps the last files open, and the last mappings that were found.
 */
#ifndef LATE_IMAGE_BYTES_H
#define LATE_IMAGE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_bytes;

struct image_file {
	uint32_t major, minor;
	uint64_t inode;
};

struct image_bytes *image_bytes_new(void);

/*
 * The bytes, read from the process just now, are in a private mapping of a file that cannot be
 * written through, and in that file, which was not changed since since_ns. *file: which it is.
 */
bool image_bytes_has(struct image_bytes *image, uint32_t pid, uint64_t address, const void *bytes,
		     size_t len, uint64_t since_ns, struct image_file *file);

#endif
