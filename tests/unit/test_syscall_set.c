#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct syscalls *syscalls;
static struct filter_names names;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
}

static void teardown(void)
{
	syscalls_free(syscalls);
}

/* strace's notation, and calls that are and are not in the set. */
static const struct {
	const char *set;
	const char *in[4], *out[4];
} sets[] = {
	{ "open,close", { "open", "close" }, { "read", "openat" } },
	{ "trace=open,close", { "open", "close" }, { "read" } },
	{ "t=open,close", { "open", "close" }, { "read" } },
	{ "!read", { "open", "write" }, { "read" } },
	{ "!open,close", { "read" }, { "open", "close" } },
	{ "trace=!%file", { "read", "futex" }, { "open", "execve" } },
	{ "t=!%file", { "read", "futex" }, { "open", "execve" } },
	{ "%file", { "open", "execve", "statx" }, { "read", "close" } },
	{ "file", { "open", "execve" }, { "read" } },
	{ "%net,read", { "socket", "read" }, { "write" } },
	{ "/^epoll", { "epoll_wait", "epoll_ctl" }, { "poll", "read" } },
	{ "/^epoll/", { "epoll_wait", "epoll_ctl" }, { "poll", "read" } },
	{ "/^(read|write)v?$/,futex", { "read", "writev", "futex" }, { "pread64", "open" } },
	{ "!/open/", { "read" }, { "open", "openat2", "mq_open" } },
	{ "/a{1,2}/", { "read" }, { "open" } },
	{ "all", { "read", "listns" }, { NULL } },
	{ "!none", { "read" }, { NULL } },
	{ "none", { NULL }, { "read", "open" } },
	{ "!all", { NULL }, { "read" } },
	{ "?nosuchcall,read", { "read" }, { "open" } },
	{ "?read", { "read" }, { "open" } },
	{ "?nosuchcall", { NULL }, { "read" } },
	{ "0,202", { "read", "futex" }, { "write" } },
	{ "open@64,%net@64", { "open", "socket" }, { "read" } },
	{ "/clock/,read", { "clock_gettime", "read" }, { "write" } },
	{ "/clock,read", { "clock_gettime", "read" }, { "write" } },
	{ "/clock,/open/", { "clock_gettime", "openat" }, { "write" } },
	{ "/clock.*@64", { "clock_gettime" }, { "write" } },
	{ "/clock/@64,read", { "clock_gettime", "read" }, { "write" } },
	{ "/a{1,2}/,read", { "read" }, { "write" } },
	{ "read,", { "read" }, { "write" } },
	{ ",read,,write", { "read", "write" }, { "open" } },
	{ "mmap2,read", { "read" }, { "write", "mmap" } },
	{ "!_newselect,read", { "write" }, { "read" } },
	{ "socketcall", { NULL }, { "read" } },
	{ "%%stat", { "stat", "fstat", "statx" }, { "statfs" } },
};

static bool takes(const struct filter *filter, const char *name)
{
	int nr = syscalls_number(syscalls, name, strlen(name));
	struct call call = { .state = CALL_DONE, .nr = (uint16_t)nr };

	ck_assert_msg(nr >= 0, "%s", name);
	return filter_match(filter, &call, NULL);
}

START_TEST(sets_have_the_calls_of_strace)
{
	for (size_t i = 0; i < COUNT(sets); i++) {
		struct filter *filter = NULL, *again = NULL;
		struct filter_error error = { .column = 0 };
		int failed = filter_parse_syscall_set(&filter, sets[i].set, &names, &error);

		if (!sets[i].in[0] && !sets[i].out[0]) {
			ck_assert_msg(failed, "%s", sets[i].set);
			continue;
		}
		ck_assert_msg(!failed, "%s: %s", sets[i].set, error.err.text);
		ck_assert(!filter_parse(&again, filter_text(filter), &names, &error));
		for (size_t n = 0; n < 4; n++) {
			const char *in = sets[i].in[n], *out = sets[i].out[n];
			ck_assert_msg(!in || takes(filter, in), "%s: %s", sets[i].set, in);
			ck_assert_msg(!out || !takes(filter, out), "%s: %s", sets[i].set, out);
			ck_assert_msg(!in || takes(again, in), "%s: %s", filter_text(filter), in);
			ck_assert_msg(!out || !takes(again, out), "%s", filter_text(filter));
		}
		filter_free(filter);
		filter_free(again);
	}
}
END_TEST

static const struct {
	const char *set;
	size_t column, length;
	const char *says;
} errors[] = {
	{ "open@32", 0, 7, "write open or open@64" },
	{ "fault=open:error=EIO", 0, 6, "never changes" },
	{ "signal=INT", 0, 7, "%signal" },
	{ "opne", 0, 4, "did you mean open?" },
	{ "read,opne,write", 5, 4, "did you mean open?" },
	{ "trace=!read,opne", 12, 4, "did you mean open?" },
	{ "%flie", 0, 5, "did you mean %file?" },
	{ "", 0, 1, "expected a syscall" },
	{ ",", 0, 1, "expected a syscall" },
	{ "/clock/@32", 0, 10, "other ABIs" },
	{ "_newselec", 0, 9, "unknown syscall" },
	{ "!", 1, 1, "expected a syscall" },
	{ "/(/", 0, 3, "invalid regular expression" },
	{ "//", 0, 2, "after the slash" },
	{ "99999", 0, 5, "no system call has the number" },
	{ "read\033[2J", 0, 8, "\\33" },
};

START_TEST(errors_point_at_the_element)
{
	for (size_t i = 0; i < COUNT(errors); i++) {
		struct filter *filter = NULL;
		struct filter_error error = { .column = 999 };

		ck_assert_msg(filter_parse_syscall_set(&filter, errors[i].set, &names, &error),
			      "%s", errors[i].set);
		ck_assert_ptr_null(filter);
		ck_assert_msg(error.column == errors[i].column && error.length == errors[i].length,
			      "%s: %zu+%zu: %s", errors[i].set, error.column, error.length,
			      error.err.text);
		ck_assert_msg(strstr(error.err.text, errors[i].says), "%s: %s", errors[i].set,
			      error.err.text);
	}
}
END_TEST

START_TEST(a_set_is_tested_in_the_kernel)
{
	struct filter *filter = NULL;
	struct filter_error error;
	struct str out = STR_INIT;

	ck_assert(!filter_parse_syscall_set(&filter, "!read,write", &names, &error));
	filter_explain(filter, FILTER_BY_EVENTS, &out);
	ck_assert_str_eq(out.data, "in kernel: syscall not in {read, write}");
	filter_free(filter);
	str_release(&out);
}
END_TEST

Suite *suite_syscall_set(void);
Suite *suite_syscall_set(void)
{
	Suite *suite = suite_create("syscall_set");
	TCase *tests = tcase_create("syscall_set");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, sets_have_the_calls_of_strace);
	tcase_add_test(tests, errors_point_at_the_element);
	tcase_add_test(tests, a_set_is_tested_in_the_kernel);
	suite_add_tcase(suite, tests);
	return suite;
}
