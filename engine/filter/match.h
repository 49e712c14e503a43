/*
 * match - adapts a filter to the match function of the model.
 *
 * Immutable. The lock of the model protects the match in force from being freed.
 */
#ifndef FILTER_MATCH_H
#define FILTER_MATCH_H

#include "engine/filter/filter.h"
#include "engine/model/model.h"

struct match;

/* Return NULL if the filter is NULL or matches everything. Takes its own reference. */
struct match *match_new(struct filter *filter);
void match_free(struct match *match);
const char *match_text(const struct match *match); /* text of the filter; "" for NULL */
bool match_asks_stacks(const struct match *match);
/* True if the filter tests paths, descriptors or memory that arguments point to. */
bool match_asks_memory(const struct match *match);

/* Return access to the model for filters; valid while the model is locked. */
struct filter_reader match_reader(const struct model *model, uint64_t now_ns);

/* A model_match_fn; ctx is the match. */
enum model_answer match_call(void *ctx, const struct call *call, const struct model *model);

/* Locked. True if the call passes; match NULL: always. now_ns: for the age of calls in flight. */
bool match_call_at(const struct match *match, const struct call *call, const struct model *model,
		   uint64_t now_ns);

#endif
