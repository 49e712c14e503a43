/*
 * flight_maps - what the files of the flight recorder tell of the memory of processes.
 *
 * Processes that were there before are looked up once, when they are first heard of, so that what
 * they had mapped is known even if they have ended by the time a file is written; the rest is
 * kept by spaces.h. Build-ids are read when a file is first to tell of one. Bounded; beyond that
 * files have fewer mappings. The flight recorder's thread.
 */
#ifndef RECORDER_FLIGHT_MAPS_H
#define RECORDER_FLIGHT_MAPS_H

#include "engine/base/idmap.h"
#include "engine/record/record.h"
#include "engine/recording/perfdata_encode.h"
#include "engine/stack/spaces.h"

struct flight_maps {
	struct spaces *spaces; /* borrowed, and so is who reads files; NULL: they are read here */
	struct reader *reader;
	struct idmap loaded; /* (generation, process): was looked up */
	struct idmap ids; /* of files, by a hash: struct known_id, owned */
	/* Of the file that is being written. */
	struct idmap generations; /* of processes when it begins, and one */
	struct idmap reported; /* processes */
};

void flight_maps_init(struct flight_maps *maps, struct spaces *spaces, struct reader *reader);
void flight_maps_release(struct flight_maps *maps);

/* A process was there before, in that generation (high half). Slow the first time. */
void flight_maps_load(struct flight_maps *maps, uint64_t space);

/* Another file begins. */
void flight_maps_forget(struct flight_maps *maps);
/* ... in which a process begins with that generation. */
void flight_maps_set(struct flight_maps *maps, uint64_t space);
/* In front of the record: what a reader has to know of memory by then. */
void flight_maps_note(struct flight_maps *maps, const struct record *record,
		      struct perfdata_encode *encode);

#endif
