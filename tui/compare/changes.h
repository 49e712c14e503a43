/*
 * changes - differences between the calls of two sides, as a comparison that is updated regularly.
 *
 * One side is what the session explores, the other one is the counterpart. Side A is the older one:
 * the explored recording, or in a live session the counterpart. A job reads both sides and matches
 * them. A result is shown until the next one is ready; it is dropped when a side is replaced.
 *
 * Results have reference counts: hold a reference to retain rows between calls. UI thread only.
 */
#ifndef COMPARE_CHANGES_H
#define COMPARE_CHANGES_H

#include "engine/base/job_queue.h"
#include "tui/compare/comparison.h"
#include "tui/compare/counterpart.h"
#include "tui/session/session.h"

/* Inputs of a result, which is outdated when the present inputs differ. */
struct changes_state {
	uint64_t filter_version, zero_version;
	uint32_t restarts;
	bool own_stands, other_stands;
};

struct changes {
	struct counterpart *counterpart; /* NULL: none; owned */
	struct counterpart_status status;
	struct comparison *shown; /* NULL: no result of these sides yet */
	int own; /* side that the session explores */
	bool live; /* the explored side is not a recording */

	/* Private to changes.c. */
	char *wanted; /* recording that will replace the counterpart; NULL: none */
	struct job job;
	struct engine *engines[COMPARISON_SIDES]; /* used by the job while it is pending */
	struct str files[COMPARISON_SIDES];
	uint64_t since_ns[COMPARISON_SIDES];
	struct comparison *made; /* result of the job; NULL while there is none to take */
	uint64_t cost_ns;
	struct changes_state asked, taken;
	uint64_t zero_version, zeroed_ns;
	uint64_t read_ns, every_ns;
};

void changes_init(struct changes *changes);
void changes_release(struct changes *changes);

/* Set the counterpart and take ownership. There must be none yet. */
void changes_take(struct changes *changes, struct counterpart *counterpart);
/* Replace the counterpart, if any, by the recording `path` once no job reads the old one. */
void changes_open(struct changes *changes, const char *path);

/* Call at each tick. True: there is a new result. */
bool changes_look(struct changes *changes, struct session *session);

/* Append why there is no result, without a full stop. */
void changes_say_why(const struct changes *changes, const struct session *session, struct str *out);

#endif
