#include "engine/recording/read/read_ahead.h"

#include "tests/unit/runner.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A made-up recording: `slices` slices of `records` records, which are numbered. */
struct made {
	struct read_ahead *ahead;
	uint64_t slices, records;
	uint64_t slice, number; /* of the next slice and record */
	int more_fd; /* > 0: wait for this eventfd before each slice */
};

static void read_slice(void *ctx, record_fn *take, void *take_ctx, struct read_ahead_slice *slice)
{
	struct made *made = ctx;
	uint64_t ips[64];

	for (uint64_t i = 0; i < made->records && !read_ahead_stops(made->ahead); i++) {
		struct record record = { .time_ns = made->number, .kind = RECORD_ENTER };

		/* Some records point to a stack. */
		if (made->number % 5 == 0) {
			record.kind = RECORD_SWITCH_OUT;
			for (size_t j = 0; j < 64; j++)
				ips[j] = made->number + j;
			record.switch_out.stack = (struct record_stack){ .ips = ips, .count = 64 };
		}
		made->number++;
		take(take_ctx, &record);
	}
	slice->reported_ns = made->slice;
	slice->at_ns = made->number;
	slice->end = ++made->slice == made->slices ? READ_AHEAD_OVER
		     : made->more_fd               ? READ_AHEAD_WAITS
						   : READ_AHEAD_MORE;
}

static void wait_more(void *ctx, int wake_fd)
{
	struct made *made = ctx;
	struct pollfd fds[] = { { .fd = made->more_fd, .events = POLLIN },
				{ .fd = wake_fd, .events = POLLIN } };
	eventfd_t count;

	poll(fds, 2, -1);
	if (fds[0].revents)
		eventfd_read(made->more_fd, &count);
}

static const struct read_ahead_ops ops = { .read = read_slice, .wait = wait_more };

struct seen {
	uint64_t next;
	bool whole; /* all records came once, in order, with their stacks */
};

static void see(struct seen *seen, const struct record *record)
{
	seen->whole &= record->time_ns == seen->next++;
	if (record->kind == RECORD_SWITCH_OUT)
		seen->whole &= record->switch_out.stack.count == 64 &&
			       record->switch_out.stack.ips[63] == record->time_ns + 63;
}

/* Read the remaining records of a slice. */
static void drain(struct made *made, struct seen *seen, struct read_ahead_slice *slice)
{
	const struct record *record;

	while ((record = read_ahead_next(made->ahead, slice))) {
		see(seen, record);
		read_ahead_pass(made->ahead);
	}
}

static void make(struct made *made, uint64_t slices, uint64_t records)
{
	struct err err;

	*made = (struct made){ .slices = slices, .records = records };
	ck_assert_int_eq(read_ahead_new(&made->ahead, &ops, made, &err), 0);
}

static void start(struct made *made)
{
	struct err err;

	ck_assert_int_eq(read_ahead_start(made->ahead, &err), 0);
}

/* Slices exceed the queue, or are many and small; the end of each slice is reported. */
START_TEST(every_record_comes_once_and_in_order)
{
	static const struct {
		uint64_t slices, records;
	} cases[] = { { 1, 0 }, { 3, 200000 }, { 5000, 7 }, { 40, 16384 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct read_ahead_slice slice = { .end = READ_AHEAD_MORE };
		struct seen seen = { .whole = true };
		struct made made;

		make(&made, cases[i].slices, cases[i].records);
		start(&made);
		for (uint64_t number = 0; number < cases[i].slices; number++) {
			while (read_ahead_wait(made.ahead, -1, -1) == 0)
				;
			ck_assert_int_eq(slice.end, READ_AHEAD_MORE);
			drain(&made, &seen, &slice);
			ck_assert_uint_eq(slice.reported_ns, number);
			ck_assert_uint_eq(slice.at_ns, (number + 1) * cases[i].records);
			ck_assert_uint_eq(seen.next, (number + 1) * cases[i].records);
		}
		ck_assert_int_eq(slice.end, READ_AHEAD_OVER);
		ck_assert(seen.whole);
		/* No slice follows the last one. */
		drain(&made, &seen, &slice);
		ck_assert_int_eq(slice.end, READ_AHEAD_OVER);
		ck_assert_int_eq(read_ahead_wait(made.ahead, -1, 0), 0);
		read_ahead_free(made.ahead);
	}
}
END_TEST

/* After a stop at any point, reading continues where the reader is; no earlier record follows. */
START_TEST(a_restart_continues_where_the_reader_is)
{
	struct read_ahead_slice slice = { .end = READ_AHEAD_MORE };
	struct made made;

	make(&made, 1000000, 1000);
	for (uint64_t turn = 0; turn < 50; turn++) {
		struct seen seen = { .whole = true, .next = made.number };

		start(&made);
		ck_assert(read_ahead_runs(made.ahead));
		for (uint64_t taken = 0; taken < turn % 7; taken++)
			drain(&made, &seen, &slice);
		ck_assert(seen.whole);
		read_ahead_stop(made.ahead);
		ck_assert(!read_ahead_runs(made.ahead));
		ck_assert_uint_ge(made.number, seen.next);
	}
	read_ahead_free(made.ahead);
}
END_TEST

/* While no slice is ready, the caller is woken by its own descriptor or by the next slice. */
START_TEST(a_slice_of_a_pipe_is_waited_for)
{
	struct read_ahead_slice slice;
	struct seen seen = { .whole = true };
	int wake_fd = eventfd(1, EFD_NONBLOCK);
	eventfd_t count;
	struct made made;

	make(&made, 3, 10);
	made.more_fd = eventfd(0, EFD_NONBLOCK);
	start(&made);
	while (read_ahead_wait(made.ahead, -1, -1) == 0)
		;
	drain(&made, &seen, &slice);
	ck_assert_int_eq(slice.end, READ_AHEAD_WAITS);
	ck_assert_int_eq(read_ahead_wait(made.ahead, wake_fd, -1), 0);
	eventfd_read(wake_fd, &count);
	eventfd_write(made.more_fd, 1);
	while (read_ahead_wait(made.ahead, wake_fd, -1) == 0)
		;
	drain(&made, &seen, &slice);
	ck_assert_uint_eq(seen.next, 20);
	/* Stop the thread while it waits. */
	read_ahead_free(made.ahead);
	close(made.more_fd);
	close(wake_fd);
}
END_TEST

Suite *suite_read_ahead(void);
Suite *suite_read_ahead(void)
{
	Suite *suite = suite_create("read_ahead");
	TCase *tc = tcase_create("read_ahead");

	tcase_add_test(tc, every_record_comes_once_and_in_order);
	tcase_add_test(tc, a_restart_continues_where_the_reader_is);
	tcase_add_test(tc, a_slice_of_a_pipe_is_waited_for);
	suite_add_tcase(suite, tc);
	return suite;
}
