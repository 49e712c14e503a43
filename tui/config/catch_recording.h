/*
 * catch_recording - calls written to a file from a caught one on: as a recording where its name
 * ends in .data, otherwise as JSON Lines.
 *
 * The file is made when the catch is set, so that what is wrong with its name is known then
 * and not when the call comes; one that is there is never written over. In batch it gets the
 * calls that are read, in the interface it follows the history on the background thread.
 */
#ifndef CONFIG_CATCH_RECORDING_H
#define CONFIG_CATCH_RECORDING_H

#include "tui/config/lines.h"
#include "tui/config/output.h"

#include <stdatomic.h>

struct catch_recording {
	struct output output;
	struct lines lines;
	struct engine *engine;
	struct call first; /* the caught one */
	uint64_t seq; /* the next to be written */
	uint64_t written;
	char *data_path; /* of a recording, which the engine writes; NULL: it is none */
	bool open, began; /* the file is; the call has come */
	bool reached; /* in batch: it has been read */
	bool waits; /* the same: its end is waited for */
	atomic_bool busy; /* in the interface: the thread is at it */
};

/* -EEXIST and others with a sentence. */
int catch_recording_open(struct catch_recording *recording, const char *path, struct err *err);
/* Not while it is busy. -errno with a sentence if not all could be written. */
int catch_recording_close(struct catch_recording *recording, struct err *err);

/* -errno with a sentence: it cannot be written. */
int catch_recording_begin(struct catch_recording *recording, struct engine *engine,
			  const struct options *options, const struct catch_hit *hit,
			  struct err *err);

/* Batch: calls as they are read, from the caught one on. */
void catch_recording_add(struct catch_recording *recording, const struct call *calls, size_t count);

/* Interface: what came since; false: there is more. Not on the UI thread but at the end. */
bool catch_recording_follow(struct catch_recording *recording);

#endif
