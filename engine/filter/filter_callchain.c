#include "engine/filter/filter_callchain.h"

#include <string.h>

static bool is_name(void *to, const char *name)
{
	const struct filter_step *const *step = to;

	return filter_text_is(*step, name, strlen(name)) == FILTER_YES;
}

static enum filter_known look_up(const struct filter_step *step, uint32_t stack_id,
				 const struct filter_reader *reader)
{
	bool pending = false, cut = false;

	if (reader->symbols(reader->ctx, stack_id, is_name, &step, &pending, &cut))
		return KNOWN_YES;
	return pending ? KNOWN_NO_YET : cut ? KNOWN_CUT : KNOWN_NO;
}

enum filter_answer filter_callchain_ask(const struct filter_step *step, const struct call *call,
					const struct filter_reader *reader)
{
	uint32_t stack_id = step->field == FIELD_STACK ? call_shown_stack(call)
						       : call->waker_stack_id;
	enum filter_known known;
	uint32_t version;

	if (!stack_id || !reader || !reader->symbols)
		return FILTER_NO;
	known = filter_cache_find(step->memo, stack_id, &version);
	if (known == KNOWN_NOTHING ||
	    (known == KNOWN_NO_YET && version != FILTER_CACHE_VERSION(reader->symbols_version))) {
		known = look_up(step, stack_id, reader);
		filter_cache_store(step->memo, stack_id, reader->symbols_version, known);
	}
	if (known == KNOWN_NO_YET)
		return FILTER_LATER;
	/* A test of an unknown value is false, != included: the function may be in the cut part. */
	if (known == KNOWN_CUT)
		return FILTER_NO;
	return (known == KNOWN_YES) != step->inverted ? FILTER_YES : FILTER_NO;
}
