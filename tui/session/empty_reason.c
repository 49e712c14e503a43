#include "tui/session/empty_reason.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "tui/session/key_name.h"

#include <string.h>
#include <time.h>

#define PIDS_SHOWN 3
#define WORD_BYTES 40

static void add_key(const struct session *session, enum action action, struct str *out)
{
	char name[KEY_NAME_TEXT_BYTES];

	str_add(out, key_name(name, session, action));
}

/* ---- what is watched, and since when ---- */

static void add_numbers(struct str *out, const char *what, const uint32_t *numbers, size_t count)
{
	str_addf(out, "%s ", what);
	for (size_t i = 0; i < count && i < PIDS_SHOWN; i++)
		str_addf(out, "%s%u", i ? ", " : "", numbers[i]);
	if (count > PIDS_SHOWN)
		str_addf(out, " and %zu more", count - PIDS_SHOWN);
}

static void add_watched(const struct session *session, struct str *out)
{
	const struct target *target = &session->targets.now;
	char word[WORD_BYTES];

	if (session->play.recorded && !session->play.at_end)
		str_add(out, "up to this time of the recording");
	else if (session->play.recorded && !session->play.whole)
		str_add(out, "in this span of the recording");
	else if (session->options->engine.recording)
		str_add(out, "in the recording");
	else if (session->options->command)
		str_addf(out, "of %s",
			 escape_name(word, sizeof(word), session->options->command[0]));
	else if (target->pid_count)
		add_numbers(out, "of process", target->pids, target->pid_count);
	else if (target->tid_count)
		add_numbers(out, "of thread", target->tids, target->tid_count);
	else if (target->cpu_count)
		add_numbers(out, "on CPU", target->cpus, target->cpu_count);
	else if (session->status.source.own_alone)
		str_add(out, "of your own processes");
	else
		str_add(out, "in the whole system");
}

/* Show the start as a time of day: unlike an age, it does not change on the screen. */
static void add_since(const struct session *session, struct str *out)
{
	uint64_t ago_ns = session->clock_ns - session->status.started_ns;
	time_t began = time(NULL) - (time_t)(ago_ns / NS_PER_S);
	char text[16];
	struct tm tm;

	if (session->options->engine.recording || !session->status.started_ns ||
	    session->clock_ns < session->status.started_ns || !localtime_r(&began, &tm))
		return;
	strftime(text, sizeof(text), "%H:%M", &tm);
	str_addf(out, " since %s", text);
}

/* ---- reasons ---- */

static bool does_not_run(const struct session *session)
{
	return session->phase != SESSION_RUNNING;
}

static void say_not_running(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	str_add(out, session_not_running(session));
	if (session->phase != SESSION_REFUSED)
		return;
	str_add(out, " (");
	add_key(session, ACTION_VIEW_ACCESS, out);
	str_add(out, " shows it)");
}

static bool went_wrong(const struct session *session)
{
	return session->status.error[0] != '\0';
}

static void say_error(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	str_add(out, session->status.error);
}

static bool stacks_are_off(const struct session *session)
{
	/* A recording contains the stacks that were sampled, whatever -g says. */
	return session->options->engine.stacks == STACKS_OFF && !session->options->engine.recording;
}

static void say_off(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)session;
	(void)pane;
	str_add(out, "no stacks: started with -g off; restart without it");
}

static bool has_no_waits(const struct session *session)
{
	return !session->status.source.has_waits;
}

static void say_no_waits(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	str_add(out, "no stacks of waits: ");
	if (session->status.source.note[0]) {
		str_add(out, session->status.source.note);
	} else if (session->options->engine.recording) {
		str_add(out,
			"the recording has no sched_switch with callchains; record with perf "
			"record -a -g -e 'raw_syscalls:*,sched:sched_switch,sched:sched_waking'");
	} else {
		str_add(out, "this source collects none");
	}
	if (session->options->engine.recording)
		return;
	str_add(out, " (");
	add_key(session, ACTION_VIEW_ACCESS, out);
	str_add(out, " shows the permissions)");
}

/* True also if the model has matching calls that the totals read so far do not include. */
static bool is_counting(const struct session *session)
{
	return session_is_counting(session, NULL) || session->status.model.calls_matched;
}

static bool is_recounting(const struct session *session)
{
	return session_is_counting(session, NULL);
}

static void say_counting(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	session_add_counting(session, out);
}

static bool in_flight_is_unknown(const struct session *session)
{
	return !session->in_flight_known;
}

static void say_looking(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)session;
	(void)pane;
	str_add(out, "searching for calls in flight…");
}

static bool has_filter(const struct session *session)
{
	return filter_stack_filter(&session->filter_stack) != NULL;
}

/* It is unknown which term matches no call: offer to remove the last one, the most likely. */
static void say_filter(const struct session *session, enum empty_pane pane, struct str *out)
{
	static const char *const nothing[EMPTY_PANE_COUNT] = {
		[EMPTY_TOTALS] = "no finished call matches",
		[EMPTY_CALLS] = "no call in the history matches",
		[EMPTY_IN_FLIGHT] = "no call in flight matches",
		[EMPTY_FILES] = "no call on a file matches",
		[EMPTY_FUTEXES] = "no call on a futex matches",
		[EMPTY_STACKS] = "no call that waited matches",
		[EMPTY_LATENCY] = "no call that returned in this period matches",
	};
	const struct filter_terms *terms = filter_stack_terms(&session->filter_stack);

	str_addf(out, "%s %s (", nothing[pane], filter_stack_text(&session->filter_stack));
	if (terms->count > 1) {
		add_key(session, ACTION_CLEAR_LAST_TERM, out);
		str_add(out, " removes its last term, ");
		add_key(session, ACTION_CLEAR_FILTER, out);
		str_add(out, " all terms)");
	} else {
		add_key(session, ACTION_CLEAR_FILTER, out);
		str_add(out, " removes it)");
	}
}

static bool stands(const struct session *session)
{
	return !session->status.running && !session->status.finished;
}

static void say_stands(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	str_add(out, "collection is stopped (");
	add_key(session, ACTION_TOGGLE_COLLECTION, out);
	str_add(out, " resumes it)");
}

static bool is_recording_of_nothing(const struct session *session)
{
	return session->options->engine.recording && session->status.finished &&
	       session->play.whole && !session->status.model.calls_seen &&
	       !session->in_flight_count;
}

static void say_recording(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)session;
	(void)pane;
	str_add(out, "the recording has no system calls; record with perf trace record, or perf "
		     "record -a -e 'raw_syscalls:*'");
}

static bool are_gone(const struct session *session)
{
	return targets_are_gone(session);
}

static void say_gone(const struct session *session, enum empty_pane pane, struct str *out)
{
	(void)pane;
	str_add(out, "no calls: all watched tasks have exited (");
	add_key(session, ACTION_TARGETS, out);
	str_add(out, " adds targets)");
}

static bool always(const struct session *session)
{
	(void)session;
	return true;
}

static void say_nothing_yet(const struct session *session, enum empty_pane pane, struct str *out)
{
	static const char *const nothing[EMPTY_PANE_COUNT] = {
		[EMPTY_TOTALS] = "no calls ",
		[EMPTY_CALLS] = "no calls ",
		[EMPTY_IN_FLIGHT] = "no calls in flight ",
		[EMPTY_FILES] = "no calls on files, sockets or pipes ",
		[EMPTY_FUTEXES] = "no futex calls ",
		[EMPTY_STACKS] = "no calls that waited ",
		[EMPTY_LATENCY] = "no calls returned in this period ",
	};

	str_add(out, nothing[pane]);
	add_watched(session, out);
	if (pane != EMPTY_IN_FLIGHT && pane != EMPTY_LATENCY)
		add_since(session, out);
	if (pane == EMPTY_IN_FLIGHT && session->status.source.denied)
		str_addf(out, "; %llu threads unreadable (no permission)",
			 (unsigned long long)session->status.source.denied);
}

#define ALL ((1u << EMPTY_PANE_COUNT) - 1)
#define ONLY(pane) (1u << (pane))

struct reason {
	unsigned panes;
	bool (*holds)(const struct session *session);
	void (*say)(const struct session *session, enum empty_pane pane, struct str *out);
};

/* Order: first the reasons that make all later ones irrelevant, last those without a remedy. */
static const struct reason reasons[] = {
	{ ALL, does_not_run, say_not_running },
	{ ALL, went_wrong, say_error },
	{ ONLY(EMPTY_STACKS), stacks_are_off, say_off },
	{ ONLY(EMPTY_STACKS), has_no_waits, say_no_waits },
	{ ALL, is_recording_of_nothing, say_recording },
	{ ONLY(EMPTY_TOTALS), is_counting, say_counting },
	{ ONLY(EMPTY_LATENCY) | ONLY(EMPTY_FUTEXES), is_recounting, say_counting },
	{ ONLY(EMPTY_IN_FLIGHT), in_flight_is_unknown, say_looking },
	{ ALL, has_filter, say_filter },
	{ ALL, stands, say_stands },
	{ ALL, are_gone, say_gone },
	{ ALL, always, say_nothing_yet },
};

void empty_reason_say(const struct session *session, enum empty_pane pane, struct str *out)
{
	const struct reason *reason = reasons;

	while (!(reason->panes & ONLY(pane)) || !reason->holds(session))
		reason++;
	reason->say(session, pane, out);
}

bool empty_reason_say_no_stacks(const struct session *session, struct str *out)
{
	if (!does_not_run(session) && !stacks_are_off(session) && !has_no_waits(session))
		return false;
	empty_reason_say(session, EMPTY_STACKS, out);
	return true;
}

void empty_reason_say_half(const struct session *session, struct str *out)
{
	str_addf(out, "no %s frames here (", session->halves == HALVES_KERNEL ? "kernel" : "user");
	add_key(session, ACTION_STACK_HALVES, out);
	str_add(out, " shows the other half)");
}
