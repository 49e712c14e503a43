/*
 * proc_stat - the fields of /proc/PID/stat that stxtop needs.
 *
 * The comm field may contain any byte, including parentheses and newlines. It ends at the last
 * parenthesis. Any thread.
 */
#ifndef PROCESS_PROC_STAT_H
#define PROCESS_PROC_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROC_STAT_KTHREAD 0x00200000 /* PF_KTHREAD */
#define PROC_COMM_BYTES 64 /* kernel workers show more than 16 bytes here */

struct proc_stat {
	uint32_t tid;
	char comm[PROC_COMM_BYTES]; /* raw bytes, NUL-terminated */
	char state;
	uint32_t parent_pid;
	uint32_t flags;
	uint64_t cpu_ticks; /* user and system time, in clock ticks */
	uint32_t threads; /* live and zombie threads of its process */
	uint64_t started; /* clock ticks since boot; with the tid, identifies the task */
};

/* Parse the contents of a stat file; false: not a stat line. */
bool proc_stat_parse(struct proc_stat *stat, const char *text, size_t len);
/* dir_fd: a /proc/PID or /proc/PID/task/TID directory. path: "stat" or a path below dir_fd. */
bool proc_stat_read(struct proc_stat *stat, int dir_fd, const char *path);

/* Read a small /proc file into buffer, NUL-terminated. Return its length or -errno. */
long proc_read_at(int dir_fd, const char *path, char *buffer, size_t bytes);

#endif
