/* Bytes of a terminal as events, which do not depend on how the bytes are split. */
#include "widgets/terminal/input_parser.h"

#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ULL

static const struct key_string strings[] = {
	{ "\033OA", 3, { KEYS_UP, 0 } },
	{ "\033[15~", 5, { KEYS_F1 + 4, 0 } },
	{ "\001@\r", 3, { KEYS_F1, 0 } }, /* as on some old terminals */
};

static struct input_parser parser;
static struct input_event event;
static uint64_t now;

static void setup(void)
{
	input_parser_init(&parser, strings, sizeof(strings) / sizeof(strings[0]), true);
	now = 1000 * MS;
}

static void teardown(void)
{
	input_parser_release(&parser);
}

static void describe(struct str *out)
{
	char name[KEY_NAME_BYTES];

	if (out->len)
		str_addc(out, ' ');
	if (event.kind == EVENT_KEY) {
		str_add(out, key_format(name, event.key));
	} else if (event.kind == EVENT_MOUSE) {
		static const char *const actions[] = { "press", "release", "drag", "up", "down" };

		str_addf(out, "%s%d@%d,%d%s", actions[event.mouse.action], event.mouse.button,
			 event.mouse.col, event.mouse.row, event.mouse.twice ? "!" : "");
	} else if (event.kind == EVENT_PASTE) {
		str_addf(out, "paste(%.*s)", (int)event.paste_bytes, event.paste);
	}
}

static void take(struct str *out)
{
	while (input_parser_next(&parser, &event, now))
		describe(out);
}

/* Append all events of bytes that arrive `step` at a time, then end the wait for more. */
static void feed(const char *bytes, size_t len, size_t step, struct str *out)
{
	for (size_t at = 0; at < len; at += step) {
		size_t n = len - at < step ? len - at : step;

		ck_assert_uint_eq(input_parser_put(&parser, bytes + at, n, now), n);
		take(out);
	}
	while (input_parser_waits(&parser)) {
		input_parser_settle(&parser);
		take(out);
	}
}

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *bytes;
	size_t len;
	const char *events;
} cases[] = {
	{ BYTES("aZ \xc3\xa9\xe6\x97\xa5"), "a Z Space é 日" },
	{ BYTES("\033OA\033[15~\033[A\033[1;5D"), "Up F5 Up Ctrl-Left" },
	{ BYTES("\033"), "Esc" },
	{ BYTES("\033\033"), "Esc Esc" },
	{ BYTES("\033\033OA"), "Esc Up" },
	{ BYTES("\033x\033\xc3\xa9\033\r"), "Alt-x Alt-é Alt-Enter" },
	{ BYTES("\033["), "Alt-[" },
	{ BYTES("\033]"), "Alt-]" },
	{ BYTES("\033O"), "Alt-O" },
	{ BYTES("\001@\r\001x"), "F1 Ctrl-A x" },
	{ BYTES("\001@"), "Ctrl-A @" },
	/* Cut off, unknown, or inside another sequence. */
	{ BYTES("\033[1;5"), "" },
	{ BYTES("\033[1;\003q"), "Ctrl-C q" },
	{ BYTES("\033[1;\033OAq"), "Up q" },
	{ BYTES("\033[1;2;3;4;5;6~q\033[?1;2cq"), "q q" },
	{ BYTES("\xff\xc3q\xe6\x97q\xed\xa0\x80q\xf5q\xc0\x80q"), "q q q q q" },
	{ BYTES("\xc2\x9bq"), "q" }, /* an 8-bit control sequence introducer is not a character */
	/* Replies of the terminal: up to BEL, up to ST, and without an end. */
	{ BYTES("\033]11;rgb:0000/0000/0000\033\\q\033]52;c;eA==\007q"), "q q" },
	{ BYTES("\033P>|XTerm(380)\033\\q\033_Gi=1;OK\033\\q"), "q q" },
	{ BYTES("\033]11;rgb:00"), "" },
	/* The mouse. */
	{ BYTES("\033[<0;5;7M\033[<0;5;7m"), "press1@4,6 release1@4,6" },
	{ BYTES("\033[<2;5;7M\033[<32;300;1M\033[<65;1;1M"), "press3@4,6 drag1@299,0 down0@0,0" },
	{ BYTES("\033[M !!q\033[M#\377!"), "press1@0,0 q release1@222,0" },
	{ BYTES("\033[<0;0;0Mq\033[<0;;Mq\033[<99999999999;1;1Mq\033[<0;5Mq"), "q q q q" },
	{ BYTES("\033[<128;5;5Mq\033[<66;5;5Mq"), "q q" },
	/* Pastes. */
	{ BYTES("\033[200~two\rlines\033[201~q"), "paste(two\rlines) q" },
	{ BYTES("\033[200~a\033[31mb\033]0;x\007c\033[200~d\033[201~"), "paste(ab]0;x\007cd)" },
	{ BYTES("\033[200~\033[201~q"), "paste() q" },
	{ BYTES("\033[201~q"), "q" },
};

START_TEST(events_do_not_depend_on_the_split)
{
	for (size_t step = 1; step <= cases[_i].len; step++) {
		struct str events = STR_INIT;

		teardown();
		setup();
		feed(cases[_i].bytes, cases[_i].len, step, &events);
		ck_assert_msg(!strcmp(events.data, cases[_i].events), "case %d by %zu: %s, not %s",
			      _i, step, events.data, cases[_i].events);
		str_release(&events);
	}
}
END_TEST

/* A character can be completed at any time, a sequence only during the wait for it. */
START_TEST(parser_waits_only_for_sequences)
{
	input_parser_put(&parser, "\xe6\x97", 2, now);
	ck_assert(!input_parser_next(&parser, &event, now));
	ck_assert(!input_parser_waits(&parser));
	input_parser_put(&parser, "\xa5\033", 2, now);
	ck_assert(input_parser_next(&parser, &event, now));
	ck_assert_uint_eq(event.key.code, 0x65e5);
	ck_assert(!input_parser_next(&parser, &event, now));
	ck_assert(input_parser_waits(&parser));
}
END_TEST

START_TEST(second_press_soon_after_is_a_double_click)
{
	static const char press[] = "\033[<0;5;7M\033[<0;5;7m";
	struct str events = STR_INIT;

	feed(BYTES(press), 50, &events);
	now += 100 * MS;
	feed(BYTES(press), 50, &events);
	now += 100 * MS;
	feed(BYTES(press), 50, &events);
	now += 500 * MS;
	feed(BYTES(press), 50, &events);
	ck_assert_str_eq(events.data, "press1@4,6 release1@4,6 press1@4,6! release1@4,6 "
				      "press1@4,6 release1@4,6 press1@4,6 release1@4,6");
	str_release(&events);
}
END_TEST

START_TEST(disabled_mouse_reports_are_not_keys)
{
	struct str events = STR_INIT;

	parser.wants_mouse = false;
	feed(BYTES("\033[<0;5;7M\033[M !!q"), 50, &events);
	ck_assert_str_eq(events.data, "q");
	str_release(&events);
}
END_TEST

/* The parser swallows a paste or reply up to its end, even if it exceeds the memory for it. */
START_TEST(huge_paste_and_huge_reply_are_bounded)
{
	char chunk[1000];
	size_t kept;

	memset(chunk, 'x', sizeof(chunk));
	input_parser_put(&parser, "\033[200~", 6, now);
	for (int i = 0; i < 1000; i++) {
		ck_assert(!input_parser_next(&parser, &event, now));
		ck_assert_uint_eq(input_parser_put(&parser, chunk, sizeof(chunk), now),
				  sizeof(chunk));
	}
	input_parser_put(&parser, "\033[201~", 6, now);
	ck_assert(input_parser_next(&parser, &event, now));
	ck_assert_int_eq(event.kind, EVENT_PASTE);
	ck_assert_uint_eq(event.paste_bytes, INPUT_PARSER_PASTE_BYTES);
	kept = parser.paste.cap;
	ck_assert_uint_le(kept, 4 * INPUT_PARSER_PASTE_BYTES);
	input_parser_put(&parser, "\033]0;", 4, now);
	for (int i = 0; i < 1000; i++) {
		ck_assert(!input_parser_next(&parser, &event, now));
		input_parser_put(&parser, chunk, sizeof(chunk), now);
	}
	input_parser_put(&parser, "\007q", 2, now);
	ck_assert(input_parser_next(&parser, &event, now));
	ck_assert_uint_eq(event.key.code, 'q');
}
END_TEST

/* A lost end marker must not swallow all further keys. */
START_TEST(unterminated_paste_ends_after_silence)
{
	struct str events = STR_INIT;

	feed(BYTES("\033[200~lost"), 50, &events);
	now += INPUT_PARSER_PASTE_SILENCE_NS - MS;
	feed(BYTES(" more"), 50, &events);
	ck_assert_str_eq(events.data, "");
	now += INPUT_PARSER_PASTE_SILENCE_NS + MS;
	feed(BYTES("q"), 50, &events);
	ck_assert_str_eq(events.data, "paste(lost more) q");
	str_release(&events);
}
END_TEST

Suite *suite_input_parser(void);

Suite *suite_input_parser(void)
{
	Suite *suite = suite_create("input_parser");
	TCase *tcase = tcase_create("input_parser");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, events_do_not_depend_on_the_split, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	tcase_add_test(tcase, parser_waits_only_for_sequences);
	tcase_add_test(tcase, second_press_soon_after_is_a_double_click);
	tcase_add_test(tcase, disabled_mouse_reports_are_not_keys);
	tcase_add_test(tcase, huge_paste_and_huge_reply_are_bounded);
	tcase_add_test(tcase, unterminated_paste_ends_after_silence);
	suite_add_tcase(suite, tcase);
	return suite;
}
