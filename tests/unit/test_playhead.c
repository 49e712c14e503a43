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

/* As the collector reads a recording that ends at LAST. */
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

START_TEST(it_reads_to_the_end_as_fast_as_it_can)
{
	struct playhead head = opened();

	ck_assert(playhead_limit(&head, 5) == PLAY_TO_END);
	read_to_limit(&head, 5);
	ck_assert(head.ended && head.at_ns == LAST && !head.paused);
	ck_assert_uint_eq(playhead_limit(&head, 5), LAST);
	ck_assert(!playhead_ticks(&head));
}
END_TEST

START_TEST(earlier_is_read_again_and_later_read_on)
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
	/* Beyond the end is the end. */
	ck_assert(!request(&head, PLAYHEAD_GO, PLAY_TO_END));
	read_to_limit(&head, 1);
	ck_assert(head.ended && !head.moving);
	ck_assert(!request(&head, PLAYHEAD_GO, LAST + 5));
	ck_assert(!head.moving);
	/* Before the beginning is the beginning. */
	ck_assert(request(&head, PLAYHEAD_GO, 3));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == FIRST && head.paused);
}
END_TEST

START_TEST(where_it_goes_can_change_on_the_way)
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
	/* Longer at the end: read on; a present in it. */
	ck_assert(!span(&head, 3000, 6000, 5500));
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 5500 && !head.ended && head.paused);
	/* Shorter: what is behind its end was read already. */
	ck_assert(span(&head, 3000, 5000, 4000));
	read_to_limit(&head, 1);
	ck_assert_uint_eq(head.at_ns, 4000);
	/* Upside down is a span of nothing, and not of everything. */
	ck_assert(span(&head, 5000, 2000, 2500));
	read_to_limit(&head, 1);
	ck_assert(head.from_ns == 5000 && head.until_ns == 5001);
	ck_assert(span(&head, PLAY_FROM_START, PLAY_TO_END, PLAY_TO_END));
	read_to_limit(&head, 1);
	ck_assert(head.ended && head.at_ns == LAST);
}
END_TEST

START_TEST(a_speed_follows_the_wall)
{
	struct playhead head = opened();
	struct playhead_requests requests = { .wanted = PLAYHEAD_SPEED, .speed = 2.0 };

	playhead_move(&head, &requests, FIRST);
	ck_assert(playhead_ticks(&head));
	read_to_limit(&head, 100000);
	ck_assert_uint_eq(head.at_ns, FIRST);
	read_to_limit(&head, 101000);
	ck_assert_uint_eq(head.at_ns, FIRST + 2000);
	/* While it is paused no time passes. */
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
	/* A clock that stood still for days is the end, not an overflow. */
	read_to_limit(&head, UINT64_MAX);
	ck_assert(head.ended);
}
END_TEST

START_TEST(one_call_more_and_it_stands)
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

START_TEST(each_step_is_a_call_more)
{
	const struct playhead_requests step = { .wanted = PLAYHEAD_STEP_CALL, .step_calls = 1 };
	struct playhead_requests box = { 0 };
	struct playhead head = opened();

	request(&head, PLAYHEAD_GO, 2000);
	read_to_limit(&head, 1);
	/* Two before the mail is read, and one while the first of these is under way. */
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
	/* To go somewhere afterwards takes their place. */
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

START_TEST(another_filter_reads_to_where_it_stood)
{
	struct playhead head = opened();

	request(&head, PLAYHEAD_GO, 4000);
	read_to_limit(&head, 1);
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	ck_assert_int_eq(head.moving, PLAY_FILTERING);
	playhead_came(&head, 2000, false);
	/* Another one meanwhile: the same again. */
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	ck_assert_uint_eq(head.at_ns, FIRST);
	read_to_limit(&head, 1);
	ck_assert(head.at_ns == 4000 && head.paused && !head.moving);
	/* At the end it comes to the end, and is not paused. */
	request(&head, PLAYHEAD_GO, PLAY_TO_END);
	read_to_limit(&head, 1);
	ck_assert(request(&head, PLAYHEAD_AGAIN, 0));
	read_to_limit(&head, 1);
	ck_assert(head.ended && !head.paused);
	/* On the way to somewhere, that is where it stands afterwards. */
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

	tcase_add_test(tcase, it_reads_to_the_end_as_fast_as_it_can);
	tcase_add_test(tcase, earlier_is_read_again_and_later_read_on);
	tcase_add_test(tcase, where_it_goes_can_change_on_the_way);
	tcase_add_test(tcase, a_span_is_read_from_its_beginning_to_its_end);
	tcase_add_test(tcase, a_speed_follows_the_wall);
	tcase_add_test(tcase, one_call_more_and_it_stands);
	tcase_add_test(tcase, each_step_is_a_call_more);
	tcase_add_test(tcase, steps_add_up_and_the_latest_request_wins);
	tcase_add_test(tcase, another_filter_reads_to_where_it_stood);
	suite_add_tcase(suite, tcase);
	return suite;
}
