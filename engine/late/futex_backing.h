/*
 * futex_backing - finds the memory behind a futex, which processes share if they map that memory.
 *
 * Queries the kernel for one mapping (PROCMAP_QUERY, Linux 6.11), which takes microseconds. On
 * older kernels, reads /proc/PID/maps up to the address, within a bound. Any thread except the
 * collector's.
 */
#ifndef LATE_FUTEX_BACKING_H
#define LATE_FUTEX_BACKING_H

#include <stdbool.h>
#include <stdint.h>

struct reader;

#define FUTEX_LABEL_BYTES 160

struct futex_place {
	bool shared; /* other processes can map it */
	uint64_t device, inode; /* of the file, or of the object behind shared memory */
	uint64_t offset; /* in the file or object */
	/* For display, escaped: "[heap]+0x2a0", "libfoo.so.1+0x4010", "/dev/shm/queue+0x40". */
	char label[FUTEX_LABEL_BYTES];
};

/* False: the address is not mapped, or the lookup failed or is not permitted. */
bool futex_backing_find(struct reader *reader, struct futex_place *place, uint32_t pid,
			uint64_t uaddr);

#endif
