#include "engine/match.h"

#include "engine/base/mem.h"

#include <stdlib.h>

struct match {
	struct filter *filter;
};

static const char *reader_comm(void *ctx, const struct call *call)
{
	return model_name(ctx, call->comm_id);
}

bool match_call_at(const struct match *match, const struct call *call, const struct model *model,
		   uint64_t now_ns)
{
	/* model_name() does not change the model; the reader's context has no const. */
	struct filter_reader reader = {
		.ctx = (void *)(uintptr_t)model,
		.comm = reader_comm,
		.now_ns = now_ns,
	};

	return !match || filter_match(match->filter, call, &reader);
}

bool match_call(void *ctx, const struct call *call, const struct model *model)
{
	return match_call_at(ctx, call, model, call->enter_ns);
}

struct match *match_new(struct filter *filter)
{
	struct match *match;

	if (!filter || filter_is_all(filter))
		return NULL;
	match = mem_zalloc(1, sizeof(*match));
	match->filter = filter_ref(filter);
	return match;
}

void match_free(struct match *match)
{
	if (!match)
		return;
	filter_free(match->filter);
	free(match);
}
