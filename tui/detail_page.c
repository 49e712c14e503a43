#include "tui/detail_page.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/call_cells.h"
#include "tui/call_object.h"
#include "tui/stack_nodes.h"
#include "widgets/bar.h"

#include <stdlib.h>

/* With the words behind it on 80 columns. */
#define TIMES_BAR_COLS 28
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

static void add_time(struct help *help, const char *label, uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	help_add_key(help, label, units_format_ns(text, ns));
}

static void add_arguments(struct help *help, const struct session *session,
			  const struct call *call)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);

	help_add_heading(help, "Arguments");
	if (call->state == CALL_ORPHAN) {
		help_add(help, ROLE_DIM, "not known: the call's enter was not seen");
		return;
	}
	for (unsigned i = 0; i < info->arg_count && i < SYSCALL_ARGS; i++) {
		struct str text = STR_INIT;

		call_text_arg(&text, syscalls, call, i, NULL);
		if (info->args[i].type[0])
			str_addf(&text, "   %s", info->args[i].type);
		help_add_key(help, info->args[i].name, text.data);
		str_release(&text);
	}
}

static void add_stack(struct help *help, const struct session *session, const char *heading,
		      uint32_t stack_id)
{
	struct frame *frames;
	size_t count;

	if (!stack_id)
		return;
	frames = mem_alloc(sizeof(*frames) * FRAMES_MAX);
	count = engine_frames(session->engine, stack_id, frames, FRAMES_MAX);
	help_add_heading(help, heading);
	for (size_t i = 0; i < count; i++) {
		struct str text = STR_INIT;

		stack_frame_text(&text, &frames[i], true);
		str_add(&text, "  ");
		stack_frame_where(&text, &frames[i], true);
		help_add(help, frames[i].kind == FRAME_KERNEL ? ROLE_KERNEL : ROLE_USER,
			 text.data);
		str_release(&text);
	}
	free(frames);
}

static const char *state_text(const struct call *call)
{
	switch ((enum call_state)call->state) {
	case CALL_IN_FLIGHT:
		return call->flags & CALL_SEEDED
		       ? "in flight since before collection began" : "in flight";
	case CALL_DONE:
		return "returned";
	case CALL_ORPHAN:
		return "returned; its enter was not seen";
	case CALL_ENDED:
		return "its thread ended in it";
	case CALL_LOST_EXIT:
		return "its return was not seen: the record was lost";
	case CALL_GAP:
	case CALL_STATE_COUNT:
		break;
	}
	return "";
}

static void add_thread(struct str *out, const struct session *session, uint32_t tid)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	if (engine_thread(session->engine, tid, &pid, name))
		str_addf(out, "%s, thread %u of process %u", name, tid, pid);
	else
		str_addf(out, "thread %u", tid);
}

static bool is_in_deadlock(const struct engine_deadlock *deadlock, const struct call *call)
{
	for (size_t i = 0; i < deadlock->count && i < ENGINE_DEADLOCK_THREADS; i++)
		if (deadlock->threads[i].tid == call->tid &&
		    deadlock->threads[i].enter_ns == call->enter_ns)
			return true;
	return false;
}

/* The three times side by side: shades rather than colours, which a line has one of. */
static void add_times_bar(struct help *help, const struct session *session,
			  const struct call *call)
{
	static const struct {
		const char *shade, *label;
	} shades[] = { { "█", "on CPU" }, { "▒", "blocked" }, { "░", "runnable" } };
	uint64_t took = call_age_ns(session, call), off = call->blocked_ns + call->runnable_ns;
	uint64_t cpu = took > off ? took - off : 0;
	const struct bar_part parts[] = {
		{ .value = cpu }, { .value = call->blocked_ns }, { .value = call->runnable_ns },
	};
	struct str line = STR_INIT;

	if (!off)
		return;
	for (int col = 0; col < TIMES_BAR_COLS; col++) {
		int part = bar_at(TIMES_BAR_COLS, parts, 3, 0, col);

		str_add(&line, part < 0 ? " " : shades[part].shade);
	}
	for (int i = 0; i < 3; i++)
		if (parts[i].value)
			str_addf(&line, "  %s %s", shades[i].shade, shades[i].label);
	help_add_key(help, "of its time", line.data);
	str_release(&line);
}

/* Who holds what it waits for, and whether that will ever end. */
static void add_holder(struct help *help, const struct session *session, const struct call *call)
{
	struct call_object object = call_object(engine_syscalls(session->engine), call);
	uint32_t owner = 0;

	if (call->state == CALL_IN_FLIGHT && object.kind == OBJECT_FUTEX)
		owner = engine_futex_owner(session->engine, call);
	if (owner) {
		struct str text = STR_INIT;

		add_thread(&text, session, owner);
		str_add(&text, " (a guess, read from the memory of the process)");
		help_add_key(help, "held by", text.data);
		str_release(&text);
	}
	for (size_t i = 0; i < session->deadlocks.count; i++) {
		const struct engine_deadlock *deadlock = &session->deadlocks.found[i];
		struct str text = STR_INIT;

		if (!is_in_deadlock(deadlock, call))
			continue;
		str_add(&text, "Deadlock: ");
		deadlock_text(deadlock, ENGINE_DEADLOCK_THREADS, &text);
		help_add(help, ROLE_ERROR, text.data);
		str_release(&text);
	}
}

static void fill_call(struct help *help, struct session *session, const struct call *call)
{
	const struct syscalls *syscalls = engine_syscalls(session->engine);
	uint64_t start = session->status.started_ns;
	char name[ENGINE_FUTEX_NAME_BYTES];
	struct str text = STR_INIT;

	call_text(&text, syscalls, call, &(struct call_text_options){ .arg_names = true });
	help_add(help, ROLE_STRONG, text.data);
	help_add(help, ROLE_TEXT, "");
	help_add_key(help, "state", state_text(call));
	if (call->state == CALL_DONE || call->state == CALL_ORPHAN) {
		str_clear(&text);
		call_text_result(&text, syscalls, call, NULL);
		help_add_key(help, "result", text.data);
	}
	str_clear(&text);
	str_addf(&text, "%s, thread %u of process %u, CPU %u", session->subject.comm, call->tid,
		 call->pid, call->cpu);
	help_add_key(help, "by", text.data);
	str_clear(&text);
	str_addf(&text, "%.6f s after the start", call->enter_ns > start
		 ? (double)(call->enter_ns - start) / (double)NS_PER_S : 0.0);
	help_add_key(help, call->flags & CALL_SEEDED ? "found" : "entered", text.data);
	if (call->state == CALL_IN_FLIGHT)
		add_time(help, "age", call_age_ns(session, call));
	else if (call->dur_ns >= 0)
		add_time(help, "took", (uint64_t)call->dur_ns);
	add_time(help, "blocked", call->blocked_ns);
	add_time(help, "runnable", call->runnable_ns);
	add_times_bar(help, session, call);
	str_clear(&text);
	call_add_waker(session, call, &text);
	if (text.len)
		help_add_key(help, "woken by", text.data);
	add_holder(help, session, call);
	if (engine_call_futex_name(session->engine, call, name))
		help_add_key(help, "futex", name);
	add_arguments(help, session, call);
	add_stack(help, session, "Stack of its longest wait", call->stack_id);
	add_stack(help, session, "Stack of who woke it", call->waker_stack_id);
	str_release(&text);
}

static void fill_row(struct help *help, const struct engine_row *row)
{
	char text[UNITS_TEXT_BYTES];
	struct str line = STR_INIT;

	help_addf(help, ROLE_STRONG, "%s%s", row->name, row->ended ? " (ended)" : "");
	help_add(help, ROLE_TEXT, "");
	str_addf(&line, "%llu, %llu of them failed (%s%%)", (unsigned long long)row->calls,
		 (unsigned long long)row->errors,
		 units_format_percent(text, row->errors, row->calls));
	help_add_key(help, "calls", line.data);
	help_add_key(help, "per second", units_format_count(text, (uint64_t)row->calls_per_s));
	add_time(help, "in calls", row->total_ns);
	add_time(help, "blocked", row->blocked_ns);
	add_time(help, "runnable", row->runnable_ns);
	add_time(help, "shortest", row->min_ns);
	add_time(help, "median", row->p50_ns);
	add_time(help, "95 %", row->p95_ns);
	add_time(help, "99 %", row->p99_ns);
	add_time(help, "longest", row->max_ns);
	help_add_key(help, "in flight", units_format_count(text, row->in_flight));
	if (row->in_flight)
		add_time(help, "the oldest", row->oldest_ns);
	str_release(&line);
}

static int compare_total(const void *a, const void *b)
{
	const struct engine_row *left = a, *right = b;

	return (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
}

static void add_syscalls(struct help *help, struct session *session, const struct pick *pick)
{
	struct engine_row *rows = NULL;
	size_t count;

	if (!pick->has_pid)
		return;
	count = engine_syscall_rows(session->engine, pick->pid, pick->has_tid ? pick->tid : 0,
				    &rows);
	if (count)
		qsort(rows, count, sizeof(*rows), compare_total);
	help_add_heading(help, "Its system calls");
	help_addf(help, ROLE_DIM, "%-18s %8s %8s %8s %8s %8s %8s", "", "CALLS", "FAILED",
		  "IN CALLS", "BLOCKED", "MEDIAN", "LONGEST");
	for (size_t i = 0; i < count; i++) {
		char calls[UNITS_TEXT_BYTES], failed[UNITS_TEXT_BYTES], total[UNITS_TEXT_BYTES];
		char blocked[UNITS_TEXT_BYTES], p50[UNITS_TEXT_BYTES], max[UNITS_TEXT_BYTES];

		help_addf(help, ROLE_TEXT, "%-18s %8s %8s %8s %8s %8s %8s", rows[i].name,
			  units_format_count(calls, rows[i].calls),
			  units_format_count(failed, rows[i].errors),
			  units_format_ns(total, rows[i].total_ns),
			  units_format_ns(blocked, rows[i].blocked_ns),
			  units_format_ns(p50, rows[i].p50_ns),
			  units_format_ns(max, rows[i].max_ns));
	}
	free(rows);
}

/* NULL: the row is gone. */
static const struct engine_row *find_row(const struct session *session, const struct pick *pick)
{
	for (size_t i = 0; i < session->row_count; i++) {
		const struct engine_row *row = &session->rows[i];

		if (session->group == GROUP_SYSCALL ? pick->has_nr && row->nr == pick->nr
		    : row->pid == pick->pid &&
		      (session->group != GROUP_THREAD || row->tid == pick->tid))
			return row;
	}
	return NULL;
}

bool detail_page_fill(struct help *help, struct session *session)
{
	const struct engine_row *row;

	if (session->phase != SESSION_RUNNING || !session->subject.chosen)
		return false;
	if (session->has_subject_call) {
		fill_call(help, session, &session->subject_call);
		return true;
	}
	row = find_row(session, &session->subject);
	if (!row)
		return false;
	fill_row(help, row);
	add_syscalls(help, session, &session->subject);
	return true;
}
