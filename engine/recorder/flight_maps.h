/*
 * flight_maps - mappings and build-ids for the files of the flight recorder.
 *
 * A process that existed before tracing is looked up in /proc when a segment first lists it. Its
 * mappings are then available even if it has exited when a file is written. spaces.h tracks all
 * later mappings. A build-id is read when a file first needs it. Memory is bounded: beyond the
 * bounds, recordings lack mappings or build-ids. Flight recorder thread only.
 */
#ifndef RECORDER_FLIGHT_MAPS_H
#define RECORDER_FLIGHT_MAPS_H

#include "engine/base/idmap.h"
#include "engine/record/record.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/stack/spaces.h"

struct flight_maps {
	struct spaces *spaces; /* borrowed; `reader` too; reader NULL: read files in this process */
	struct reader *reader;
	struct idmap loaded; /* keys: generation and pid of spaces that were looked up */
	struct idmap ids; /* by hash of the file: struct known_id, owned */
	/* About the file that is being written. */
	struct idmap generations; /* by pid: generation at the start of the file, plus 1 */
	struct idmap reported; /* pids whose mappings the file has */
};

void flight_maps_init(struct flight_maps *maps, struct spaces *spaces, struct reader *reader);
void flight_maps_release(struct flight_maps *maps);

/* Look up the maps of a process; space: generation (high half) and pid. Slow the first time. */
void flight_maps_load(struct flight_maps *maps, uint64_t space);

/* Begin another file. */
void flight_maps_forget(struct flight_maps *maps);
/* Store the generation (high half) that a process (low half: pid) has when the file begins. */
void flight_maps_set(struct flight_maps *maps, uint64_t space);
/* Emit the mappings and build-ids that must precede this record in the file. */
void flight_maps_note(struct flight_maps *maps, const struct record *record,
		      struct perfdata_encode *encode);

#endif
