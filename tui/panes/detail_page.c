#include "tui/panes/detail_page.h"

#include "engine/base/clock.h"
#include "tui/calls/call_detail.h"

#include <stdlib.h>
#include <string.h>

/* Time per tick for the search for a call that has returned. */
#define WALK_NS (2 * NS_PER_MS)

static const char bytes_gone[] = "not kept: the data it pointed to was evicted";
static const char call_gone[] = "evicted from the history since; showing the last copy";
static const char return_gone[] = "no longer in flight; its return is not in the history";

void detail_page_init(struct detail_page *page)
{
	memset(page, 0, sizeof(*page));
	help_init(&page->next);
	totals_detail_init(&page->totals);
	call_lock_owner_init(&page->holder);
}

void detail_page_release(struct detail_page *page)
{
	engine_bytes_release(&page->bytes);
	engine_bytes_release(&page->newer);
	help_release(&page->next);
	totals_detail_release(&page->totals);
	job_cancel(&page->holder.job);
}

/* ---- a call ---- */

static bool is_same(const struct call *a, const struct call *b)
{
	return a->tid == b->tid && a->enter_ns == b->enter_ns && a->nr == b->nr;
}

/* Copy the call's data again. An empty new copy does not replace the earlier one. */
static void copy_bytes(struct detail_page *page, struct session *session)
{
	struct engine_bytes bytes;

	page->version = engine_bytes_version(session->engine);
	engine_bytes_copy(session->engine, &page->call, 1, &page->newer);
	engine_bytes_look(session->engine, &page->call, 1, &page->newer);
	if (!page->newer.chunks.len && page->has_bytes)
		return;
	bytes = page->bytes;
	page->bytes = page->newer;
	page->newer = bytes;
	page->has_bytes = page->bytes.chunks.len > 0;
	page->bytes_gone = engine_bytes_gone(&page->bytes, 0);
	if (page->bytes_gone && !page->note)
		page->note = bytes_gone;
}

static void take_call(struct detail_page *page, struct session *session, const struct call *call)
{
	bool news = call->bytes_at != page->call.bytes_at || call->state != page->call.state;

	page->call = *call;
	if (news)
		copy_bytes(page, session);
}

static const struct call *still_in_flight(const struct detail_page *page,
					  const struct session *session)
{
	for (size_t i = 0; i < session->in_flight_count; i++)
		if (is_same(&session->in_flight[i], &page->call))
			return &session->in_flight[i];
	return NULL;
}

struct returned {
	const struct call *wanted;
	struct call call;
	bool found;
};

/*
 * The history is sorted by end time: a call that ended before the wanted one began ends the search.
 */
static size_t find_returned(void *ctx, const struct call *calls, size_t count)
{
	struct returned *returned = ctx;

	for (size_t i = 0; i < count; i++) {
		if (is_same(&calls[i], returned->wanted)) {
			returned->call = calls[i];
			returned->found = true;
			return i;
		}
		if (calls[i].dur_ns >= 0 &&
		    calls[i].enter_ns + (uint64_t)calls[i].dur_ns < returned->wanted->enter_ns)
			return i;
	}
	return count;
}

static void look_for_return(struct detail_page *page, struct session *session)
{
	struct returned returned = { .wanted = &page->call };
	enum walk_result result;

	if (!page->walking)
		history_walk_begin(&page->walk, session->engine, UINT64_MAX, false, false);
	result = history_walk_step(&page->walk, session->engine, NULL, clock_now_ns() + WALK_NS,
				   find_returned, &returned);
	page->walking = result == WALK_GOES_ON;
	if (returned.found) {
		page->note = NULL;
		page->selection.has_seq = true;
		page->selection.seq = page->walk.found;
		take_call(page, session, &returned.call);
	} else if (!page->walking) {
		page->note = return_gone;
	}
}

static void follow_call(struct detail_page *page, struct session *session)
{
	const struct call *call;
	uint64_t first, end;

	if (page->call.state != CALL_IN_FLIGHT) {
		engine_calls_range(session->engine, &first, &end);
		if (page->selection.has_seq && page->selection.seq < first)
			page->note = call_gone;
		return;
	}
	call = still_in_flight(page, session);
	if (call)
		take_call(page, session, call);
	else if (page->walking || page->note != return_gone)
		look_for_return(page, session);
}

static void fill_call(struct detail_page *page, struct session *session)
{
	struct call_detail detail = {
		.call = &page->call,
		.comm = page->selection.comm,
		.bytes = engine_bytes_of(&page->bytes, 0),
		.bytes_gone = page->bytes_gone,
		.note = page->note,
		.held = call_lock_owner_of(&page->holder, &page->call),
		.cols = page->cols,
	};

	call_detail_fill(&detail, &page->next, session);
}

/* ---- the page ---- */

/* False: the row of totals no longer exists. */
static bool fill(struct detail_page *page, struct session *session, int cols)
{
	page->cols = cols;
	page->symbols_version = engine_symbols_version(session->engine);
	help_clear(&page->next);
	if (page->kind == DETAIL_TOTALS)
		return totals_detail_fill(&page->totals, session, &page->next);
	fill_call(page, session);
	return true;
}

bool detail_page_open(struct detail_page *page, struct session *session, int cols,
		      struct help *help)
{
	if (session->phase != SESSION_RUNNING || !session->subject.chosen)
		return false;
	page->kind = session->has_subject_call ? DETAIL_CALL : DETAIL_TOTALS;
	page->selection = session->subject;
	page->note = NULL;
	page->walking = page->has_bytes = false;
	if (page->kind == DETAIL_TOTALS)
		totals_detail_begin(&page->totals, session, &page->selection);
	if (page->kind == DETAIL_CALL) {
		page->call = session->subject_call;
		copy_bytes(page, session);
		if (!session->paused)
			follow_call(page, session);
		if (page->call.state == CALL_IN_FLIGHT)
			call_lock_owner_look(&page->holder, session, &page->call, true);
	}
	if (!fill(page, session, cols))
		return false;
	help_clear(help);
	help_take(help, &page->next);
	return true;
}

void detail_page_refresh(struct detail_page *page, struct session *session, int cols,
			 struct help *help)
{
	bool anew = cols != page->cols ||
		    page->symbols_version != engine_symbols_version(session->engine);

	/* Copy again: data that is read from the process arrives a moment later. */
	if (page->kind == DETAIL_CALL && page->version != engine_bytes_version(session->engine)) {
		copy_bytes(page, session);
		anew = true;
	}
	if (page->kind == DETAIL_TOTALS && totals_detail_look(&page->totals, session))
		anew = true;
	if (session->tick && !session->paused) {
		if (page->kind == DETAIL_CALL)
			follow_call(page, session);
		anew = true;
	}
	if (page->kind == DETAIL_CALL && page->call.state == CALL_IN_FLIGHT &&
	    call_lock_owner_look(&page->holder, session, &page->call,
				 session->tick && !session->paused))
		anew = true;
	if (anew && fill(page, session, cols))
		help_take(help, &page->next);
}
