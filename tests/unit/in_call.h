/* in_call - waits until another process is inside a given system call. */
#ifndef UNIT_IN_CALL_H
#define UNIT_IN_CALL_H

#include <sys/types.h>

/* Return once the process sleeps inside this system call; a new child needs a moment. */
void wait_until_in(pid_t pid, long nr);

#endif
