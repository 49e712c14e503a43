#include "engine/base/cgroup_path.h"
#include "engine/filter/filter_callchain.h"

#include <string.h>

/* Maximum number of ancestors that are tested: stale parent pids can form a cycle. */
#define GENERATIONS_MAX 256
/* Maximum number of nested pending tests that are evaluated with both results. */
#define GUESSES_MAX 6

static bool in_ranges(const struct filter_step *step, int64_t value)
{
	value &= (int64_t)step->mask;
	if (step->count == 1)
		return value >= step->range.lo && value <= step->range.hi;
	for (uint32_t i = 0; i < step->count; i++)
		if (value >= step->ranges[i].lo && value <= step->ranges[i].hi)
			return true;
	return false;
}

static enum filter_answer answer_of(bool yes)
{
	return yes ? FILTER_YES : FILTER_NO;
}

/*
 * Yes if any descriptor of the call matches. With !=: yes if the call has descriptors and none
 * matches.
 */
static enum filter_answer test_fds(const struct filter_step *step, const struct call *call,
				   const struct filter_reader *reader)
{
	int32_t fds[FILTER_FDS];
	bool in = false, pending = false;
	size_t count = 0;

	if (reader && reader->fds)
		count = reader->fds(reader->ctx, call, fds, &pending);
	for (size_t i = 0; i < count; i++)
		in = in || in_ranges(step, fds[i]);
	return pending && !in ? FILTER_LATER : answer_of(count && in != step->inverted);
}

static bool test_descendant(const struct filter_step *step, const struct call *call,
			    const struct filter_reader *reader)
{
	uint32_t pid = call->pid;

	if (!reader || !reader->parent)
		return false;
	for (unsigned i = 0; i < GENERATIONS_MAX; i++) {
		pid = reader->parent(reader->ctx, pid);
		if (!pid)
			return false;
		if (in_ranges(step, pid))
			return true;
	}
	return false;
}

/* Return the argument that the step tests; NULL: the call has none, or it is unknown. */
static const struct filter_argument *argument_of(const struct filter_step *step,
						 const struct call *call)
{
	if (call->nr >= SYSCALL_NR_MAX || call->state == CALL_ORPHAN ||
	    !filter_syscall_set_has(step->calls, call->nr))
		return NULL;
	return &step->arguments[call->nr];
}

/* Bits beyond the type of the argument are undefined in the register. */
static bool test_argument(const struct filter_step *step, const struct call *call)
{
	const struct filter_argument *argument = argument_of(step, call);
	uint64_t value, bits;
	bool in;

	if (!argument)
		return false;
	bits = argument->bytes < 8 ? ((uint64_t)1 << 8 * argument->bytes) - 1 : UINT64_MAX;
	value = call->args[argument->index] & bits;
	if (step->by_choice && argument->choice)
		value &= argument->choice;
	in = in_ranges(step, (int64_t)value);
	/* Sign-extend, unless bits are tested. With ==, 0xffffffff still equals -1. */
	if (argument->is_signed && value > bits >> 1 && step->mask == UINT64_MAX) {
		bool negative = in_ranges(step, (int64_t)(value | ~bits));
		in = negative || (in && step->exact_values);
	}
	return in != step->inverted;
}

/* A test of an unknown value is false, != included. */
static bool test_ranges(const struct filter_step *step, const struct call *call,
			const struct filter_reader *reader)
{
	int64_t value;

	switch (step->field) {
	case FIELD_TASK:
		return in_ranges(step, call->pid) || in_ranges(step, call->tid);
	case FIELD_ARGUMENT:
		return test_argument(step, call);
	case FIELD_DESCENDANT:
		return test_descendant(step, call, reader);
	default:
		return filter_fields[step->field].number(call, reader, &value) &&
		       in_ranges(step, value) != step->inverted;
	}
}

enum filter_answer filter_text_is(const struct filter_step *step, const char *text, size_t len)
{
	if (step->test == TEST_PATTERN) {
		enum pattern_answer answer = filter_pattern_match(step->pattern, text, len);
		return answer == PATTERN_YES  ? FILTER_YES
		       : answer == PATTERN_NO ? FILTER_NO
					      : FILTER_LATER;
	}
	for (uint32_t i = 0; i < step->count; i++)
		if (strlen(step->names[i]) == len && !memcmp(step->names[i], text, len))
			return FILTER_YES;
	return FILTER_NO;
}

/* A text on which the pattern gave up does not match, !~ included. */
static bool text_answer(const struct filter_step *step, enum filter_answer is)
{
	return is != FILTER_LATER && (is == FILTER_YES) != step->inverted;
}

/* Yes if any path matches; != as in test_fds(). A pending path is not matched: it can change. */
static enum filter_answer test_paths(const struct filter_step *step, const struct call *call,
				     const struct filter_reader *reader)
{
	enum filter_answer is = FILTER_NO, one;
	char path[FILTER_PATH_BYTES];
	bool known = false, pending = false, any = true;

	if (!reader || !reader->path)
		return FILTER_NO;
	for (unsigned i = 0; is != FILTER_YES && any; i++) {
		bool open = false;

		any = reader->path(reader->ctx, call, i, path, &open);
		pending = pending || open;
		if (!any || open || !*path)
			continue;
		known = true;
		one = filter_text_is(step, path, strlen(path));
		is = one == FILTER_NO ? is : one;
	}
	return pending && is != FILTER_YES ? FILTER_LATER
					   : answer_of(known && text_answer(step, is));
}

static enum filter_answer test_argument_text(const struct filter_step *step,
					     const struct call *call,
					     const struct filter_reader *reader)
{
	const struct filter_argument *argument = argument_of(step, call);
	bool pending = false;
	const char *bytes;
	size_t len;

	if (!argument || !reader || !reader->bytes)
		return FILTER_NO;
	if (!reader->bytes(reader->ctx, call, argument->index, &bytes, &len, &pending))
		return pending ? FILTER_LATER : FILTER_NO;
	if (argument->ends)
		len = strnlen(bytes, len);
	return answer_of(text_answer(step, filter_text_is(step, bytes, len)));
}

static bool test_cgroups(const struct filter_step *step, const char *path)
{
	bool in = false;

	for (uint32_t i = 0; !in && i < step->count; i++)
		in = cgroup_path_in(path, step->names[i]);
	return in != step->inverted;
}

static enum filter_answer test_text(const struct filter_step *step, const struct call *call,
				    const struct filter_reader *reader)
{
	const char *text;

	if (step->field == FIELD_PATH)
		return test_paths(step, call, reader);
	if (step->field == FIELD_ARGUMENT)
		return test_argument_text(step, call, reader);
	text = filter_fields[step->field].text(call, reader);
	if (!text)
		return FILTER_NO;
	if (step->field == FIELD_CGROUP && step->test == TEST_NAMES)
		return answer_of(test_cgroups(step, text));
	return answer_of(text_answer(step, filter_text_is(step, text, strlen(text))));
}

/* Match the comm, cached by its id if the reader supports it. */
static bool test_comm(const struct filter_step *step, const struct call *call,
		      const struct filter_reader *reader)
{
	enum filter_known known = KNOWN_NOTHING;
	uint32_t version;
	const char *comm;

	if (reader && reader->comms_version)
		known = filter_cache_find(step->memo, call->comm_id, &version);
	if (known == KNOWN_NOTHING || version != FILTER_CACHE_VERSION(reader->comms_version)) {
		comm = filter_fields[FIELD_COMM].text(call, reader);
		known = comm && text_answer(step, filter_text_is(step, comm, strlen(comm)))
				? KNOWN_YES
				: KNOWN_NO;
		if (reader && reader->comms_version)
			filter_cache_store(step->memo, call->comm_id, reader->comms_version, known);
	}
	return known == KNOWN_YES;
}

static enum filter_answer test_call(const struct filter_step *step, const struct call *call,
				    const struct filter_reader *reader)
{
	/* An event has only some of the fields of a call. */
	if (__builtin_expect(call->state == CALL_EVENT, 0) && step->field != FIELD_TASK &&
	    !filter_fields[step->field].of_events)
		return FILTER_NO;
	switch ((enum filter_test_kind)step->test) {
	case TEST_RANGES:
		if (step->field == FIELD_FD)
			return test_fds(step, call, reader);
		return answer_of(test_ranges(step, call, reader));
	case TEST_SYSCALLS:
		return answer_of(filter_syscall_set_has(step->set, call->nr) != step->inverted);
	case TEST_PATTERN:
	case TEST_NAMES:
		if (step->memo && step->field != FIELD_COMM)
			return filter_callchain_ask(step, call, reader);
		if (step->memo)
			return answer_of(test_comm(step, call, reader));
		return test_text(step, call, reader);
	case TEST_FLAG:
		break;
	}
	return answer_of(step->field == FIELD_FAILED ? call_failed(call)
						     : call->state == CALL_IN_FLIGHT);
}

/* Run the steps, starting with `at`. For a pending test, try both results: they can agree. */
static enum filter_answer ask_from(const struct filter *filter, uint32_t at,
				   const struct call *call, const struct filter_reader *reader,
				   unsigned guesses)
{
	while (at < STEP_REJECT) {
		const struct filter_step *step = &filter->steps[at];
		enum filter_answer answer = test_call(step, call, reader), if_not;

		if (__builtin_expect(answer == FILTER_LATER, 0)) {
			if (guesses == GUESSES_MAX)
				return FILTER_LATER;
			if_not = ask_from(filter, step->when[false], call, reader, guesses + 1);
			answer = ask_from(filter, step->when[true], call, reader, guesses + 1);
			return answer == if_not ? answer : FILTER_LATER;
		}
		at = step->when[answer];
	}
	return at == STEP_ACCEPT ? FILTER_YES : FILTER_NO;
}

enum filter_answer filter_ask(const struct filter *filter, const struct call *call,
			      const struct filter_reader *reader)
{
	if (call->state == CALL_GAP)
		return FILTER_YES;
	return ask_from(filter, filter ? filter->entry : STEP_ACCEPT, call, reader, 0);
}
