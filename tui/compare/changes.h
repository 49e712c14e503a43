/*
 * changes - what became of the calls between two sides, as a comparison that is kept up to date.
 *
 * One side is what the session explores, the other a counterpart. The older one is A: the explored
 * recording, or of what is live the counterpart. A job takes both sides and matches them;
 * until there is another result of the same sides, the last one stays. UI thread only. A result
 * is shared by reference: whoever keeps rows of it from one call to the next holds one.
 */
#ifndef COMPARE_CHANGES_H
#define COMPARE_CHANGES_H

#include "engine/base/job_queue.h"
#include "tui/compare/comparison.h"
#include "tui/compare/counterpart.h"
#include "tui/session/session.h"

/* What a result is of: another one is wanted when it is another. */
struct changes_state {
	uint64_t filter_version, zero_version;
	uint32_t restarts;
	bool own_stands, other_stands;
};

struct changes {
	struct counterpart *counterpart; /* NULL: there is none; owned */
	struct counterpart_status status;
	struct comparison *shown; /* NULL: there is no result of these sides yet */
	int own; /* the side that the session explores */
	bool live; /* that is not a recording */

	/* For changes.c only. */
	char *wanted; /* a recording that is to take the counterpart's place; NULL: none is */
	struct job job;
	struct engine *engines[COMPARISON_SIDES]; /* these are the job's while it is away */
	struct str files[COMPARISON_SIDES];
	uint64_t since_ns[COMPARISON_SIDES];
	struct comparison *made; /* NULL before it is made and after it was taken */
	uint64_t cost_ns;
	struct changes_state asked, taken;
	uint64_t zero_version, zeroed_ns;
	uint64_t read_ns, every_ns;
};

void changes_init(struct changes *changes);
void changes_release(struct changes *changes);

/* Compares with this one from now on, which is owned then. Before there is any. */
void changes_take(struct changes *changes, struct counterpart *counterpart);
/* The same, in the place of what there may be, as soon as nobody looks at that any more. */
void changes_open(struct changes *changes, const char *path);

/* To be called at each tick. True: the result is another one. */
bool changes_look(struct changes *changes, struct session *session);

/* Why there is no result; appended, without the end of the sentence. */
void changes_say_why(const struct changes *changes, const struct session *session, struct str *out);

#endif
