#include "tui/calls/waker_jump.h"

#include "engine/base/clock.h"

#define CHUNK 256
/*
 * Limit of a search, which usually takes far less: a waker returns a few microseconds after the
 * wakeup. Measured in CPU time, because on a busy machine the interface can wait for a CPU.
 */
#define BUDGET_NS (8 * NS_PER_MS)
/*
 * Calls whose exit was lost break the order by end time. A probe skips up to PROBE_CALLS of them;
 * the search starts SLACK_CALLS earlier.
 */
#define PROBE_CALLS 16
#define SLACK_CALLS 256

/*
 * Bound the time of the wakeup, after which the thread waits for a CPU (runnable_ns) and returns to
 * user space. The wakeup is at least blocked_ns after the enter and at least runnable_ns before the
 * return.
 */
static void wake_range(const struct call *call, uint64_t *from_ns, uint64_t *to_ns)
{
	uint64_t end_ns = call->enter_ns + (uint64_t)call->dur_ns;

	*from_ns = call->enter_ns + call->blocked_ns;
	*to_ns = end_ns - call->runnable_ns;
	if (*to_ns < *from_ns)
		*to_ns = *from_ns;
}

/*
 * Find the first call at or after `seq` with a known end, and store that end in *end_ns. False:
 * none of the next PROBE_CALLS calls has a known end.
 */
static bool end_near(struct engine *engine, uint64_t seq, uint64_t *end_ns)
{
	struct call calls[PROBE_CALLS];
	uint64_t seqs[PROBE_CALLS];
	size_t count = engine_calls_after(engine, &seq, NULL, calls, seqs, PROBE_CALLS);

	for (size_t i = 0; i < count; i++) {
		if (calls[i].dur_ns < 0 || !call_was_made(&calls[i]))
			continue;
		*end_ns = calls[i].enter_ns + (uint64_t)calls[i].dur_ns;
		return true;
	}
	return false;
}

/*
 * Return a sequence number slightly before the first call that ended at `time_ns` or later. The
 * history is ordered by end time.
 */
static uint64_t seq_at(struct engine *engine, uint64_t time_ns)
{
	uint64_t first, end, low, high, end_ns;

	engine_calls_range(engine, &first, &end);
	low = first;
	high = end;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (end_near(engine, middle, &end_ns) && end_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first + SLACK_CALLS ? low - SLACK_CALLS : first;
}

/*
 * Find the last call of the thread (`filter`) that was in flight between the two times, and store
 * its sequence number in *found. False: none, or the budget ended the search (*late).
 */
static bool search(struct session *session, struct filter *filter, uint64_t from_ns, uint64_t to_ns,
		   uint64_t *found, bool *late)
{
	uint64_t first, end, until_ns = clock_thread_ns() + BUDGET_NS;
	uint64_t at = seq_at(session->engine, from_ns);
	bool any = false;

	engine_calls_range(session->engine, &first, &end);
	while (at < end) {
		struct call calls[CHUNK];
		uint64_t seqs[CHUNK];
		size_t count;

		if (clock_thread_ns() >= until_ns) {
			*late = !any;
			return any;
		}
		count = engine_calls_after(session->engine, &at, filter, calls, seqs, CHUNK);

		for (size_t i = 0; i < count; i++) {
			uint64_t enter_ns = calls[i].enter_ns;

			if (calls[i].dur_ns < 0 || !call_was_made(&calls[i]) ||
			    enter_ns + (uint64_t)calls[i].dur_ns < from_ns)
				continue;
			if (enter_ns > to_ns)
				return any;
			*found = seqs[i];
			any = true;
			/* Calls of one thread do not overlap: no later one can match. */
			if (enter_ns + (uint64_t)calls[i].dur_ns >= to_ns)
				return true;
		}
	}
	return any;
}

/* Return a filter for the calls of a thread that also match `other` (NULL: all of its calls). */
static struct filter *filter_of(const struct session *session, uint32_t tid, struct filter *other)
{
	struct filter *filter, *both;
	struct filter_error error;
	struct str term = STR_INIT;
	int rc;

	str_addf(&term, "tid == %u", tid);
	rc = filter_parse(&filter, term.data, engine_filter_names(session->engine), &error);
	str_release(&term);
	if (rc)
		return NULL;
	if (!other)
		return filter;
	both = filter_and(other, filter);
	filter_free(filter);
	return both;
}

static const char *why_no_waker(const struct call *call)
{
	if (call->state == CALL_IN_FLIGHT)
		return "Not woken yet";
	if (!call->blocked_ns && !call_waits_are_known(call))
		return "Waits unknown: records lost, or not traced then";
	if (!call->blocked_ns)
		return "The call never slept, so it has no waker";
	if (call->waker_kind == WAKER_TIMER)
		return "Woken by its timeout";
	if (call->waker_kind == WAKER_INTERRUPT)
		return "Woken by an interrupt, not by a thread";
	return "No waker was recorded for this wait";
}

/* Return the call that the thread has been in since `to_ns` or earlier; NULL: none. */
static const struct call *still_in(const struct session *session, uint32_t tid, uint64_t to_ns)
{
	for (size_t i = 0; i < session->in_flight_count; i++)
		if (session->in_flight[i].tid == tid && session->in_flight[i].enter_ns <= to_ns)
			return &session->in_flight[i];
	return NULL;
}

static void add_waker(const struct session *session, const struct call *call, struct str *out)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	if (engine_waker(session->engine, call, &pid, name))
		str_addf(out, "%s/", name);
	str_addu(out, call->waker_tid);
}

static void say_not_found(struct session *session, const struct call *call, uint64_t to_ns,
			  bool late)
{
	const struct call *waker = still_in(session, call->waker_tid, to_ns);
	struct str who = STR_INIT;

	add_waker(session, call, &who);
	if (waker)
		session_say(session, ROLE_WARN, "Woken by %s, in a call to %s still in flight",
			    who.data,
			    syscalls_info(engine_syscalls(session->engine), waker->nr)->name);
	else if (late)
		session_say(session, ROLE_WARN,
			    "Woken by %s; the search for that call took too long", who.data);
	else
		session_say(session, ROLE_WARN, "Woken by %s; that call was %s", who.data,
			    session->status.source.kernel_filter[0] ? "filtered out or evicted"
								    : "evicted or not collected");
	str_release(&who);
}

static void say_filtered(struct session *session, const struct call *call)
{
	struct str who = STR_INIT;

	add_waker(session, call, &who);
	session_say(session, ROLE_WARN,
		    "Woken by %s, in a call that the filter drops; Enter clears the filter and "
		    "goes there",
		    who.data);
	str_release(&who);
}

static bool find_of(struct session *session, const struct call *call, struct filter *filter,
		    uint64_t *seq, bool *late)
{
	uint64_t from_ns, to_ns;
	bool found;

	wake_range(call, &from_ns, &to_ns);
	found = filter && search(session, filter, from_ns, to_ns, seq, late);
	filter_free(filter);
	return found;
}

enum waker_found waker_find(struct session *session, const struct call *call, uint64_t *seq)
{
	struct filter *shown = filter_stack_filter(&session->filter_stack);
	uint32_t tid = call->waker_tid;
	uint64_t from_ns, to_ns;
	bool late = false;

	if (call->waker_kind != WAKER_THREAD || call->dur_ns < 0) {
		session_say(session, ROLE_WARN, "%s", why_no_waker(call));
		return WAKER_NOWHERE;
	}
	if (find_of(session, call, filter_of(session, tid, shown), seq, &late))
		return WAKER_FOUND;
	if (shown && find_of(session, call, filter_of(session, tid, NULL), seq, &late)) {
		say_filtered(session, call);
		return WAKER_FILTERED;
	}
	wake_range(call, &from_ns, &to_ns);
	say_not_found(session, call, to_ns, late);
	return WAKER_NOWHERE;
}
