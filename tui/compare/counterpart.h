/*
 * counterpart - the recording to compare with, read by an engine of its own.
 *
 * A thread opens the recording, so that the interface never waits for the disk; then the engine
 * reads it in the background. Totals cover the calls that pass the filter, as on the explored side.
 * The explored engine, which shares its tables, must outlive the counterpart. UI thread, unless
 * stated otherwise.
 */
#ifndef COMPARE_COUNTERPART_H
#define COMPARE_COUNTERPART_H

#include "engine/engine.h"

enum counterpart_state {
	COUNTERPART_OPENING,
	COUNTERPART_READING,
	COUNTERPART_THERE, /* read to the end, with the latest filter */
	COUNTERPART_REFUSED, /* final: see `error` */
};

struct counterpart_status {
	enum counterpart_state state;
	double progress; /* of reading, 0 … 1 */
	char error[ERR_TEXT_BYTES]; /* why it cannot be read; empty: no error */
	char note[ERR_TEXT_BYTES]; /* defect of the data read; empty: none */
};

struct counterpart;

/*
 * Start to open `path` with the `options` of the explored side. Copies `path` and the options that
 * it needs. The opening thread frees `before`, the counterpart to replace; NULL: none. On error
 * `before` is still valid.
 */
int counterpart_new(struct counterpart **counterpart, const struct engine *engine,
		    const struct engine_options *options, const char *path,
		    struct counterpart *before, struct err *err);
/* Cancel opening and wait for the threads, which end promptly. NULL is allowed. */
void counterpart_free(struct counterpart *counterpart);

/* Cancel a pending open. Any thread. */
void counterpart_cancel(struct counterpart *counterpart);
/*
 * Wait until the recording is open or has failed to open; all its threads exist then. Any thread.
 */
void counterpart_wait_open(struct counterpart *counterpart);

void counterpart_status(struct counterpart *counterpart, struct counterpart_status *status);
/* Set the filter (NULL: none) at the next counterpart_status(); takes a reference of its own. */
void counterpart_set_filter(struct counterpart *counterpart, struct filter *filter);

const char *counterpart_file(const struct counterpart *counterpart); /* escaped */
const char *counterpart_path(const struct counterpart *counterpart); /* as passed in */
/* Return the engine, for use only after opening has succeeded. Any thread. */
struct engine *counterpart_engine(const struct counterpart *counterpart);

#endif
