#include "tui/session/play_text.h"

#include "engine/base/utf8.h"
#include "tests/unit/runner.h"

static const struct {
	struct play_status play;
	enum role role;
	const char *text, *brief;
} states[] = {
	{ { .whole = true, .possible = true, .bytes = 200, .bytes_read = 68 },
	  ROLE_GOOD,
	  "reading 34%",
	  "34%" },
	{ { .whole = true, .possible = true, .bytes = 200, .bytes_read = 500 },
	  ROLE_GOOD,
	  "reading 100%",
	  "100%" },
	/* With a span, the percentage is of its time. */
	{ { .possible = true,
	    .last_known = true,
	    .bytes = 200,
	    .bytes_read = 68,
	    .from_ns = 1000,
	    .until_ns = 2000,
	    .at_ns = 1500 },
	  ROLE_GOOD,
	  "reading 50%",
	  "50%" },
	{ { .possible = true, .last_known = true, .from_ns = 1000, .until_ns = 2000, .at_ns = 7 },
	  ROLE_GOOD,
	  "reading 0%",
	  "0%" },
	{ { .whole = true, .bytes_read = 68 }, ROLE_GOOD, "reading", "▶" },
	{ { .whole = true, .at_end = true }, ROLE_TEXT, "at the end", "E" },
	{ { .whole = true, .paused = true, .speed = 2 }, ROLE_WARN, "stopped", "S" },
	{ { .whole = true, .possible = true, .speed = 0.1 }, ROLE_GOOD, "playing 0.1×", "0.1×" },
	{ { .whole = true, .possible = true, .speed = PLAY_SPEED_MAX },
	  ROLE_GOOD,
	  "playing 1000×",
	  "1000×" },
	{ { .moving = PLAY_GOING, .progress = 0.345, .paused = true },
	  ROLE_WARN,
	  "moving 34%",
	  "34%" },
	{ { .moving = PLAY_FILTERING, .progress = 1.5, .at_end = true },
	  ROLE_WARN,
	  "re-reading 100%",
	  "100%" },
};

START_TEST(the_state_of_playback_is_shown)
{
	struct str text = STR_INIT;

	ck_assert_int_eq(play_text_state(&states[_i].play, &text), states[_i].role);
	ck_assert_str_eq(text.data, states[_i].text);
	ck_assert_int_le(utf8_text_width(text.data, text.len), PLAY_STATE_COLS);
	str_clear(&text);
	play_text_brief(&states[_i].play, &text);
	ck_assert_str_eq(text.data, states[_i].brief);
	str_release(&text);
}
END_TEST

START_TEST(speeds_go_up_and_down_by_the_same_steps)
{
	double up[64], speed = PLAY_SPEED_MIN;
	int count = 0;
	char text[PLAY_SPEED_TEXT_BYTES];

	for (; speed > PLAY_UNLIMITED; speed = play_speed_next(speed, 1)) {
		ck_assert_int_lt(count, 64);
		ck_assert(!count || speed > up[count - 1]);
		up[count++] = speed;
	}
	ck_assert(up[count - 1] == PLAY_SPEED_MAX);
	ck_assert(play_speed_next(PLAY_UNLIMITED, 1) == PLAY_UNLIMITED);
	for (speed = play_speed_next(speed, -1); count; speed = play_speed_next(speed, -1))
		ck_assert(speed == up[--count]);
	ck_assert(play_speed_next(PLAY_SPEED_MIN, -1) == PLAY_SPEED_MIN);
	/* The current speed is between two steps. */
	ck_assert(play_speed_next(3, 1) == 5 && play_speed_next(3, -1) == 2);
	ck_assert_str_eq(play_text_speed(text, 0.1), "0.1×");
	ck_assert_str_eq(play_text_speed(text, 1), "1×");
	ck_assert_str_eq(play_text_speed(text, PLAY_UNLIMITED), "full speed");
}
END_TEST

Suite *suite_play_text(void);

Suite *suite_play_text(void)
{
	Suite *suite = suite_create("play_text");
	TCase *tcase = tcase_create("play_text");

	tcase_add_loop_test(tcase, the_state_of_playback_is_shown, 0,
			    (int)(sizeof(states) / sizeof(*states)));
	tcase_add_test(tcase, speeds_go_up_and_down_by_the_same_steps);
	suite_add_tcase(suite, tcase);
	return suite;
}
