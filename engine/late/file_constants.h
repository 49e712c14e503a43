/*
 * file_constants - reads the read-only data of a process from the files of its programs and
 * libraries, also after the process has ended.
 *
 * Mapping records cover only code. The ELF program headers give the addresses of the constants
 * (program_segments.h explains why this process may read them). A file is used only if it is a
 * regular file, is still the mapped one, and has not changed since since_ns. It is opened by its
 * path from stxtop's own root, without following links (mapped_file.h). One thread. Caches
 * descriptors of the most recent files.
 */
#ifndef LATE_FILE_CONSTANTS_H
#define LATE_FILE_CONSTANTS_H

#include "engine/stack/spaces.h"

#include <stddef.h>

struct file_constants;

struct file_constants *file_constants_new(void);

/*
 * Copy up to `len` bytes that have been at `address` since since_ns. The address must be above this
 * code mapping and below the code of the next file. Return the number of bytes; 0: unknown.
 */
size_t file_constants_read(struct file_constants *constants, const struct mapping *mapping,
			   uint64_t address, void *to, size_t len, uint64_t since_ns);

#endif
