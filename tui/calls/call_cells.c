#include "tui/calls/call_cells.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "engine/base/utf8.h"
#include "engine/export/interrupt_name.h"
#include "tui/calls/call_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of cached comms: new ones appear for as long as the program runs. */
#define COMMS_MAX 4096

/* clang-format off */
const struct table_column call_columns[CALL_COLUMN_COUNT] = {
	[CALL_COLUMN_TIME] = { .id = CALL_COLUMN_TIME, .name = "time", .title = "TIME",
			       .help = "start time, in seconds", .min_cols = 12,
			       .align = ALIGN_RIGHT, .drop = 3 },
	[CALL_COLUMN_DURATION] = { .id = CALL_COLUMN_DURATION, .name = "took", .title = "TOOK",
				   .help = "duration of the call", .min_cols = 7,
				   .align = ALIGN_RIGHT },
	[CALL_COLUMN_WHO] = { .id = CALL_COLUMN_WHO, .name = "who", .title = "COMM/TID",
			      .help = "the calling thread",
			      CALL_WHO_ROOM, .drop = 2 },
	[CALL_COLUMN_CALL] = { .id = CALL_COLUMN_CALL, .name = "call", .title = "CALL",
			       .help = "the call and its arguments", CALL_TEXT_ROOM,
			       CALL_LENDS },
	[CALL_COLUMN_RESULT] = { .id = CALL_COLUMN_RESULT, .name = "result", .title = "RESULT",
				 .help = "return value or error",
				 CALL_RESULT_ROOM, .drop = 1 },
};
/* clang-format on */

void call_cells_init(struct call_cells *cells)
{
	idmap_init(&cells->comms);
	call_texts_init(&cells->texts);
}

static void forget_comms(struct call_cells *cells)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	while ((slot = idmap_next(&cells->comms, &cursor)))
		free(slot->value);
	idmap_clear(&cells->comms);
}

void call_cells_release(struct call_cells *cells)
{
	forget_comms(cells);
	idmap_release(&cells->comms);
	call_texts_release(&cells->texts);
}

/* Return the escaped comm from the cache; borrowed until the next lookup. */
static const char *call_cells_comm(struct call_cells *cells, struct session *session,
				   const struct call *call)
{
	uint64_t key = (uint64_t)call->comm_id + 1;
	char *comm = idmap_get(&cells->comms, key);
	char name[ENGINE_NAME_BYTES];

	if (comm)
		return comm;
	if (cells->comms.count >= COMMS_MAX)
		forget_comms(cells);
	comm = mem_strdup(engine_comm(session->engine, call, name));
	idmap_put(&cells->comms, key, comm);
	return comm;
}

void call_cells_selection(struct call_cells *cells, struct session *session,
			  const struct call *call, struct selection *selection)
{
	selection->has_pid = selection->has_tid = selection->has_nr = selection->has_comm = true;
	selection->pid = call->pid;
	selection->tid = call->tid;
	selection->nr = call->nr;
	selection->event = call->state == CALL_EVENT ? engine_event_name(session->engine, call)
						     : NULL;
	selection->has_nr = !selection->event;
	snprintf(selection->comm, sizeof(selection->comm), "%s",
		 call_cells_comm(cells, session, call));
}

static void time_cell(const struct session *session, const struct call *call,
		      struct table_cell *out)
{
	/* A seeded call can have been detected just before the start: show 0. */
	uint64_t start = session->status.started_ns;
	uint64_t ns = call->enter_ns > start ? call->enter_ns - start : 0;

	str_addf(&out->text, "%llu.%06llu", (unsigned long long)(ns / NS_PER_S),
		 (unsigned long long)(ns % NS_PER_S / NS_PER_US));
	out->role = ROLE_DIM;
}

uint64_t call_age_ns(const struct session *session, const struct call *call)
{
	/* In flight, dur_ns is the age at the time of the query: it is constant while paused. */
	if (call->dur_ns >= 0)
		return (uint64_t)call->dur_ns;
	return session->now_ns > call->enter_ns ? session->now_ns - call->enter_ns : 0;
}

/* Maximum number of frames of a waker stack that are searched for the interrupt handler. */
#define INTERRUPT_FRAMES 64

static void add_interrupt(const struct session *session, const struct call *call, struct str *out)
{
	struct frame frames[INTERRUPT_FRAMES];
	size_t count = call->waker_stack_id ? engine_frames(session->engine, call->waker_stack_id,
							    frames, INTERRUPT_FRAMES)
					    : 0;
	struct interrupt_name name = interrupt_name(frames, count);

	if (!name.handler)
		str_add(out, name.softirq ? "a softirq" : "an interrupt");
	else
		str_addf(out, "%s %s", name.softirq ? "softirq" : "interrupt", name.handler);
}

void call_add_waker(const struct session *session, const struct call *call, struct str *out)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	switch ((enum waker_kind)call->waker_kind) {
	case WAKER_THREAD:
		if (engine_waker(session->engine, call, &pid, name))
			str_addf(out, "%s/", name);
		str_addu(out, call->waker_tid);
		if (call->flags & CALL_WAKER_INFERRED)
			str_add(out, " (inferred)");
		break;
	case WAKER_TIMER:
		str_add(out, "its timeout");
		break;
	case WAKER_INTERRUPT:
		add_interrupt(session, call, out);
		break;
	case WAKER_NONE:
	case WAKER_KIND_COUNT:
		break;
	}
}

static void duration_cell(const struct session *session, const struct call *call,
			  struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	if (call->state == CALL_IN_FLIGHT) {
		/* A seeded call was entered before it was detected: its age is a lower bound. */
		if (call->flags & CALL_SEEDED)
			str_addc(&out->text, '>');
		str_add(&out->text, units_format_ns(text, call_age_ns(session, call)));
		out->role = ROLE_IN_FLIGHT;
		return;
	}
	if (call->dur_ns < 0) {
		str_addc(&out->text, '?');
		out->role = ROLE_DIM;
		return;
	}
	str_add(&out->text, units_format_ns(text, (uint64_t)call->dur_ns));
	out->role = session_is_slow(session, call) ? ROLE_SLOW : ROLE_NUMBER;
	if (out->role == ROLE_SLOW && session->options->accessible)
		str_addc(&out->text, '!');
}

void call_cells_caller(const char *comm, uint32_t number, struct table_cell *out)
{
	size_t len = strlen(comm);
	char text[16];
	int room;

	snprintf(text, sizeof(text), "/%u", number);
	room = out->cols - (int)strlen(text);
	if (out->cols && utf8_text_width(comm, len) > room) {
		str_addn(&out->text, comm, utf8_fit(comm, len, room > 1 ? room - 1 : 0));
		str_add(&out->text, "…");
	} else {
		str_add(&out->text, comm);
	}
	str_add(&out->text, text);
	out->role = ROLE_NAME;
}

static void gap_cell(const struct call *call, struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	if (call->args[1] == LOSS_OF_STREAM)
		str_addf(&out->text, "── %s calls here are in the totals only (CPU %u) ──",
			 units_format_count(text, call->args[0]), call->cpu);
	else if (call->args[0] && call->args[1] == LOSS_OF_EVENTS)
		str_addf(&out->text, "── %s events were lost here (CPU %u) ──",
			 units_format_count(text, call->args[0]), call->cpu);
	else if (call->args[0] && call->args[1] == LOSS_OTHER)
		str_addf(&out->text, "── %s records other than calls were lost here (CPU %u) ──",
			 units_format_count(text, call->args[0]), call->cpu);
	else if (call->args[1] == CALL_WINDOW_NOT_CACHED)
		str_addf(&out->text, "── %s calls here were evicted ──",
			 units_format_count(text, call->args[0]));
	else if (call->args[0])
		str_addf(&out->text, "── %s records were lost here (CPU %u) ──",
			 units_format_count(text, call->args[0]), call->cpu);
	else
		str_add(&out->text, "── nothing was collected up to here ──");
	out->role = ROLE_GAP;
}

static void result_cell(struct session *session, const struct call *call, struct table_cell *out)
{
	char *reason;

	out->role = ROLE_DIM;
	switch ((enum call_state)call->state) {
	case CALL_IN_FLIGHT:
		str_add(&out->text, "← in flight");
		out->role = ROLE_IN_FLIGHT;
		return;
	case CALL_ENDED:
		str_add(&out->text, "thread exited");
		return;
	case CALL_LOST_EXIT:
		str_add(&out->text, "? exit lost");
		out->role = ROLE_GAP;
		return;
	default:
		break;
	}
	str_add(&out->text, "= ");
	call_text_result(&out->text, engine_syscalls(session->engine), call, NULL);
	reason = strstr(out->text.data, " (");
	if (reason)
		str_cut(&out->text, (size_t)(reason - out->text.data));
	out->role = call_failed(call) ? ROLE_ERROR : ROLE_NUMBER;
}

void call_cells_blocked(const struct call *call, struct table_cell *out)
{
	char text[UNITS_TEXT_BYTES];

	str_add(&out->text, !call_waits_are_known(call) ? "?"
			    : call->blocked_ns          ? units_format_ns(text, call->blocked_ns)
							: "-");
	out->role = ROLE_NUMBER;
}

/* Mark the arguments whose text contains a late read. */
static void add_origins(const struct call_text_spans *spans, struct table_cell *out)
{
	for (unsigned i = 0; i < spans->count; i++)
		if (spans->args[i].guessed)
			out->spans[out->span_count++] = (struct table_span){ spans->args[i].from,
									     spans->args[i].to,
									     ROLE_LATE };
}

static void call_cell(struct call_cells *cells, struct session *session, const struct call *call,
		      struct table_cell *out)
{
	const struct call_line *line = call_texts_line(&cells->texts, session, call);

	str_addn(&out->text, line->text.data, line->text.len);
	if (call->state == CALL_IN_FLIGHT)
		out->role = ROLE_IN_FLIGHT;
	else if (call->state == CALL_EVENT)
		out->role = ROLE_EVENT;
	add_origins(&line->spans, out);
}

void call_cells_prepare(struct call_cells *cells, struct session *session,
			const struct call *const *calls, size_t count)
{
	call_texts_prepare(&cells->texts, session, calls, count);
}

void call_cells_cell(struct call_cells *cells, struct session *session, const struct call *call,
		     enum call_column column, struct table_cell *out)
{
	if (call->state == CALL_GAP) {
		if (column == CALL_COLUMN_TIME)
			time_cell(session, call, out);
		else if (column == CALL_COLUMN_CALL)
			gap_cell(call, out);
		return;
	}
	switch (column) {
	case CALL_COLUMN_TIME:
		time_cell(session, call, out);
		break;
	case CALL_COLUMN_DURATION:
		if (call->state != CALL_EVENT)
			duration_cell(session, call, out);
		break;
	case CALL_COLUMN_WHO:
		call_cells_caller(call_cells_comm(cells, session, call), call->tid, out);
		break;
	case CALL_COLUMN_CALL:
		call_cell(cells, session, call, out);
		break;
	case CALL_COLUMN_RESULT:
		if (call->state != CALL_EVENT)
			result_cell(session, call, out);
		break;
	case CALL_COLUMN_COUNT:
		break;
	}
}
