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

#include "engine/source/live/access_place.h" /* access_program() */
#include "engine/source/live/access_types.h"

#include <stdbool.h>
#include <stddef.h>

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
/* Whether the whole system can be watched. */
bool access_is_enough(const struct access *access);

#endif
