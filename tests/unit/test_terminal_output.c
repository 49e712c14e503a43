/* Output to a pseudo-terminal whose other end is read, or not. */
#include "widgets/terminal/terminal_output.h"

#include "engine/base/clock.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define MUCH_BYTES (1 << 20) /* more than the kernel buffers for an unread terminal */

static int master, slave;
static struct terminal_output output;

static void setup(void)
{
	struct termios modes;

	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	ck_assert_int_eq(tcgetattr(slave, &modes), 0);
	cfmakeraw(&modes);
	ck_assert_int_eq(tcsetattr(slave, TCSANOW, &modes), 0);
	ck_assert_int_eq(fcntl(master, F_SETFL, O_NONBLOCK), 0);
	terminal_output_init(&output, slave);
}

static void teardown(void)
{
	terminal_output_release(&output);
	close(slave);
	close(master);
}

static void add_much(void)
{
	static char bytes[MUCH_BYTES];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)('a' + i % 23);
	terminal_output_add(&output, bytes, sizeof(bytes));
}

START_TEST(sending_does_not_wait_for_an_unread_terminal)
{
	add_much();
	ck_assert(!terminal_output_send(&output));
	ck_assert(terminal_output_is_pending(&output));
	ck_assert(!terminal_output_send(&output));
}
END_TEST

/* The inherited file description, which the shell shares, still blocks. */
START_TEST(the_inherited_description_is_unchanged)
{
	ck_assert(output.is_own);
	ck_assert(!(fcntl(slave, F_GETFL) & O_NONBLOCK));
	ck_assert(fcntl(output.fd, F_GETFL) & O_NONBLOCK);
	ck_assert(fcntl(output.fd, F_GETFD) & FD_CLOEXEC);
}
END_TEST

START_TEST(all_bytes_arrive_in_order)
{
	size_t got = 0;
	bool sent = false, same = true;

	add_much();
	while (got < MUCH_BYTES) {
		char bytes[4096];
		ssize_t n;

		sent = terminal_output_send(&output);
		while ((n = read(master, bytes, sizeof(bytes))) > 0)
			for (ssize_t i = 0; i < n; i++, got++)
				same &= bytes[i] == (char)('a' + got % 23);
	}
	ck_assert(same);
	ck_assert(sent);
	ck_assert(!terminal_output_is_pending(&output));
}
END_TEST

START_TEST(draining_has_a_time_limit)
{
	uint64_t start = clock_now_ns();

	add_much();
	ck_assert(!terminal_output_drain(&output, 50));
	ck_assert_uint_ge(clock_now_ns() - start, 50 * NS_PER_MS);
	terminal_output_drop(&output);
	ck_assert(!terminal_output_is_pending(&output));
	ck_assert(terminal_output_drain(&output, 50));
}
END_TEST

START_TEST(a_closed_terminal_accepts_everything)
{
	close(master);
	master = -1;
	add_much();
	ck_assert(terminal_output_send(&output));
	ck_assert(!terminal_output_is_pending(&output));
}
END_TEST

Suite *suite_terminal_output(void);

Suite *suite_terminal_output(void)
{
	Suite *suite = suite_create("terminal_output");
	TCase *tcase = tcase_create("terminal_output");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, sending_does_not_wait_for_an_unread_terminal);
	tcase_add_test(tcase, the_inherited_description_is_unchanged);
	tcase_add_test(tcase, all_bytes_arrive_in_order);
	tcase_add_test(tcase, draining_has_a_time_limit);
	tcase_add_test(tcase, a_closed_terminal_accepts_everything);
	suite_add_tcase(suite, tcase);
	return suite;
}
