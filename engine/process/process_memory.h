/*
 * process_memory - what a process has in its memory, as far as it is there.
 *
 * Only pages that are present (/proc/PID/pagemap) are read: nothing is fetched from a disk or a
 * server for it. A page may go between the look and the read, so this is for a reader's process
 * (reader.h). Any thread.
 */
#ifndef PROCESS_PROCESS_MEMORY_H
#define PROCESS_PROCESS_MEMORY_H

#include "engine/helper/reader_wire.h"

/* From `address` on, up to the first page that is missing; -errno: nobody may know. */
long memory_read(uint32_t pid, uint64_t address, void *to, size_t len);

/* READER_MEMORY. */
reader_handle_fn memory_handle;

#endif
