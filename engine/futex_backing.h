/*
 * futex_backing - what memory a shared futex is in: processes that map the same have one.
 *
 * Reads /proc/PID/maps up to the address, which takes as long as the process has
 * mappings: not for the collector's thread. Any other thread.
 */
#ifndef ENGINE_FUTEX_BACKING_H
#define ENGINE_FUTEX_BACKING_H

#include <stdbool.h>
#include <stdint.h>

struct futex_place {
	uint64_t device, inode; /* of the file, or of what stands for shared memory */
	uint64_t offset;        /* in it */
};

/* false: no shared mapping is there, or nobody may know. */
bool futex_backing_find(struct futex_place *place, uint32_t pid, uint64_t uaddr);

#endif
