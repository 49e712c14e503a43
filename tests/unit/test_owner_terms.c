#include "tui/session/owner_terms.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct filter_stack filter_stack;
static struct filter_names names;
static struct syscalls *syscalls;

static void set_up(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	filter_stack_init(&filter_stack, &names, NULL);
}

static void tear_down(void)
{
	filter_stack_release(&filter_stack);
	syscalls_free(syscalls);
}

static void type(const char *text)
{
	struct filter_error error;

	ck_assert_msg(!filter_stack_type(&filter_stack, text, &error), "%s: %s", text,
		      error.err.text);
}

/* Compare the listed owners, separated by bars, with `expected`. */
static void assert_listed(const char *expected)
{
	struct owner_operands operands = { .items = NULL };
	struct str text = STR_INIT;

	owner_terms_list(&filter_stack, &operands);
	for (size_t i = 0; i < operands.count; i++) {
		str_addf(&text, "%s%s ", i ? "|" : "",
			 operands.items[i].kind == OWNER_USER ? "user" : "cgroup");
		owner_operand_word(&operands.items[i], &text);
	}
	ck_assert_msg(!strcmp(text.data, expected), "%s: \"%s\", not \"%s\"",
		      filter_stack_text(&filter_stack), text.data, expected);
	str_release(&text);
	owner_operands_release(&operands);
}

START_TEST(terms_that_name_owners_alone_are_listed)
{
	static const struct {
		const char *filter, *listed;
	} cases[] = {
		{ "", "" },
		{ "uid == 33", "user 33" },
		{ "uid in {33, 34}", "user 33|user 34" },
		{ "cgroup in {\"/a, b}\", \"c\\\"d\"}", "cgroup /a, b}|cgroup c\"d" },
		{ "pid == 1 and uid in {0} and cgroup == \"/a\"", "user 0|cgroup /a" },
		{ "uid != 33", "" },
		{ "uid > 33", "" },
		{ "uid in {33} or pid == 1", "" },
		{ "cgroup ~ \"a\"", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		type(cases[i].filter);
		assert_listed(cases[i].listed);
	}
}
END_TEST

START_TEST(owners_join_their_kind_and_the_last_removes_the_term)
{
	struct owner_operands operands = { .items = NULL };
	struct filter_error error;

	type("failed");
	ck_assert_int_eq(owner_terms_add(&filter_stack, OWNER_USER, "33", &error), 0);
	ck_assert_int_eq(owner_terms_add(&filter_stack, OWNER_USER, "34, 35", &error), 0);
	ck_assert_int_eq(owner_terms_add(&filter_stack, OWNER_CGROUP, "\"/a\"", &error), 0);
	assert_listed("user 33|user 34|user 35|cgroup /a");
	owner_terms_list(&filter_stack, &operands);
	ck_assert_int_eq(owner_terms_remove(&filter_stack, &operands, 1, &error), 0);
	assert_listed("user 33|user 35|cgroup /a");
	owner_terms_list(&filter_stack, &operands);
	ck_assert_int_eq(owner_terms_remove(&filter_stack, &operands, 2, &error), 0);
	assert_listed("user 33|user 35");
	for (int i = 0; i < 2; i++) {
		owner_terms_list(&filter_stack, &operands);
		ck_assert_int_eq(owner_terms_remove(&filter_stack, &operands, 0, &error), 0);
	}
	ck_assert_str_eq(filter_stack_text(&filter_stack), "failed");
	owner_operands_release(&operands);
}
END_TEST

Suite *suite_owner_terms(void);
Suite *suite_owner_terms(void)
{
	Suite *suite = suite_create("owner_terms");
	TCase *tests = tcase_create("owner_terms");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, terms_that_name_owners_alone_are_listed);
	tcase_add_test(tests, owners_join_their_kind_and_the_last_removes_the_term);
	suite_add_tcase(suite, tests);
	return suite;
}
