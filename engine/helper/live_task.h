/*
 * live_task - finds a thread through which the memory and the files of a process can be read.
 *
 * The first thread of a process may exit before its other threads. Then it stays as a zombie: maps,
 * fd, exe, cwd and root of /proc/PID are empty, and process_vm_readv() fails with ESRCH. /proc/TID
 * of another thread shows them; it exists although readdir does not list it. Any thread.
 */
#ifndef HELPER_LIVE_TASK_H
#define HELPER_LIVE_TASK_H

#include <stdint.h>

/* Return pid if the first thread is alive, else another live thread; 0: none found. */
uint32_t live_task(uint32_t pid);
/* As live_task(), but return tid if that thread of the process is alive. */
uint32_t live_task_near(uint32_t pid, uint32_t tid);

#endif
