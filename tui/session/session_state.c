#include "tui/session/session_state.h"

#include "engine/base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE_NS (4 * NS_PER_S)
#define READING_NS (50 * NS_PER_MS) /* display time of an error, per character */
/* Shorter calls are never slow, whatever the p99 of the process: no user notices them. */
#define SLOW_MIN_NS (100 * NS_PER_US)

void session_arrived(struct session *session)
{
	bool complete = session->rows_filter_version == session->filter_version;

	session->arrives = false;
	session->zero_version++;
	if (session->play.version == session->play_version)
		return;
	session->play_version = session->play.version;
	session->restarts++;
	session->filter_version++;
	if (complete)
		session->rows_filter_version = session->filter_version;
}

void session_apply_filter(struct session *session)
{
	if (session->phase == SESSION_RUNNING)
		engine_set_filter(session->engine, filter_stack_filter(&session->filter_stack));
	session->status.filter_pending = session->phase == SESSION_RUNNING;
	session->busy |= session->status.filter_pending;
	session->in_flight_count = 0;
	session->in_flight_known = false;
	session->filter_version++;
	session->dirty = true;
}

bool session_is_due(const struct session *session, uint64_t read_ns, uint64_t every_ns,
		    uint64_t generation)
{
	uint64_t since_ns = session->clock_ns > read_ns ? session->clock_ns - read_ns : 0;

	if (since_ns < every_ns)
		return false;
	return generation != session->status.model.generation || since_ns >= NS_PER_S;
}

bool session_is_late(const struct session *session, uint64_t read_ns)
{
	return session->paused && read_ns < session->late_ns;
}

void session_shows_from(struct session *session, uint64_t made_ns)
{
	if (made_ns && (!session->shown_from_ns || made_ns < session->shown_from_ns))
		session->shown_from_ns = made_ns;
}

bool session_is_counting(const struct session *session, unsigned *percent)
{
	const struct model_status *model = &session->status.model;

	if (percent)
		*percent = model->refill_all && !session->status.filter_pending
				   ? (unsigned)(model->refill_done * 100 / model->refill_all)
				   : 0;
	return session->status.filter_pending || model->refill_all;
}

void session_add_counting(const struct session *session, struct str *out)
{
	unsigned percent;

	session_is_counting(session, &percent);
	if (percent)
		str_addf(out, "counting %u %%", percent);
	else
		str_add(out, "counting…");
}

enum filter_kernel session_filter_kernel(const struct session *session)
{
	const char *name = session->status.source.name;

	if (!name || !strcmp(name, "recording"))
		return FILTER_BY_NOTHING;
	return strcmp(name, "bpf") ? FILTER_BY_EVENTS : FILTER_BY_PROGRAMS;
}

bool session_stands(const struct session *session)
{
	const struct play_status *play = &session->play;

	return session->paused ||
	       (play->recorded && play->moving == PLAY_STILL && (play->paused || play->at_end));
}

bool session_is_slow(const struct session *session, const struct call *call)
{
	uintptr_t p99;

	if (call->dur_ns < (int64_t)SLOW_MIN_NS)
		return false;
	p99 = (uintptr_t)idmap_get(&session->p99_by_pid, call->pid);
	return p99 && (uint64_t)call->dur_ns > p99 - 1;
}

void session_say(struct session *session, enum role role, const char *format, ...)
{
	char text[ERR_TEXT_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (role == ROLE_ERROR) {
		toast_say(&session->toast, role, session->clock_ns,
			  MESSAGE_NS + strlen(text) * READING_NS, text);
	} else {
		if (role != ROLE_DIM) /* a key without effect is not worth an entry in the log */
			toast_note(&session->toast, role, session->clock_ns, text);
		status_line_set(&session->message, role, session->clock_ns, MESSAGE_NS, "%s", text);
	}
	session->dirty = true;
}
