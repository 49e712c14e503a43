/*
 * image_bytes - checks that memory of a process equals the mapped file, now and at an earlier time.
 *
 * One thread. Caches the most recent mappings and their open files.
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
 * Check bytes that were just read from the process. True if they lie in a private read-only mapping
 * of a file, equal the file, and the file has not changed since since_ns. *file: that file.
 */
bool image_bytes_has(struct image_bytes *image, uint32_t pid, uint64_t address, const void *bytes,
		     size_t len, uint64_t since_ns, struct image_file *file);

#endif
