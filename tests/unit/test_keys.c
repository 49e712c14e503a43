/* The keymaps that stxtop comes with, against the actions that it has. */
#include "widgets/keys.h"

#include "keymaps_data.h"
#include "tests/unit/runner.h"
#include "tui/actions.h"
#include "widgets/keymap.h"

static const struct {
	const char *name;
	const char *text;
	const size_t *len;
} shipped[] = {
	{ "default", keymap_default_text, &keymap_default_text_len },
	{ "vi", keymap_vi_text, &keymap_vi_text_len },
	{ "emacs", keymap_emacs_text, &keymap_emacs_text_len },
};

static struct keymap *load(int index)
{
	struct keymap *keymap = keymap_new(&action_keymap_names);
	struct err err = { "" };

	for (int i = 0; i <= index; i += index ? index : 1) {
		int failed = keymap_parse(keymap, shipped[i].name, shipped[i].text,
					  *shipped[i].len, &err);

		ck_assert_msg(!failed, "%s", err.text);
	}
	return keymap;
}

static bool is_bound(const struct keymap *keymap, int context, int action)
{
	struct key key;

	return keymap_key(keymap, context, action, 0, &key);
}

START_TEST(every_action_can_be_reached)
{
	struct keymap *keymap = load(_i);

	for (int action = 0; action < ACTION_COUNT; action++) {
		bool in_palette = action_group(action) != ACTION_GROUP_PROMPT;

		ck_assert_msg(in_palette || is_bound(keymap, CONTEXT_PROMPT, action),
			      "%s: %s has no key", shipped[_i].name, action_name(action));
		ck_assert_msg(!is_bound(keymap, CONTEXT_GLOBAL, action) || in_palette,
			      "%s: %s does nothing outside of prompts", shipped[_i].name,
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
		struct key key = { code, 0 };

		ck_assert_msg(keymap_find(keymap, CONTEXT_PROMPT, key) == KEYMAP_NONE &&
			      keymap_find(keymap, CONTEXT_MENU, key) == KEYMAP_NONE,
			      "%s: %c cannot be typed", shipped[_i].name, (char)code);
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
	int count = sizeof(shipped) / sizeof(shipped[0]);
	Suite *suite = suite_create("keys");
	TCase *tcase = tcase_create("keys");

	tcase_add_loop_test(tcase, every_action_can_be_reached, 0, count);
	tcase_add_loop_test(tcase, text_can_be_typed, 0, count);
	tcase_add_loop_test(tcase, prompts_and_menus_can_be_left, 0, count);
	suite_add_tcase(suite, tcase);
	return suite;
}
