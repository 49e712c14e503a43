/*
 * process_memory - reads the memory of a process, as far as it is present in RAM.
 *
 * Only present pages (/proc/PID/pagemap) are read, so that no page is fetched from a disk or a
 * server. A page may be evicted between the check and the read. Therefore run this in a reader
 * process (reader.h). Any thread.
 */
#ifndef PROCESS_PROCESS_MEMORY_H
#define PROCESS_PROCESS_MEMORY_H

#include "engine/helper/reader_wire.h"

/*
 * Read from `address` up to the first absent page. Return the byte count, or -errno, for example
 * without permission.
 */
long memory_read(uint32_t pid, uint64_t address, void *to, size_t len);

/* Handler of READER_MEMORY. */
reader_handle_fn memory_handle;

#endif
