#include "tui/calls/call_detail.h"

#include "engine/base/clock.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/calls/argument_detail.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_texts.h"
#include "tui/calls/owner_detail.h"
#include "tui/calls/stack_nodes.h"
#include "widgets/bar.h"

#include <stdio.h>
#include <stdlib.h>

/* Width of the bar of times: with its legend, it fits into 80 columns. */
#define TIMES_BAR_COLS 28
#define FRAMES_MAX (2 * STACK_FRAMES_MAX)

void call_detail_add_time(struct help *help, const char *label, uint64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	help_add_key(help, label, units_format_ns(text, ns));
}

static void add_arguments(struct help *help, const struct session *session,
			  const struct call_detail *detail)
{
	const struct call *call = detail->call;
	const struct syscall_info *info = syscalls_info(engine_syscalls(session->engine), call->nr);
	struct argument_detail argument = { .session = session,
					    .call = call,
					    .gone = detail->bytes_gone,
					    .bytes = detail->bytes,
					    .cols = detail->cols };

	help_add_heading(help, "Arguments");
	if (call->state == CALL_ORPHAN) {
		help_add(help, ROLE_DIM, "unknown: no enter record");
		return;
	}
	if (!info->arg_count)
		help_add(help, ROLE_DIM, "none");
	memory_reads_init(&argument.seen);
	for (unsigned i = 0; i < info->arg_count && i < SYSCALL_ARGS; i++)
		argument_detail_add(&argument, help, i);
	memory_reads_release(&argument.seen);
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

		stack_frame_text(&text, &frames[i], i ? &frames[i - 1] : NULL, true);
		str_add(&text, "  ");
		stack_frame_where(&text, &frames[i], true);
		help_add(help, frames[i].kind == FRAME_KERNEL ? ROLE_KERNEL : ROLE_USER, text.data);
		str_release(&text);
	}
	free(frames);
}

static const char *state_text(const struct call *call)
{
	switch ((enum call_state)call->state) {
	case CALL_IN_FLIGHT:
		return call->flags & CALL_UNENTERED
			       ? "in flight; seccomp or a tracer held it at the start"
		       : call->flags & CALL_SEEDED ? "already in flight before tracing began"
						   : "in flight";
	case CALL_DONE:
		return "returned";
	case CALL_ORPHAN:
		return "returned; no enter record";
	case CALL_ENDED:
		return "its thread exited during the call";
	case CALL_LOST_EXIT:
		return "return unknown: the record was lost";
	case CALL_GAP:
	case CALL_EVENT:
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

/* Draw the three times as one bar, in shades, because a line can have only one colour. */
static void add_times_bar(struct help *help, const struct session *session, const struct call *call)
{
	static const struct {
		const char *shade, *label;
	} shades[] = { { "█", "on CPU" }, { "▒", "blocked" }, { "░", "runnable" } };
	uint64_t took = call_age_ns(session, call), off = call->blocked_ns + call->runnable_ns;
	uint64_t cpu = took > off ? took - off : 0;
	const struct bar_part parts[] = {
		{ .value = cpu },
		{ .value = call->blocked_ns },
		{ .value = call->runnable_ns },
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
	help_add_key(help, "time split", line.data);
	str_release(&line);
}

/* Add the lock owner, and the deadlocks that the call is part of. */
static void add_holder(struct help *help, const struct session *session,
		       const struct call_detail *detail)
{
	const struct call *call = detail->call;
	uint32_t owner = detail->held ? detail->held->tid : 0;

	if (owner) {
		struct str text = STR_INIT;

		add_thread(&text, session, owner);
		str_add(&text, " (a guess, read from process memory)");
		help_add_key(help, "lock owner", text.data);
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

void call_detail_say_unslept(const struct call *call, struct str *out)
{
	char text[UNITS_TEXT_BYTES];

	if (call->state == CALL_ORPHAN)
		str_add(out, "waits unknown: no enter record");
	else if (!call_waits_are_known(call))
		str_add(out, "waits unknown: records were lost");
	else if (call->runnable_ns)
		str_addf(out, "never slept; waited %s for a CPU",
			 units_format_ns(text, call->runnable_ns));
	else
		str_add(out, "did not block: it never left the CPU");
}

/* Report that some waits are unknown, so that the blocked time is a lower bound. */
static void add_unknown_waits(struct help *help, const struct call *call)
{
	char least[UNITS_TEXT_BYTES + 16] = "?", text[UNITS_TEXT_BYTES];

	help_add_field(help, "on CPU", ROLE_DIM, "?");
	if (call->blocked_ns)
		snprintf(least, sizeof(least), "at least %s",
			 units_format_ns(text, call->blocked_ns));
	help_add_field(help, "blocked", ROLE_DIM, least);
	help_add_field(help, "runnable", ROLE_DIM, "?");
	help_add_field(help, "", ROLE_WARN,
		       call->state == CALL_ORPHAN ? "waits unknown: no enter record"
						  : "waits unknown: records were lost");
}

/* Show where the call spent its time, even if it never waited. */
static void add_times(struct help *help, const struct session *session, const struct call *call)
{
	uint64_t took = call_age_ns(session, call), off = call->blocked_ns + call->runnable_ns;
	struct str unslept = STR_INIT;

	if (call->state == CALL_IN_FLIGHT)
		call_detail_add_time(help, call->flags & CALL_SEEDED ? "age at least" : "age",
				     took);
	else if (call->dur_ns >= 0)
		call_detail_add_time(help, "took", took);
	else
		help_add_field(help, "took", ROLE_DIM, "unknown");
	if (!session->status.source.has_waits) {
		help_add_field(help, "on CPU", ROLE_DIM, "unknown: no sched_switch records");
		return;
	}
	if (!call_waits_are_known(call)) {
		add_unknown_waits(help, call);
		return;
	}
	if (call->state == CALL_IN_FLIGHT || call->dur_ns >= 0)
		call_detail_add_time(help, "on CPU", took > off ? took - off : 0);
	call_detail_add_time(help, "blocked", call->blocked_ns);
	call_detail_add_time(help, "runnable", call->runnable_ns);
	add_times_bar(help, session, call);
	if (call->state == CALL_DONE && !call->blocked_ns && call->runnable_ns) {
		call_detail_say_unslept(call, &unslept);
		help_add_field(help, "", ROLE_TEXT, unslept.data);
	}
	str_release(&unslept);
}

static void add_result(struct help *help, const struct session *session,
		       const struct call_detail *detail)
{
	const struct call *call = detail->call;
	struct call_text_options options = call_texts_options(session, detail->bytes);
	struct str text = STR_INIT;

	if (call->state != CALL_DONE && call->state != CALL_ORPHAN)
		return;
	call_text_result(&text, engine_syscalls(session->engine), call, &options);
	help_add_field(help, "result", call_failed(call) ? ROLE_ERROR : ROLE_TEXT, text.data);
	str_release(&text);
}

static void add_caller_and_time(struct help *help, const struct session *session,
				const struct call_detail *detail)
{
	const struct call *call = detail->call;
	uint64_t start = session->status.started_ns;
	struct str text = STR_INIT;

	str_addf(&text, "%s, thread %u of process %u, CPU %u", detail->comm, call->tid, call->pid,
		 call->cpu);
	help_add_key(help, "by", text.data);
	str_clear(&text);
	str_addf(&text, "%.6f s after the start",
		 call->enter_ns > start ? (double)(call->enter_ns - start) / (double)NS_PER_S
					: 0.0);
	help_add_key(help,
		     call->flags & CALL_SEEDED    ? "first seen"
		     : call->state == CALL_ORPHAN ? "returned"
		     : call->state == CALL_EVENT  ? "occurred"
						  : "entered",
		     text.data);
	str_release(&text);
}

static void add_waker(struct help *help, const struct session *session,
		      const struct call_detail *detail)
{
	const struct call *call = detail->call;
	char name[ENGINE_FUTEX_NAME_BYTES];
	struct str text = STR_INIT;

	call_add_waker(session, call, &text);
	if (text.len)
		help_add_key(help, "woken by", text.data);
	str_release(&text);
	add_holder(help, session, detail);
	if (call->state == CALL_IN_FLIGHT)
		snprintf(name, sizeof(name), "%s", detail->held ? detail->held->futex : "");
	else
		engine_call_futex_name(session->engine, call, name);
	if (name[0])
		help_add_key(help, "futex", name);
}

static void add_event_field(void *ctx, const char *name, const char *value)
{
	help_add_key(ctx, name, value);
}

/* Describe an event, which has a thread, a time and fields, but no arguments, result or waits. */
static void fill_event(const struct call_detail *detail, struct help *help,
		       const struct session *session)
{
	const struct call *call = detail->call;
	struct call_text_options options = call_texts_options(session, detail->bytes);
	struct str text = STR_INIT;

	call_texts_write(&text, session, call, &options, NULL);
	help_add(help, ROLE_STRONG, text.data);
	help_add(help, ROLE_TEXT, "");
	help_add_field(help, "event", ROLE_EVENT, engine_event_name(session->engine, call));
	if (detail->note)
		help_add_field(help, "", ROLE_WARN, detail->note);
	add_caller_and_time(help, session, detail);
	owner_detail_add(help, session, call->pid, call->comm_id);
	help_add(help, ROLE_TEXT, "");
	help_add(help, ROLE_STRONG, "Fields");
	if (!engine_event_fields(session->engine, call, detail->bytes, add_event_field, help))
		help_add(help, ROLE_DIM, "not kept: their memory was reused");
	str_release(&text);
}

static const char *stack_heading(const struct call *call)
{
	if (call->flags & CALL_STACK_PREEMPTED)
		return "Stack at its preemption";
	return call_stack_is_of_enter(call) ? "Stack at its entry" : "Stack of its longest wait";
}

/* The running stack comes first: if there are two, the call ran longer than it was blocked. */
static void add_stacks(struct help *help, const struct session *session, const struct call *call)
{
	char heading[64] = "Stack while running", text[UNITS_TEXT_BYTES];

	if (call_shows_running(call)) {
		if (call->ran_after_us)
			snprintf(heading, sizeof(heading), "Stack while running, after %s",
				 units_format_ns(text, call->ran_after_us * NS_PER_US));
		add_stack(help, session, heading, call_shown_stack(call));
	}
	if (!(call->flags & CALL_STACK_SAMPLED))
		add_stack(help, session, stack_heading(call), call->stack_id);
}

void call_detail_fill(const struct call_detail *detail, struct help *help,
		      const struct session *session)
{
	const struct call *call = detail->call;
	struct call_text_options options = call_texts_options(session, detail->bytes);
	struct str text = STR_INIT;

	if (call->state == CALL_EVENT) {
		fill_event(detail, help, session);
		return;
	}
	options.arg_names = true;
	call_text(&text, engine_syscalls(session->engine), call, &options);
	help_add(help, ROLE_STRONG, text.data);
	help_add(help, ROLE_TEXT, "");
	help_add_key(help, "state", state_text(call));
	if (detail->note)
		help_add_field(help, "", ROLE_WARN, detail->note);
	add_result(help, session, detail);
	add_caller_and_time(help, session, detail);
	owner_detail_add(help, session, call->pid, call->comm_id);
	add_times(help, session, call);
	add_waker(help, session, detail);
	add_arguments(help, session, detail);
	add_stacks(help, session, call);
	add_stack(help, session, "Stack of its waker", call->waker_stack_id);
	str_release(&text);
}
