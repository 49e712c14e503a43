/*
 * copier - the programs' code that copies what calls point to, run on this process's memory.
 *
 * Compiled from the very headers of engine/source/bpf/, with the kernel's functions replaced:
 * what is not mapped here faults. There is one thread, one CPU and one ring.
 *
 *	copier_start(0);
 *	copier_enter(SYS_openat, args);
 *	copier_exit(-ENOENT);
 *	captured = copier_captured();
 */
#ifndef UNIT_COPIER_H
#define UNIT_COPIER_H

#include "engine/decode/captured_bytes.h"
#include "engine/decode/syscalls.h"
#include "engine/record/capture.h"
#include "engine/source/bpf/shared.h"

#include <stdbool.h>

#define COPIER_RING_BYTES 65536
#define COPIER_KEY 0 /* of its marks */

const struct syscalls *copier_start(uint32_t string_bytes); /* borrowed until copier_end() */
void copier_end(void);

/* Where in the ring the next record goes. */
void copier_at(uint64_t position);
/* Most calls are not wanted: nothing is copied at enters. */
void copier_defer(bool defer);

/*
 * What the kernel has for a descriptor, or AT_FDCWD, from now on: a file in the directories that
 * its path names, of which the first `above` are of the file system that its own is mounted on.
 */
struct copier_file {
	const char *path; /* "/usr/lib/file"; a name alone: of no place, as a pipe is */
	unsigned above;
	uint64_t inode;
	uint32_t magic, device;
	uint16_t mode;
	bool deleted;
	/* Of a socket, as the kernel's struct sock_common has them. */
	uint16_t family, type;
	uint32_t local, remote;
	uint16_t local_port, remote_port;
};
void copier_has_file(int fd, const struct copier_file *file);

void copier_enter(uint32_t nr, const uint64_t args[6]);
void copier_switch(void); /* the thread leaves its CPU for the first time in this call */
void copier_exit(int64_t ret);

/* The last record that was told; NULL: none since the enter. */
const struct bpf_record *copier_reported(void);
/* All that is known of the call, as a history has it. Valid until the next enter. */
struct captured_bytes copier_captured(void);

#endif
