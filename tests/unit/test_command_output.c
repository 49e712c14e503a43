#include "tui/session/command_output.h"

#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct command_output output;
static int ends[2];

static void setup(void)
{
	ck_assert_int_eq(pipe(ends), 0);
	command_output_init(&output, ends[0]);
}

static void teardown(void)
{
	command_output_release(&output);
	close(ends[0]);
}

static void say(const char *bytes, size_t len)
{
	ck_assert_int_eq(write(ends[1], bytes, len), (ssize_t)len);
	ck_assert(command_output_read(&output));
}

static void assert_line(size_t index, const char *expected)
{
	struct str line = STR_INIT;

	command_output_line(&output, index, &line);
	ck_assert_str_eq(line.data, expected);
	str_release(&line);
}

START_TEST(lines_come_whole_and_in_parts)
{
	ck_assert(!command_output_read(&output)); /* no data: does not wait */
	say("one\ntw", 6);
	ck_assert_uint_eq(command_output_lines(&output), 2);
	assert_line(0, "one");
	assert_line(1, "tw");
	say("o\n\n", 3);
	ck_assert_uint_eq(command_output_lines(&output), 3);
	assert_line(1, "two");
	assert_line(2, "");
}
END_TEST

START_TEST(output_is_escaped_on_the_screen)
{
	say("a\tb\x1b[31m\xff\r\nc", 12);
	assert_line(0, "a\tb\\33[31m\\377");
	assert_line(1, "c");
}
END_TEST

START_TEST(tabs_are_blanks_on_the_screen_and_tabs_in_copies)
{
	struct str shown = STR_INIT;

	say("PID\tNAME\tx\n12345678\ty\n\t\tz", 25);
	for (size_t i = 0; i < 3; i++) {
		command_output_shown(&output, i, &shown);
		str_addc(&shown, '\n');
	}
	ck_assert_str_eq(shown.data, "PID     NAME    x\n12345678        y\n                z\n");
	assert_line(0, "PID\tNAME\tx");
	assert_line(1, "12345678\ty");
	assert_line(2, "\t\tz");
	str_release(&shown);
}
END_TEST

START_TEST(long_lines_are_cut)
{
	static char many[COMMAND_OUTPUT_LINE_BYTES + 100];
	struct str line = STR_INIT;

	memset(many, 'x', sizeof(many));
	say(many, sizeof(many));
	say("\nnext\n", 6);
	command_output_line(&output, 0, &line);
	ck_assert_uint_eq(line.len, COMMAND_OUTPUT_LINE_BYTES);
	assert_line(1, "next");
	str_release(&line);
}
END_TEST

START_TEST(oldest_lines_are_dropped_first)
{
	char text[16];

	for (int i = 0; i < COMMAND_OUTPUT_LINES + 10; i++)
		say(text, (size_t)snprintf(text, sizeof(text), "%d\n", i));
	ck_assert_uint_eq(output.count, COMMAND_OUTPUT_LINES);
	ck_assert_uint_eq(output.dropped, 10);
	assert_line(0, "10");
	ck_assert_uint_le(output.bytes, COMMAND_OUTPUT_BYTES);
}
END_TEST

START_TEST(end_of_output_is_detected)
{
	say("last", 4);
	close(ends[1]);
	ck_assert(command_output_read(&output));
	ck_assert_int_eq(output.fd, -1);
	ck_assert(!command_output_read(&output));
	assert_line(0, "last");
}
END_TEST

Suite *suite_command_output(void);
Suite *suite_command_output(void)
{
	Suite *suite = suite_create("command_output");
	TCase *tests = tcase_create("command_output");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, lines_come_whole_and_in_parts);
	tcase_add_test(tests, output_is_escaped_on_the_screen);
	tcase_add_test(tests, tabs_are_blanks_on_the_screen_and_tabs_in_copies);
	tcase_add_test(tests, long_lines_are_cut);
	tcase_add_test(tests, oldest_lines_are_dropped_first);
	tcase_add_test(tests, end_of_output_is_detected);
	suite_add_tcase(suite, tests);
	return suite;
}
