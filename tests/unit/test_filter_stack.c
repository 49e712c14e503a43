#include "tui/session/filter_stack.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;
static struct filter_stack filter_stack;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	filter_stack_init(&filter_stack, &names, NULL);
}

static void teardown(void)
{
	filter_stack_release(&filter_stack);
	syscalls_free(syscalls);
}

static void assert_path(const char *expected)
{
	struct str path = STR_INIT;

	for (size_t i = filter_stack_path(&filter_stack); i < filter_stack.count; i++)
		str_addf(&path, "%s%s", path.len ? " › " : "", filter_stack.steps[i].label);
	ck_assert_str_eq(path.data, expected);
	str_release(&path);
}

static void add(const char *term, const char *label)
{
	struct filter_error error;

	ck_assert_msg(!filter_stack_add(&filter_stack, term, label, &error), "%s: %s", term,
		      error.err.text);
}

START_TEST(terms_are_joined_and_undone_one_by_one)
{
	ck_assert_ptr_null(filter_stack_filter(&filter_stack));
	ck_assert(!filter_stack_back(&filter_stack));
	add("pid == 42", "nginx/42");
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 42");
	add("syscall == futex", "futex");
	ck_assert_ptr_nonnull(strstr(filter_stack_text(&filter_stack), "pid == 42"));
	ck_assert_ptr_nonnull(strstr(filter_stack_text(&filter_stack), "futex"));
	assert_path("nginx/42 › futex");
	ck_assert(filter_stack_back(&filter_stack));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 42");
	ck_assert(filter_stack_back(&filter_stack));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "");
	ck_assert(!filter_stack_back(&filter_stack));
}
END_TEST

START_TEST(added_term_applies_to_a_whole_or)
{
	struct filter_error error;
	struct call call = { .pid = 7, .state = CALL_DONE };
	struct filter_reader reader = { .now_ns = 0 };

	ck_assert(!filter_stack_type(&filter_stack, "pid == 1 or pid == 7", &error));
	add("tid == 9", "thread 9");
	ck_assert(!filter_match(filter_stack_filter(&filter_stack), &call, &reader));
	call.tid = 9;
	ck_assert(filter_match(filter_stack_filter(&filter_stack), &call, &reader));
}
END_TEST

START_TEST(dropping_an_added_term_goes_back)
{
	add("pid == 42", "nginx/42");
	add("tid == 43", "thread 43");
	ck_assert(filter_stack_drop_term(&filter_stack));
	assert_path("nginx/42");
	ck_assert_uint_eq(filter_stack.count, 2);
	ck_assert(filter_stack_drop_term(&filter_stack));
	ck_assert_ptr_null(filter_stack_filter(&filter_stack));
	ck_assert(!filter_stack_drop_term(&filter_stack));
}
END_TEST

START_TEST(terms_of_typed_filters_are_dropped_and_restored)
{
	struct filter_error error;

	ck_assert(!filter_stack_type(&filter_stack, "pid == 1 and failed", &error));
	assert_path("");
	ck_assert(filter_stack_drop_term(&filter_stack));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 1");
	ck_assert(filter_stack_clear(&filter_stack));
	ck_assert(!filter_stack_clear(&filter_stack));
	ck_assert(filter_stack_back(&filter_stack));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 1");
	ck_assert(filter_stack_back(&filter_stack));
	ck_assert_ptr_nonnull(strstr(filter_stack_text(&filter_stack), "failed"));
}
END_TEST

START_TEST(invalid_filter_changes_nothing)
{
	struct filter_error error = { .column = 99 };

	add("pid == 42", "nginx/42");
	ck_assert_int_lt(filter_stack_type(&filter_stack, "pid ==", &error), 0);
	ck_assert_uint_le(error.column, 6);
	ck_assert_str_ne(error.err.text, "");
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 42");
	ck_assert_uint_eq(filter_stack.count, 2);
}
END_TEST

START_TEST(repeated_filter_adds_no_step)
{
	struct filter_error error;

	ck_assert(!filter_stack_type(&filter_stack, "", &error));
	ck_assert_uint_eq(filter_stack.count, 1);
	ck_assert(!filter_stack_type(&filter_stack, "pid == 1", &error));
	ck_assert(!filter_stack_type(&filter_stack, "pid == 1", &error));
	ck_assert_uint_eq(filter_stack.count, 2);
}
END_TEST

START_TEST(repeated_term_adds_no_step)
{
	struct filter_error error;

	add("syscall == futex", "futex");
	add("syscall == futex", "futex");
	add("pid == 1", "init/1");
	add("syscall == futex", "futex");
	ck_assert_str_eq(filter_stack_text(&filter_stack), "syscall == futex && pid == 1");
	assert_path("futex › init/1");
	/* A term that is off does not count as present. */
	ck_assert(!filter_stack_switch_term(&filter_stack, 0, &error));
	add("syscall == futex", "futex");
	ck_assert_ptr_nonnull(strstr(filter_stack_text(&filter_stack), "futex"));
}
END_TEST

START_TEST(oldest_steps_are_dropped_except_the_first)
{
	struct filter_error error;
	char text[32];

	for (int i = 1; i <= FILTER_STACK_MAX_STEPS * 2; i++) {
		snprintf(text, sizeof(text), "pid == %d", i);
		ck_assert(!filter_stack_type(&filter_stack, text, &error));
	}
	ck_assert_uint_eq(filter_stack.count, FILTER_STACK_MAX_STEPS);
	ck_assert_str_eq(filter_stack_text(&filter_stack), text);
	while (filter_stack_back(&filter_stack))
		;
	ck_assert_ptr_null(filter_stack_filter(&filter_stack));
}
END_TEST

START_TEST(terms_are_switched_edited_and_removed)
{
	struct filter_error error;

	ck_assert(!filter_stack_type(&filter_stack,
				     "pid == 1 and (failed or cpu == 2) and tid == 3", &error));
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 3);
	ck_assert(!filter_stack_switch_term(&filter_stack, 1, &error));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 1 && tid == 3");
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 3);
	ck_assert(filter_stack_terms(&filter_stack)->items[1].off);
	/* A term that is off can be edited, and stays off. */
	ck_assert(!filter_stack_set_term(&filter_stack, 1, "failed or cpu == 4", &error));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "pid == 1 && tid == 3");
	ck_assert(!filter_stack_switch_term(&filter_stack, 1, &error));
	ck_assert_str_eq(filter_stack_text(&filter_stack),
			 "pid == 1 && (failed || cpu == 4) && tid == 3");
	ck_assert(!filter_stack_set_term(&filter_stack, 0, "uid == 5 and uid != 6", &error));
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 4);
	ck_assert(!filter_stack_set_term(&filter_stack, 4, "cpu == 0", &error));
	ck_assert(!filter_stack_set_term(&filter_stack, 0, "", &error));
	ck_assert_str_eq(filter_stack_text(&filter_stack),
			 "uid != 6 && (failed || cpu == 4) && tid == 3 && cpu == 0");
	for (int i = 0; i < 6; i++)
		ck_assert(filter_stack_back(&filter_stack));
	ck_assert_str_eq(filter_stack_text(&filter_stack),
			 "pid == 1 && (failed || cpu == 2) && tid == 3");
}
END_TEST

START_TEST(term_that_is_off_survives_a_filter_but_not_clearing)
{
	struct filter_error error;

	add("pid == 42", "nginx/42");
	add("failed", "failed");
	ck_assert(!filter_stack_switch_term(&filter_stack, 0, &error));
	ck_assert(!filter_stack_type(&filter_stack, "tid == 9", &error));
	ck_assert_str_eq(filter_stack_text(&filter_stack), "tid == 9");
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 2);
	ck_assert(filter_stack_terms(&filter_stack)->items[1].off);
	/* A term that is typed again is on, and not listed twice. */
	ck_assert(!filter_stack_type(&filter_stack, "pid == 42", &error));
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 1);
	ck_assert(!filter_stack_switch_term(&filter_stack, 0, &error));
	ck_assert_ptr_null(filter_stack_filter(&filter_stack));
	ck_assert(!filter_stack_drop_term(&filter_stack));
	ck_assert(filter_stack_clear(&filter_stack));
	ck_assert_uint_eq(filter_stack_terms(&filter_stack)->count, 0);
	ck_assert(!filter_stack_clear(&filter_stack));
}
END_TEST

START_TEST(trying_a_term_changes_nothing)
{
	struct filter_error error;
	struct filter *filter;

	add("pid == 42", "nginx/42");
	ck_assert(!filter_stack_try_term(&filter_stack, 1, "failed", &filter, &error));
	ck_assert_str_eq(filter_text(filter), "pid == 42 && failed");
	filter_free(filter);
	ck_assert(!filter_stack_try_term(&filter_stack, 0, "failed", &filter, &error));
	ck_assert_str_eq(filter_text(filter), "failed");
	filter_free(filter);
	ck_assert_int_lt(filter_stack_try_term(&filter_stack, 0, "pid ==", &filter, &error), 0);
	ck_assert_int_lt(filter_stack_set_term(&filter_stack, 0, "pid ==", &error), 0);
	ck_assert_uint_eq(error.column, 6);
	ck_assert_uint_eq(filter_stack.count, 2);
	ck_assert(!filter_stack_set_term(&filter_stack, 0, "pid==42", &error));
	ck_assert_uint_eq(filter_stack.count, 2);
}
END_TEST

Suite *suite_filter_stack(void);
Suite *suite_filter_stack(void)
{
	Suite *suite = suite_create("filter_stack");
	TCase *tests = tcase_create("filter_stack");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, terms_are_joined_and_undone_one_by_one);
	tcase_add_test(tests, added_term_applies_to_a_whole_or);
	tcase_add_test(tests, dropping_an_added_term_goes_back);
	tcase_add_test(tests, terms_of_typed_filters_are_dropped_and_restored);
	tcase_add_test(tests, invalid_filter_changes_nothing);
	tcase_add_test(tests, repeated_filter_adds_no_step);
	tcase_add_test(tests, repeated_term_adds_no_step);
	tcase_add_test(tests, oldest_steps_are_dropped_except_the_first);
	tcase_add_test(tests, terms_are_switched_edited_and_removed);
	tcase_add_test(tests, term_that_is_off_survives_a_filter_but_not_clearing);
	tcase_add_test(tests, trying_a_term_changes_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
