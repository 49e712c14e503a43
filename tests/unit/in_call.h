/*
 * in_call - waits until another process is where a test wants it.
 */
#ifndef UNIT_IN_CALL_H
#define UNIT_IN_CALL_H

#include <sys/types.h>

/* Returns once the process is asleep inside this system call: one just forked may not be yet. */
void wait_until_in(pid_t pid, long nr);

#endif
