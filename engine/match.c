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

static bool reader_uid(void *ctx, const struct call *call, uint32_t *uid)
{
	*uid = who_uid(model_who(ctx), call->comm_id);
	return *uid != USERS_UNKNOWN;
}

static const char *reader_cgroup(void *ctx, const struct call *call)
{
	return who_cgroup(model_who(ctx), call->comm_id);
}

static const char *reader_event(void *ctx, const struct call *call)
{
	return model_event_name(ctx, call);
}

_Static_assert(FILTER_FDS >= TOUCHED_FDS && FILTER_PATH_BYTES >= TOUCHED_PATH_BYTES,
	       "what is touched has room in a filter");

static size_t reader_fds(void *ctx, const struct call *call, int32_t *fds)
{
	const struct touched *touched = model_touched(ctx);

	return touched ? touched_fds(touched, call, fds) : 0;
}

static bool reader_path(void *ctx, const struct call *call, unsigned index, char *out)
{
	const struct touched *touched = model_touched(ctx);
	struct fd_chunks pointed[2];

	if (!touched)
		return false;
	model_pointed(ctx, call, pointed);
	return touched_path(touched, call, pointed, index, out);
}

struct filter_reader match_reader(const struct model *model, uint64_t now_ns)
{
	/* Nothing here changes the model; the reader's context has no const. */
	return (struct filter_reader){
		.ctx = (void *)(uintptr_t)model,
		.comm = reader_comm,
		.uid = reader_uid,
		.cgroup = reader_cgroup,
		.event = reader_event,
		.fds = reader_fds,
		.path = reader_path,
		.start_ns = model_start(model),
		.now_ns = now_ns,
	};
}

bool match_call_at(const struct match *match, const struct call *call, const struct model *model,
		   uint64_t now_ns)
{
	struct filter_reader reader = match_reader(model, now_ns);

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
