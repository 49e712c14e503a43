/* The embedded keymaps, checked against the actions. */
#include "widgets/terminal/keys.h"

#include "tests/unit/runner.h"
#include "tui/config/actions.h"
#include "widgets/terminal/keymap.h"

#include <string.h>

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
	/* A new user needs these keys. */
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

		ck_assert_msg(
			keymap_find(keymap, CONTEXT_PROMPT, &keys) == KEYMAP_NONE &&
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

/* Keys that htop, perf, less and tig have, too: these keys must never change. */
static const struct {
	enum action action;
	const char *keys; /* separated by blanks */
} known[] = {
	{ ACTION_MOVE_UP, "Up k" },
	{ ACTION_MOVE_DOWN, "Down j" },
	{ ACTION_PAGE_UP, "PgUp" },
	{ ACTION_PAGE_DOWN, "PgDn" },
	{ ACTION_HOME, "Home g" },
	{ ACTION_END, "End G" },
	{ ACTION_HALF_PAGE_DOWN, "Ctrl-D" },
	{ ACTION_HALF_PAGE_UP, "Ctrl-U" },
	{ ACTION_LEFT, "Left" },
	{ ACTION_RIGHT, "Right" },
	{ ACTION_HELP, "F1 h ?" },
	{ ACTION_NEXT_PANE, "Tab" },
	{ ACTION_PREVIOUS_PANE, "Shift-Tab" },
	{ ACTION_ZOOM_PANE, "z" },
	{ ACTION_DRILL_IN, "Enter" },
	{ ACTION_BACK, "Backspace Esc" },
	{ ACTION_UNFOLD, "+" },
	{ ACTION_FOLD, "-" },
	{ ACTION_UNFOLD_ENTRY, "e" },
	{ ACTION_UNFOLD_ALL, "E" },
	{ ACTION_FOLD_ALL, "C" },
	{ ACTION_SEARCH, "/ F3" },
	{ ACTION_SEARCH_NEXT, "n" },
	{ ACTION_SEARCH_PREVIOUS, "N" },
	{ ACTION_FILTER, "\\ F4" },
	{ ACTION_ONLY_PID, "p" },
	{ ACTION_ONLY_SYSCALL, "s" },
	{ ACTION_ONLY_THREAD, "t" },
	{ ACTION_ONLY_COMM, "c" },
	{ ACTION_EXCLUDE_PID, "P" },
	{ ACTION_EXCLUDE_SYSCALL, "S" },
	{ ACTION_EXCLUDE_THREAD, "T" },
	{ ACTION_CLEAR_LAST_TERM, "u" },
	{ ACTION_CLEAR_FILTER, "Del" },
	{ ACTION_PAUSE, "Space F5" },
	{ ACTION_TOGGLE_COLLECTION, "f" },
	{ ACTION_FOLLOW, "F" },
	{ ACTION_SORT_MENU, "F6" },
	{ ACTION_SORT_PREVIOUS, "<" },
	{ ACTION_SORT_NEXT, ">" },
	{ ACTION_SORT_INVERT, "I" },
	{ ACTION_GROUP_MENU, "b" },
	{ ACTION_WAKER, "w" },
	{ ACTION_SAME_PREVIOUS, "[" },
	{ ACTION_SAME_NEXT, "]" },
	{ ACTION_DETAIL, "d" },
	{ ACTION_STACK_HALVES, "K" },
	{ ACTION_STACK_ADDRESSES, "V" },
	{ ACTION_CATCH, "*" },
	{ ACTION_FLIGHT, "!" },
	{ ACTION_ZERO_TOTALS, "0" },
	{ ACTION_SIGNAL, "F9" },
	{ ACTION_PALETTE, ":" },
	{ ACTION_COPY_ROW, "y" },
	{ ACTION_REDRAW, "Ctrl-L" },
	{ ACTION_SUSPEND, "Ctrl-Z" },
	{ ACTION_QUIT, "q F10" },
	{ ACTION_VIEWS_MENU, "F2" },
	{ ACTION_VIEW_OVERVIEW, "1" },
	{ ACTION_VIEW_SYSCALLS, "3" },
	{ ACTION_VIEW_CALLS, "4" },
	{ ACTION_VIEW_BLOCKED, "5" },
	{ ACTION_VIEW_FUTEXES, "6" },
	{ ACTION_VIEW_FILES, "7" },
	{ ACTION_VIEW_STACKS, "8" },
	{ ACTION_VIEW_LATENCY, "9" },
};

START_TEST(known_keys_have_their_usual_actions)
{
	struct keymap *keymap = load(0);

	for (const char *at = known[_i].keys; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		struct keystrokes keys;
		char name[32] = "";
		int found;

		memcpy(name, at, len);
		ck_assert(!keystrokes_parse(name, &keys));
		found = keymap_find(keymap, CONTEXT_GLOBAL, &keys);
		ck_assert_msg(found == (int)known[_i].action, "%s does %s, not %s", name,
			      found < 0 ? "nothing" : action_name((enum action)found),
			      action_name(known[_i].action));
		at += len;
	}
	keymap_free(keymap);
}
END_TEST

/* Keys as in vi (keymap 1) and Emacs (keymap 2). */
static const struct {
	int keymap;
	const char *keys;
	enum action action;
} habits[] = {
	{ 1, "h", ACTION_LEFT },
	{ 1, "j", ACTION_MOVE_DOWN },
	{ 1, "k", ACTION_MOVE_UP },
	{ 1, "l", ACTION_RIGHT },
	{ 1, "Ctrl-F", ACTION_PAGE_DOWN },
	{ 1, "Ctrl-B", ACTION_PAGE_UP },
	{ 1, "Ctrl-D", ACTION_HALF_PAGE_DOWN },
	{ 1, "Ctrl-U", ACTION_HALF_PAGE_UP },
	{ 1, "gg", ACTION_HOME },
	{ 1, "G", ACTION_END },
	{ 1, "0", ACTION_LINE_START },
	{ 1, "$", ACTION_LINE_END },
	{ 1, "/", ACTION_SEARCH },
	{ 1, "?", ACTION_SEARCH_BACK },
	{ 1, "n", ACTION_SEARCH_NEXT },
	{ 1, "N", ACTION_SEARCH_PREVIOUS },
	{ 1, ":", ACTION_PALETTE },
	{ 1, "ZZ", ACTION_QUIT },
	{ 1, "ZQ", ACTION_QUIT },
	{ 1, "u", ACTION_CLEAR_LAST_TERM },
	{ 1, "zo", ACTION_UNFOLD },
	{ 1, "zc", ACTION_FOLD },
	{ 1, "zR", ACTION_UNFOLD_ALL },
	{ 1, "zM", ACTION_FOLD_ALL },
	{ 1, "gt", ACTION_NEXT_VIEW },
	{ 1, "gT", ACTION_PREVIOUS_VIEW },
	{ 1, "\"Ctrl-W w\"", ACTION_NEXT_PANE },
	{ 1, "\"Ctrl-W o\"", ACTION_ZOOM_PANE },
	{ 1, "F1", ACTION_HELP },
	{ 2, "Ctrl-N", ACTION_MOVE_DOWN },
	{ 2, "Ctrl-P", ACTION_MOVE_UP },
	{ 2, "Ctrl-F", ACTION_RIGHT },
	{ 2, "Ctrl-B", ACTION_LEFT },
	{ 2, "Ctrl-A", ACTION_LINE_START },
	{ 2, "Ctrl-E", ACTION_LINE_END },
	{ 2, "Ctrl-V", ACTION_PAGE_DOWN },
	{ 2, "Alt-v", ACTION_PAGE_UP },
	{ 2, "Alt-<", ACTION_HOME },
	{ 2, "Alt->", ACTION_END },
	{ 2, "Ctrl-S", ACTION_SEARCH },
	{ 2, "Ctrl-R", ACTION_SEARCH_BACK },
	{ 2, "Ctrl-G", ACTION_BACK },
	{ 2, "\"Ctrl-X Ctrl-C\"", ACTION_QUIT },
	{ 2, "\"Ctrl-X o\"", ACTION_NEXT_PANE },
	{ 2, "\"Ctrl-X 1\"", ACTION_ZOOM_PANE },
	{ 2, "\"Ctrl-X b\"", ACTION_VIEWS_MENU },
	{ 2, "\"Ctrl-X u\"", ACTION_CLEAR_LAST_TERM },
	{ 2, "Alt-x", ACTION_PALETTE },
	{ 2, "Alt-w", ACTION_COPY_ROW },
	{ 2, "\"Ctrl-H k\"", ACTION_DESCRIBE_KEY },
	{ 2, "\"Ctrl-H m\"", ACTION_HELP },
	{ 2, "\"Ctrl-H b\"", ACTION_HELP },
	{ 2, "Ctrl-Z", ACTION_SUSPEND },
	{ 2, "Ctrl-Space", ACTION_MARK },
};

START_TEST(editor_keymaps_have_the_keys_of_their_editors)
{
	struct keymap *keymap = load(habits[_i].keymap);
	struct keystrokes keys;
	int found;

	ck_assert(!keystrokes_parse(habits[_i].keys, &keys));
	found = keymap_find(keymap, CONTEXT_GLOBAL, &keys);
	ck_assert_msg(found == (int)habits[_i].action, "%s: %s does %s, not %s",
		      action_keymaps[habits[_i].keymap].name, habits[_i].keys,
		      found < 0 ? "nothing" : action_name((enum action)found),
		      action_name(habits[_i].action));
	keymap_free(keymap);
}
END_TEST

/* A keymap of an editor binds every action that the default keymap binds. */
START_TEST(editor_keymaps_bind_every_action)
{
	struct keymap *keymap = load(_i), *plain = load(0);

	for (int context = 0; context < CONTEXT_COUNT; context++)
		for (int action = 0; action < ACTION_COUNT; action++)
			ck_assert_msg(is_bound(keymap, context, action) ||
					      !is_bound(plain, context, action),
				      "%s: [%s] %s", action_keymaps[_i].name,
				      action_keymap_names.contexts[context], action_name(action));
	keymap_free(keymap);
	keymap_free(plain);
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
	tcase_add_loop_test(tcase, known_keys_have_their_usual_actions, 0,
			    sizeof(known) / sizeof(known[0]));
	tcase_add_loop_test(tcase, editor_keymaps_have_the_keys_of_their_editors, 0,
			    sizeof(habits) / sizeof(habits[0]));
	tcase_add_loop_test(tcase, editor_keymaps_bind_every_action, 1, count);
	suite_add_tcase(suite, tcase);
	return suite;
}
