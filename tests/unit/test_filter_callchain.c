/* Filters on stacks, whose symbols load while calls arrive. */
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
}

static void teardown(void)
{
	syscalls_free(syscalls);
}

static struct filter *parse(const char *text)
{
	struct filter *filter = NULL;
	struct filter_error error = { .column = 0 };

	ck_assert_msg(!filter_parse(&filter, text, &names, &error), "%s: %s", text, error.err.text);
	return filter;
}

/*
 * Stack N has the names of row N; the last name of row 3 is loaded in version 2. Stack 4 is cut
 * after the first name.
 */
struct bed {
	uint64_t version;
	unsigned looks;
};

static bool symbols(void *ctx, uint32_t stack_id, bool (*each)(void *to, const char *name),
		    void *to, bool *pending, bool *cut)
{
	static const char *const known[][2] = {
		{ NULL, NULL },
		{ "futex_wait", "main" },
		{ "do_poll", "event_loop" },
		{ "schedule", "late_name" },
	};
	struct bed *bed = ctx;

	bed->looks++;
	*pending = stack_id == 3 && bed->version < 2;
	*cut = stack_id == 4;
	if (*cut)
		return each(to, "f");
	if (each(to, known[stack_id % 4][0]))
		return true;
	return !*pending && each(to, known[stack_id % 4][1]);
}

static enum filter_answer ask(struct bed *bed, const struct filter *filter, uint32_t stack_id,
			      uint32_t waker_stack_id)
{
	struct filter_reader reader = { .ctx = bed,
					.symbols = symbols,
					.symbols_version = bed->version };
	struct call call = {
		.stack_id = stack_id, .waker_stack_id = waker_stack_id, .pid = 7, .state = CALL_DONE
	};

	return filter_ask(filter, &call, &reader);
}

START_TEST(stacks_are_matched)
{
	static const struct {
		const char *text;
		uint32_t stack, waker;
		enum filter_answer before, after; /* loading the last name */
	} cases[] = {
		{ "stack ~ \"^futex_\"", 1, 0, FILTER_YES, FILTER_YES },
		{ "stack ~ \"^futex_\"", 2, 0, FILTER_NO, FILTER_NO },
		{ "stack ~ \"^futex_\"", 0, 1, FILTER_NO, FILTER_NO },
		{ "waker_stack ~ \"^futex_\"", 0, 1, FILTER_YES, FILTER_YES },
		{ "stack == main", 1, 0, FILTER_YES, FILTER_YES },
		{ "stack != main", 1, 0, FILTER_NO, FILTER_NO },
		{ "stack != main", 2, 0, FILTER_YES, FILTER_YES },
		{ "stack !~ x", 0, 0, FILTER_NO, FILTER_NO }, /* no stack */
		{ "stack in {main, do_poll}", 2, 0, FILTER_YES, FILTER_YES },
		{ "stack == f", 4, 0, FILTER_YES, FILTER_YES },
		{ "stack != f", 4, 0, FILTER_NO, FILTER_NO },
		{ "stack == main", 4, 0, FILTER_NO, FILTER_NO }, /* cut: unknown */
		{ "stack != main", 4, 0, FILTER_NO, FILTER_NO },
		{ "stack !~ ain", 4, 0, FILTER_NO, FILTER_NO },
		{ "waker_stack != main", 0, 4, FILTER_NO, FILTER_NO },
		{ "not stack == main", 4, 0, FILTER_YES, FILTER_YES },
		{ "stack == late_name", 3, 0, FILTER_LATER, FILTER_YES },
		{ "stack != late_name", 3, 0, FILTER_LATER, FILTER_NO },
		{ "stack == never", 3, 0, FILTER_LATER, FILTER_NO },
		{ "stack == schedule", 3, 0, FILTER_YES, FILTER_YES },
		{ "not stack == late_name", 3, 0, FILTER_LATER, FILTER_NO },
		{ "stack == late_name and pid == 8", 3, 0, FILTER_NO, FILTER_NO },
		{ "pid == 8 and stack == late_name", 3, 0, FILTER_NO, FILTER_NO },
		{ "stack == late_name or pid == 7", 3, 0, FILTER_YES, FILTER_YES },
		{ "stack == late_name or stack == schedule", 3, 0, FILTER_YES, FILTER_YES },
		{ "stack == late_name and stack == main", 3, 0, FILTER_LATER, FILTER_NO },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filter *filter = parse(cases[i].text);
		struct bed bed = { .version = 1 };

		ck_assert_msg(ask(&bed, filter, cases[i].stack, cases[i].waker) == cases[i].before,
			      "%s", cases[i].text);
		bed.version = 2;
		ck_assert_msg(ask(&bed, filter, cases[i].stack, cases[i].waker) == cases[i].after,
			      "%s, later", cases[i].text);
		filter_free(filter);
	}
}
END_TEST

/* Results are cached; pending results are cached until the symbols change. */
START_TEST(each_stack_is_read_once)
{
	struct filter *filter = parse("stack == late_name");
	struct bed bed = { .version = 1 };

	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(ask(&bed, filter, 1, 0), FILTER_NO);
		ck_assert_int_eq(ask(&bed, filter, 3, 0), FILTER_LATER);
	}
	ck_assert_uint_eq(bed.looks, 2);
	bed.version = 2;
	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(ask(&bed, filter, 1, 0), FILTER_NO);
		ck_assert_int_eq(ask(&bed, filter, 3, 0), FILTER_YES);
	}
	ck_assert_uint_eq(bed.looks, 3);
	/* Stacks in the same cache slot evict each other, but each gets its own result. */
	ck_assert_int_eq(ask(&bed, filter, 3 + 4096, 0), FILTER_YES);
	ck_assert_int_eq(ask(&bed, filter, 1 + 4096, 0), FILTER_NO);
	ck_assert_int_eq(ask(&bed, filter, 3, 0), FILTER_YES);
	filter_free(filter);
}
END_TEST

static const char *comm_of(void *ctx, const struct call *call)
{
	struct bed *bed = ctx;

	bed->looks++;
	return (call->comm_id + bed->version) % 2 ? "odd" : "even";
}

/* If the reader sets comms_version, each comm id is matched once. */
START_TEST(each_comm_is_matched_once)
{
	struct filter *filter = parse("comm ~ \"^o(d+)$\"");
	struct bed bed = { .version = 0 };
	struct filter_reader reader = { .ctx = &bed, .comm = comm_of, .comms_version = 7 };
	struct call call = { .state = CALL_DONE };

	for (unsigned round = 0; round < 3; round++)
		for (call.comm_id = 0; call.comm_id < 100; call.comm_id++)
			ck_assert(filter_match(filter, &call, &reader) == call.comm_id % 2);
	ck_assert_uint_eq(bed.looks, 100);
	/* If the names have another version, match again. Without a version, cache no results. */
	bed.version = 1;
	reader.comms_version = 8;
	for (unsigned round = 0; round < 2; round++)
		for (call.comm_id = 0; call.comm_id < 100; call.comm_id++)
			ck_assert(filter_match(filter, &call, &reader) == !(call.comm_id % 2));
	ck_assert_uint_eq(bed.looks, 200);
	reader.comms_version = 0;
	call.comm_id = 2;
	ck_assert(filter_match(filter, &call, &reader));
	bed.version = 0;
	ck_assert(!filter_match(filter, &call, &reader));
	filter_free(filter);
}
END_TEST

/* Time is bounded for any number of pending tests, however they are joined. */
START_TEST(many_pending_tests_end)
{
	struct str text = STR_INIT;
	struct filter *filter;
	struct bed bed = { .version = 1 };

	str_add(&text, "(stack == late_name or stack == a)");
	for (int i = 0; i < 500; i++)
		str_addf(&text, " and (stack == late_name or stack == a%d)", i);
	filter = parse(text.data);
	ck_assert_int_eq(ask(&bed, filter, 3, 0), FILTER_LATER);
	bed.version = 2;
	ck_assert_int_eq(ask(&bed, filter, 3, 0), FILTER_YES);
	filter_free(filter);
	str_release(&text);
}
END_TEST

Suite *suite_filter_callchain(void);
Suite *suite_filter_callchain(void)
{
	Suite *suite = suite_create("filter_callchain");
	TCase *tests = tcase_create("filter_stacks");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, stacks_are_matched);
	tcase_add_test(tests, each_stack_is_read_once);
	tcase_add_test(tests, each_comm_is_matched_once);
	tcase_add_test(tests, many_pending_tests_end);
	suite_add_tcase(suite, tests);
	return suite;
}
