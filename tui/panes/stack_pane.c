#include "tui/panes/stack_pane.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/base/units.h"
#include "tui/calls/call_cells.h"
#include "tui/calls/call_detail.h"
#include "tui/session/empty_reason.h"
#include "tui/view/tree_pane.h"

#include <stdlib.h>
#include <string.h>

struct stack_pane {
	struct tree_pane base;
	bool of_waker; /* shows the waker's stack, not the call's own */
	bool of_call; /* shows one call; false: the waits of the subject */
	struct call call; /* valid with of_call */
};

static uint32_t shown_stack(const struct stack_pane *pane, const struct call *call)
{
	return pane->of_waker ? call->waker_stack_id : call_shown_stack(call);
}

static bool is_other_call(const struct stack_pane *pane, const struct call *call)
{
	return !pane->of_call || pane->call.tid != call->tid ||
	       pane->call.enter_ns != call->enter_ns || pane->call.nr != call->nr;
}

/* Update the subject; true if it changed. */
static bool take_subject(struct stack_pane *pane, struct session *session)
{
	bool had_call = pane->of_call && pane->call.tid;
	bool stale;

	if (pane->of_waker && !session->has_subject_call) {
		memset(&pane->call, 0, sizeof(pane->call));
		pane->of_call = true;
		return had_call;
	}
	if (session->has_subject_call) {
		bool other = is_other_call(pane, &session->subject_call);

		/* The same call in flight can wait again with another stack. */
		other |= shown_stack(pane, &pane->call) !=
			 shown_stack(pane, &session->subject_call);
		pane->of_call = true;
		pane->call = session->subject_call;
		return other;
	}
	stale = tree_pane_is_stale(&pane->base, session);
	if (!pane->of_call && !stale &&
	    blocked_stacks_same(&pane->base.blocked.subject, &session->subject))
		return false;
	pane->of_call = false;
	blocked_stacks_begin(&pane->base.blocked, session, &session->subject);
	return true;
}

static void say_no_waker(struct str *out, const struct call *call)
{
	if (!call->tid)
		str_add(out, "select a wait above");
	else if (call->state == CALL_IN_FLIGHT)
		str_add(out, "not woken yet");
	else if (!call->blocked_ns && !call_waits_are_known(call))
		str_add(out, "waits unknown: records were lost");
	else if (!call->blocked_ns)
		str_add(out, "the call never slept, so it has no waker");
	else if (call->waker_kind == WAKER_TIMER || call->waker_kind == WAKER_INTERRUPT)
		str_add(out, "no thread woke it");
	else if (call->waker_kind == WAKER_NONE)
		str_add(out, "no waker was recorded: only traced wakeups are seen");
	else if (call->flags & CALL_WAKER_STACK_EARLIER)
		str_add(out, "the stack limit of the waker's CPU was reached");
	else
		str_add(out, "the stack of this wakeup was not sampled");
}

static void say_why_empty(struct stack_pane *pane, const struct session *session)
{
	struct tree_pane *base = &pane->base;
	struct str *out = &base->empty_text;
	const struct call *call = &pane->call;
	bool has_any = pane->of_call ? shown_stack(pane, call) != 0 : base->blocked.calls > 0;

	if (empty_reason_say_no_stacks(session, out))
		return;
	if (session->halves != HALVES_BOTH && has_any)
		empty_reason_say_half(session, out);
	else if (pane->of_waker)
		say_no_waker(out, call);
	else if (pane->of_call && call->state == CALL_EVENT)
		str_add(out, "events of other tracepoints have no stack");
	else if (pane->of_call && call->state == CALL_IN_FLIGHT && call_waits_are_known(call) &&
		 !call->runnable_ns)
		str_add(out, "in flight: running, or blocked before tracing began");
	else if (pane->of_call && !call->blocked_ns)
		call_detail_say_unslept(call, out);
	else if (pane->of_call && call->flags & CALL_STACK_EARLIER)
		str_add(out, "the stack limit of its CPU was reached when it waited");
	else if (pane->of_call)
		str_add(out, "the stack of this wait was not kept");
	else if (!session->subject.chosen)
		str_add(out, "nothing selected");
	else if (!base->blocked.scan.complete)
		str_add(out, "searching the history…");
	else
		str_add(out, "no call of the selected row has waited yet");
}

static void add_subject(struct str *out, const struct session *session,
			const struct selection *subject)
{
	size_t len = out->len;

	if (subject->has_comm)
		str_add(out, subject->comm);
	if (subject->has_tid)
		str_addf(out, "/%u", subject->tid);
	else if (subject->has_pid)
		str_addf(out, "/%u", subject->pid);
	if (subject->has_descendants)
		str_add(out, " and below");
	if (subject->has_uid)
		str_addf(out, "user %u", subject->uid);
	if (subject->cgroup)
		str_add_escaped(out, subject->cgroup, strlen(subject->cgroup), ESCAPE_PLAIN);
	/* For one call, the title names the system call together with its duration. */
	if (subject->has_nr && !session->has_subject_call)
		str_addf(out, "%s%s", out->len > len ? " " : "",
			 syscalls_info(engine_syscalls(session->engine), subject->nr)->name);
}

static void add_call_title(struct str *out, const struct session *session, const struct call *call)
{
	const char *name =
		call->state == CALL_EVENT
			? engine_event_name(session->engine, call)
			: syscalls_info(engine_syscalls(session->engine), call->nr)->name;
	uint64_t took = call->dur_ns > 0 ? (uint64_t)call->dur_ns : 0;
	char text[UNITS_TEXT_BYTES];

	str_add(out, "Stack of ");
	add_subject(out, session, &session->subject);
	str_addf(out, " %s", name);
	if (call->state == CALL_IN_FLIGHT) {
		str_addf(out, ", in flight for %s",
			 units_format_ns(text, call_age_ns(session, call)));
	} else if (took) {
		uint64_t off = call->blocked_ns + call->runnable_ns;

		str_addf(out, ", %s", units_format_ns(text, took));
		if (!call_waits_are_known(call))
			return;
		str_addf(out, ": on CPU %s", units_format_ns(text, took > off ? took - off : 0));
	}
	if (call->blocked_ns)
		str_addf(out, ", blocked %s", units_format_ns(text, call->blocked_ns));
	if (call->runnable_ns)
		str_addf(out, ", runnable %s", units_format_ns(text, call->runnable_ns));
}

static void add_running(struct str *out, const struct call *call)
{
	char text[UNITS_TEXT_BYTES];

	str_add(out, " (stack while running");
	if (call->ran_after_us)
		str_addf(out, ", after %s", units_format_ns(text, call->ran_after_us * NS_PER_US));
	str_addc(out, ')');
}

static void say_title(struct stack_pane *pane, const struct session *session)
{
	struct tree_pane *base = &pane->base;
	const struct history_scan *scan = &base->blocked.scan;
	struct str *out = &base->title;
	char text[UNITS_TEXT_BYTES];

	if (session->phase != SESSION_RUNNING) {
		str_add(out, "Stacks");
	} else if (pane->of_waker) {
		str_add(out, "Woken by ");
		call_add_waker(session, &pane->call, out);
		if (pane->call.waker_kind == WAKER_NONE)
			str_cut(out, strlen("Woken"));
		if (pane->call.flags & CALL_WAKER_STACK_EARLIER && pane->call.waker_stack_id)
			str_add(out, " (stack of an earlier wakeup)");
	} else if (pane->of_call) {
		add_call_title(out, session, &pane->call);
		if (call_shows_running(&pane->call))
			add_running(out, &pane->call);
		else if (pane->call.flags & CALL_STACK_EARLIER && pane->call.stack_id)
			str_add(out, " (stack of an earlier wait)");
		else if (pane->call.flags & CALL_STACK_PREEMPTED)
			str_add(out, " (stack at preemption)");
	} else if (session->subject.chosen) {
		str_add(out, "Where ");
		add_subject(out, session, &session->subject);
		str_add(out, " waits");
		if (base->total)
			str_addf(out, ": blocked %s%s", history_scan_sign(scan),
				 units_format_ns(text, history_scan_scale(scan, base->total)));
		if (base->blocked.calls) {
			str_addf(out, " in %s%s calls of the history", history_scan_sign(scan),
				 units_format_count(text,
						    history_scan_scale(scan, base->blocked.calls)));
			history_scan_add_sample(scan, out);
		}
	} else {
		str_add(out, "Stacks");
	}
}

static void refresh(void *self, struct session *session)
{
	struct stack_pane *pane = self;
	struct tree_pane *base = &pane->base;

	tree_pane_refresh(base, session);
	if (session->phase == SESSION_RUNNING) {
		if (take_subject(pane, session)) {
			tree_forget(&base->tree);
			base->changed = true;
		}
		if (pane->of_call)
			tree_pane_show_stack(base, session, shown_stack(pane, &pane->call),
					     pane->call.blocked_ns + 1);
		else
			tree_pane_work(base, session,
				       session->status.source.has_waits ? WEIGHT_TIME
									: WEIGHT_CALLS);
	}
	say_title(pane, session);
	tree_pane_say_state(base, session, &base->right);
	say_why_empty(pane, session);
}

static void pane_free(void *self)
{
	tree_pane_release(self);
	free(self);
}

static const struct pane_ops ops = {
	TREE_PANE_VERBS,          .refresh = refresh,           .act = tree_pane_act,
	.click = tree_pane_click, .is_sign = tree_pane_is_sign, .free = pane_free,
};

static struct pane make(bool of_waker)
{
	struct stack_pane *pane = mem_zalloc(1, sizeof(*pane));

	tree_pane_init(&pane->base, "stack");
	pane->base.tree.table.no_header = true;
	pane->of_waker = of_waker;
	return (struct pane){ &ops, pane };
}

struct pane stack_pane_new(void)
{
	return make(false);
}

struct pane stack_pane_new_of_waker(void)
{
	return make(true);
}
