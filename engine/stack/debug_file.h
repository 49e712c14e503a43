/*
 * debug_file - where a file's separate debug information may be.
 *
 * As gdb looks: by build-id below /usr/lib/debug/.build-id, then by the name
 * in .gnu_debuglink. Whether what is found belongs to the file is for the
 * worker to say, who compares build-ids or checksums. Names thread.
 */
#ifndef STACK_DEBUG_FILE_H
#define STACK_DEBUG_FILE_H

#include "engine/stack/worker_wire.h"

#define DEBUG_FILE_CHOICES 4u

/* The choice-th place for the file at `path` of a process: a descriptor or -errno. */
int debug_file_open(uint32_t pid, const char *path, const struct wire_file *file,
		    unsigned int choice);
int debug_file_open_by_id(const uint8_t *build_id, uint32_t bytes);

#endif
