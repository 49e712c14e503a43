/*
 * access - determines what this user may watch, by trying it.
 *
 * For each row of the table, access_check() opens the events, files or programs that the row stands
 * for, and closes them again. A row that fails states the reason and the exact commands that would
 * grant access. One command changes the machine for all users, the other gives capabilities to this
 * program only. Each command line is complete by itself. Any thread. Takes a few hundred
 * milliseconds, mostly for loading BPF programs.
 */
#ifndef LIVE_ACCESS_H
#define LIVE_ACCESS_H

#include "engine/source/live/access_place.h" /* access_program() */
#include "engine/source/live/access_types.h"

#include <stdbool.h>
#include <stddef.h>

void access_check(struct access *access);

/*
 * A line for display: the calls that a filter wants ("all calls") and the probes that report them
 * with the present permissions ("BPF programs at ..."). access_plans() returns the number of lines.
 */
struct access_plan {
	const char *wanted, *probes;
};

#define ACCESS_PLANS 4

size_t access_plans(const struct access *access, struct access_plan plans[ACCESS_PLANS]);
/* True if the calls of all processes can be watched. */
bool access_is_enough(const struct access *access);

#endif
