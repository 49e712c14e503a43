/*
 * match_count - counts the calls of the history that match a filter, in steps, newest first.
 *
 * Counts only calls that were in the history at the start of the count. UI thread only.
 */
#ifndef SESSION_MATCH_COUNT_H
#define SESSION_MATCH_COUNT_H

#include "engine/engine.h"

struct match_count {
	struct filter *filter; /* NULL: no count was started */
	uint64_t end, seq; /* sequence numbers: start of the count, present position */
	uint64_t all; /* rows in the history at the start, including gaps */
	uint64_t looked, matched;
	bool running;
};

void match_count_init(struct match_count *count);
void match_count_release(struct match_count *count);

/* Restart the count; takes a reference to the filter. */
void match_count_begin(struct match_count *count, struct engine *engine, struct filter *filter);
/* Continue until `until_ns`; no-op unless ->running. */
void match_count_step(struct match_count *count, struct engine *engine, uint64_t until_ns);
/*
 * Append "123 of 45,678 calls", or "123 of 1,000,000 …" while the count runs. Appends nothing
 * before the first count.
 */
void match_count_text(const struct match_count *count, struct str *out);

#endif
