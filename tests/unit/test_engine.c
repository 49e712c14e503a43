#include "engine/engine.h"

#include "engine/base/clock.h"
#include "engine/process/command.h"
#include "tests/unit/in_call.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A child that makes calls after go(), and an engine that watches it. */
struct fixture {
	struct engine *engine;
	struct engine_options options;
	struct err err;
	pid_t child;
	int go_fd;
};

#define FOREVER (-1)

/* Call getppid and getuid in turn, `count` times each, then exit. */
static void __attribute__((noreturn)) child_main(int go_fd, long count)
{
	char byte;

	if (read(go_fd, &byte, 1) != 1)
		_exit(1);
	for (long i = 0; i != count; i++) {
		syscall(SYS_getppid);
		syscall(SYS_getuid);
		if (count == FOREVER)
			nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	_exit(0);
}

static void fixture_init(struct fixture *f, long count)
{
	char list[16];
	int go[2];

	memset(f, 0, sizeof(*f));
	if (engine_new(&f->engine, &f->err) < 0)
		ck_abort_msg("%s", f->err.text);
	ck_assert_int_eq(pipe(go), 0);
	f->child = fork();
	if (!f->child) {
		close(go[1]);
		child_main(go[0], count);
	}
	close(go[0]);
	f->go_fd = go[1];
	target_init(&f->options.target);
	snprintf(list, sizeof(list), "%d", (int)f->child);
	ck_assert_int_eq(target_add_pids(&f->options.target, list, &f->err), 0);
	f->options.stacks = STACKS_OFF;
}

static struct filter *filter_of(struct fixture *f, const char *text)
{
	struct filter_error error;
	struct filter *filter;

	if (filter_parse(&filter, text, engine_filter_names(f->engine), &error) < 0)
		ck_abort_msg("%s: %s", text, error.err.text);
	return filter;
}

static void start(struct fixture *f)
{
	int rc = engine_start(f->engine, &f->options, &f->err);

	if (rc == -EACCES || rc == -EPERM || rc == -ENOENT || rc == -ENOSYS)
		test_skip("engine: %s", f->err.text);
	ck_assert_msg(rc == 0, "%s", f->err.text);
}

static void go(struct fixture *f)
{
	ck_assert_int_eq(write(f->go_fd, "", 1), 1);
}

static void fixture_release(struct fixture *f)
{
	kill(f->child, SIGKILL);
	waitpid(f->child, NULL, 0);
	close(f->go_fd);
	engine_free(f->engine);
	filter_free(f->options.filter);
	target_release(&f->options.target);
}

static uint64_t calls_of(struct engine *engine, uint32_t pid, uint32_t nr)
{
	struct engine_row *rows = NULL;
	size_t count = engine_syscall_rows(engine, pid, 0, &rows);
	uint64_t calls = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].nr == nr)
			calls += rows[i].calls;
	free(rows);
	return calls;
}

/* Read to the end; return the number of calls of this system call. */
static uint64_t read_all(struct engine *engine, uint32_t nr, useconds_t pause_us)
{
	struct call calls[100];
	uint64_t seen = 0, last_ns = 0;
	int count;

	while ((count = engine_read(engine, calls, 100, 1000)) != -ENODATA) {
		ck_assert_int_ge(count, 0);
		for (int i = 0; i < count; i++) {
			uint64_t end_ns = calls[i].enter_ns + (uint64_t)calls[i].dur_ns;

			if (calls[i].state != CALL_DONE || calls[i].nr != nr)
				continue;
			ck_assert_msg(end_ns >= last_ns, "out of order");
			last_ns = end_ns;
			seen++;
		}
		if (pause_us)
			usleep(pause_us);
	}
	return seen;
}

START_TEST(engine_is_empty_before_the_start)
{
	struct engine_row *rows = NULL;
	struct engine_status status;
	struct fixture f;
	struct call call;
	uint64_t seq = 0, end = 1;

	fixture_init(&f, 1);
	engine_status(f.engine, &status);
	ck_assert(!status.running);
	ck_assert_uint_eq(engine_processes(f.engine, &rows), 0);
	ck_assert_uint_eq(engine_calls_after(f.engine, &seq, NULL, &call, &end, 1), 0);
	ck_assert_uint_eq(engine_in_flight(f.engine, &call, 1), 0);
	ck_assert_int_eq(engine_read(f.engine, &call, 1, 0), -ENODATA);
	engine_set_filter(f.engine, NULL);
	engine_zero(f.engine);
	engine_stop(f.engine);
	free(rows);
	fixture_release(&f);
}
END_TEST

START_TEST(every_call_is_counted)
{
	struct engine_status status;
	struct fixture f;

	fixture_init(&f, 1000);
	start(&f);
	go(&f);
	ck_assert_int_eq(waitpid(f.child, NULL, 0), f.child);
	engine_stop(f.engine);
	engine_status(f.engine, &status);
	ck_assert(status.finished);
	ck_assert_uint_eq(status.model.records_lost, 0);
	ck_assert_uint_eq(calls_of(f.engine, (uint32_t)f.child, SYS_getppid), 1000);
	ck_assert_uint_eq(calls_of(f.engine, (uint32_t)f.child, SYS_getuid), 1000);
	ck_assert_uint_eq(calls_of(f.engine, (uint32_t)getpid(), SYS_write), 0);
	fixture_release(&f);
}
END_TEST

/* The history holds a fraction of the calls, so the collector has to wait for the reader. */
START_TEST(slow_reader_misses_nothing)
{
	struct engine_status status;
	struct fixture f;

	fixture_init(&f, 10000);
	f.options.lossless_reader = true;
	f.options.history_bytes = 64 << 10;
	start(&f);
	go(&f);
	ck_assert_int_eq(waitpid(f.child, NULL, 0), f.child);
	engine_stop(f.engine);
	ck_assert_uint_eq(read_all(f.engine, SYS_getppid, 500), 10000);
	engine_status(f.engine, &status);
	ck_assert(status.finished);
	ck_assert_uint_eq(status.model.records_lost, 0);
	fixture_release(&f);
}
END_TEST

START_TEST(reader_that_leaves_blocks_nothing)
{
	struct call calls[10];
	struct fixture f;

	fixture_init(&f, 10000);
	f.options.lossless_reader = true;
	f.options.history_bytes = 64 << 10;
	start(&f);
	go(&f);
	ck_assert_int_gt(engine_read(f.engine, calls, 10, 5000), 0);
	engine_stop(f.engine);
	fixture_release(&f); /* must return */
}
END_TEST

START_TEST(limit_is_exact)
{
	struct fixture f;

	fixture_init(&f, 1000);
	f.options.lossless_reader = true;
	f.options.max_calls = 77;
	f.options.filter = filter_of(&f, "getppid");
	start(&f);
	go(&f);
	/* At the limit, collection ends without engine_stop(). */
	ck_assert_uint_eq(read_all(f.engine, SYS_getppid, 0), 77);
	ck_assert_uint_eq(calls_of(f.engine, 0, SYS_getppid), 77);
	fixture_release(&f);
}
END_TEST

/* Wait until the filter is active and then for calls of `nr`; false after 5 s. */
static bool comes(struct fixture *f, uint32_t nr, uint64_t *waited_ns)
{
	uint64_t begin_ns = clock_now_ns();

	*waited_ns = 0;
	while (clock_now_ns() - begin_ns < 5 * NS_PER_S) {
		struct engine_status status;

		engine_status(f->engine, &status);
		if (!status.filter_pending && !*waited_ns)
			*waited_ns = clock_now_ns() - begin_ns;
		if (*waited_ns && calls_of(f->engine, 0, nr))
			return true;
		usleep(1000);
	}
	return false;
}

START_TEST(filter_changes_while_it_runs)
{
	struct filter *filter;
	struct fixture f;
	uint64_t waited_ns, calls;

	fixture_init(&f, FOREVER);
	f.options.interactive = true;
	f.options.filter = filter_of(&f, "getppid");
	start(&f);
	go(&f);
	ck_assert(comes(&f, SYS_getppid, &waited_ns));
	ck_assert_uint_eq(calls_of(f.engine, 0, SYS_getuid), 0);

	filter = filter_of(&f, "getuid");
	engine_set_filter(f.engine, filter);
	filter_free(filter);
	ck_assert(comes(&f, SYS_getuid, &waited_ns));
	ck_assert_msg(waited_ns < NS_PER_S, "%llu ns", (unsigned long long)waited_ns);
	ck_assert_uint_eq(calls_of(f.engine, 0, SYS_getppid), 0);

	/* Filters still apply to collected calls after the stop. */
	engine_stop(f.engine);
	engine_set_filter(f.engine, NULL);
	ck_assert(comes(&f, SYS_getuid, &waited_ns));
	calls = calls_of(f.engine, 0, SYS_getuid);
	usleep(20000);
	ck_assert_uint_eq(calls_of(f.engine, 0, SYS_getuid), calls);
	fixture_release(&f);
}
END_TEST

START_TEST(pause_and_zero)
{
	struct engine_status status;
	struct fixture f;
	uint64_t waited_ns, seen;

	fixture_init(&f, FOREVER);
	f.options.interactive = true;
	start(&f);
	go(&f);
	ck_assert(comes(&f, SYS_getuid, &waited_ns));
	engine_set_running(f.engine, false);
	do {
		usleep(1000);
		engine_status(f.engine, &status);
	} while (status.running);
	usleep(50000); /* until the rings are drained */
	engine_zero(f.engine);
	usleep(50000);
	engine_status(f.engine, &status);
	seen = status.model.calls_seen;
	usleep(50000);
	engine_status(f.engine, &status);
	ck_assert_uint_eq(status.model.calls_seen, seen);
	ck_assert_uint_eq(calls_of(f.engine, 0, SYS_getuid), 0);
	engine_set_running(f.engine, true);
	ck_assert(comes(&f, SYS_getuid, &waited_ns));
	fixture_release(&f);
}
END_TEST

START_TEST(calls_in_flight_have_an_age)
{
	struct fixture f;
	struct call call;
	uint64_t until_ns = clock_now_ns() + 10 * NS_PER_S;
	size_t count;

	fixture_init(&f, 1); /* the child waits in read() for a byte that never comes */
	wait_until_in(f.child, SYS_read);
	start(&f);
	do {
		usleep(10000);
		count = engine_in_flight(f.engine, &call, 1);
	} while ((!count || call.dur_ns < 90000000) && clock_now_ns() < until_ns);
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(call.nr, SYS_read);
	ck_assert_uint_eq(call.tid, f.child);
	ck_assert_uint_eq(call.state, CALL_IN_FLIGHT);
	ck_assert_int_ge(call.dur_ns, 90000000);
	ck_assert(call.flags & CALL_SEEDED);
	fixture_release(&f);
}
END_TEST

/* Calls before the execve are never shown, whatever filter the kernel has. */
static const struct {
	const char *filter;
	uint32_t first_nr;
} command_cases[] = {
	{ "", SYS_execve },
	{ "execve || exit_group", SYS_execve },
	{ "read || rt_sigaction || exit_group", SYS_read },
};

START_TEST(command_begins_with_its_execve)
{
	char name[] = "true";
	char *argv[] = { name, NULL };
	const struct command_options how = { .argv = argv, .input_fd = -1, .output_fd = -1 };
	struct engine_options options = { .stacks = STACKS_OFF, .lossless_reader = true };
	struct fixture f = { .options = options };
	struct command *command;
	struct call call;
	int status;

	if (engine_new(&f.engine, &f.err) < 0)
		ck_abort_msg("%s", f.err.text);
	target_init(&f.options.target);
	ck_assert_int_eq(command_new(&command, &how, &f.err), 0);
	f.options.target.command = command_pid(command);
	f.options.filter = filter_of(&f, command_cases[_i].filter);
	start(&f);
	usleep((useconds_t)(_i * 10000)); /* the child waits in read(), before its execve */
	ck_assert_int_eq(command_go(command, &f.err), 0);
	while (!command_ended(command, &status))
		usleep(1000);
	engine_stop(f.engine);

	ck_assert_int_eq(engine_read(f.engine, &call, 1, 1000), 1);
	ck_assert_uint_eq(call.tid, command_pid(command));
	ck_assert_uint_eq(call.nr, command_cases[_i].first_nr);
	ck_assert_uint_eq(call.state, CALL_DONE);
	ck_assert_int_gt(call.dur_ns, 0);
	if (call.nr == SYS_execve) {
		ck_assert_int_eq(call.ret, 0);
		ck_assert_uint_ne(call.args[0], 0);
	} else {
		ck_assert_int_gt(call.ret, 1); /* the loader's read(); that of stxtop returns 1 */
	}
	command_free(command);
	engine_free(f.engine);
	filter_free(f.options.filter);
	target_release(&f.options.target);
}
END_TEST

Suite *suite_engine(void);
Suite *suite_engine(void)
{
	Suite *suite = suite_create("engine");
	TCase *tc = tcase_create("engine");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, engine_is_empty_before_the_start);
	tcase_add_test(tc, every_call_is_counted);
	tcase_add_test(tc, slow_reader_misses_nothing);
	tcase_add_test(tc, reader_that_leaves_blocks_nothing);
	tcase_add_test(tc, limit_is_exact);
	tcase_add_test(tc, filter_changes_while_it_runs);
	tcase_add_test(tc, pause_and_zero);
	tcase_add_test(tc, calls_in_flight_have_an_age);
	tcase_add_loop_test(tc, command_begins_with_its_execve, 0,
			    sizeof(command_cases) / sizeof(command_cases[0]));
	suite_add_tcase(suite, tc);
	return suite;
}
