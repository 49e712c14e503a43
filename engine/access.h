/*
 * access - what this user may watch here, found out by trying.
 *
 * Each line of the table opens what it speaks of for real, closes it again, and
 * says why it failed and the exact line that would grant it. Any thread; a few
 * milliseconds.
 */
#ifndef ENGINE_ACCESS_H
#define ENGINE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

enum access_id {
	ACCESS_TRACEFS,
	ACCESS_OWN_CALLS,
	ACCESS_ALL_CALLS,
	ACCESS_KERNEL_STACKS,
	ACCESS_USER_STACKS,
	ACCESS_WAKERS,
	ACCESS_KERNEL_SYMBOLS,
	ACCESS_MEMORY,
	ACCESS_BPF,
	ACCESS_COUNT
};

struct access_row {
	enum access_id id;
	const char *what; /* "system calls of every process" */
	bool works;
	char why[160];    /* empty if it works */
	char grant[192];  /* the line to run; empty if it works or nothing would do */
};

void access_table(struct access_row rows[ACCESS_COUNT]);
/*
 * What is probed for what filter, as far as may be: "all calls" and "by BPF programs at ...".
 * Lines for people; returns how many.
 */
struct access_plan {
	const char *wanted, *probes;
};

#define ACCESS_PLANS 4

size_t access_plans(const struct access_row rows[ACCESS_COUNT],
		    struct access_plan plans[ACCESS_PLANS]);
/* Whether the whole system can be watched. */
bool access_is_enough(const struct access_row rows[ACCESS_COUNT]);

#endif
