/*
 * fd_calls - effect of each system call on the descriptors of its process.
 *
 * Under the lock of fds.h.
 */
#ifndef FDS_FD_CALLS_H
#define FDS_FD_CALLS_H

#include "engine/fds/fd_call.h"

#define FD_CALLS_NR_MAX 512 /* calls with this or a higher number change no descriptors */

bool fd_calls_has(uint32_t nr);
void fd_calls_apply(const struct fd_call *change);
/* Copy len bytes at an address, as captured at the exit or at the enter. False: not captured. */
bool fd_calls_read(const struct fd_chunks pointed[2], bool at_exit, uint64_t address, void *to,
		   size_t len);
/* Find the text that a call passed at an address: borrowed, not terminated. False: not captured. */
bool fd_calls_text(const struct fd_chunks pointed[2], uint64_t address, const char **text,
		   size_t *len);

#endif
