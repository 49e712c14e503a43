/* The keymaps that stxtop comes with, against the actions that it has. */
#include "widgets/keys.h"

#include "tests/unit/runner.h"
#include "tui/actions.h"
#include "widgets/keymap.h"

static struct keymap *load(int index)
{
	struct keymap *keymap = keymap_new(&action_keymap_names);

	for (int i = 0; i <= index; i += index ? index : 1) {
		const struct keymap_text *text = &action_keymaps[i];

		keymap_parse(keymap, text->name, text->text, *text->len);
		ck_assert_msg(!keymap_problem(keymap, 0), "%s", keymap_problem(keymap, 0));
	}
	return keymap;
}

static bool is_bound(const struct keymap *keymap, int context, int action)
{
	struct keystrokes keys;

	return keymap_keys(keymap, context, action, 0, &keys);
}

START_TEST(every_action_can_be_reached)
{
	struct keymap *keymap = load(_i);

	for (int action = 0; action < ACTION_COUNT; action++) {
		bool in_palette = action_group(action) != ACTION_GROUP_PROMPT;

		ck_assert_msg(in_palette || is_bound(keymap, CONTEXT_PROMPT, action),
			      "%s: %s has no key", action_keymaps[_i].name, action_name(action));
		ck_assert_msg(!is_bound(keymap, CONTEXT_GLOBAL, action) || in_palette,
			      "%s: %s does nothing outside of prompts", action_keymaps[_i].name,
			      action_name(action));
	}
	/* Whoever knows no key at all finds these. */
	ck_assert(is_bound(keymap, CONTEXT_GLOBAL, ACTION_PALETTE));
	ck_assert(is_bound(keymap, CONTEXT_GLOBAL, ACTION_HELP));
	ck_assert(is_bound(keymap, CONTEXT_GLOBAL, ACTION_QUIT));
	keymap_free(keymap);
}
END_TEST

START_TEST(text_can_be_typed)
{
	struct keymap *keymap = load(_i);

	for (uint32_t code = ' '; code < 127; code++) {
		struct keystrokes keys = keystrokes_of((struct key){ code, 0 }), whole;
		int action;

		ck_assert_msg(keymap_find(keymap, CONTEXT_PROMPT, &keys) == KEYMAP_NONE &&
			      keymap_find(keymap, CONTEXT_MENU, &keys) == KEYMAP_NONE &&
			      !keymap_follow(keymap, CONTEXT_PROMPT, &keys, 0, &whole, &action) &&
			      !keymap_follow(keymap, CONTEXT_MENU, &keys, 0, &whole, &action),
			      "%s: %c cannot be typed", action_keymaps[_i].name, (char)code);
	}
	keymap_free(keymap);
}
END_TEST

START_TEST(prompts_and_menus_can_be_left)
{
	static const enum action needed[] = { ACTION_ACCEPT, ACTION_CANCEL };
	struct keymap *keymap = load(_i);

	for (int context = CONTEXT_PROMPT; context <= CONTEXT_MENU; context++)
		for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
			ck_assert_msg(is_bound(keymap, context, needed[i]), "%s: %s",
				      action_keymap_names.contexts[context],
				      action_name(needed[i]));
	keymap_free(keymap);
}
END_TEST

Suite *suite_keys(void);

Suite *suite_keys(void)
{
	int count = ACTION_KEYMAP_COUNT;
	Suite *suite = suite_create("keys");
	TCase *tcase = tcase_create("keys");

	tcase_add_loop_test(tcase, every_action_can_be_reached, 0, count);
	tcase_add_loop_test(tcase, text_can_be_typed, 0, count);
	tcase_add_loop_test(tcase, prompts_and_menus_can_be_left, 0, count);
	suite_add_tcase(suite, tcase);
	return suite;
}
