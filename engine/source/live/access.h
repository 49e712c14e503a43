/*
 * access - determines what this user may watch, by trying it.
 *
 * Each row of the table opens the events, files or programs that it stands for and closes them
 * again. A row that fails states the reason and the exact commands that would grant access: one
 * changes the machine for all users, the other gives capabilities to this program only. Each
 * command line is complete by itself. Any thread. Takes some hundred milliseconds, mostly for
 * loading BPF programs.
 */
#ifndef LIVE_ACCESS_H
#define LIVE_ACCESS_H

#include "engine/source/live/access_place.h" /* access_program() */
#include "engine/source/live/access_types.h"

#include <stdbool.h>
#include <stddef.h>

void access_check(struct access *access);

/*
 * Which probes are used for which filter, as far as permissions allow: "all calls" and "BPF
 * programs at ...". Texts are for display. access_plans() returns their number.
 */
struct access_plan {
	const char *wanted, *probes;
};

#define ACCESS_PLANS 4

size_t access_plans(const struct access *access, struct access_plan plans[ACCESS_PLANS]);
/* True if the calls of all processes can be watched. */
bool access_is_enough(const struct access *access);

#endif
