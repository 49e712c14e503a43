/*
 * file_constants - what a process had in the read-only parts of its programs and libraries, from
 * their files, also when it has ended.
 *
 * Only code is told of where it was mapped; where the constants beside it were follows from
 * the ELF program headers (program_segments.h says why they are read here). A file counts if it
 * is a regular one, still the one that was mapped, found by its path from this program's own root
 * without following a link (mapped_file.h), and was not changed since. One thread. Keeps the last
 * files open.
 */
#ifndef LATE_FILE_CONSTANTS_H
#define LATE_FILE_CONSTANTS_H

#include "engine/stack/spaces.h"

#include <stddef.h>

struct file_constants;

struct file_constants *file_constants_new(void);

/*
 * As many bytes of len as were there since since_ns, at an address that lies behind this mapping
 * of code, before that of the next file; 0: not known.
 */
size_t file_constants_read(struct file_constants *constants, const struct mapping *mapping,
			   uint64_t address, void *to, size_t len, uint64_t since_ns);

#endif
