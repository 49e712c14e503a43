/*
 * build_id - the build-id of an ELF file, from the notes in its program headers.
 *
 * Any process may have written the file. As in program_segments.h, the parser makes a limited
 * number of reads of bounded size and follows no references. Any thread. Format: elf(5).
 */
#ifndef PROCESS_BUILD_ID_H
#define PROCESS_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_BYTES 20

/*
 * Return the length of the id in bytes; 0: the file has none. fd: a regular file, open for reading.
 */
uint32_t build_id_read(int fd, uint8_t id[BUILD_ID_BYTES]);

#endif
