/*
 * counterpart - the recording that what is explored is compared with, read by an engine of its own.
 *
 * A thread opens it, so nobody waits for its disk; the engine then reads it by itself. Sums are of
 * what a filter lets through, as they are of what is explored. The engine beside which it reads
 * outlives it. UI thread, but for what says otherwise.
 */
#ifndef COMPARE_COUNTERPART_H
#define COMPARE_COUNTERPART_H

#include "engine/engine.h"

enum counterpart_state {
	COUNTERPART_OPENING,
	COUNTERPART_READING,
	COUNTERPART_THERE, /* all of it, with the filter that was set last */
	COUNTERPART_REFUSED, /* for good: see `error` */
};

struct counterpart_status {
	enum counterpart_state state;
	double progress; /* 0 … 1, of reading */
	char error[ERR_TEXT_BYTES]; /* what keeps it from being read; empty: nothing */
	char note[ERR_TEXT_BYTES]; /* what is wrong with what was read; empty: nothing */
};

struct counterpart;

/*
 * Begins to open `path`, as `options` open what is explored; both are copied as far as they are
 * needed. `before` is another one that this takes the place of, and is freed; NULL: none.
 */
int counterpart_new(struct counterpart **counterpart, const struct engine *engine,
		    const struct engine_options *options, const char *path,
		    struct counterpart *before, struct err *err);
/* Waits for its threads, which end at once. NULL is fine. */
void counterpart_free(struct counterpart *counterpart);

/* What is being waited for to open it is not waited for any more. Any thread. */
void counterpart_cancel(struct counterpart *counterpart);
/* Until it is open, or is not to be opened: all its threads are there then. Any thread. */
void counterpart_wait_open(struct counterpart *counterpart);

void counterpart_status(struct counterpart *counterpart, struct counterpart_status *status);
/* NULL: everything. It takes a reference. In force from the next counterpart_status() on. */
void counterpart_set_filter(struct counterpart *counterpart, struct filter *filter);

const char *counterpart_file(const struct counterpart *counterpart); /* escaped */
const char *counterpart_path(const struct counterpart *counterpart); /* as it was given */
/* NULL: it is not open. Any thread. */
struct engine *counterpart_engine(const struct counterpart *counterpart);

#endif
