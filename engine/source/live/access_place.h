/*
 * access_place - the conditions that the granting commands depend on: user, capabilities, program
 * file, kernel settings. Any thread.
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
	int tracefs; /* 0: readable; -ENOENT: not mounted; otherwise refused */
	bool mounted; /* tracefs is mounted at ACCESS_TRACEFS_PLACE */
	uint64_t capabilities_known; /* capabilities that this kernel knows */
	char program[ACCESS_LINE_BYTES]; /* path of this program, quoted for a shell; empty: none */
	char copied[ACCESS_LINE_BYTES]; /* command to copy it to where capabilities work; or "" */
	char note[256]; /* why file capabilities have no effect; empty: they work */
};

#define ACCESS_TRACEFS_PLACE "/sys/kernel/tracing"

/* tracefs: result of access_try() for ACCESS_TRACEFS. */
void access_place_look(struct access_place *place, int tracefs);

/*
 * Copy the path of this program. If the file was replaced, for example by a new build, the path
 * names the new file. False if the file no longer exists.
 */
bool access_program(char *path, size_t bytes);

#endif
