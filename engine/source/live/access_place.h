/*
 * access_place - what the lines that grant access depend on: who runs this program, what it
 * has, where its file lies, how the kernel is set. Any thread.
 */
#ifndef LIVE_ACCESS_PLACE_H
#define LIVE_ACCESS_PLACE_H

#include "engine/process/self_capabilities.h"
#include "engine/source/live/access_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_place {
	struct self_capabilities rights;
	bool root;
	unsigned int gid;
	int paranoid, kptr_restrict; /* kernel.perf_event_paranoid, kernel.kptr_restrict */
	int tracefs; /* 0: readable; -ENOENT: not mounted; else refused */
	bool mounted; /* there is one in its usual place */
	uint64_t capabilities_known; /* to this kernel */
	char program[ACCESS_LINE_BYTES]; /* this file, as a shell wants it; empty: not to be said */
	char copied[ACCESS_LINE_BYTES]; /* a line that puts it where capabilities count, or "" */
	char note[256]; /* why capabilities of the file would do nothing; empty: they do */
};

#define ACCESS_TRACEFS_PLACE "/sys/kernel/tracing"

/* tracefs: as access_try() told. */
void access_place_look(struct access_place *place, int tracefs);

/*
 * The file of this program; of one that was replaced since, such as by building it again, the
 * new one. False: it is gone.
 */
bool access_program(char *path, size_t bytes);

#endif
