#include "tui/config/actions.h"

#include "engine/base/str.h"
#include "tests/unit/runner.h"
#include "tui/config/bindings.h"

#include <ctype.h>
#include <string.h>

START_TEST(every_action_has_a_kebab_case_name_of_its_own)
{
	for (int i = 0; i < ACTION_COUNT; i++) {
		const char *name = action_name((enum action)i);

		ck_assert_msg(*name && islower((unsigned char)*name), "action %d: %s", i, name);
		for (const char *at = name; *at; at++)
			ck_assert_msg(islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
					      (*at == '-' && at[1]),
				      "%s", name);
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(name, action_name((enum action)j));
	}
}
END_TEST

START_TEST(every_action_has_help_and_a_group_with_a_title)
{
	for (int i = 0; i < ACTION_COUNT; i++) {
		const char *help = action_help((enum action)i);

		ck_assert_msg(strlen(help) > 3, "%s has no help", action_name((enum action)i));
		ck_assert_msg(help[strlen(help) - 1] != '.', "%s: a phrase, not a sentence",
			      action_name((enum action)i));
		ck_assert_ptr_nonnull(action_group_title(action_group((enum action)i)));
	}
}
END_TEST

/* Prompts have no palette, so each of their actions needs a key. */
START_TEST(every_action_can_be_reached)
{
	struct bindings *bindings;
	struct err err;
	struct keystrokes keys;

	ck_assert_msg(!bindings_new(&bindings, NULL, &err), "%s", err.text);
	for (int i = 0; i < ACTION_COUNT; i++) {
		enum action action = (enum action)i;

		enum action_context context = action_group_context(action_group(action));

		if (context != CONTEXT_GLOBAL)
			ck_assert_msg(bindings_first(bindings, context, action, &keys),
				      "%s has no key", action_name(action));
	}
	ck_assert(bindings_first(bindings, CONTEXT_GLOBAL, ACTION_PALETTE, &keys));
	ck_assert(bindings_first(bindings, CONTEXT_GLOBAL, ACTION_HELP, &keys));
	ck_assert(bindings_first(bindings, CONTEXT_GLOBAL, ACTION_QUIT, &keys));
	bindings_free(bindings);
}
END_TEST

START_TEST(every_embedded_keymap_is_right)
{
	for (size_t i = 0; i < ACTION_KEYMAP_COUNT; i++) {
		struct bindings *bindings;
		struct err err;

		ck_assert_msg(!bindings_new(&bindings, action_keymaps[i].name, &err), "%s",
			      err.text);
		ck_assert_msg(!bindings_problem(bindings, 0), "%s", bindings_problem(bindings, 0));
		bindings_free(bindings);
	}
	ck_assert_uint_gt(*action_keymaps[0].len, 1000);
}
END_TEST

START_TEST(a_wrong_keymap_says_what_and_where)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "/", "/" },
		{ "/nonexistent/keys", "built-in" },
		{ "/dev/zero", "/dev/zero" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bindings *bindings = NULL;
		struct err err;

		ck_assert_int_lt(bindings_new(&bindings, cases[i].name, &err), 0);
		ck_assert_msg(strstr(err.text, cases[i].text), "%s: %s", cases[i].name, err.text);
	}
}
END_TEST

START_TEST(function_keys_are_preferred_for_the_bottom_line)
{
	struct bindings *bindings;
	struct err err;
	struct keystrokes keys;

	ck_assert(!bindings_new(&bindings, NULL, &err));
	ck_assert(bindings_function_key(bindings, ACTION_SEARCH, &keys));
	ck_assert_uint_eq(keys.keys[0].code, KEYS_F1 + 2);
	ck_assert(bindings_function_key(bindings, ACTION_ZOOM_PANE, &keys));
	ck_assert_uint_eq(keys.keys[0].code, 'z');
	ck_assert(!bindings_function_key(bindings, ACTION_EXCLUDE_COMM, &keys));
	bindings_free(bindings);
}
END_TEST

Suite *suite_actions(void);
Suite *suite_actions(void)
{
	Suite *suite = suite_create("actions");
	TCase *tests = tcase_create("actions");

	tcase_add_test(tests, every_action_has_a_kebab_case_name_of_its_own);
	tcase_add_test(tests, every_action_has_help_and_a_group_with_a_title);
	tcase_add_test(tests, every_action_can_be_reached);
	tcase_add_test(tests, every_embedded_keymap_is_right);
	tcase_add_test(tests, a_wrong_keymap_says_what_and_where);
	tcase_add_test(tests, function_keys_are_preferred_for_the_bottom_line);
	suite_add_tcase(suite, tests);
	return suite;
}
