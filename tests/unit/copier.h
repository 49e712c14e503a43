/*
 * copier - runs the BPF code that copies call arguments, on memory of this process.
 *
 * Compiles the headers of engine/source/bpf/ with the kernel's helpers replaced. Unmapped memory
 * faults. One thread, one CPU, one ring.
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
#define COPIER_KEY 0 /* key of the ring's marks */

const struct syscalls *copier_start(uint32_t string_bytes); /* borrowed until copier_end() */
void copier_end(void);

/* Set the ring position of the next record. */
void copier_at(uint64_t position);
/* Copy nothing at enters, as with a filter that drops most calls. */
void copier_defer(bool defer);

/*
 * Set the file of a descriptor or of AT_FDCWD. The directories of its path are created. The first
 * `above` of them belong to the file system on which the file's own file system is mounted.
 */
struct copier_file {
	const char *path; /* "/usr/lib/file"; a name without /: in no directory, like a pipe */
	unsigned above;
	uint64_t inode;
	uint32_t magic, device;
	uint16_t mode;
	bool deleted;
	/* For a socket: fields of the kernel's struct sock and sock_common. */
	uint16_t family, type;
	uint32_t local, remote;
	uint16_t local_port, remote_port;
};
void copier_has_file(int fd, const struct copier_file *file);

void copier_enter(uint32_t nr, const uint64_t args[6]);
void copier_switch(void); /* the thread leaves its CPU for the first time in this call */
void copier_exit(int64_t ret);

/* Return the last emitted record; NULL: none since the enter. */
const struct bpf_record *copier_reported(void);
/* Return all bytes captured for the call, as a history stores them. Valid until the next enter. */
struct captured_bytes copier_captured(void);

#endif
