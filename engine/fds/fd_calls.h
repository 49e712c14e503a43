/*
 * fd_calls - what each system call does to the descriptors of its process.
 *
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_CALLS_H
#define FDS_FD_CALLS_H

#include "engine/fds/fd_call.h"

#define FD_CALLS_NR_MAX 512 /* calls of numbers from here on change no descriptors */

bool fd_calls_has(uint32_t nr);
void fd_calls_apply(const struct fd_call *change);
/* All of len bytes at an address, as they were at the exit or at the enter; false: not known. */
bool fd_calls_read(const struct fd_chunks pointed[2], bool at_exit, uint64_t address, void *to,
		   size_t len);
/* The text that a call was given there, borrowed, not terminated; false: not known. */
bool fd_calls_text(const struct fd_chunks pointed[2], uint64_t address, const char **text,
		   size_t *len);

#endif
