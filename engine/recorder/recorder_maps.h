/*
 * recorder_maps - mappings of processes that existed before a recording, and build-ids of all
 * mapped files.
 *
 * As records pass, their processes and files are noted. They are looked up in small steps while no
 * records wait. Recorder thread only.
 */
#ifndef RECORDER_RECORDER_MAPS_H
#define RECORDER_RECORDER_MAPS_H

#include "engine/base/idmap.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/stack/spaces.h"

struct reader;

struct recorder_maps {
	struct reader *reader;
	struct idmap seen; /* pids whose mappings are written or pending */
	struct idmap files; /* by hash: files whose build-id was read or is pending */
	uint32_t *pids; /* pending lookups */
	size_t pid_count, pid_cap;
	struct mapped {
		uint32_t pid;
		struct mapping mapping;
	} * todo; /* pending files; paths owned */
	size_t todo_count, todo_cap;
};

/* reader: reads /proc and files, borrowed; NULL: read them in this process. */
void recorder_maps_init(struct recorder_maps *maps, struct reader *reader);
void recorder_maps_release(struct recorder_maps *maps);
/* Begin another file, without mappings. */
void recorder_maps_forget(struct recorder_maps *maps);

/*
 * Note the processes and files of a record. at_once: look up the mappings now, so that they precede
 * the samples that need them for unwinding.
 */
void recorder_maps_note(struct recorder_maps *maps, const struct record *record, bool at_once,
			struct perfdata_encode *encode);
/* Look up one pending item and write it. False: none pending. */
bool recorder_maps_step(struct recorder_maps *maps, struct perfdata_encode *encode);

#endif
