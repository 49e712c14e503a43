/*
 * access - what this user may watch here, found out by trying.
 *
 * Each row of the table opens what it speaks of for real, closes it again, and says why it
 * failed and the exact lines that would grant it: one that changes the machine for everybody,
 * one that gives it to this program alone. Each line is complete by itself. Any thread; some
 * hundred milliseconds, most of them for loading BPF programs.
 */
#ifndef LIVE_ACCESS_H
#define LIVE_ACCESS_H

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
	ACCESS_FILES,
	ACCESS_BPF,
	ACCESS_COUNT
};

#define ACCESS_LINE_BYTES 1024

struct access_row {
	enum access_id id;
	const char *name; /* "all-calls": for programs */
	const char *what; /* "system calls of every process" */
	bool works;
	char why[320]; /* empty if it works */
	/* Lines for root to run; empty if it works, or if nothing of the kind would do. */
	char setting[256]; /* for everybody, until the machine starts anew */
	char program[ACCESS_LINE_BYTES]; /* capabilities for the file of this program */
};

struct access {
	struct access_row rows[ACCESS_COUNT];
	/* For all that does not work: lines as in a row. */
	char setting[256];
	char program[ACCESS_LINE_BYTES];
	char note[256]; /* what stands in the way of these lines; empty: nothing that is known */
};

void access_check(struct access *access);

/*
 * What is probed for what filter, as far as may be: "all calls" and "by BPF programs at ...".
 * Lines for people; returns how many.
 */
struct access_plan {
	const char *wanted, *probes;
};

#define ACCESS_PLANS 4

size_t access_plans(const struct access *access, struct access_plan plans[ACCESS_PLANS]);
/*
 * The file of this program; of one that was replaced since, such as by building it again, the
 * new one. False: it is gone.
 */
bool access_program(char *path, size_t bytes);
/* Whether the whole system can be watched. */
bool access_is_enough(const struct access *access);

#endif
