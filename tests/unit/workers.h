/*
 * workers - jobs of a test program, by several processes of it at a time.
 *
 * Most tests wait most of their time, so there are more processes than CPUs. What jobs count
 * is in memory that the processes share.
 */
#ifndef UNIT_WORKERS_H
#define UNIT_WORKERS_H

/* Zeroed memory shared with every process forked from now on. Exits where there is none. */
void *workers_shared(unsigned long bytes);

/*
 * Runs job(ctx, 0 … count - 1), the last one first, each in one of the processes; alone: all in
 * this one. Standard output is flushed behind each. How many processes died over it.
 */
int workers_run(int count, void (*job)(void *ctx, int at), void *ctx, int alone);

#endif
