#include "widgets/keymap.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

static const char *const actions[] = { "move-up", "move-down", "quit", "filter" };
static const char *const contexts[] = { "global", "prompt" };
static const struct keymap_names names = { actions, 4, contexts, 2 };
enum { MOVE_UP_ACTION, MOVE_DOWN_ACTION, QUIT_ACTION, FILTER_ACTION };

static struct keymap *keymap;

static void set_up(void)
{
	keymap = keymap_new(&names);
}

static void tear_down(void)
{
	keymap_free(keymap);
}

static int parse(const char *text, struct err *err)
{
	return keymap_parse(keymap, "my.keys", text, strlen(text), err);
}

static int find(int context, const char *name)
{
	struct key key;

	ck_assert_int_eq(key_parse(name, &key), 0);
	return keymap_find(keymap, context, key);
}

static const struct {
	const char *name;
	struct key key;
	const char *written; /* NULL: as name */
} keys[] = {
	{ "a", { 'a', 0 }, NULL },
	{ "A", { 'A', 0 }, NULL },
	{ "/", { '/', 0 }, NULL },
	{ "-", { '-', 0 }, NULL },
	{ "é", { 0xe9, 0 }, NULL },
	{ "F1", { KEYS_F1, 0 }, NULL },
	{ "f12", { KEYS_F1 + 11, 0 }, "F12" },
	{ "F24", { KEYS_F24, 0 }, NULL },
	{ "enter", { KEYS_ENTER, 0 }, "Enter" },
	{ "Return", { KEYS_ENTER, 0 }, "Enter" },
	{ "Escape", { KEYS_ESC, 0 }, "Esc" },
	{ "PgUp", { KEYS_PGUP, 0 }, NULL },
	{ "PageDown", { KEYS_PGDN, 0 }, "PgDn" },
	{ "Space", { ' ', 0 }, NULL },
	{ "Hash", { '#', 0 }, NULL },
	{ "#", { '#', 0 }, "Hash" },
	{ "Ctrl-L", { 'l', KEY_MOD_CTRL }, NULL },
	{ "ctrl-l", { 'l', KEY_MOD_CTRL }, "Ctrl-L" },
	{ "Ctrl-Space", { ' ', KEY_MOD_CTRL }, NULL },
	{ "Shift-Tab", { KEYS_TAB, KEY_MOD_SHIFT }, NULL },
	{ "Shift-c", { 'C', 0 }, "C" },
	{ "Ctrl-I", { KEYS_TAB, 0 }, "Tab" },
	{ "Ctrl-m", { KEYS_ENTER, 0 }, "Enter" },
	{ "Alt-Ctrl-[", { KEYS_ESC, KEY_MOD_ALT }, "Alt-Esc" },
	{ "Alt-x", { 'x', KEY_MOD_ALT }, NULL },
	{ "Alt-X", { 'X', KEY_MOD_ALT }, NULL },
	{ "Alt--", { '-', KEY_MOD_ALT }, NULL },
	{ "Shift-Ctrl-Left", { KEYS_LEFT, KEY_MOD_SHIFT | KEY_MOD_CTRL }, "Ctrl-Shift-Left" },
};

START_TEST(key_names_go_both_ways)
{
	char text[KEY_NAME_BYTES];
	struct key key = { 0, 0 };
	const char *written = keys[_i].written ? keys[_i].written : keys[_i].name;

	ck_assert_msg(!key_parse(keys[_i].name, &key), "%s", keys[_i].name);
	ck_assert_msg(key_equal(key, keys[_i].key), "%s: %x %x", keys[_i].name, key.code,
		      key.mods);
	ck_assert_str_eq(key_format(text, key), written);
	ck_assert_int_eq(key_parse(text, &key), 0);
	ck_assert(key_equal(key, keys[_i].key));
}
END_TEST

static const char *const no_keys[] = {
	"", "ab", "F0", "F25", "F1x", "Ctrl-", "Ctrl-1", "Ctrl-é", "Shift-1", "Nokey",
	"\x01", "\xff", "\xc2\x9b", "Hyper-x", " ", "Ctrl-Ctrl",
};

START_TEST(what_is_no_key_is_refused)
{
	struct key key = { 'k', 7 };

	ck_assert_msg(key_parse(no_keys[_i], &key) == -EINVAL, "\"%s\" was taken", no_keys[_i]);
	ck_assert(key_equal(key, (struct key){ 'k', 7 }));
}
END_TEST

START_TEST(bindings_are_found)
{
	struct err err;
	struct str list = STR_INIT;
	struct key key;

	ck_assert_int_eq(parse("# comment\n\nmove-up Up k # as in vi\nmove-down\tDown\r\n"
			       "[prompt]\nquit Esc k\n[global]\nfilter Hash \\", &err), 0);
	ck_assert_int_eq(find(0, "k"), MOVE_UP_ACTION);
	ck_assert_int_eq(find(1, "k"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "Down"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "#"), FILTER_ACTION);
	ck_assert_int_eq(find(0, "\\"), FILTER_ACTION);
	ck_assert_int_eq(find(0, "Esc"), KEYMAP_NONE);
	keymap_list(keymap, 0, MOVE_UP_ACTION, &list);
	ck_assert_str_eq(list.data, "Up k");
	ck_assert(keymap_key(keymap, 0, MOVE_UP_ACTION, 1, &key));
	ck_assert_uint_eq(key.code, 'k');
	ck_assert(!keymap_key(keymap, 0, MOVE_UP_ACTION, 2, &key));
	str_release(&list);
}
END_TEST

START_TEST(later_text_binds_over)
{
	struct err err;

	ck_assert_int_eq(parse("move-up k\nquit q Q\n", &err), 0);
	ck_assert_int_eq(parse("move-down k\nunbind Q\n", &err), 0);
	ck_assert_int_eq(find(0, "k"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "q"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "Q"), KEYMAP_NONE);
	ck_assert_int_eq(parse("unbind-all\nmove-up u\n", &err), 0);
	ck_assert_int_eq(find(0, "q"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "u"), MOVE_UP_ACTION);
}
END_TEST

static const struct {
	const char *text, *message;
} errors[] = {
	{ "move-upp k", "my.keys:1: unknown action \"move-upp\" (nearest: move-up)" },
	{ "\nmove k", "my.keys:2: unknown action \"move\" (nearest: move-up)" },
	{ "xyzzyplugh k", "my.keys:1: unknown action \"xyzzyplugh\"" },
	{ "quit\n", "my.keys:1: no key: write ACTION KEY [KEY...]" },
	{ "quit # q\n", "my.keys:1: no key: write ACTION KEY [KEY...]" },
	{ "quit q Nokey", "my.keys:1: unknown key \"Nokey\"" },
	{ "quit q\nfilter x q", "my.keys:2: q is bound to quit in line 1 already" },
	{ "quit q q", "my.keys:1: q is bound to quit in line 1 already" },
	{ "[promt]", "my.keys:1: unknown section \"promt\" (nearest: prompt)" },
	{ "[prompt", "my.keys:1: a section is one word in brackets: [global]" },
	{ "[prompt] x", "my.keys:1: a section is one word in brackets: [global]" },
	{ "[", "my.keys:1: a section is one word in brackets: [global]" },
	{ "unbind-all q", "my.keys:1: unbind-all takes no keys" },
	{ "qu\033it q", "my.keys:1: unknown action \"qu\\33it\" (nearest: quit)" },
};

START_TEST(errors_say_where_and_what)
{
	struct err err = { "" };

	ck_assert_int_eq(parse("quit Esc", &err), 0);
	ck_assert_int_eq(parse(errors[_i].text, &err), -EINVAL);
	ck_assert_str_eq(err.text, errors[_i].message);
	ck_assert_int_eq(find(0, "Esc"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "q"), KEYMAP_NONE); /* nothing of a bad text is kept */
}
END_TEST

START_TEST(hostile_texts_are_bounded)
{
	static char long_line[100000];
	static const char with_nul[] = "quit\0 q";
	struct str many = STR_INIT;
	struct err err;

	memset(long_line, 'x', sizeof(long_line) - 1);
	ck_assert_int_eq(parse(long_line, &err), -EINVAL);
	ck_assert_int_eq(keymap_parse(keymap, "f", with_nul, sizeof(with_nul), &err), -EINVAL);
	ck_assert_int_eq(keymap_parse(keymap, "f", "", 0, &err), 0);
	for (uint32_t i = 0; i < 3000; i++) {
		char name[KEY_NAME_BYTES];

		str_addf(&many, "quit %s\n",
			 key_format(name, (struct key){ 0x4e00 + i, 0 }));
	}
	ck_assert_int_eq(parse(many.data, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "more than"));
	str_release(&many);
}
END_TEST

Suite *suite_keymap(void);

Suite *suite_keymap(void)
{
	Suite *suite = suite_create("keymap");
	TCase *tcase = tcase_create("keymap");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, key_names_go_both_ways, 0, sizeof(keys) / sizeof(keys[0]));
	tcase_add_loop_test(tcase, what_is_no_key_is_refused, 0,
			    sizeof(no_keys) / sizeof(no_keys[0]));
	tcase_add_test(tcase, bindings_are_found);
	tcase_add_test(tcase, later_text_binds_over);
	tcase_add_loop_test(tcase, errors_say_where_and_what, 0,
			    sizeof(errors) / sizeof(errors[0]));
	tcase_add_test(tcase, hostile_texts_are_bounded);
	suite_add_tcase(suite, tcase);
	return suite;
}
