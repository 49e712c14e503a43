/*
 * access_types - the table of permissions of this user, filled in by access.h.
 *
 * Rows own their texts, except for `name` and `what`, which are constants. Any thread.
 */
#ifndef LIVE_ACCESS_TYPES_H
#define LIVE_ACCESS_TYPES_H

#include <stdbool.h>

enum access_id {
	ACCESS_TRACEFS,
	ACCESS_OWN_CALLS,
	ACCESS_ALL_CALLS,
	ACCESS_KERNEL_STACKS,
	ACCESS_USER_STACKS,
	ACCESS_WAKERS,
	ACCESS_KERNEL_SYMBOLS,
	ACCESS_MEMORY,
	ACCESS_FILES,
	ACCESS_BPF,
	ACCESS_COUNT
};

#define ACCESS_LINE_BYTES 1024

struct access_row {
	enum access_id id;
	const char *name; /* for scripts: "all-calls" */
	const char *what; /* for display: "system calls of every process" */
	bool works;
	char why[320]; /* empty if it works */
	/* Commands for root; empty if the row works, or if no command would grant access. */
	char setting[256]; /* for all users, until the next boot */
	char program[ACCESS_LINE_BYTES]; /* capabilities for the file of this program */
};

struct access {
	struct access_row rows[ACCESS_COUNT];
	/* Commands that grant all rows that do not work. */
	char setting[256];
	char program[ACCESS_LINE_BYTES];
	char note[256]; /* what prevents these commands from working; empty: no known obstacle */
};

#endif
