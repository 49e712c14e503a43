#include "tui/session.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sums are read so often at most, and seldom enough that reading them, which takes longer
 * the more processes there are, costs a twentieth of a CPU at most.
 */
#define ROWS_NS (NS_PER_S / 4)
#define ROWS_NS_MAX (3 * NS_PER_S)
#define ROWS_COST_SHARE 20
#define MESSAGE_NS (4 * NS_PER_S)
/* A p99 of fewer calls is the longest one or next to it and makes everything slow. */
#define P99_MIN_CALLS 100
/* Nobody waits for less, whatever the process's other calls take. */
#define SLOW_MIN_NS (100 * NS_PER_US)

void session_init(struct session *session, struct engine *engine,
		  const struct options *options, struct command *command)
{
	memset(session, 0, sizeof(*session));
	session->engine = engine;
	session->options = options;
	session->command = command;
	session->clock_ns = session->now_ns = clock_now_ns();
	idmap_init(&session->p99_by_pid);
	session->in_flight = mem_alloc(sizeof(struct call) * SESSION_IN_FLIGHT_MAX);
	narrowing_init(&session->narrowing, engine_filter_names(engine),
		       options->engine.filter);
	targets_init(&session->targets, &options->engine.target);
	str_init(&session->search);
	status_line_init(&session->message);
}

void session_release(struct session *session)
{
	free(session->rows);
	free(session->in_flight);
	idmap_release(&session->p99_by_pid);
	narrowing_release(&session->narrowing);
	targets_release(&session->targets);
	str_release(&session->search);
	status_line_release(&session->message);
}

void session_started(struct session *session)
{
	session->phase = SESSION_RUNNING;
	session->dirty = true;
	if (session->narrowing.count > 1)
		session_apply_filter(session); /* typed while the engine was starting */
}

void session_refused(struct session *session, const char *why)
{
	session->phase = SESSION_REFUSED;
	snprintf(session->refusal, sizeof(session->refusal), "%s", why);
	session->dirty = true;
}

const char *session_not_running(const struct session *session)
{
	switch (session->phase) {
	case SESSION_STARTING:
		return "starting…";
	case SESSION_REFUSED:
		return "nothing is watched: the view of access says why";
	case SESSION_RUNNING:
		break;
	}
	return NULL;
}

static void index_p99(struct session *session)
{
	/* Grouped otherwise, what was known of processes before has to do. */
	if (session->group != GROUP_PROCESS)
		return;
	idmap_clear(&session->p99_by_pid);
	for (size_t i = 0; i < session->row_count; i++) {
		const struct engine_row *row = &session->rows[i];

		if (row->calls >= P99_MIN_CALLS)
			idmap_put(&session->p99_by_pid, row->pid,
				  (void *)(uintptr_t)(row->p99_ns + 1));
	}
}

static uint64_t group_key(enum session_group group, uint32_t pid, uint32_t tid, uint32_t nr)
{
	return group == GROUP_SYSCALL ? nr : group == GROUP_THREAD ? tid : pid;
}

/*
 * Sums know of calls that returned. Who hangs in one for ever has waited too, and is
 * whom one looks for.
 */
static void add_waits(struct session *session)
{
	enum session_group group = session->group;
	struct idmap by_key = IDMAP_INIT;

	for (size_t i = 0; i < session->row_count; i++) {
		struct engine_row *row = &session->rows[i];

		idmap_put(&by_key, group_key(group, row->pid, row->tid, row->nr), row);
	}
	for (size_t i = 0; i < session->in_flight_count; i++) {
		const struct call *call = &session->in_flight[i];
		struct engine_row *row;

		row = idmap_get(&by_key, group_key(group, call->pid, call->tid, call->nr));
		if (row)
			row->blocked_ns += call->blocked_ns;
	}
	idmap_release(&by_key);
}

static void read_rows(struct session *session)
{
	struct engine *engine = session->engine;
	uint64_t began_ns = clock_now_ns(), ended_ns;

	switch (session->group) {
	case GROUP_THREAD:
		session->row_count = engine_threads(engine, 0, &session->rows);
		break;
	case GROUP_SYSCALL:
		session->row_count = engine_syscall_rows(engine, 0, 0, &session->rows);
		break;
	default:
		session->row_count = engine_processes(engine, &session->rows);
		break;
	}
	add_waits(session);
	session->rows_version++;
	index_p99(session);
	ended_ns = clock_now_ns();
	session->rows_every_ns = (ended_ns - began_ns) * ROWS_COST_SHARE;
	if (session->rows_every_ns < ROWS_NS)
		session->rows_every_ns = ROWS_NS;
	if (session->rows_every_ns > ROWS_NS_MAX)
		session->rows_every_ns = ROWS_NS_MAX;
	session->rows_read_ns = ended_ns;
}

void session_refresh(struct session *session)
{
	bool refiltered;

	if (session->phase != SESSION_RUNNING)
		return;
	/* The header goes on while paused: rates, losses. */
	engine_status(session->engine, &session->status);
	session->dirty = true;
	targets_look(session);
	session->targets_gone = targets_are_gone(session);
	if (session->status.error[0] && !session->error_said)
		status_line_set(&session->message, ROLE_ERROR, session->clock_ns, 0, "%s",
				session->status.error);
	session->error_said = session->status.error[0] != '\0';
	refiltered = session->rows_filter_version != session->filter_version;
	if (!session->paused)
		session->now_ns = session->status.now_ns;
	if (!session->paused)
		deadlock_watch_look(&session->deadlocks, session->engine, session->clock_ns);
	if (!session->paused || refiltered)
		session->in_flight_count = engine_in_flight(session->engine, session->in_flight,
							    SESSION_IN_FLIGHT_MAX);
	/* Another filter is answered at once, also by a display that stands still. */
	if (!refiltered &&
	    (session->paused || session->clock_ns < session->rows_read_ns + session->rows_every_ns))
		return;
	read_rows(session);
	if (!session->status.filter_pending && !session->status.model.refilling)
		session->rows_filter_version = session->filter_version;
}

void session_pause(struct session *session, bool paused)
{
	session->paused = paused;
	session->dirty = true;
}

void session_toggle_collection(struct session *session)
{
	if (session->phase != SESSION_RUNNING || session->status.finished) {
		session_say(session, ROLE_WARN, "Nothing is being collected");
		return;
	}
	session->status.running = !session->status.running;
	engine_set_running(session->engine, session->status.running);
	session_say(session, ROLE_TEXT, session->status.running
		    ? "Collection goes on" : "Collection stopped; the same key starts it again");
}

void session_zero(struct session *session)
{
	if (session->phase != SESSION_RUNNING)
		return;
	engine_zero(session->engine);
	session->zero_version++;
	session->rows_every_ns = 0; /* shown at the next tick */
	session_say(session, ROLE_TEXT, "Totals start at zero");
}

void session_set_group(struct session *session, enum session_group group)
{
	session->group = group;
	session->row_count = 0;
	if (session->phase == SESSION_RUNNING)
		read_rows(session);
	session->dirty = true;
}

void session_apply_filter(struct session *session)
{
	if (session->phase == SESSION_RUNNING)
		engine_set_filter(session->engine, narrowing_filter(&session->narrowing));
	session->filter_version++;
	session->dirty = true;
}

enum filter_kernel session_filter_kernel(const struct session *session)
{
	const char *name = session->status.source.name;

	if (!name || !strcmp(name, "recording"))
		return FILTER_BY_NOTHING;
	return strcmp(name, "bpf") ? FILTER_BY_EVENTS : FILTER_BY_PROGRAMS;
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
	status_line_set(&session->message, role, session->clock_ns, MESSAGE_NS, "%s", text);
	session->dirty = true;
}
