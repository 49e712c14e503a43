/*
 * shutdown - frees resources at exit without waiting for threads that can hang.
 *
 * A thread that reads a file or the memory of another process can hang in the kernel until a server
 * answers. Until then its memory must not be freed. So the code that joins threads and frees memory
 * runs on a thread of its own, with a time limit.
 *
 * If the limit expires, the thread is left running, all later work is skipped, and the program
 * exits with shutdown_leave(). Do mandatory work first: restore the terminal, continue stopped
 * processes, write files. One thread.
 */
#ifndef DIALOGS_SHUTDOWN_H
#define DIALOGS_SHUTDOWN_H

#include <stdbool.h>

/* The first two add up to less than the half second in which stxtop must exit after a quit. */
#define SHUTDOWN_INTERFACE_MS 150
#define SHUTDOWN_ENGINE_MS 200
#define SHUTDOWN_FILES_MS 5000 /* replaces the first while files are being written */

struct shutdown {
	bool stuck; /* a thread was left running; initially false */
};

/*
 * Run `run` on another thread. False: `run` exceeded limit_ms, or was not called because an earlier
 * `run` did so.
 */
bool shutdown_run(struct shutdown *shutdown, void (*run)(void *ctx), void *ctx, int limit_ms);

/* Exit at once, regardless of the state of other threads. */
__attribute__((noreturn)) void shutdown_leave(int status);

#endif
