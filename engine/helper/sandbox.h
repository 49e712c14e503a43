/*
 * sandbox - takes from the calling process whatever a reader of files does not need.
 *
 * No way back: no user but nobody's, no capability, no new privilege, no core,
 * no debugger, bounded memory, and a seccomp list of the few calls that
 * reading an open file and answering on an open socket take. Opening anything is
 * refused; anything else ends the process. Single-threaded callers only.
 */
#ifndef HELPER_SANDBOX_H
#define HELPER_SANDBOX_H

/*
 * 0, or -errno where the process could not be locked in: it must then not go on.
 * Under a sanitizer, whose runtime needs more, the list and the limits are left out.
 */
int sandbox_enter(void);

/*
 * The lesser part of it, for what must open files and talk to others: nobody's user, no
 * capability, no new privilege, no core; it ends with its parent. 0 or -errno.
 */
int sandbox_drop_privileges(void);

/* Closes every descriptor but this one (and what stands for 0, 1 and 2: /dev/null). */
void sandbox_close_all_but(int fd);

#endif
