/*
 * shutdown - gives things back at the end of the program, without waiting for what may never end.
 *
 * A thread that reads a file or the memory of another process may hang in the kernel for as long
 * as a server does not answer, and what it uses must not be freed before. So whatever joins
 * threads and frees runs on a thread of its own, which is waited for a moment. If it takes longer,
 * it is left behind, nothing else is freed, and the program ends with shutdown_leave(). What must
 * be done in any case (the terminal, processes that were stopped, files) is done before. One
 * thread.
 */
#ifndef DIALOGS_SHUTDOWN_H
#define DIALOGS_SHUTDOWN_H

#include <stdbool.h>

/* Together less than the half second in which a program that was left is gone. */
#define SHUTDOWN_INTERFACE_MS 150
#define SHUTDOWN_ENGINE_MS 200
#define SHUTDOWN_FILES_MS 5000 /* where files have yet to be written */

struct shutdown {
	bool stuck; /* something was left behind; begins as false */
};

/*
 * Runs it, on another thread. False: it did not end within limit_ms, or something before it did
 * not, and it was not run at all.
 */
bool shutdown_run(struct shutdown *shutdown, void (*run)(void *ctx), void *ctx, int limit_ms);

/* Ends the program at once, whatever its threads are at. */
__attribute__((noreturn)) void shutdown_leave(int status);

#endif
