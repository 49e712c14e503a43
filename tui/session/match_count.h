/*
 * match_count - how many calls of the history match a filter, counted a bit at a time from the
 * newest on.
 *
 * It counts what there is when it begins; what comes meanwhile is not looked at. UI thread
 * only.
 */
#ifndef SESSION_MATCH_COUNT_H
#define SESSION_MATCH_COUNT_H

#include "engine/engine.h"

struct match_count {
	struct filter *filter; /* NULL: nothing has been counted yet */
	uint64_t end, seq; /* where it began, and where it is */
	uint64_t all; /* rows there were when it began, gaps too */
	uint64_t looked, matched;
	bool running;
};

void match_count_init(struct match_count *count);
void match_count_release(struct match_count *count);

/* Begins anew; takes a reference. */
void match_count_begin(struct match_count *count, struct engine *engine, struct filter *filter);
/* Goes on until then, while it runs. */
void match_count_step(struct match_count *count, struct engine *engine, uint64_t until_ns);
/* "123 of 45,678 calls", "123 of 1,000,000 …" while it runs; appended. Nothing yet: nothing. */
void match_count_text(const struct match_count *count, struct str *out);

#endif
