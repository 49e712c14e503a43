#include "tui/waker_jump.h"

#include "engine/base/clock.h"

#define CHUNK 256
#define BUDGET_NS (40 * NS_PER_MS)

/*
 * Between the wake and the return of who was woken lie its wait for a CPU and its way out:
 * so long before the return at most, and at least the wait for a CPU.
 */
static void wake_range(const struct call *call, uint64_t *from_ns, uint64_t *to_ns)
{
	uint64_t end_ns = call->enter_ns + (uint64_t)call->dur_ns;

	*from_ns = call->enter_ns + call->blocked_ns;
	*to_ns = end_ns - call->runnable_ns;
	if (*to_ns < *from_ns)
		*to_ns = *from_ns;
}

static bool search(struct session *session, struct filter *filter, uint64_t from_ns,
		   uint64_t to_ns, uint64_t *found)
{
	struct call calls[CHUNK];
	uint64_t seqs[CHUNK], first, end, until_ns = clock_now_ns() + BUDGET_NS;

	engine_calls_range(session->engine, &first, &end);
	while (end > first && clock_now_ns() < until_ns) {
		size_t count = engine_calls_before(session->engine, &end, filter, calls, seqs,
						   CHUNK);

		for (size_t i = 0; i < count; i++) {
			uint64_t enter_ns = calls[i].enter_ns;

			if (calls[i].dur_ns < 0)
				continue;
			/* A thread's calls follow each other: the older ones end earlier still. */
			if (enter_ns + (uint64_t)calls[i].dur_ns < from_ns)
				return false;
			if (enter_ns > to_ns)
				continue;
			*found = seqs[i];
			return true;
		}
	}
	return false;
}

/* Only what the filter in force lets through can be shown. */
static struct filter *waker_filter(const struct session *session, uint32_t tid)
{
	struct filter *current = narrowing_filter(&session->narrowing);
	struct filter *filter, *both;
	struct filter_error error;
	struct str term = STR_INIT;
	int rc;

	str_addf(&term, "tid == %u", tid);
	rc = filter_parse(&filter, term.data, engine_filter_names(session->engine), &error);
	str_release(&term);
	if (rc)
		return NULL;
	if (!current)
		return filter;
	both = filter_and(current, filter);
	filter_free(filter);
	return both;
}

static const char *why_nobody(const struct call *call)
{
	if (call->state == CALL_IN_FLIGHT)
		return "Nobody has woken it yet";
	if (!call->blocked_ns)
		return "The call did not wait: nobody had to wake it";
	if (call->waker_kind == WAKER_TIMER)
		return "Its own time-out woke it";
	if (call->waker_kind == WAKER_INTERRUPT)
		return "An interrupt woke it, no thread";
	return "Who woke it is not known";
}

bool waker_find(struct session *session, const struct call *call, uint64_t *seq)
{
	struct filter *filter;
	uint64_t from_ns, to_ns;
	bool found;

	if (call->waker_kind != WAKER_THREAD || call->dur_ns < 0) {
		session_say(session, ROLE_WARN, "%s", why_nobody(call));
		return false;
	}
	wake_range(call, &from_ns, &to_ns);
	filter = waker_filter(session, call->waker_tid);
	found = filter && search(session, filter, from_ns, to_ns, seq);
	filter_free(filter);
	if (!found)
		session_say(session, ROLE_WARN, "Thread %u woke it; the call in which it did so %s",
			    call->waker_tid, narrowing_filter(&session->narrowing)
			    ? "is not in the history or does not match the filter"
			    : "is not in the history");
	return found;
}
