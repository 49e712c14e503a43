/*
 * workers - runs the jobs of a test program in several processes.
 *
 * Tests mostly wait, so there is one process more than CPUs, but at most 8. Counters of jobs are
 * in memory that the processes share.
 */
#ifndef UNIT_WORKERS_H
#define UNIT_WORKERS_H

/* Return zeroed memory, shared with all processes forked later. Exit if there is none. */
void *workers_shared(unsigned long bytes);

/*
 * Run job(ctx, 0 … count - 1), the last one first, each in one of the processes; alone: all in this
 * process. Flush standard output after each job. Return the number of processes that died.
 */
int workers_run(int count, void (*job)(void *ctx, int at), void *ctx, int alone);

#endif
