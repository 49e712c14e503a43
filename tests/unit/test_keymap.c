#include "widgets/terminal/keymap.h"

#include "tests/unit/runner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const actions[] = { "move-up", "move-down", "quit", "filter", "accept" };
static const char *const contexts[] = { "global", "prompt" };
enum { MOVE_UP_ACTION, MOVE_DOWN_ACTION, QUIT_ACTION, FILTER_ACTION, ACCEPT_ACTION };

static const char base_text[] = "move-up b\nquit ZZ\n[prompt]\naccept Enter\n";
static const size_t base_len = sizeof(base_text) - 1;
static const struct keymap_text texts[] = { { "base", base_text, &base_len } };

static bool fits(int context, int action)
{
	return context == 1 || action != ACCEPT_ACTION;
}

static const struct keymap_names names = {
	.actions = actions,
	.action_count = 5,
	.contexts = contexts,
	.context_count = 2,
	.texts = texts,
	.text_count = 1,
	.fits = fits,
};

static struct keymap *keymap;

static void set_up(void)
{
	keymap = keymap_new(&names);
}

static void tear_down(void)
{
	keymap_free(keymap);
}

static int parse(const char *text)
{
	return keymap_parse(keymap, "my.keys", text, strlen(text));
}

static int find(int context, const char *name)
{
	struct keystrokes keys;

	ck_assert_int_eq(keystrokes_parse(name, &keys), 0);
	return keymap_find(keymap, context, &keys);
}

/* Compare all problems, one per line, with `expected`. */
static void ck_assert_problems(const char *expected)
{
	struct str all = STR_INIT;
	const char *problem;

	for (size_t i = 0; (problem = keymap_problem(keymap, i)); i++)
		str_addf(&all, "%s%s", i ? "\n" : "", problem);
	ck_assert_str_eq(all.data, expected);
	str_release(&all);
}

static const struct {
	const char *name;
	struct key key;
	const char *written; /* NULL: as name */
} key_names[] = {
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
	{ "Quote", { '"', 0 }, NULL },
	{ "\"", { '"', 0 }, "Quote" },
	{ "Ctrl-h", { 'h', KEY_MOD_CTRL }, "Ctrl-H" },
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

START_TEST(key_names_are_parsed_and_formatted)
{
	char text[KEY_NAME_BYTES];
	struct key key = { 0, 0 };
	const char *written = key_names[_i].written ? key_names[_i].written : key_names[_i].name;

	ck_assert_msg(!key_parse(key_names[_i].name, &key), "%s", key_names[_i].name);
	ck_assert_msg(key_equal(key, key_names[_i].key), "%s: %x %x", key_names[_i].name, key.code,
		      key.mods);
	ck_assert_str_eq(key_format(text, key), written);
	ck_assert_int_eq(key_parse(text, &key), 0);
	ck_assert(key_equal(key, key_names[_i].key));
}
END_TEST

static const char *const no_keys[] = {
	"",        "ab",    "F0",   "F25",  "F1x",      "Ctrl-",   "Ctrl-1", "Ctrl-é",
	"Shift-1", "Nokey", "\x01", "\xff", "\xc2\x9b", "Hyper-x", " ",      "Ctrl-Ctrl",
};

START_TEST(invalid_keys_are_rejected)
{
	struct key key = { 'k', 7 };

	ck_assert_msg(key_parse(no_keys[_i], &key) == -EINVAL, "\"%s\" was accepted", no_keys[_i]);
	ck_assert(key_equal(key, (struct key){ 'k', 7 }));
}
END_TEST

static const struct {
	const char *name, *written; /* NULL: as name */
	const char *brief;
	int count;
} sequences[] = {
	{ "q", NULL, "q", 1 },
	{ "gg", NULL, "gg", 2 },
	{ "ZZ", NULL, "ZZ", 2 },
	{ ":q", NULL, ":q", 2 },
	{ "\"g g\"", "gg", "gg", 2 },
	{ "\"U p\"", NULL, "Up", 2 }, /* Up without the blank is a key */
	{ "up", "Up", "Up", 1 },
	{ "\"Ctrl-X Ctrl-C\"", NULL, "^X^C", 2 },
	{ "\"Ctrl-x o\"", "\"Ctrl-X o\"", "^Xo", 2 },
	{ "\"  Esc   Esc \"", "\"Esc Esc\"", "EscEsc", 2 },
	{ "\"Ctrl-X\"", "Ctrl-X", "^X", 1 },
	{ "\"a b c d\"", NULL, "abcd", 4 },
	{ "\"g Quote\"", NULL, "gQuote", 2 },
	{ "\"g Hash\"", NULL, "gHash", 2 },
	{ "g#", "\"g Hash\"", "gHash", 2 },
	{ "\"g Space\"", NULL, "gSpace", 2 },
	{ "\xc3\xa9\xc3\xa9", NULL, "\xc3\xa9\xc3\xa9", 2 },
};

START_TEST(sequences_are_parsed_and_formatted)
{
	const char *name = sequences[_i].name;
	const char *written = sequences[_i].written ? sequences[_i].written : name;
	struct keystrokes keys = { .count = 0 }, again = { .count = 0 };
	char text[KEYSTROKES_BYTES];

	ck_assert_msg(!keystrokes_parse(name, &keys), "%s", name);
	ck_assert_msg(keys.count == sequences[_i].count, "%s: %d", name, keys.count);
	ck_assert_str_eq(keystrokes_format(text, &keys), written);
	ck_assert_int_eq(keystrokes_parse(text, &again), 0);
	ck_assert(keystrokes_equal(&keys, &again));
	ck_assert_str_eq(keystrokes_format_short(text, &keys), sequences[_i].brief);
}
END_TEST

static const char *const no_sequences[] = {
	"",           "abc",           "Nokey",
	"F0x",        "\"\"",          "\"  \"",
	"\"a",        "\"a b c d e\"", "\"a Nokey\"",
	"\"a\"b\"",   "a\x01",         "\xff\xff",
	"\"\xff a\"", "Ctrl-X,Ctrl-C", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
};

START_TEST(invalid_sequences_are_rejected)
{
	struct keystrokes keys = { .count = -3 };

	ck_assert_msg(keystrokes_parse(no_sequences[_i], &keys) == -EINVAL, "\"%s\" was accepted",
		      no_sequences[_i]);
	ck_assert_int_eq(keys.count, -3);
}
END_TEST

START_TEST(bindings_are_found)
{
	struct str list = STR_INIT;
	struct keystrokes keys;

	ck_assert_int_eq(parse("# comment\n\nmove-up Up k # as in vi\nmove-down\tDown\r\n"
			       "[prompt]\nquit Esc k\n[global]\nfilter Hash \\"),
			 0);
	ck_assert_int_eq(find(0, "k"), MOVE_UP_ACTION);
	ck_assert_int_eq(find(1, "k"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "Down"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "#"), FILTER_ACTION);
	ck_assert_int_eq(find(0, "\\"), FILTER_ACTION);
	ck_assert_int_eq(find(0, "Esc"), KEYMAP_NONE);
	keymap_list(keymap, 0, MOVE_UP_ACTION, &list);
	ck_assert_str_eq(list.data, "Up k");
	ck_assert(keymap_keys(keymap, 0, MOVE_UP_ACTION, 1, &keys));
	ck_assert_uint_eq(keys.keys[0].code, 'k');
	ck_assert(!keymap_keys(keymap, 0, MOVE_UP_ACTION, 2, &keys));
	str_release(&list);
}
END_TEST

START_TEST(sequences_are_found_and_followed)
{
	struct keystrokes keys, part;
	struct str list = STR_INIT;
	int action;

	ck_assert_int_eq(parse("move-up gg Home\nquit \"Ctrl-X Ctrl-C\" \"Ctrl-X k k\" "
			       "\"Ctrl-X k j\" # all of them\nfilter \"\n"),
			 0);
	ck_assert_int_eq(find(0, "gg"), MOVE_UP_ACTION);
	ck_assert_int_eq(find(0, "g"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "\"Ctrl-X k\""), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "\"Ctrl-X k j\""), QUIT_ACTION);
	ck_assert_int_eq(find(0, "Quote"), FILTER_ACTION);
	keymap_list(keymap, 0, QUIT_ACTION, &list);
	ck_assert_str_eq(list.data, "\"Ctrl-X Ctrl-C\" \"Ctrl-X k k\" \"Ctrl-X k j\"");
	str_release(&list);
	ck_assert(!keystrokes_parse("Ctrl-X", &part));
	ck_assert(keymap_follow(keymap, 0, &part, 2, &keys, &action));
	ck_assert_int_eq(keys.count, 3);
	ck_assert_int_eq(action, QUIT_ACTION);
	ck_assert(!keymap_follow(keymap, 0, &part, 3, &keys, &action));
	ck_assert(!keymap_follow(keymap, 1, &part, 0, &keys, &action));
	/* A complete sequence has no continuation. */
	ck_assert(!keystrokes_parse("gg", &part));
	ck_assert(!keymap_follow(keymap, 0, &part, 0, &keys, &action));
}
END_TEST

START_TEST(later_text_binds_over)
{
	ck_assert_int_eq(parse("move-up k\nquit q Q\n"), 0);
	ck_assert_int_eq(parse("move-down k\nunbind Q\n"), 0);
	ck_assert_int_eq(find(0, "k"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "q"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "Q"), KEYMAP_NONE);
	ck_assert_int_eq(parse("unbind-all\nmove-up u\n"), 0);
	ck_assert_int_eq(find(0, "q"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "u"), MOVE_UP_ACTION);
	ck_assert_problems("");
}
END_TEST

/* A key is either a prefix of sequences or bound itself; the later line decides. */
START_TEST(later_text_makes_prefixes_of_keys_and_keys_of_prefixes)
{
	ck_assert_int_eq(parse("move-up g\nquit zz za\n[prompt]\nquit g\n"), 0);
	ck_assert_int_eq(parse("move-down gg\nfilter z\n"), 0);
	ck_assert_int_eq(find(0, "g"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "gg"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "z"), FILTER_ACTION);
	ck_assert_int_eq(find(0, "zz"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "za"), KEYMAP_NONE);
	ck_assert_int_eq(find(1, "g"), QUIT_ACTION); /* another context */
	ck_assert_int_eq(parse("unbind g\n"), 0);
	ck_assert_int_eq(find(0, "gg"), KEYMAP_NONE);
}
END_TEST

START_TEST(another_keymap_is_included_first)
{
	struct str origin = STR_INIT;
	struct keystrokes keys;

	ck_assert_int_eq(parse("# mine\n[prompt]\ninclude base\naccept Tab\n[global]\n"
			       "move-down b\n"),
			 0);
	ck_assert_int_eq(find(0, "b"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "ZZ"), QUIT_ACTION);
	ck_assert_int_eq(find(1, "Tab"), ACCEPT_ACTION);
	ck_assert_int_eq(find(1, "Enter"), ACCEPT_ACTION);
	ck_assert(!keystrokes_parse("ZZ", &keys));
	ck_assert(keymap_origin(keymap, 0, &keys, &origin));
	ck_assert_str_eq(origin.data, "base:2");
	str_clear(&origin);
	ck_assert(!keystrokes_parse("b", &keys));
	ck_assert(keymap_origin(keymap, 0, &keys, &origin));
	ck_assert_str_eq(origin.data, "my.keys:6");
	ck_assert(!keymap_origin(keymap, 1, &keys, &origin));
	str_release(&origin);
}
END_TEST

static const struct {
	const char *text, *problems;
} errors[] = {
	{ "move-upp k", "my.keys:1: unknown action \"move-upp\" (nearest: move-up)" },
	{ "\nmove k", "my.keys:2: unknown action \"move\" (nearest: move-up)" },
	{ "xyzzyplugh k", "my.keys:1: unknown action \"xyzzyplugh\"" },
	{ "quit\n", "my.keys:1: no key: write quit KEY [KEY...]" },
	{ "quit # q\n", "my.keys:1: no key: write quit KEY [KEY...]" },
	{ "unbind\n", "my.keys:1: no key: write unbind KEY [KEY...]" },
	{ "quit x Nokey", "my.keys:1: unknown key \"Nokey\"" },
	{ "quit x Nokey F99 y", "my.keys:1: unknown key \"Nokey\"\n"
				"my.keys:1: unknown key \"F99\"" },
	{ "quit \"Ctrl-X Ctrl-C\nquit x", "my.keys:1: unknown key \"\"Ctrl-X Ctrl-C\"" },
	{ "quit q\nfilter x q", "my.keys:2: q is also bound to quit in line 1; this line applies" },
	{ "quit q q", "my.keys:1: q is already bound to quit, in line 1" },
	{ "quit g\nfilter x gg", "my.keys:2: gg conflicts with g (quit, line 1), which is now "
				 "unbound" },
	{ "quit gg gx\nfilter g",
	  "my.keys:2: g conflicts with gx (quit, line 1), which is now unbound\n"
	  "my.keys:2: g conflicts with gg (quit, line 1), which is now unbound" },
	{ "[promt]\nquit q", "my.keys:1: unknown section \"promt\" (nearest: prompt)" },
	{ "[prompt", "my.keys:1: a section is one word in brackets: [global]" },
	{ "[prompt] x", "my.keys:1: a section is one word in brackets: [global]" },
	{ "[", "my.keys:1: a section is one word in brackets: [global]" },
	{ "unbind-all q", "my.keys:1: unbind-all takes no keys" },
	{ "accept q", "my.keys:1: accept does nothing in [global]" },
	{ "include", "my.keys:1: expected include and the name of a keymap" },
	{ "include a b", "my.keys:1: expected include and the name of a keymap" },
	{ "include /etc/passwd", "my.keys:1: unknown keymap \"/etc/passwd\"" },
	{ "quit q\ninclude base", "my.keys:2: include must precede all bindings: it would "
				  "override them" },
	{ "qu\033it q", "my.keys:1: unknown action \"qu\\33it\" (nearest: quit)" },
};

START_TEST(errors_say_where_and_what)
{
	ck_assert_int_eq(parse("quit Esc"), 0);
	ck_assert_int_gt(parse(errors[_i].text), 0);
	ck_assert_problems(errors[_i].problems);
	ck_assert_int_eq(find(0, "Esc"), QUIT_ACTION);
}
END_TEST

/* A mistake affects one line only. Of two lines that conflict, the later one counts. */
START_TEST(valid_lines_of_an_invalid_text_count)
{
	ck_assert_int_eq(parse("quit x Nokey y\nnonsense z\n[nowhere]\nquit n\n[global]\n"
			       "filter g\nmove-up gg\nmove-down x\n"),
			 5);
	ck_assert_int_eq(find(0, "y"), QUIT_ACTION);
	ck_assert_int_eq(find(0, "x"), MOVE_DOWN_ACTION);
	ck_assert_int_eq(find(0, "gg"), MOVE_UP_ACTION);
	ck_assert_int_eq(find(0, "g"), KEYMAP_NONE);
	ck_assert_int_eq(find(0, "n"), KEYMAP_NONE); /* [nowhere] binds nothing */
	ck_assert_int_eq(find(1, "n"), KEYMAP_NONE);
}
END_TEST

START_TEST(hostile_texts_are_bounded)
{
	static char long_line[100000];
	static const char with_nul[] = "quit\0 q";
	struct str many = STR_INIT;

	memset(long_line, 'x', sizeof(long_line) - 1);
	ck_assert_int_eq(parse(long_line), 1);
	ck_assert_int_eq(keymap_parse(keymap, "f", with_nul, sizeof(with_nul)), 1);
	ck_assert_int_eq(keymap_parse(keymap, "f", "", 0), 0);
	for (uint32_t i = 0; i < 3000; i++) {
		char name[KEY_NAME_BYTES];

		str_addf(&many, "quit %s\n", key_format(name, (struct key){ 0x4e00 + i, 0 }));
	}
	ck_assert_int_gt(parse(many.data), 0);
	ck_assert_msg(strstr(keymap_problem(keymap, 2), "more than 2000 bindings"), "%s",
		      keymap_problem(keymap, 2));
	str_release(&many);
}
END_TEST

START_TEST(reading_stops_after_too_many_mistakes)
{
	struct str many = STR_INIT;
	int problems;

	for (int i = 0; i < 3000; i++)
		str_add(&many, "nonsense x\n");
	str_add(&many, "quit q\n");
	ck_assert_int_eq(parse(many.data), KEYMAP_MAX_PROBLEMS + 1);
	ck_assert_str_eq(keymap_problem(keymap, KEYMAP_MAX_PROBLEMS),
			 "my.keys:100: 100 errors: the rest is ignored");
	ck_assert_int_eq(find(0, "q"), KEYMAP_NONE);
	str_clear(&many);
	str_add(&many, "quit");
	for (int i = 0; i < 3000; i++)
		str_add(&many, " Nokey");
	problems = parse(many.data); /* in one line */
	ck_assert_int_eq(problems, KEYMAP_MAX_PROBLEMS + 1);
	str_clear(&many);
	str_repeat(&many, '\n', KEYMAP_MAX_LINES + 10);
	ck_assert_int_eq(parse(many.data), 1);
	str_release(&many);
}
END_TEST

Suite *suite_keymap(void);

Suite *suite_keymap(void)
{
	Suite *suite = suite_create("keymap");
	TCase *tcase = tcase_create("keymap");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_loop_test(tcase, key_names_are_parsed_and_formatted, 0,
			    sizeof(key_names) / sizeof(key_names[0]));
	tcase_add_loop_test(tcase, invalid_keys_are_rejected, 0,
			    sizeof(no_keys) / sizeof(no_keys[0]));
	tcase_add_loop_test(tcase, sequences_are_parsed_and_formatted, 0,
			    sizeof(sequences) / sizeof(sequences[0]));
	tcase_add_loop_test(tcase, invalid_sequences_are_rejected, 0,
			    sizeof(no_sequences) / sizeof(no_sequences[0]));
	tcase_add_test(tcase, bindings_are_found);
	tcase_add_test(tcase, sequences_are_found_and_followed);
	tcase_add_test(tcase, later_text_binds_over);
	tcase_add_test(tcase, later_text_makes_prefixes_of_keys_and_keys_of_prefixes);
	tcase_add_test(tcase, another_keymap_is_included_first);
	tcase_add_loop_test(tcase, errors_say_where_and_what, 0,
			    sizeof(errors) / sizeof(errors[0]));
	tcase_add_test(tcase, valid_lines_of_an_invalid_text_count);
	tcase_add_test(tcase, hostile_texts_are_bounded);
	tcase_add_test(tcase, reading_stops_after_too_many_mistakes);
	suite_add_tcase(suite, tcase);
	return suite;
}
