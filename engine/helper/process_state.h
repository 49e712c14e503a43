/*
 * process_state - reads the scheduler state of one of stxtop's own processes.
 *
 * Any thread. Reads /proc/PID/stat directly; for foreign processes, use a reader
 * (engine/helper/reader.h).
 */
#ifndef HELPER_PROCESS_STATE_H
#define HELPER_PROCESS_STATE_H

#include <sys/types.h>

/* Return 'R', 'S', 'T' ...; 0: unknown, e.g. where /proc hides processes of other users. */
char process_state(pid_t pid);

#endif
