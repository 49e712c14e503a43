/* man/stxtop-keymap.5 has every action with its help, and its example is a keymap. */
#include "tests/unit/runner.h"
#include "tui/config/actions.h"

#include "engine/base/str.h"

#include <stdio.h>
#include <string.h>

#define MANUAL "man/stxtop-keymap.5"

static struct str manual;

static void setup(void)
{
	FILE *file = fopen(MANUAL, "r");
	char bytes[4096];
	size_t count;

	ck_assert_ptr_nonnull(file);
	str_init(&manual);
	while ((count = fread(bytes, 1, sizeof(bytes), file)))
		str_addn(&manual, bytes, count);
	fclose(file);
}

static void teardown(void)
{
	str_release(&manual);
}

static void add_entry(struct str *out, enum action action)
{
	str_add(out, ".It Ic ");
	for (const char *at = action_name(action); *at; at++)
		str_add(out, *at == '-' ? "\\-" : (char[]){ *at, '\0' });
	str_addf(out, "\n%s\n", action_help(action));
}

START_TEST(manual_has_every_action_with_its_help)
{
	struct str wanted = STR_INIT;

	str_add(&wanted, ".Sh ACTIONS\n");
	for (int group = 0; group < ACTION_GROUP_COUNT; group++) {
		str_addf(&wanted, ".Ss %s\n.Bl -tag -width Ds -compact\n",
			 action_group_title((enum action_group)group));
		for (int i = 0; i < ACTION_COUNT; i++)
			if (action_group((enum action)i) == (enum action_group)group)
				add_entry(&wanted, (enum action)i);
		str_add(&wanted, ".El\n");
		/* Check one group at a time, as a message has no room for more. */
		ck_assert_msg(strstr(manual.data, wanted.data),
			      "ACTIONS of " MANUAL " differ from the table:\n%s", wanted.data);
		str_clear(&wanted);
	}
	str_release(&wanted);
}
END_TEST

START_TEST(manual_example_is_a_keymap)
{
	static const char begin[] = ".Bd -literal -offset indent\n";
	struct keymap *keymap = keymap_new(&action_keymap_names);
	const struct keymap_text *base = &action_keymaps[0];
	const char *examples = strstr(manual.data, ".Sh EXAMPLES\n");
	const char *text = examples ? strstr(examples, begin) : NULL;
	const char *end = text ? strstr(text, ".Ed\n") : NULL;

	ck_assert(text && end);
	text += strlen(begin);
	ck_assert_int_eq(keymap_parse(keymap, base->name, base->text, *base->len), 0);
	keymap_parse(keymap, MANUAL, text, (size_t)(end - text));
	ck_assert_msg(!keymap_problem(keymap, 0), "%s", keymap_problem(keymap, 0));
	keymap_free(keymap);
}
END_TEST

START_TEST(manual_names_every_section_and_limit)
{
	struct str limit = STR_INIT;

	for (int i = 0; i < CONTEXT_COUNT; i++) {
		str_clear(&limit);
		str_addf(&limit, ".It Cm %s\n", action_keymap_names.contexts[i]);
		ck_assert_msg(strstr(manual.data, limit.data), "%s", limit.data);
	}
	str_clear(&limit);
	str_addf(&limit, "after %d lines or %d errors.\nAt most %d keys", KEYMAP_MAX_LINES,
		 KEYMAP_MAX_PROBLEMS, KEYMAP_MAX_BINDINGS);
	ck_assert_msg(strstr(manual.data, limit.data), "%s", limit.data);
	str_release(&limit);
}
END_TEST

Suite *suite_keymap_manual(void);

Suite *suite_keymap_manual(void)
{
	Suite *suite = suite_create("keymap_manual");
	TCase *tcase = tcase_create("keymap_manual");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, manual_has_every_action_with_its_help);
	tcase_add_test(tcase, manual_example_is_a_keymap);
	tcase_add_test(tcase, manual_names_every_section_and_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}
