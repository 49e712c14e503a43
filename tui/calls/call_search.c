#include "tui/calls/call_search.h"

#include "engine/base/clock.h"

#include <string.h>

/* Length of a step; keys are handled between steps. */
#define BUDGET_NS (4 * NS_PER_MS)

struct matcher {
	struct call_search *search;
	struct session *session;
	struct call_cells *cells;
	struct table_cell cell;
};

void call_search_init(struct call_search *search)
{
	memset(search, 0, sizeof(*search));
	str_init(&search->text);
}

void call_search_release(struct call_search *search)
{
	str_release(&search->text);
	engine_bytes_release(&search->bytes);
}

static void begin(struct call_search *search, struct session *session, uint64_t seq, int step,
		  bool goes_round)
{
	history_walk_begin(&search->walk, session->engine, seq, step > 0, goes_round);
	search->running = true;
}

void call_search_text(struct call_search *search, struct session *session, uint64_t seq, int step,
		      const char *text)
{
	search->object.kind = OBJECT_NONE;
	str_clear(&search->text);
	str_add(&search->text, text);
	begin(search, session, seq, step, true);
}

void call_search_object(struct call_search *search, struct session *session, uint64_t seq, int step,
			const struct call_object *object)
{
	search->object = *object;
	str_clear(&search->text);
	call_object_text(object, &search->text);
	begin(search, session, seq, step, false);
}

/*
 * Format the call without the cache of call_cells, where it would evict the text of a visible row.
 */
static void add_cell(struct matcher *matcher, const struct call *call, enum call_column column,
		     const struct call_bytes *bytes)
{
	struct session *session = matcher->session;
	struct call_text_options options = call_texts_options(session, bytes);

	str_clear(&matcher->cell.text);
	matcher->cell.span_count = 0;
	if (column == CALL_COLUMN_CALL && call->state != CALL_GAP)
		call_texts_write(&matcher->cell.text, session, call, &options, NULL);
	else
		call_cells_cell(matcher->cells, session, call, column, &matcher->cell);
}

static bool has_text(struct matcher *matcher, const struct call *call,
		     const struct call_bytes *bytes)
{
	for (int i = 0; i < CALL_COLUMN_COUNT; i++) {
		add_cell(matcher, call, (enum call_column)i, bytes);
		if (strcasestr(matcher->cell.text.data, matcher->search->text.data))
			return true;
	}
	return false;
}

/* Search from index `from` in steps of `step`. Return the index of the match; `count`: none. */
static size_t match_among(struct matcher *matcher, const struct call *calls, size_t count,
			  size_t from, int step)
{
	const struct syscalls *syscalls = engine_syscalls(matcher->session->engine);
	const struct call_object *object = &matcher->search->object;
	struct engine_bytes *bytes = &matcher->search->bytes;

	if (object->kind == OBJECT_NONE)
		engine_bytes_copy(matcher->session->engine, calls, count, bytes);
	for (size_t i = from; i < count; i += (size_t)step)
		if (object->kind == OBJECT_NONE
			    ? has_text(matcher, &calls[i], engine_bytes_of(bytes, i))
			    : call_object_is(object, syscalls, &calls[i]))
			return i;
	return count;
}

static size_t first_match(void *ctx, const struct call *calls, size_t count)
{
	return match_among(ctx, calls, count, 0, 1);
}

size_t call_search_among(struct call_search *search, struct session *session,
			 struct call_cells *cells, const struct call *calls, size_t count,
			 size_t from, int step)
{
	struct matcher matcher = { search, session, cells, { .text = STR_INIT } };
	size_t found = match_among(&matcher, calls, count, from, step);

	str_release(&matcher.cell.text);
	return found;
}

static void say_failed(const struct call_search *search, struct session *session)
{
	if (search->object.kind == OBJECT_NONE)
		session_say(session, ROLE_WARN, "Not found: %s", search->text.data);
	else
		session_say(session, ROLE_WARN, "No %s call on %s in the history",
			    search->walk.forward ? "later" : "earlier", search->text.data);
}

enum search_result call_search_step(struct call_search *search, struct session *session,
				    struct call_cells *cells)
{
	struct matcher matcher = { search, session, cells, { .text = STR_INIT } };
	enum walk_result result = history_walk_step(
		&search->walk, session->engine, filter_stack_filter(&session->filter_stack),
		clock_now_ns() + BUDGET_NS, first_match, &matcher);

	str_release(&matcher.cell.text);
	session->busy = true;
	switch (result) {
	case WALK_GOES_ON:
		session_say(
			session, ROLE_TEXT, "Searching for %s: %u %% of the history (Esc cancels)",
			search->text.data, history_walk_percent(&search->walk, session->engine));
		return SEARCH_GOES_ON;
	case WALK_TURNED:
		return SEARCH_TURNED;
	case WALK_FOUND:
		search->running = false;
		search->found = search->walk.found;
		status_line_clear(&session->message);
		return SEARCH_FOUND;
	case WALK_ENDED:
		break;
	}
	search->running = false;
	say_failed(search, session);
	return SEARCH_FAILED;
}

bool call_search_stop(struct call_search *search, struct session *session)
{
	if (!search->running)
		return false;
	search->running = false;
	session_say(session, ROLE_WARN, "Search for %s cancelled after %u %% of the history",
		    search->text.data, history_walk_percent(&search->walk, session->engine));
	return true;
}
