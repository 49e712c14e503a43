#include "tui/dialogs/user_stack_focus.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"

/* Time in focus before sampling starts, so that scrolling past a process does not start it. */
#define STAY_NS (NS_PER_S / 5)

/* Return the only process that the filter passes; 0: none or several. */
static uint32_t narrowed_to(const struct session *session)
{
	struct filter *filter = filter_stack_filter(&session->filter_stack);
	char name[ENGINE_NAME_BYTES];
	struct kernel_filter half;
	uint32_t pid = 0;

	if (!filter)
		return 0;
	filter_kernel_half(filter, &half);
	if (half.pid_count + half.tid_count == 1) {
		if (half.pid_count)
			pid = half.pids[0];
		else if (!engine_thread(session->engine, half.tids[0], &pid, name))
			pid = 0;
	}
	kernel_filter_release(&half);
	return pid;
}

static uint32_t looked_at(const struct session *session, bool detail)
{
	uint32_t pid = narrowed_to(session);

	if (pid)
		return pid;
	if (session->has_subject_call)
		return session->subject_call.pid;
	return detail && session->subject.chosen && session->subject.has_pid ? session->subject.pid
									     : 0;
}

static void say(struct user_stack_focus *watch, struct session *session)
{
	const struct source_status *source = &session->status.source;

	if (watch->said || !watch->armed)
		return;
	watch->said = true;
	if (source->deep_note[0])
		session_say(session, ROLE_WARN, "%s", source->deep_note);
	else if (source->budget_hit)
		session_say(session, ROLE_WARN,
			    "Stack budget exceeded: frame pointers are used for the rest of each "
			    "second");
	else
		watch->said = false;
}

void user_stack_focus_look(struct user_stack_focus *watch, struct session *session, bool detail)
{
	uint32_t pid;

	if (session->phase != SESSION_RUNNING || session->status.source.until_ns)
		return;
	pid = looked_at(session, detail);
	if (pid != watch->wanted) {
		watch->wanted = pid;
		watch->wanted_ns = session->clock_ns;
	}
	if (pid != watch->armed && (!pid || session->clock_ns - watch->wanted_ns >= STAY_NS)) {
		engine_set_user_stacks(session->engine, pid);
		watch->armed = pid;
		watch->said = false;
	} else {
		say(watch, session);
	}
}

bool user_stack_focus_text(const struct engine_status *status, struct str *out)
{
	const struct source_status *source = &status->source;
	char text[UNITS_TEXT_BYTES];

	if (!source->has_user_stacks || source->until_ns)
		return false;
	str_add(out, "dwarf");
	if (source->stack_bytes_per_s)
		str_addf(out, " %s/s", units_format_bytes(text, source->stack_bytes_per_s));
	if (source->budget_hit)
		str_add(out, " (budget)");
	return source->budget_hit;
}
