#include "engine/filter/filter.h"

#include "engine/base/clock.h"
#include "engine/filter/filter_pattern.h"
#include "tests/unit/filter_fixture.h"
#include "tests/unit/random_filter.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct filter_fixture fixture;

static void setup(void)
{
	filter_fixture_init(&fixture);
}

static void teardown(void)
{
	filter_fixture_release(&fixture);
}

static struct filter *parse(const char *text)
{
	return filter_fixture_parse(&fixture, text);
}

/* Normal forms: short forms are expanded, spaces and synonyms are unified. */
static const struct {
	const char *text, *normal;
} texts[] = {
	{ "", "" },
	{ "  \t ", "" },
	{ "pid==42", "pid == 42" },
	{ "pid = 42", "pid == 42" },
	{ "pid == 42 and not failed or in_flight", "pid == 42 && !failed || in_flight" },
	{ "pid == 1 and (failed or in_flight)", "pid == 1 && (failed || in_flight)" },
	{ "((pid == 1 and failed) and cpu == 2)", "pid == 1 && failed && cpu == 2" },
	{ "not not failed", "failed" },
	{ "!!(!failed)", "!failed" },
	{ "not pid == 4", "!(pid == 4)" },
	{ "pid not in {1,2}", "pid not in {1, 2}" },
	{ "not pid in {1,2}", "pid not in {1, 2}" },
	{ "!(pid not in {1..9})", "pid in {1..9}" },
	{ "futex", "syscall == futex" },
	{ "%file", "syscall == %file" },
	{ "%%stat", "syscall == %%stat" },
	{ "nginx", "comm ~ \"nginx\"" },
	{ "kworker/0:1", "comm ~ \"kworker/0:1\"" },
	{ "a.out", "comm ~ \"a\\\\.out\"" },
	{ "\"futex\"", "comm ~ \"futex\"" },
	{ "4242", "4242" },
	{ "!4242", "!4242" },
	{ "dur > 1.5 ms", "dur > 1.5ms" },
	{ "comm == 'a\"b\\n\\x01'", "comm == \"a\\\"b\\x0a\\x01\"" },
	{ "comm ~ \"a\\.b\"", "comm ~ \"a\\\\.b\"" },
	{ "comm == \"\\303\\244\"", "comm == \"\\xc3\\xa4\"" },
	{ "errno==EAGAIN", "errno == EAGAIN" },
	{ "uid==root", "uid == root" },
	{ "uid in {0,5..9}", "uid in {0, 5..9}" },
	{ "cgroup = '/a b'", "cgroup == \"/a b\"" },
	{ "ret >= -1", "ret >= -1" },
	{ "arg0 == 0xffffffffffffffff", "arg0 == 0xffffffffffffffff" },
	{ "syscall in {read,%net,202}", "syscall in {read, %net, 202}" },
	{ "syscall in {}", "syscall in {}" },
};

START_TEST(texts_are_normalised)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct filter *filter = parse(texts[i].text);

		ck_assert_msg(!strcmp(filter_text(filter), texts[i].normal), "%s: %s",
			      texts[i].text, filter_text(filter));
		filter_free(filter);
	}
}
END_TEST

/* Invalid texts: column and length of the error, and a part of its message. */
static const struct {
	const char *text;
	size_t column, length;
	const char *says;
} errors[] = {
	{ "sycall == read", 0, 6, "did you mean syscall?" },
	{ "pid == 1 && durr > 1ms", 12, 4, "did you mean dur?" },
	{ "zzzzzzzz == 1", 0, 8, "unknown field \"zzzzzzzz\"" },
	{ "syscall == raed", 11, 4, "did you mean read?" },
	{ "syscall in {read, opne}", 18, 4, "did you mean open?" },
	{ "%flie", 0, 5, "did you mean %file?" },
	{ "errno == EAGIAN", 9, 6, "did you mean EAGAIN?" },
	{ "errno == what", 9, 4, "such as EAGAIN" },
	{ "dur > 10", 6, 2, "as in 10ms" },
	{ "dur > 10 parsecs", 6, 2, "as in 10ms" },
	{ "pid == x", 7, 1, "is not a number" },
	{ "pid == 99999999999999999999", 7, 20, "64 bits" },
	{ "pid ==", 6, 1, "the filter ends where a number was expected" },
	{ "pid", 0, 3, "needs a comparison: ==" },
	{ "pid ~ 4", 4, 1, "it takes == != <" },
	{ "comm < x", 5, 1, "it takes == != ~ !~ in" },
	{ "failed == 1", 7, 2, "write failed or !failed" },
	{ "(pid == 1", 9, 1, "or )" },
	{ "pid == 1)", 8, 1, "instead of \")\"" },
	{ "pid == 1 tid == 2", 9, 3, "expected `and`, `or` or the end" },
	{ "pid in 1", 7, 1, "expected a list" },
	{ "pid in {1,}", 10, 1, "a number" },
	{ "pid in {1 2}", 10, 1, "a comma or }" },
	{ "pid in {5..1}", 8, 4, "ends before it begins" },
	{ "pid not 4", 8, 1, "expected in" },
	{ "comm ~ \"(\"", 7, 3, "invalid regular expression" },
	{ "comm ~ \"(a)\\\\2\"", 7, 8, "invalid regular expression" },
	{ "comm == 'it''", 12, 1, "unterminated string" },
	{ "comm ~ \"((a{999}){999}){999}\"", 7, 22, "too large" },
	{ "comm == \"abc", 8, 4, "unterminated string" },
	{ "comm == \"a\\x00b\"", 8, 8, "a NUL byte" },
	{ "\"\"", 0, 2, "empty string" },
	{ "pid == 1 ; tid == 2", 9, 1, "\";\"" },
	{ "pid == 1 \033[2J", 9, 1, "\\33" },
	{ "and", 0, 3, "a test" },
	{ "!", 1, 1, "a test" },
};

START_TEST(errors_point_at_the_place)
{
	for (size_t i = 0; i < COUNT(errors); i++) {
		struct filter *filter = NULL;
		struct filter_error error = { .column = 999 };
		int failed = filter_parse(&filter, errors[i].text, &fixture.names, &error);

		ck_assert_msg(failed, "%s: parsed as %s", errors[i].text, filter_text(filter));
		ck_assert_ptr_null(filter);
		ck_assert_msg(error.column == errors[i].column && error.length == errors[i].length,
			      "%s: %zu+%zu: %s", errors[i].text, error.column, error.length,
			      error.err.text);
		ck_assert_msg(strstr(error.err.text, errors[i].says), "%s: %s", errors[i].text,
			      error.err.text);
		for (const char *c = error.err.text; *c; c++)
			ck_assert_msg((unsigned char)*c >= ' ', "a control byte: %s",
				      error.err.text);
	}
}
END_TEST

static const struct call sample = {
	.enter_ns = 1000,
	.dur_ns = 15000000,
	.args = { 3, 0x7f0000001000, 4096 },
	.ret = -11,
	.blocked_ns = 12000000,
	.runnable_ns = 1000000,
	.pid = 42,
	.tid = 43,
	.waker_tid = 7,
	.nr = 0,
	.cpu = 1,
	.state = CALL_DONE,
};

static const char *sample_comm(void *ctx, const struct call *call)
{
	(void)ctx;
	(void)call;
	return "nginx";
}

/* Tests of a read() of nginx/43 in process 42 that failed with EAGAIN after 15 ms. */
static const struct {
	const char *text;
	bool yes;
} questions[] = {
	{ "", true },
	{ "pid == 42", true },
	{ "pid != 42", false },
	{ "tid == 42", false },
	{ "42", true },
	{ "43", true },
	{ "44", false },
	{ "!44", true },
	{ "read", true },
	{ "syscall == 0", true },
	{ "%desc", true },
	{ "%file", false },
	{ "syscall not in {read}", false },
	{ "syscall ~ \"^re\"", true },
	{ "nginx", true },
	{ "ngin", true },
	{ "gin", true },
	{ "comm == \"ngin\"", false },
	{ "comm ~ \"^nginx$\"", true },
	{ "comm ~ \"^gin\"", false },
	{ "comm ~ \"inx$\"", true },
	{ "comm ~ \"^n.*x$\"", true },
	{ "comm !~ \"n|x\"", false },
	{ "comm in {apache, nginx}", true },
	{ "failed", true },
	{ "in_flight", false },
	{ "errno == EAGAIN", true },
	{ "errno == EWOULDBLOCK", true },
	{ "errno != EAGAIN", false },
	{ "errno in {10..12}", true },
	{ "ret < 0", true },
	{ "ret == -11", true },
	{ "dur > 10ms", true },
	{ "dur > 15ms", false },
	{ "dur >= 15ms", true },
	{ "dur in {14ms..16ms}", true },
	{ "blocked == 12ms", true },
	{ "runnable <= 1 ms", true },
	{ "on_cpu == 2ms", true },
	{ "cpu == 1", true },
	{ "waker == 7", true },
	{ "uid == 33", true },
	{ "uid == root", false },
	{ "uid != root && uid < 100", true },
	{ "uid in {0, 30..40}", true },
	{ "cgroup == '/system.slice'", true },
	{ "cgroup == nginx.service", true },
	{ "cgroup in {'/user.slice', nginx.service}", true },
	{ "cgroup != '/system.slice/nginx.service'", false },
	{ "cgroup == '/system.slice/nginx'", false },
	{ "cgroup ~ 'nginx'", true },
	{ "cgroup !~ '^/user'", true },
	{ "fd == 3", true },
	{ "fd == 4", false },
	{ "fd != 4", true },
	{ "fd in {1, 2}", false },
	{ "path == '/etc/hosts'", true },
	{ "path == 'hosts'", true },
	{ "path ~ '^/etc/'", true },
	{ "path ~ 'passwd'", false },
	{ "path !~ 'passwd'", true },
	{ "path !~ 'hosts'", false },
	{ "path in {'/etc/passwd', '/etc/hosts'}", true },
	{ "arg0 == 3 and arg2 == 4096", true },
	{ "arg1 > 0x7f0000000000", true },
	{ "pid == 1 or pid == 42 and failed", true },
	{ "(pid == 1 or pid == 42) and !failed", false },
	{ "not (pid == 1 or not failed)", true },
};

static size_t sample_fds(void *ctx, const struct call *call, int32_t *fds, bool *pending)
{
	(void)pending;
	(void)ctx;
	fds[0] = (int32_t)call->args[0];
	return 1;
}

/* The second path is unknown. */
static bool sample_path(void *ctx, const struct call *call, unsigned index, char *out,
			bool *pending)
{
	static const char *const paths[] = { "hosts", "", "/etc/hosts" };

	(void)pending;
	(void)ctx;
	(void)call;
	if (index >= sizeof(paths) / sizeof(paths[0]))
		return false;
	snprintf(out, FILTER_PATH_BYTES, "%s", paths[index]);
	return true;
}

static bool sample_uid(void *ctx, const struct call *call, uint32_t *uid)
{
	(void)ctx;
	(void)call;
	*uid = 33;
	return true;
}

static const char *sample_cgroup(void *ctx, const struct call *call)
{
	(void)ctx;
	(void)call;
	return "/system.slice/nginx.service";
}

START_TEST(calls_are_matched)
{
	struct filter_reader reader = { .comm = sample_comm,
					.uid = sample_uid,
					.fds = sample_fds,
					.path = sample_path,
					.cgroup = sample_cgroup,
					.now_ns = 5000 };

	for (size_t i = 0; i < COUNT(questions); i++) {
		struct filter *filter = parse(questions[i].text);
		ck_assert_msg(filter_match(filter, &sample, &reader) == questions[i].yes, "%s",
			      questions[i].text);
		filter_free(filter);
	}
}
END_TEST

/* Path 0 is known; path 1 becomes "/late" once *ctx is true. */
static bool late_path(void *ctx, const struct call *call, unsigned index, char *out, bool *pending)
{
	const bool *arrived = ctx;

	(void)call;
	*pending = index == 1 && !*arrived;
	snprintf(out, FILTER_PATH_BYTES, "%s", !index ? "/known" : *arrived ? "/late" : "");
	return index < 2;
}

START_TEST(pending_paths_are_tested_later)
{
	static const struct {
		const char *text;
		enum filter_answer before, after;
	} cases[] = {
		{ "path == /known", FILTER_YES, FILTER_YES },
		{ "path != /known", FILTER_NO, FILTER_NO },
		{ "path == /late", FILTER_LATER, FILTER_YES },
		{ "path ~ ^/la", FILTER_LATER, FILTER_YES },
		{ "path !~ ^/la", FILTER_LATER, FILTER_NO },
		{ "path != /other", FILTER_LATER, FILTER_YES },
		{ "path == /other", FILTER_LATER, FILTER_NO },
		{ "path == /late && pid == 1", FILTER_NO, FILTER_NO },
		{ "path == /late || pid == 42", FILTER_YES, FILTER_YES },
	};
	bool arrived;
	struct filter_reader reader = { .path = late_path, .ctx = &arrived };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter *filter = parse(cases[i].text);

		arrived = false;
		ck_assert_msg(filter_ask(filter, &sample, &reader) == cases[i].before, "%s",
			      cases[i].text);
		arrived = true;
		ck_assert_msg(filter_ask(filter, &sample, &reader) == cases[i].after, "%s, later",
			      cases[i].text);
		filter_free(filter);
	}
}
END_TEST

START_TEST(unknown_values_match_no_test)
{
	static const char *const unknown[] = { "dur > 1ns",     "dur != 1ns",   "ret == 0",
					       "ret != 0",      "errno == 0",   "errno != 0",
					       "on_cpu >= 0",   "uid == 33",    "uid != 33",
					       "cgroup == '/'", "cgroup != '/'" };
	struct call call = sample;
	struct call gap = { .state = CALL_GAP };

	call.state = CALL_LOST_EXIT;
	call.dur_ns = -1;
	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct filter *filter = parse(unknown[i]);
		ck_assert_msg(!filter_match(filter, &call, NULL), "%s", unknown[i]);
		/* No filter hides a gap. */
		ck_assert(filter_match(filter, &gap, NULL));
		filter_free(filter);
	}
}
END_TEST

static const char *sample_event(void *ctx, const struct call *call)
{
	(void)ctx;
	(void)call;
	return "sched:sched_process_exec";
}

/* A test of a field that only calls have is false for events, and vice versa. */
START_TEST(events_are_matched)
{
	static const struct {
		const char *text;
		bool event, call;
	} cases[] = {
		{ "event == sched:sched_process_exec", true, false },
		{ "event == sched:sched_process", false, false },
		{ "event != sched:sched_switch", true, false },
		{ "event ~ \"exec\"", true, false },
		{ "event !~ \"exec\"", false, false },
		{ "event in {signal:signal_generate, sched:sched_process_exec}", true, false },
		{ "not event ~ \"exec\"", false, true },
		{ "syscall == read || event ~ .", true, true },
		{ "pid == 42", true, true },
		{ "tid in {42..44} && cpu == 1", true, true },
		{ "42", true, true },
		{ "nginx", true, true },
		{ "uid == 33", true, true },
		{ "cgroup == nginx.service", true, true },
		{ "syscall != write", false, true },
		{ "not read", true, false },
		{ "dur >= 0", false, true },
		{ "blocked >= 0", false, true },
		{ "failed", false, true },
		{ "not failed", true, false },
		{ "not in_flight", true, true },
		{ "ret < 0", false, true },
		{ "errno != 0", false, true },
		{ "arg0 >= 0", false, true },
		{ "fd == 3", false, true },
		{ "path ~ hosts", false, true },
		{ "waker >= 0", false, true },
	};
	struct filter_reader reader = { .comm = sample_comm,
					.uid = sample_uid,
					.fds = sample_fds,
					.path = sample_path,
					.cgroup = sample_cgroup,
					.event = sample_event };
	struct call event = sample;

	event.state = CALL_EVENT;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter *filter = parse(cases[i].text);
		ck_assert_msg(filter_match(filter, &event, &reader) == cases[i].event,
			      "%s on an event", cases[i].text);
		ck_assert_msg(filter_match(filter, &sample, &reader) == cases[i].call,
			      "%s on a call", cases[i].text);
		ck_assert_msg(filter_takes_events(filter) || !cases[i].event, "%s", cases[i].text);
		filter_free(filter);
	}
}
END_TEST

START_TEST(filter_reports_whether_it_takes_events)
{
	static const struct {
		const char *text;
		bool takes;
	} cases[] = {
		{ "", true },
		{ "read", false },
		{ "pid == 1", true },
		{ "pid == 1 && read", false },
		{ "read || event ~ .", true },
		{ "(failed || read) && comm == x", false },
		{ "not (failed || read) && comm == x", true },
		{ "dur > 1s || write && event ~ exec", false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter *filter = parse(cases[i].text);

		ck_assert_msg(filter_takes_events(filter) == cases[i].takes, "%s", cases[i].text);
		filter_free(filter);
	}
}
END_TEST

START_TEST(a_call_in_flight_has_an_age)
{
	struct filter_reader reader = { .now_ns = 1000 + 20 * NS_PER_MS };
	struct filter *filter = parse("dur > 10ms && in_flight");
	struct call call = sample;

	call.state = CALL_IN_FLIGHT;
	call.dur_ns = -1;
	ck_assert(filter_match(filter, &call, &reader));
	reader.now_ns = 1000 + 5 * NS_PER_MS;
	ck_assert(!filter_match(filter, &call, &reader));
	filter_free(filter);
}
END_TEST

START_TEST(normal_texts_parse_to_the_same)
{
	struct filter_reader reader = random_reader();
	unsigned seed = 1, taken = 0, refused = 0;

	for (unsigned round = 0; round < 5000; round++) {
		struct str text = STR_INIT;
		struct filter *filter, *again;

		random_filter(&text, &seed, 5);
		filter = parse(text.data);
		again = parse(filter_text(filter));
		ck_assert_msg(!strcmp(filter_text(filter), filter_text(again)), "%s\n%s\n%s",
			      text.data, filter_text(filter), filter_text(again));
		for (unsigned i = 0; i < 20; i++) {
			struct call call = random_call(&seed);
			bool yes = filter_match(filter, &call, &reader);
			ck_assert_msg(yes == filter_match(again, &call, &reader), "%s", text.data);
			taken += yes;
			refused += !yes;
		}
		filter_free(filter);
		filter_free(again);
		str_release(&text);
	}
	ck_assert_uint_gt(taken, 10000);
	ck_assert_uint_gt(refused, 10000);
}
END_TEST

static void take_term(void *ctx, const char *term)
{
	str_addf(ctx, "[%s]", term);
}

static char *terms_of(const struct filter *filter)
{
	struct str terms = STR_INIT;

	filter_each_term(filter, take_term, &terms);
	return str_steal(&terms);
}

START_TEST(filters_are_joined_and_split)
{
	struct filter_reader reader = random_reader();
	struct filter *all = parse(""), *a = parse("pid == 1 || failed"), *b = parse("cpu == 2");
	struct filter *both = filter_and(a, b), *none, *same;
	const char *const two[] = { "failed or pid == 1", "cpu == 2" };
	struct filter_error error;
	char *terms;
	unsigned seed = 3;

	ck_assert_str_eq(filter_text(both), "(pid == 1 || failed) && cpu == 2");
	terms = terms_of(both);
	ck_assert_str_eq(terms, "[pid == 1 || failed][cpu == 2]");
	free(terms);
	terms = terms_of(a);
	ck_assert_str_eq(terms, "[pid == 1 || failed]");
	free(terms);
	ck_assert(!filter_join(&none, NULL, 0, &fixture.names, &error));
	ck_assert(filter_is_all(none));
	terms = terms_of(none);
	ck_assert_str_eq(terms, "");
	free(terms);
	ck_assert(!filter_join(&same, two, 2, &fixture.names, &error));
	ck_assert_str_eq(filter_text(same), "(failed || pid == 1) && cpu == 2");
	filter_free(same);
	ck_assert(filter_join(&same, (const char *const[]){ "pid ==" }, 1, &fixture.names, &error));
	same = filter_and(all, a);
	ck_assert_ptr_eq(same, a);
	filter_free(same);
	same = filter_and(b, NULL);
	ck_assert_ptr_eq(same, b);
	filter_free(same);
	ck_assert(filter_is_all(NULL));
	ck_assert_ptr_null(filter_and(NULL, NULL));
	for (unsigned i = 0; i < 1000; i++) {
		struct call call = random_call(&seed);
		ck_assert(filter_match(both, &call, &reader) ==
			  (filter_match(a, &call, &reader) && filter_match(b, &call, &reader)));
	}
	filter_free(all);
	filter_free(a);
	filter_free(b);
	filter_free(both);
	filter_free(none);
}
END_TEST

START_TEST(texts_are_bounded)
{
	static const char *const many[] = { "comm ~ \"a[b]\"",     "args.flags & O_CREAT",
					    "stack ~ \"(a|b)*c\"", "args.cmd == TIOCGWINSZ",
					    "uid in {1..2}",       "cgroup ~ \"x.y\"" };
	static const char *const deep[] = { "(",           "not ",           "!", "(!", "!(",
					    "failed && (", "(failed || not " };
	struct str text = STR_INIT;
	struct filter *filter = NULL, *joined;
	struct filter_error error;

	str_repeat(&text, '(', 200);
	str_add(&text, "failed");
	str_repeat(&text, ')', 200);
	filter = parse(text.data);
	ck_assert_str_eq(filter_text(filter), "failed");
	filter_free(filter);
	filter = NULL;

	str_clear(&text);
	str_repeat(&text, '(', 100000);
	ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));
	str_cut(&text, 60000);
	ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));
	ck_assert_msg(strstr(error.err.text, "nested"), "%s", error.err.text);
	ck_assert_uint_eq(error.column, 200);

	/* A text of 1 MiB is rejected unread. */
	str_clear(&text);
	while (text.len < 1 << 20)
		str_add(&text, "pid == 1 && ");
	ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));
	ck_assert_msg(strstr(error.err.text, "at most 65536 bytes"), "%s", error.err.text);
	ck_assert_uint_eq(error.column, 65536);

	/* With any kind of nesting, the error points to the place that is too deep. */
	for (size_t i = 0; i < COUNT(deep); i++) {
		str_clear(&text);
		while (text.len < 10000 * strlen(deep[i]) && text.len < 65000)
			str_add(&text, deep[i]);
		ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));
		ck_assert_msg(strstr(error.err.text, "nested"), "%s", error.err.text);
		ck_assert_uint_le(error.column, 201 * strlen(deep[i]));
	}

	str_clear(&text);
	str_repeat(&text, '!', 60000);
	str_add(&text, "failed");
	ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));

	/* A long flat chain does not count as nesting. */
	str_clear(&text);
	str_add(&text, "failed");
	while (text.len < 60000)
		str_add(&text, " && pid == 1");
	filter = parse(text.data);
	joined = filter_and(filter, filter);
	ck_assert(strlen(filter_text(joined)) > 100000);
	filter_free(joined);
	filter_free(filter);
	filter = NULL;

	/* A filter of the maximum depth with an `or` on top can still be joined. */
	str_clear(&text);
	for (unsigned i = 0; i < 100; i++)
		str_add(&text, "failed || (cpu == 1 && (");
	str_add(&text, "in_flight");
	str_repeat(&text, ')', 200);
	filter = parse(text.data);
	joined = filter_and(filter, filter);
	ck_assert(!filter_is_all(joined));
	filter_free(joined);
	filter_free(filter);
	filter = NULL;

	/* Short forms that expand beyond the bound are rejected: their text would not parse. */
	str_clear(&text);
	str_add(&text, "a");
	while (text.len < 60000)
		str_add(&text, "||a");
	ck_assert(filter_parse(&filter, text.data, &fixture.names, &error));
	ck_assert_ptr_null(filter);

	/* Thousands of patterns, named numbers and stack tests in one filter. */
	for (size_t i = 0; i < COUNT(many); i++) {
		str_clear(&text);
		str_add(&text, many[i]);
		while (text.len < 60000)
			str_addf(&text, " || %s", many[i]);
		filter = parse(text.data);
		filter_free(filter);
		filter = NULL;
	}
	str_release(&text);
}
END_TEST

START_TEST(random_bytes_never_break_the_parser)
{
	static const char *const pieces[] = { "pid", "==",   "(",  ")",    "{",   "}",    ",",
					      "..",  "!",    "~",  "&&",   "||",  "\"",   "'",
					      "\\",  "not",  "in", "1",    "ms",  "read", "%",
					      "/",   "\xff", " ",  "comm", "dur", "[" };
	unsigned seed = 5, parsed = 0;

	for (unsigned round = 0; round < 20000; round++) {
		struct str text = STR_INIT;
		struct filter *filter = NULL;
		struct filter_error error = { .column = 0 };
		unsigned count = (unsigned)rand_r(&seed) % 12;

		for (unsigned i = 0; i < count; i++) {
			str_add(&text, pieces[(unsigned)rand_r(&seed) % COUNT(pieces)]);
			if (rand_r(&seed) % 2)
				str_addc(&text, ' ');
		}
		if (!filter_parse(&filter, text.data, &fixture.names, &error)) {
			struct filter *again = parse(filter_text(filter));
			ck_assert_str_eq(filter_text(again), filter_text(filter));
			filter_free(again);
			parsed++;
		} else {
			ck_assert_uint_le(error.column, text.len);
			ck_assert_uint_ge(error.length, 1);
		}
		filter_free(filter);
		str_release(&text);
	}
	ck_assert_uint_gt(parsed, 500);
}
END_TEST

START_TEST(patterns_that_are_text_agree_with_regular_expressions)
{
	static const char *const patterns[] = { "ab", "^ab",   "ab$", "^ab$", "^",      "$",
						"^$", "a\\.b", "",    "a\\$", "^a\\\\b" };
	static const char *const subjects[] = { "",    "a",  "ab",   "abc",  "cab", "a.b",
						"axb", "a$", "a\\b", "cabc", "ba" };
	struct err err;

	for (size_t i = 0; i < COUNT(patterns); i++) {
		struct filter_pattern *fast = filter_pattern_new(patterns[i], &err);
		struct str slow_text = STR_INIT;
		struct filter_pattern *slow;

		/* A group forces the regular expression engine. */
		str_addf(&slow_text, "(%s)", patterns[i]);
		slow = filter_pattern_new(slow_text.data, &err);
		ck_assert_ptr_nonnull(fast);
		ck_assert_ptr_nonnull(slow);
		for (size_t j = 0; j < COUNT(subjects); j++)
			ck_assert_msg(
				filter_pattern_match(fast, subjects[j], strlen(subjects[j])) ==
					filter_pattern_match(slow, subjects[j],
							     strlen(subjects[j])),
				"%s on %s", patterns[i], subjects[j]);
		filter_pattern_free(fast);
		filter_pattern_free(slow);
		str_release(&slow_text);
	}
}
END_TEST

START_TEST(fields_are_sorted_and_explained)
{
	for (size_t i = 0; i < filter_field_count; i++) {
		ck_assert(filter_fields[i].help && filter_fields[i].help[0]);
		if (i)
			ck_assert_str_lt(filter_fields[i - 1].name, filter_fields[i].name);
	}
}
END_TEST

Suite *suite_filter(void);
Suite *suite_filter(void)
{
	Suite *suite = suite_create("filter");
	TCase *tests = tcase_create("filter");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, texts_are_normalised);
	tcase_add_test(tests, errors_point_at_the_place);
	tcase_add_test(tests, calls_are_matched);
	tcase_add_test(tests, pending_paths_are_tested_later);
	tcase_add_test(tests, unknown_values_match_no_test);
	tcase_add_test(tests, events_are_matched);
	tcase_add_test(tests, filter_reports_whether_it_takes_events);
	tcase_add_test(tests, a_call_in_flight_has_an_age);
	tcase_add_test(tests, normal_texts_parse_to_the_same);
	tcase_add_test(tests, filters_are_joined_and_split);
	tcase_add_test(tests, texts_are_bounded);
	tcase_add_test(tests, random_bytes_never_break_the_parser);
	tcase_add_test(tests, patterns_that_are_text_agree_with_regular_expressions);
	tcase_add_test(tests, fields_are_sorted_and_explained);
	suite_add_tcase(suite, tests);
	return suite;
}
