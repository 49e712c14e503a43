/*
 * sandbox - drops all privileges of the calling process that a file reader does not need.
 *
 * Irreversible: user nobody, no capabilities, no new privileges, no core dump, no debugger, bounded
 * memory, and a seccomp list. The list allows the few calls that reading an open file and replying
 * on an open socket need. Opening files fails with an error; any other call kills the process.
 * Single-threaded callers only.
 */
#ifndef HELPER_SANDBOX_H
#define HELPER_SANDBOX_H

/*
 * Enter the sandbox. 0, or -errno if that failed: the process must then exit. Sanitizer builds omit
 * the seccomp list and the memory limits, because the sanitizer runtime needs more.
 */
int sandbox_enter(void);

/*
 * Drop a subset, for a process that must open files and use the network: user nobody, no
 * capabilities, no new privileges, no core dump; it ends with its parent. 0 or -errno.
 */
int sandbox_drop_privileges(void);

/* Close every descriptor except fd; 0, 1 and 2 become /dev/null. */
void sandbox_close_all_but(int fd);

#endif
