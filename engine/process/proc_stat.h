/*
 * proc_stat - the few fields of /proc/…/stat that stxtop needs.
 *
 * The name in it may hold any byte, parentheses and newlines too; it ends at
 * the last parenthesis. Any thread.
 */
#ifndef PROCESS_PROC_STAT_H
#define PROCESS_PROC_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROC_STAT_KTHREAD 0x00200000 /* PF_KTHREAD */
#define PROC_COMM_BYTES 64 /* workers of the kernel have longer names than 16 here */

struct proc_stat {
	uint32_t tid;
	char comm[PROC_COMM_BYTES]; /* raw bytes, NUL-terminated */
	char state;
	uint32_t parent_pid;
	uint32_t flags;
	uint64_t cpu_ticks; /* clock ticks on a CPU, of user and kernel */
	uint32_t threads; /* of its process, that were not waited for */
	uint64_t started; /* clock ticks since boot: with the number, which task it is */
};

/* From the contents of the file; false if they are not a stat line. */
bool proc_stat_parse(struct proc_stat *stat, const char *text, size_t len);
/* dir_fd: a /proc/PID or /proc/PID/task/TID folder, path: "stat" or below it. */
bool proc_stat_read(struct proc_stat *stat, int dir_fd, const char *path);

/* A whole small file of /proc into buffer, NUL-terminated; its length or -errno. */
long proc_read_at(int dir_fd, const char *path, char *buffer, size_t bytes);

#endif
