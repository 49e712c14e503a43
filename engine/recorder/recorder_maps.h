/*
 * recorder_maps - what a recording needs of processes that were there before it: what they have
 * mapped, and the build-ids of all files that are.
 *
 * Noted as records go by, looked up when there is time: a bit at a time, so that the records
 * do not wait. The recorder's thread.
 */
#ifndef RECORDER_RECORDER_MAPS_H
#define RECORDER_RECORDER_MAPS_H

#include "engine/base/idmap.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/stack/spaces.h"

struct reader;

struct recorder_maps {
	struct reader *reader;
	struct idmap seen; /* processes whose mappings are told, or will be */
	struct idmap files; /* that were looked into, or will be, by a hash */
	uint32_t *pids; /* to be looked up */
	size_t pid_count, pid_cap;
	struct mapped {
		uint32_t pid;
		struct mapping mapping;
	} * todo; /* the same; paths owned */
	size_t todo_count, todo_cap;
};

/* reader: who reads what belongs to processes, borrowed; NULL: it is read here. */
void recorder_maps_init(struct recorder_maps *maps, struct reader *reader);
void recorder_maps_release(struct recorder_maps *maps);
/* Another file begins, which knows nothing yet. */
void recorder_maps_forget(struct recorder_maps *maps);

/*
 * at_once: there is time for mappings now, so that they are in front of what is unwound by them.
 */
void recorder_maps_note(struct recorder_maps *maps, const struct record *record, bool at_once,
			struct perfdata_encode *encode);
/* Looks up one thing of those noted and writes it; false: there is nothing to do. */
bool recorder_maps_step(struct recorder_maps *maps, struct perfdata_encode *encode);

#endif
