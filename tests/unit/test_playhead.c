#include "tests/unit/runner.h"

#include "engine/base/clock.h"
#include "engine/collector/playhead.h"

#define FIRST 1000
#define LAST 9000

static struct playhead opened(void)
{
	struct playhead head;

	playhead_init(&head, PLAY_FROM_START, PLAY_TO_END, PLAY_UNLIMITED);
	playhead_rewind(&head, FIRST);
	return head;
}

/* Read like the collector; the recording ends at LAST. */
static void read_to_limit(struct playhead *head, uint64_t wall_ns)
{
	uint64_t limit_ns = playhead_limit(head, wall_ns);

	if (limit_ns <= head->at_ns)
		return;
	if (limit_ns > LAST)
		playhead_came(head, LAST, true);
	else
		playhead_came(head, limit_ns, false);
}

static bool request(struct playhead *head, unsigned int wanted, uint64_t go_ns)
{
	const struct playhead_requests requests = { .wanted = wanted,
						    .go_ns = go_ns,
						    .step_calls = 1 };
	bool again = playhead_move(head, &requests, FIRST);

	if (again)
		playhead_rewind(head, FIRST);
	return again;
}

static bool span(struct playhead *head, uint64_t from_ns, uint64_t until_ns, uint64_t go_ns)
{
	const struct playhead_requests requests = {
		.wanted = PLAYHEAD_SPAN, .from_ns = from_ns, .until_ns = until_ns, .go_ns = go_ns
	};
	bool again = playhead_move(head, &requests, FIRST);

	if (again)
		playhead_rewind(head, FIRST);
	return again;
}

START_TEST(a_recording_is_read_to_the_end_at_full_speed)
{
	struct playhead head = opened();

	ck_assert(playhead_limit(&head, 5) == PLAY_TO_END);
	read_to_limit(&head, 5);
	ck_assert(head.ended && head.at_ns == LAST && !head.paused);
	ck_assert_uint_eq(playhead_limit(&head, 5), LAST);
	ck_assert(!playhead_ticks(&head));
}
END_TEST

START_TEST(an_earlier_time_starts_over_and_a_later_one_reads_on)
{
	struct playhead head = opened();

	read_to_limit(&head, 1);
	ck_assert(request(&head, PLAYHEAD_GO, 4000));
	ck_assert_int_eq(head.moving, PLAY_GOING);
	ck_assert_uint_eq(playhead_limit(&head, 1), 4000);
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 4000 && head.paused && !head.moving && !head.ended);
	ck_assert(!request(&head, PLAYHEAD_GO, 5000));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 5000 && head.paused);
	/* A time beyond the end means the end. */
	ck_assert(!request(&head, PLAYHEAD_GO, PLAY_TO_END));
	read_to_limit(&head, 1);
	ck_assert(head.ended && !head.moving);
	ck_assert(!request(&head, PLAYHEAD_GO, LAST + 5));
	ck_assert(!head.moving);
	/* A time before the start means the start. */
	ck_assert(request(&head, PLAYHEAD_GO, 3));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == FIRST && head.paused);
}
END_TEST

START_TEST(the_target_of_a_move_can_change)
{
	struct playhead head = opened();

	ck_assert(!request(&head, PLAYHEAD_GO, 6000));
	playhead_came(&head, 3000, false);
	ck_assert(playhead_progress(&head) > 0.3 && playhead_progress(&head) < 0.5);
	ck_assert(!request(&head, PLAYHEAD_GO, 4000));
	ck_assert(request(&head, PLAYHEAD_GO, 2000));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 2000 && head.paused);
}
END_TEST

START_TEST(a_span_is_read_from_its_beginning_to_its_end)
{
	struct playhead head = opened();

	read_to_limit(&head, 1);
	ck_assert(span(&head, 3000, 5000, PLAY_TO_END));
	ck_assert_uint_eq(head.at_ns, 3000);
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 5000 && head.ended && !head.moving);
	/* With a later end, reading continues up to the requested time in the span. */
	ck_assert(!span(&head, 3000, 6000, 5500));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 5500 && !head.ended && head.paused);
	/* With an earlier end, records after it were read: the span is read again. */
	ck_assert(span(&head, 3000, 5000, 4000));
	read_to_limit(&head, 1);
	ck_assert_uint_eq(head.at_ns, 4000);
	/* A reversed span is an empty one, not the whole recording. */
	ck_assert(span(&head, 5000, 2000, 2500));
	read_to_limit(&head, 1);
	ck_assert(head.from_ns == 5000 && head.until_ns == 5001);
	ck_assert(span(&head, PLAY_FROM_START, PLAY_TO_END, PLAY_TO_END));
	read_to_limit(&head, 1);
	ck_assert(head.ended && head.at_ns == LAST);
}
END_TEST

START_TEST(a_speed_follows_wall_time)
{
	struct playhead head = opened();
	struct playhead_requests requests = { .wanted = PLAYHEAD_SPEED, .speed = 2.0 };

	playhead_move(&head, &requests, FIRST);
	ck_assert(playhead_ticks(&head));
	read_to_limit(&head, 100000);
	ck_assert_uint_eq(head.at_ns, FIRST);
	read_to_limit(&head, 101000);
	ck_assert_uint_eq(head.at_ns, FIRST + 2000);
	/* No time passes while paused. */
	requests = (struct playhead_requests){ .wanted = PLAYHEAD_PAUSE, .paused = true };
	playhead_move(&head, &requests, FIRST);
	ck_assert(!playhead_ticks(&head));
	read_to_limit(&head, 200000);
	ck_assert_uint_eq(head.at_ns, FIRST + 2000);
	requests.paused = false;
	playhead_move(&head, &requests, FIRST);
	read_to_limit(&head, 300000);
	read_to_limit(&head, 300500);
	ck_assert_uint_eq(head.at_ns, FIRST + 3000);
	/* A jump of the clock leads to the end, not to an overflow. */
	read_to_limit(&head, UINT64_MAX);
	ck_assert(head.ended);
}
END_TEST

START_TEST(a_step_pauses_after_one_call)
{
	struct playhead head = opened();

	request(&head, PLAYHEAD_GO, 2000);
	read_to_limit(&head, 1);
	request(&head, PLAYHEAD_STEP_CALL, 0);
	ck_assert(playhead_limit(&head, 1) == PLAY_TO_END);
	playhead_came(&head, 2100, false);
	ck_assert(playhead_limit(&head, 1) == PLAY_TO_END);
	playhead_came(&head, 2200, false);
	playhead_saw_calls(&head, 0);
	ck_assert(playhead_limit(&head, 1) == PLAY_TO_END);
	playhead_saw_calls(&head, 1);
	ck_assert_uint_eq(playhead_limit(&head, 1), 2200);
	ck_assert(head.paused);
}
END_TEST

START_TEST(each_step_adds_a_call)
{
	const struct playhead_requests step = { .wanted = PLAYHEAD_STEP_CALL, .step_calls = 1 };
	struct playhead_requests box = { 0 };
	struct playhead head = opened();

	request(&head, PLAYHEAD_GO, 2000);
	read_to_limit(&head, 1);
	/* Two requests before the collector reads them, and one during the first step. */
	playhead_requests_add(&box, &step);
	playhead_requests_add(&box, &step);
	playhead_move(&head, &box, FIRST);
	playhead_came(&head, 2100, false);
	playhead_saw_calls(&head, 1);
	playhead_move(&head, &step, FIRST);
	playhead_came(&head, 2200, false);
	playhead_saw_calls(&head, 1);
	ck_assert(playhead_limit(&head, 1) == PLAY_TO_END);
	playhead_came(&head, 2300, false);
	playhead_saw_calls(&head, 1);
	ck_assert_uint_eq(playhead_limit(&head, 1), 2300);
	/* A later request to go to a time replaces the steps. */
	box.wanted = 0;
	playhead_requests_add(&box, &step);
	playhead_requests_add(&box,
			      &(struct playhead_requests){ .wanted = PLAYHEAD_GO, .go_ns = 3000 });
	playhead_requests_add(&box, &step);
	ck_assert_uint_eq(box.step_calls, 1);
}
END_TEST

START_TEST(steps_add_up_and_the_latest_request_wins)
{
	struct playhead head = opened();
	struct playhead_requests box = { 0 };
	const struct playhead_requests step = { .wanted = PLAYHEAD_STEP, .step_ns = 300 };
	const struct playhead_requests back = { .wanted = PLAYHEAD_STEP, .step_ns = -100 };
	const struct playhead_requests go = { .wanted = PLAYHEAD_GO, .go_ns = 3000 };
	const struct playhead_requests early = { .wanted = PLAYHEAD_GO, .go_ns = 2000 };

	playhead_requests_add(&box, &early);
	playhead_requests_add(&box, &go);
	playhead_move(&head, &box, FIRST);
	read_to_limit(&head, 1);
	ck_assert_uint_eq(head.at_ns, 3000);
	box.wanted = 0;
	playhead_requests_add(&box, &step);
	playhead_requests_add(&box, &step);
	playhead_requests_add(&box, &back);
	ck_assert(!playhead_move(&head, &box, FIRST));
	read_to_limit(&head, 1);
	ck_assert_uint_eq(head.at_ns, 3500);
	ck_assert(head.paused);
	box = back;
	ck_assert(playhead_move(&head, &box, FIRST));
	playhead_rewind(&head, FIRST);
	read_to_limit(&head, 1);
	ck_assert_uint_eq(head.at_ns, 3400);
	box.step_ns = INT64_MIN;
	playhead_move(&head, &box, FIRST);
	ck_assert_uint_eq(head.target_ns, FIRST);
}
END_TEST

START_TEST(another_filter_reads_to_the_same_time)
{
	struct playhead head = opened();

	request(&head, PLAYHEAD_GO, 4000);
	read_to_limit(&head, 1);
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	ck_assert_int_eq(head.moving, PLAY_FILTERING);
	playhead_came(&head, 2000, false);
	/* If the filter changes again during the move, reading begins again at the start. */
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	ck_assert_uint_eq(head.at_ns, FIRST);
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 4000 && head.paused && !head.moving);
	/* After a filter change at the end, playback reads to the end and is not paused. */
	request(&head, PLAYHEAD_GO, PLAY_TO_END);
	read_to_limit(&head, 1);
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	read_to_limit(&head, 1);
	ck_assert(head.ended && !head.paused);
	/* After a filter change during a move, playback pauses at the target of the move. */
	request(&head, PLAYHEAD_GO, 5000);
	request(&head, PLAYHEAD_AGAIN, 0);
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 5000 && head.paused);
}
END_TEST

Suite *suite_playhead(void);
Suite *suite_playhead(void)
{
	Suite *suite = suite_create("playhead");
	TCase *tcase = tcase_create("playhead");

	tcase_add_test(tcase, a_recording_is_read_to_the_end_at_full_speed);
	tcase_add_test(tcase, an_earlier_time_starts_over_and_a_later_one_reads_on);
	tcase_add_test(tcase, the_target_of_a_move_can_change);
	tcase_add_test(tcase, a_span_is_read_from_its_beginning_to_its_end);
	tcase_add_test(tcase, a_speed_follows_wall_time);
	tcase_add_test(tcase, a_step_pauses_after_one_call);
	tcase_add_test(tcase, each_step_adds_a_call);
	tcase_add_test(tcase, steps_add_up_and_the_latest_request_wins);
	tcase_add_test(tcase, another_filter_reads_to_the_same_time);
	suite_add_tcase(suite, tcase);
	return suite;
}
