#include "tui/view/quick_terms.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;
static struct session session;
static const struct quick_row row = { &session.selection, NULL };

/* A session without an engine. */
static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	memset(&session, 0, sizeof(session));
	filter_stack_init(&session.filter_stack, &names, NULL);
	status_line_init(&session.message);
	session.selection = (struct selection){ .has_pid = true,
						.has_tid = true,
						.has_comm = true,
						.pid = 42,
						.tid = 44,
						.comm = "nginx" };
}

static void teardown(void)
{
	filter_stack_release(&session.filter_stack);
	status_line_release(&session.message);
	syscalls_free(syscalls);
}

START_TEST(keys_add_terms)
{
	static const struct {
		enum action action;
		const char *text;
	} cases[] = {
		{ ACTION_ONLY_PID, "pid == 42" },
		{ ACTION_ONLY_THREAD, "tid == 44" },
		{ ACTION_ONLY_COMM, "comm == \"nginx\"" },
		{ ACTION_EXCLUDE_PID, "pid != 42" },
		{ ACTION_EXCLUDE_THREAD, "tid != 44" },
		{ ACTION_EXCLUDE_COMM, "comm != \"nginx\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert(quick_term_act(&session, &row, cases[i].action));
		ck_assert_msg(!strcmp(filter_stack_text(&session.filter_stack), cases[i].text),
			      "%s gives %s", action_name(cases[i].action),
			      filter_stack_text(&session.filter_stack));
		filter_stack_back(&session.filter_stack);
	}
	ck_assert_uint_gt(session.filter_version, 0);
}
END_TEST

START_TEST(a_row_without_a_path_shows_a_message)
{
	ck_assert(quick_term_act(&session, &row, ACTION_ONLY_PATH));
	ck_assert_ptr_nonnull(strstr(session.message.text.data, "no path that"));
	ck_assert_str_eq(filter_stack_text(&session.filter_stack), "");
}
END_TEST

START_TEST(names_cannot_break_out_of_their_quotes)
{
	snprintf(session.selection.comm, sizeof(session.selection.comm), "%s", "a\" || pid == 1");
	ck_assert(quick_term_act(&session, &row, ACTION_ONLY_COMM));
	ck_assert_str_eq(filter_stack_text(&session.filter_stack), "comm == \"a\\\" || pid == 1\"");
	ck_assert_uint_eq(session.message.text.len, 0);
}
END_TEST

START_TEST(an_escaped_name_is_refused)
{
	snprintf(session.selection.comm, sizeof(session.selection.comm), "%s", "\\33[31mred");
	ck_assert(quick_term_act(&session, &row, ACTION_ONLY_COMM));
	ck_assert_ptr_nonnull(strstr(session.message.text.data, "pid"));
	ck_assert_str_eq(filter_stack_text(&session.filter_stack), "");
}
END_TEST

START_TEST(a_row_without_the_property_shows_a_message)
{
	session.selection.has_tid = false;
	ck_assert(quick_term_act(&session, &row, ACTION_ONLY_THREAD));
	ck_assert_ptr_nonnull(strstr(session.message.text.data, "a single thread"));
	ck_assert(quick_term_act(&session, &row, ACTION_EXCLUDE_SYSCALL));
	ck_assert_ptr_nonnull(strstr(session.message.text.data, "a single system call"));
	ck_assert_str_eq(filter_stack_text(&session.filter_stack), "");
	ck_assert(!quick_term_act(&session, &row, ACTION_QUIT));
}
END_TEST

Suite *suite_quick_terms(void);
Suite *suite_quick_terms(void)
{
	Suite *suite = suite_create("quick_terms");
	TCase *tests = tcase_create("quick_terms");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, keys_add_terms);
	tcase_add_test(tests, a_row_without_a_path_shows_a_message);
	tcase_add_test(tests, names_cannot_break_out_of_their_quotes);
	tcase_add_test(tests, an_escaped_name_is_refused);
	tcase_add_test(tests, a_row_without_the_property_shows_a_message);
	suite_add_tcase(suite, tests);
	return suite;
}
