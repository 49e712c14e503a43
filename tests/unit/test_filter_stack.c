#include "tui/session/filter_stack.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;
static struct narrowing narrowing;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	narrowing_init(&narrowing, &names, NULL);
}

static void teardown(void)
{
	narrowing_release(&narrowing);
	syscalls_free(syscalls);
}

static void assert_path(const char *expected)
{
	struct str path = STR_INIT;

	for (size_t i = narrowing_path(&narrowing); i < narrowing.count; i++)
		str_addf(&path, "%s%s", path.len ? " › " : "", narrowing.steps[i].label);
	ck_assert_str_eq(path.data, expected);
	str_release(&path);
}

static void add(const char *term, const char *label)
{
	struct filter_error error;

	ck_assert_msg(!narrowing_add(&narrowing, term, label, &error), "%s: %s", term,
		      error.err.text);
}

START_TEST(terms_are_joined_and_undone_one_by_one)
{
	ck_assert_ptr_null(narrowing_filter(&narrowing));
	ck_assert(!narrowing_back(&narrowing));
	add("pid == 42", "nginx/42");
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 42");
	add("syscall == futex", "futex");
	ck_assert_ptr_nonnull(strstr(narrowing_text(&narrowing), "pid == 42"));
	ck_assert_ptr_nonnull(strstr(narrowing_text(&narrowing), "futex"));
	assert_path("nginx/42 › futex");
	ck_assert(narrowing_back(&narrowing));
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 42");
	ck_assert(narrowing_back(&narrowing));
	ck_assert_str_eq(narrowing_text(&narrowing), "");
	ck_assert(!narrowing_back(&narrowing));
}
END_TEST

START_TEST(a_term_does_not_get_lost_in_an_or)
{
	struct filter_error error;
	struct call call = { .pid = 7, .state = CALL_DONE };
	struct filter_reader reader = { .now_ns = 0 };

	ck_assert(!narrowing_type(&narrowing, "pid == 1 or pid == 7", &error));
	add("tid == 9", "thread 9");
	ck_assert(!filter_match(narrowing_filter(&narrowing), &call, &reader));
	call.tid = 9;
	ck_assert(filter_match(narrowing_filter(&narrowing), &call, &reader));
}
END_TEST

START_TEST(dropping_what_a_key_added_is_going_back)
{
	add("pid == 42", "nginx/42");
	add("tid == 43", "thread 43");
	ck_assert(narrowing_drop_term(&narrowing));
	assert_path("nginx/42");
	ck_assert_uint_eq(narrowing.count, 2);
	ck_assert(narrowing_drop_term(&narrowing));
	ck_assert_ptr_null(narrowing_filter(&narrowing));
	ck_assert(!narrowing_drop_term(&narrowing));
}
END_TEST

START_TEST(typed_filters_lose_terms_too_and_can_be_had_back)
{
	struct filter_error error;

	ck_assert(!narrowing_type(&narrowing, "pid == 1 and failed", &error));
	assert_path("");
	ck_assert(narrowing_drop_term(&narrowing));
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 1");
	ck_assert(narrowing_clear(&narrowing));
	ck_assert(!narrowing_clear(&narrowing));
	ck_assert(narrowing_back(&narrowing));
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 1");
	ck_assert(narrowing_back(&narrowing));
	ck_assert_ptr_nonnull(strstr(narrowing_text(&narrowing), "failed"));
}
END_TEST

START_TEST(a_wrong_filter_changes_nothing)
{
	struct filter_error error = { .column = 99 };

	add("pid == 42", "nginx/42");
	ck_assert_int_lt(narrowing_type(&narrowing, "pid ==", &error), 0);
	ck_assert_uint_le(error.column, 6);
	ck_assert_str_ne(error.err.text, "");
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 42");
	ck_assert_uint_eq(narrowing.count, 2);
}
END_TEST

START_TEST(the_same_filter_again_is_no_step)
{
	struct filter_error error;

	ck_assert(!narrowing_type(&narrowing, "", &error));
	ck_assert_uint_eq(narrowing.count, 1);
	ck_assert(!narrowing_type(&narrowing, "pid == 1", &error));
	ck_assert(!narrowing_type(&narrowing, "pid == 1", &error));
	ck_assert_uint_eq(narrowing.count, 2);
}
END_TEST

START_TEST(the_same_term_again_is_no_step)
{
	struct filter_error error;

	add("syscall == futex", "futex");
	add("syscall == futex", "futex");
	add("pid == 1", "init/1");
	add("syscall == futex", "futex");
	ck_assert_str_eq(narrowing_text(&narrowing), "syscall == futex && pid == 1");
	assert_path("futex › init/1");
	/* One that is off does not hold. */
	ck_assert(!narrowing_switch_term(&narrowing, 0, &error));
	add("syscall == futex", "futex");
	ck_assert_ptr_nonnull(strstr(narrowing_text(&narrowing), "futex"));
}
END_TEST

START_TEST(many_steps_forget_the_oldest_but_not_the_first)
{
	struct filter_error error;
	char text[32];

	for (int i = 1; i <= NARROWING_MAX_STEPS * 2; i++) {
		snprintf(text, sizeof(text), "pid == %d", i);
		ck_assert(!narrowing_type(&narrowing, text, &error));
	}
	ck_assert_uint_eq(narrowing.count, NARROWING_MAX_STEPS);
	ck_assert_str_eq(narrowing_text(&narrowing), text);
	while (narrowing_back(&narrowing))
		;
	ck_assert_ptr_null(narrowing_filter(&narrowing));
}
END_TEST

START_TEST(terms_are_switched_edited_and_removed)
{
	struct filter_error error;

	ck_assert(!narrowing_type(&narrowing, "pid == 1 and (failed or cpu == 2) and tid == 3",
				  &error));
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 3);
	ck_assert(!narrowing_switch_term(&narrowing, 1, &error));
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 1 && tid == 3");
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 3);
	ck_assert(narrowing_terms(&narrowing)->items[1].off);
	/* One that is off is changed, and stays off. */
	ck_assert(!narrowing_set_term(&narrowing, 1, "failed or cpu == 4", &error));
	ck_assert_str_eq(narrowing_text(&narrowing), "pid == 1 && tid == 3");
	ck_assert(!narrowing_switch_term(&narrowing, 1, &error));
	ck_assert_str_eq(narrowing_text(&narrowing),
			 "pid == 1 && (failed || cpu == 4) && tid == 3");
	ck_assert(!narrowing_set_term(&narrowing, 0, "uid == 5 and uid != 6", &error));
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 4);
	ck_assert(!narrowing_set_term(&narrowing, 4, "cpu == 0", &error));
	ck_assert(!narrowing_set_term(&narrowing, 0, "", &error));
	ck_assert_str_eq(narrowing_text(&narrowing),
			 "uid != 6 && (failed || cpu == 4) && tid == 3 && cpu == 0");
	for (int i = 0; i < 6; i++)
		ck_assert(narrowing_back(&narrowing));
	ck_assert_str_eq(narrowing_text(&narrowing),
			 "pid == 1 && (failed || cpu == 2) && tid == 3");
}
END_TEST

START_TEST(what_is_off_outlives_another_filter_but_not_clearing)
{
	struct filter_error error;

	add("pid == 42", "nginx/42");
	add("failed", "failed");
	ck_assert(!narrowing_switch_term(&narrowing, 0, &error));
	ck_assert(!narrowing_type(&narrowing, "tid == 9", &error));
	ck_assert_str_eq(narrowing_text(&narrowing), "tid == 9");
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 2);
	ck_assert(narrowing_terms(&narrowing)->items[1].off);
	/* Typed again it is on, and not twice there. */
	ck_assert(!narrowing_type(&narrowing, "pid == 42", &error));
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 1);
	ck_assert(!narrowing_switch_term(&narrowing, 0, &error));
	ck_assert_ptr_null(narrowing_filter(&narrowing));
	ck_assert(!narrowing_drop_term(&narrowing));
	ck_assert(narrowing_clear(&narrowing));
	ck_assert_uint_eq(narrowing_terms(&narrowing)->count, 0);
	ck_assert(!narrowing_clear(&narrowing));
}
END_TEST

START_TEST(trying_a_term_changes_nothing)
{
	struct filter_error error;
	struct filter *filter;

	add("pid == 42", "nginx/42");
	ck_assert(!narrowing_try_term(&narrowing, 1, "failed", &filter, &error));
	ck_assert_str_eq(filter_text(filter), "pid == 42 && failed");
	filter_free(filter);
	ck_assert(!narrowing_try_term(&narrowing, 0, "failed", &filter, &error));
	ck_assert_str_eq(filter_text(filter), "failed");
	filter_free(filter);
	ck_assert_int_lt(narrowing_try_term(&narrowing, 0, "pid ==", &filter, &error), 0);
	ck_assert_int_lt(narrowing_set_term(&narrowing, 0, "pid ==", &error), 0);
	ck_assert_uint_eq(error.column, 6);
	ck_assert_uint_eq(narrowing.count, 2);
	ck_assert(!narrowing_set_term(&narrowing, 0, "pid==42", &error));
	ck_assert_uint_eq(narrowing.count, 2);
}
END_TEST

Suite *suite_filter_stack(void);
Suite *suite_filter_stack(void)
{
	Suite *suite = suite_create("filter_stack");
	TCase *tests = tcase_create("narrowing");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, terms_are_joined_and_undone_one_by_one);
	tcase_add_test(tests, a_term_does_not_get_lost_in_an_or);
	tcase_add_test(tests, dropping_what_a_key_added_is_going_back);
	tcase_add_test(tests, typed_filters_lose_terms_too_and_can_be_had_back);
	tcase_add_test(tests, a_wrong_filter_changes_nothing);
	tcase_add_test(tests, the_same_filter_again_is_no_step);
	tcase_add_test(tests, the_same_term_again_is_no_step);
	tcase_add_test(tests, many_steps_forget_the_oldest_but_not_the_first);
	tcase_add_test(tests, terms_are_switched_edited_and_removed);
	tcase_add_test(tests, what_is_off_outlives_another_filter_but_not_clearing);
	tcase_add_test(tests, trying_a_term_changes_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
