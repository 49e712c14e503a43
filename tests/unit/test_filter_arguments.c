/* Fields that have several values or a text: named arguments, wakers, parents, ancestors. */
#include "tests/unit/filter_fixture.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct filter_fixture fixture;

static void setup(void)
{
	filter_fixture_init(&fixture);
}

static void teardown(void)
{
	filter_fixture_release(&fixture);
}

static struct filter *parse(const char *text)
{
	return filter_fixture_parse(&fixture, text);
}

static bool bytes_of(void *ctx, const struct call *call, unsigned arg, const char **bytes,
		     size_t *len, bool *pending)
{
	(void)pending;
	(void)ctx;
	if (call->args[arg] == 0x1000) {
		*bytes = "/etc/hosts\0behind";
		*len = 17;
		return true;
	}
	if (call->args[arg] == 0x2000) {
		*bytes = "GET /\0x HTTP";
		*len = 12;
		return true;
	}
	return false;
}

/* 1 → 10 → 20 → 30; 40 and 41 are parents of each other. */
static uint32_t parent_of(void *ctx, uint32_t pid)
{
	(void)ctx;
	return pid == 30   ? 20
	       : pid == 20 ? 10
	       : pid == 10 ? 1
	       : pid == 40 ? 41
	       : pid == 41 ? 40
			   : 0;
}

static const char *waker_of(void *ctx, const struct call *call)
{
	(void)ctx;
	return call->waker_tid == 7 ? "worker" : NULL;
}

static const struct filter_reader reader = {
	.bytes = bytes_of,
	.parent = parent_of,
	.waker_comm = waker_of,
};

#define CALL(number, ...) \
	{ \
		.nr = SYS_##number, .pid = 30, .tid = 31, .waker_tid = 7, .state = CALL_DONE, \
		.args = { \
			__VA_ARGS__ \
		} \
	}
#define JUNK 0xabcd00000000 /* bits beyond an int are ignored */

static const struct {
	const char *text;
	struct call call;
	bool yes;
} questions[] = {
	{ "args.op == FUTEX_WAIT", CALL(futex, 1, FUTEX_WAIT), true },
	{ "args.op == FUTEX_WAIT", CALL(futex, 1, FUTEX_WAIT_PRIVATE), true },
	{ "args.op == FUTEX_WAIT", CALL(futex, 1, FUTEX_WAKE_PRIVATE), false },
	{ "args.op == FUTEX_WAIT_PRIVATE", CALL(futex, 1, FUTEX_WAIT_PRIVATE), true },
	{ "args.op == FUTEX_WAIT_PRIVATE", CALL(futex, 1, FUTEX_WAIT), false },
	{ "args.op == 0", CALL(futex, 1, FUTEX_WAIT_PRIVATE), false },
	{ "args.op != FUTEX_WAIT", CALL(futex, 1, FUTEX_WAKE), true },
	{ "args.op != FUTEX_WAIT", CALL(read, 1, 1), false },
	{ "not args.op == FUTEX_WAIT", CALL(read, 1, 1), true },
	{ "args.op in {FUTEX_WAIT, FUTEX_WAKE}", CALL(futex, 1, FUTEX_WAKE_PRIVATE), true },
	{ "args.op & FUTEX_PRIVATE_FLAG", CALL(futex, 1, FUTEX_WAKE_PRIVATE), true },
	/* The op of other calls has the same numbers with other meanings. */
	{ "args.op == FUTEX_WAKE", CALL(epoll_ctl, 3, 1), false },
	{ "args.op == EPOLL_CTL_ADD", CALL(epoll_ctl, 3, 1), true },
	{ "args.op == 1", CALL(epoll_ctl, 3, 1), true },
	{ "args.flags & O_CREAT", CALL(openat, 0, 0, O_CREAT | O_RDWR), true },
	{ "args.flags & O_CREAT", CALL(openat, 0, 0, O_RDWR), false },
	{ "args.flags & O_CREAT", CALL(openat, 0, 0, JUNK | O_RDWR), false },
	{ "args.flags & O_CREAT|O_TRUNC", CALL(openat, 0, 0, O_TRUNC), true },
	{ "args.flags & O_CREAT | O_TRUNC == O_CREAT | O_TRUNC", CALL(openat, 0, 0, O_TRUNC),
	  false },
	{ "args.flags & O_CREAT|O_TRUNC == O_CREAT|O_TRUNC", CALL(openat, 0, 0, O_TRUNC | O_CREAT),
	  true },
	{ "args.flags & O_ACCMODE == O_RDONLY", CALL(openat, 0, 0, O_CREAT), true },
	{ "args.flags & O_ACCMODE != O_RDONLY", CALL(openat, 0, 0, O_CREAT), false },
	{ "args.flags & O_ACCMODE in {O_WRONLY, O_RDWR}", CALL(openat, 0, 0, O_RDWR), true },
	{ "args.flags & O_CREAT", CALL(mmap, 0, 0, 0, MAP_32BIT), false },
	{ "args.flags & MAP_ANONYMOUS", CALL(mmap, 0, 0, 0, MAP_ANONYMOUS), true },
	{ "args.flags & 0x40", CALL(mmap, 0, 0, 0, MAP_32BIT), true },
	{ "args.flags & 0x80000000", CALL(openat, 0, 0, 0x80000000), true },
	{ "args.how == SIG_BLOCK", CALL(rt_sigprocmask, SIG_BLOCK), true },
	{ "args.how == SIG_SETMASK", CALL(rt_sigprocmask, SIG_BLOCK), false },
	{ "args.type == SOCK_STREAM", CALL(socket, 2, SOCK_STREAM | SOCK_CLOEXEC), true },
	{ "args.type & SOCK_CLOEXEC", CALL(socket, 2, SOCK_STREAM | SOCK_CLOEXEC), true },
	{ "args.sig == SIGTERM", CALL(kill, 1, SIGTERM), true },
	{ "args.sig in {SIGKILL, 15}", CALL(kill, 1, SIGTERM), true },
	{ "args.dfd == AT_FDCWD", CALL(openat, (uint64_t)AT_FDCWD), true },
	{ "args.dfd == AT_FDCWD", CALL(openat, (uint32_t)AT_FDCWD), true },
	{ "args.dfd < 0", CALL(openat, (uint32_t)AT_FDCWD), true },
	{ "args.dfd > 0", CALL(openat, (uint32_t)AT_FDCWD), false },
	{ "args.dfd == 0xffffff9c", CALL(openat, (uint64_t)AT_FDCWD), true },
	{ "args.dfd != AT_FDCWD", CALL(openat, (uint64_t)AT_FDCWD), false },
	{ "args.dfd in {-200..-1}", CALL(openat, (uint64_t)AT_FDCWD), true },
	{ "args.dfd in {1..9}", CALL(openat, JUNK | 5), true },
	{ "args.mode == 0644", CALL(openat, 0, 0, 0, 0644), true },
	{ "args.mode & 0022", CALL(openat, 0, 0, 0, 0644), false },
	{ "args.count > 64KiB", CALL(write, 1, 0, 65537), true },
	{ "args.count > 64KiB", CALL(write, 1, 0, 65536), false },
	{ "args.count == 64KB", CALL(write, 1, 0, 64000), true },
	{ "args.cmd == TIOCGWINSZ", CALL(ioctl, 1, 0x5413), true },
	{ "args.filename ~ '^/etc'", CALL(openat, 0, 0x1000), true },
	{ "args.filename ~ 'hosts$'", CALL(openat, 0, 0x1000), true },
	{ "args.filename !~ '^/etc'", CALL(openat, 0, 0x1000), false },
	{ "args.filename !~ '^/etc'", CALL(openat, 0, 0x3000), false }, /* text unknown */
	{ "args.filename == '/etc/hosts'", CALL(openat, 0, 0x1000), true },
	{ "args.filename == /etc/hosts", CALL(openat, 0, 0x1000), true },
	{ "args.filename in {/etc/passwd, /etc/hosts}", CALL(openat, 0, 0x1000), true },
	{ "args.filename == 0x1000", CALL(openat, 0, 0x1000), true },
	{ "args.buf ~ '^GET'", CALL(write, 1, 0x2000, 12), true },
	{ "args.buf ~ 'HTTP$'", CALL(write, 1, 0x2000, 12), true },
	{ "args.buf ~ '^GET'", CALL(openat, 1, 0x2000, 12), false },
	{ "arg1 == FUTEX_WAKE", CALL(futex, 1, 1), true },
	{ "arg2 & O_CREAT", CALL(openat, 0, 0, O_CREAT), true },
	{ "ret & 1", CALL(read, 0), false },
	{ "pid & 2", CALL(read, 0), true },
	{ "waker == worker", CALL(read, 0), true },
	{ "waker == 'worker'", CALL(read, 0), true },
	{ "waker != worker", CALL(read, 0), false },
	{ "waker ~ '^w'", CALL(read, 0), true },
	{ "waker in {worker, idle}", CALL(read, 0), true },
	{ "waker == 7", CALL(read, 0), true },
	{ "waker in {7, 9}", CALL(read, 0), true },
	{ "ppid == 20", CALL(read, 0), true },
	{ "ppid != 20", CALL(read, 0), false },
	{ "descendant of 20", CALL(read, 0), true },
	{ "descendant of 1", CALL(read, 0), true },
	{ "descendant of 30", CALL(read, 0), false },
	{ "descendant of 2", CALL(read, 0), false },
	{ "not descendant of 2 and pid == 30", CALL(read, 0), true },
};

START_TEST(arguments_wakers_and_ancestors_are_matched)
{
	for (size_t i = 0; i < COUNT(questions); i++) {
		struct filter *filter = parse(questions[i].text), *again;

		ck_assert_msg(filter_match(filter, &questions[i].call, &reader) == questions[i].yes,
			      "%s", questions[i].text);
		again = parse(filter_text(filter));
		ck_assert_str_eq(filter_text(again), filter_text(filter));
		ck_assert(filter_match(again, &questions[i].call, &reader) == questions[i].yes);
		filter_free(again);
		filter_free(filter);
	}
}
END_TEST

/* The search ends although the processes are parents of each other. */
START_TEST(cycles_of_parents_end)
{
	struct filter *filter = parse("descendant of 2");
	struct call call = { .pid = 40, .tid = 40, .state = CALL_DONE };

	ck_assert(!filter_match(filter, &call, &reader));
	ck_assert(!filter_match(filter, &call, NULL));
	filter_free(filter);
}
END_TEST

/* clang-format off */
START_TEST(unknown_values_are_false)
{
	static const char *const unknown[] = {
		"args.flags & O_CREAT", "args.flags != 0", "args.filename ~ ''", "ppid == 1",
		"ppid != 1", "waker ~ ''", "waker !~ 'x'", "stack ~ ''", "stack !~ ''",
		"waker_stack == x", "descendant of 1",
	};
	struct call call = { .nr = SYS_openat, .pid = 99, .waker_tid = 8, .state = CALL_ORPHAN };

	/* clang-format on */
	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct filter *filter = parse(unknown[i]);
		ck_assert_msg(!filter_match(filter, &call, &reader), "%s", unknown[i]);
		ck_assert_msg(!filter_match(filter, &call, NULL), "%s", unknown[i]);
		filter_free(filter);
	}
}
END_TEST

static const struct {
	const char *text;
	size_t column, length;
	const char *says;
} errors[] = {
	{ "args.flgas & O_CREAT", 0, 10, "did you mean flags (of" },
	{ "args.flags & O_CRAET", 13, 7, "did you mean O_CREAT?" },
	{ "args.flags & O_CREAT|MAP_FIXED", 21, 9, "no system call has MAP_FIXED together" },
	{ "args.flags & O_RDONLY", 13, 8, "has no bits to test" },
	{ "args.flags & 'x'", 13, 3, "not a string" },
	{ "args.flags & {1}", 13, 1, "expected a number" },
	{ "args.op == FUTEX_WIAT", 11, 10, "did you mean FUTEX_WAIT?" },
	{ "args.op == zzzzzzzzzz", 11, 10, "neither a number nor a constant of op" },
	{ "args.op", 0, 7, "args.op needs a comparison: ==" },
	{ "args. == 1", 0, 5, "no system call has an argument \"\"" },
	{ "args.how ~ x", 11, 1, "is a number in all calls" },
	{ "args.filename < /etc", 16, 4, "== != ~ !~ in" },
	{ "args.flags & ", 13, 1, "the filter ends where" },
	{ "args.count > 99999999999TiB", 13, 14, "64 bits" },
	{ "args.mode == 0999", 13, 4, "is not a number" },
	{ "args.count > 5kiB", 13, 4, "is not a number" },
	{ "comm & x", 5, 1, "it takes == != ~ !~ in" },
	{ "dur & 5ms", 4, 1, "it takes ==" },
	{ "descendant", 0, 10, "needs a comparison: of" },
	{ "descendant of", 13, 1, "expected" },
	{ "descendant of x", 14, 1, "is not a number" },
	{ "descendant == 1", 11, 2, "it takes of" },
	{ "waker < worker", 8, 6, "== != ~ !~ in" },
	{ "arg9 == 1", 0, 4, "did you mean arg0?" },
	{ "stakc ~ x", 0, 5, "did you mean stack?" },
};

START_TEST(errors_point_at_the_place)
{
	for (size_t i = 0; i < COUNT(errors); i++) {
		struct filter *filter = NULL;
		struct filter_error error = { .column = 999 };
		int failed = filter_parse(&filter, errors[i].text, &fixture.names, &error);

		ck_assert_msg(failed, "%s: parsed as %s", errors[i].text, filter_text(filter));
		ck_assert_msg(error.column == errors[i].column && error.length == errors[i].length,
			      "%s: %zu+%zu: %s", errors[i].text, error.column, error.length,
			      error.err.text);
		ck_assert_msg(strstr(error.err.text, errors[i].says), "%s: %s", errors[i].text,
			      error.err.text);
	}
}
END_TEST

/* The kernel drops calls that lack the named argument. */
START_TEST(arguments_choose_calls)
{
	static const struct {
		const char *text, *explained;
	} cases[] = {
		{ "args.op == FUTEX_WAIT",
		  "in kernel: syscall == futex / here: args.op == FUTEX_WAIT" },
		{ "args.flags & O_CREAT && pid == 4",
		  "in kernel: syscall in {open, openat, dup3, pipe2, open_by_handle_at} && "
		  "pid == 4 / here: args.flags & O_CREAT" },
		{ "args.how != SIG_BLOCK",
		  "in kernel: syscall == rt_sigprocmask / here: args.how != SIG_BLOCK" },
		{ "not args.how == SIG_BLOCK", "here: !(args.how == SIG_BLOCK)" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter *filter = parse(cases[i].text);
		struct str out = STR_INIT;

		filter_explain(filter, FILTER_BY_EVENTS, &out);
		ck_assert_str_eq(out.data, cases[i].explained);
		str_release(&out);
		filter_free(filter);
	}
}
END_TEST

Suite *suite_filter_arguments(void);
Suite *suite_filter_arguments(void)
{
	Suite *suite = suite_create("filter_arguments");
	TCase *tests = tcase_create("filter_arguments");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, arguments_wakers_and_ancestors_are_matched);
	tcase_add_test(tests, cycles_of_parents_end);
	tcase_add_test(tests, unknown_values_are_false);
	tcase_add_test(tests, errors_point_at_the_place);
	tcase_add_test(tests, arguments_choose_calls);
	suite_add_tcase(suite, tests);
	return suite;
}
