#include "engine/filter/match.h"

#include "engine/base/mem.h"
#include "engine/record/capture_chunks.h"

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
	*uid = identity_uid(model_identities(ctx), call->comm_id);
	return *uid != USERS_UNKNOWN;
}

static const char *reader_cgroup(void *ctx, const struct call *call)
{
	return identity_cgroup(model_identities(ctx), call->comm_id);
}

static const char *reader_event(void *ctx, const struct call *call)
{
	return model_event_name(ctx, call);
}

_Static_assert(FILTER_FDS >= REFERENCED_FDS && FILTER_PATH_BYTES >= REFERENCED_PATH_BYTES,
	       "what is touched has room in a filter");

static size_t reader_fds(void *ctx, const struct call *call, int32_t *fds, bool *pending)
{
	const struct referenced *referenced = model_referenced(ctx);
	struct fd_chunks pointed[2];

	if (!referenced)
		return 0;
	if (referenced_has_array(referenced, call))
		*pending = model_pointed_late(ctx, call, pointed);
	else
		model_pointed(ctx, call, pointed);
	return referenced_fds(referenced, call, pointed, fds);
}

static bool reader_path(void *ctx, const struct call *call, unsigned index, char *out,
			bool *pending)
{
	const struct referenced *referenced = model_referenced(ctx);
	struct fd_chunks pointed[2];

	if (!referenced)
		return false;
	if (referenced_points(referenced, call))
		*pending = model_pointed_late(ctx, call, pointed);
	else
		model_pointed(ctx, call, pointed);
	return referenced_path(referenced, call, pointed, index, out, pending);
}

static const char *reader_waker_comm(void *ctx, const struct call *call)
{
	uint32_t pid, comm_id;

	return model_waker(ctx, call, &pid, &comm_id) ? model_name(ctx, comm_id) : NULL;
}

/* Return the parent at the fork or at the first record: it stays if the parent exits. */
static uint32_t reader_parent(void *ctx, uint32_t pid)
{
	const struct process *process = tasks_process(model_tasks(ctx), pid);

	return process ? process->parent_pid : 0;
}

/* Return the bytes at the enter, otherwise those at the exit. */
static bool reader_bytes(void *ctx, const struct call *call, unsigned arg, const char **bytes,
			 size_t *len, bool *pending)
{
	struct fd_chunks pointed[2];
	struct capture_chunk chunk;
	const uint8_t *found;

	*pending = model_pointed_late(ctx, call, pointed) && call->args[arg];
	for (int at_exit = 0; at_exit < 2; at_exit++) {
		for (int i = 0; i < 2; i++) {
			uint64_t address = call->args[arg];

			if (!capture_chunks_find(pointed[i].bytes, pointed[i].len, address, at_exit,
						 &chunk, &found))
				continue;
			*bytes = (const char *)found + (address - chunk.address);
			*len = chunk.len - (address - chunk.address);
			return true;
		}
	}
	return false;
}

static bool reader_symbols(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
			   void *to, bool *pending, bool *cut)
{
	const struct model_symbols *symbols = model_symbols(ctx);

	return symbols && symbols->each(symbols->ctx, stack_id, each, to, pending, cut);
}

struct filter_reader match_reader(const struct model *model, uint64_t now_ns)
{
	const struct model_symbols *symbols = model_symbols(model);

	/* The functions do not change the model; the context of the reader is not const. */
	return (struct filter_reader){
		.ctx = (void *)(uintptr_t)model,
		.comm = reader_comm,
		.comms_version = model_names_version(model),
		.uid = reader_uid,
		.cgroup = reader_cgroup,
		.event = reader_event,
		.fds = reader_fds,
		.path = reader_path,
		.start_ns = model_start(model),
		.waker_comm = reader_waker_comm,
		.parent = reader_parent,
		.bytes = reader_bytes,
		.symbols = reader_symbols,
		.symbols_version = symbols ? symbols->version(symbols->ctx) : 0,
		.now_ns = now_ns,
	};
}

bool match_call_at(const struct match *match, const struct call *call, const struct model *model,
		   uint64_t now_ns)
{
	struct filter_reader reader = match_reader(model, now_ns);

	return !match || filter_match(match->filter, call, &reader);
}

enum model_answer match_call(void *ctx, const struct call *call, const struct model *model)
{
	const struct match *match = ctx;
	struct filter_reader reader = match_reader(model, call->enter_ns);

	switch (filter_ask(match->filter, call, &reader)) {
	case FILTER_YES:
		return MODEL_YES;
	case FILTER_LATER:
		return MODEL_LATER;
	case FILTER_NO:
		break;
	}
	return MODEL_NO;
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

const char *match_text(const struct match *match)
{
	return match ? filter_text(match->filter) : "";
}

bool match_asks_stacks(const struct match *match)
{
	return match && filter_asks_stacks(match->filter);
}

bool match_asks_memory(const struct match *match)
{
	return match && (filter_asks_paths(match->filter) || filter_asks_texts(match->filter));
}
