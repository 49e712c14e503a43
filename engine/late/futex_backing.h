/*
 * futex_backing - what memory a futex is in: processes that map the same share it.
 *
 * Asks the kernel for one mapping (PROCMAP_QUERY, Linux 6.11), which takes
 * microseconds; before that /proc/PID/maps is read up to the address, as far as a bound
 * allows. Not for the collector's thread. Any other thread.
 */
#ifndef LATE_FUTEX_BACKING_H
#define LATE_FUTEX_BACKING_H

#include <stdbool.h>
#include <stdint.h>

struct reader;

#define FUTEX_LABEL_BYTES 160

struct futex_place {
	bool shared; /* other processes can map it */
	uint64_t device, inode; /* of the file, or of what stands for shared memory */
	uint64_t offset; /* in it */
	/* For people, escaped: "[heap]+0x2a0", "libfoo.so.1+0x4010", "/dev/shm/queue+0x40". */
	char label[FUTEX_LABEL_BYTES];
};

/* false: nothing is mapped there, or nobody may know. */
bool futex_backing_find(struct reader *reader, struct futex_place *place, uint32_t pid,
			uint64_t uaddr);

#endif
