/*
 * build_id - the build-id of an ELF file, from its program headers' notes.
 *
 * Any process may have written the file: three reads of bounded size, as in
 * program_segments.h, and nothing is followed. Any thread. Format: elf(5).
 */
#ifndef PROCESS_BUILD_ID_H
#define PROCESS_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_BYTES 20

/* fd is a regular file, open for reading. How many bytes the id has; 0: there is none. */
uint32_t build_id_read(int fd, uint8_t id[BUILD_ID_BYTES]);

#endif
