/*
 * match - a filter in the shape in which the model asks it about calls.
 *
 * Immutable; the model's lock keeps the one in force from being freed.
 */
#ifndef FILTER_MATCH_H
#define FILTER_MATCH_H

#include "engine/filter/filter.h"
#include "engine/model/model.h"

struct match;

/* NULL for no filter and for one that takes everything. Takes a reference. */
struct match *match_new(struct filter *filter);
void match_free(struct match *match);
const char *match_text(const struct match *match); /* of the filter; "" for none */
bool match_asks_stacks(const struct match *match);

/* What a filter may ask of a call, for as long as the model is locked. */
struct filter_reader match_reader(const struct model *model, uint64_t now_ns);

/* A model_match_fn; ctx is the match. */
enum model_answer match_call(void *ctx, const struct call *call, const struct model *model);

/* Locked; now_ns is for calls in flight. match NULL: true. */
bool match_call_at(const struct match *match, const struct call *call, const struct model *model,
		   uint64_t now_ns);

#endif
