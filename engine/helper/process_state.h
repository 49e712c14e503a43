/*
 * process_state - the state of a process, as the kernel shows it.
 *
 * Any thread. Reads /proc/PID/stat, so of processes of this program only: that of others is for
 * readers (engine/helper/reader.h).
 */
#ifndef HELPER_PROCESS_STATE_H
#define HELPER_PROCESS_STATE_H

#include <sys/types.h>

/* 'R', 'S', 'T' ...; 0: not known, as where /proc hides processes of others. */
char process_state(pid_t pid);

#endif
