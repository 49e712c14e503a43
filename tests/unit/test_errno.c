#include "engine/decode/syscalls.h"
#include "tests/unit/runner.h"

#include <errno.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	int number;
	const char *name, *text;
} cases[] = {
	{ ENOENT, "ENOENT", "No such file or directory" },
	{ EAGAIN, "EAGAIN", "Resource temporarily unavailable" },
	{ EDEADLK, "EDEADLK", "Resource deadlock avoided" },
	{ EOPNOTSUPP, "EOPNOTSUPP", "Operation not supported" },
	{ ETIMEDOUT, "ETIMEDOUT", "Connection timed out" },
	{ EHWPOISON, "EHWPOISON", "Memory page has hardware error" },
	{ 512, "ERESTARTSYS", "To be restarted if SA_RESTART is set" },
	{ 513, "ERESTARTNOINTR", "To be restarted" },
	{ 514, "ERESTARTNOHAND", "To be restarted if no handler" },
	{ 516, "ERESTART_RESTARTBLOCK", "Interrupted by signal" },
	{ 524, "ENOTSUPP", NULL },
};

START_TEST(errors_have_names_and_texts)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *text = errno_text(cases[i].number);
		ck_assert_str_eq(errno_name(cases[i].number), cases[i].name);
		if (cases[i].text)
			ck_assert_str_eq(text, cases[i].text);
		else
			ck_assert_ptr_null(text);
		ck_assert_int_eq(errno_number(cases[i].name, strlen(cases[i].name)),
				 cases[i].number);
	}
}
END_TEST

/* Compare the names of errors with the table of the C library. */
START_TEST(every_error_of_the_c_library_is_known)
{
	unsigned compared = 0;

	for (int number = 1; number < 200; number++) {
		const char *name = strerrorname_np(number);
		if (!name) {
			ck_assert_ptr_null(errno_name(number));
			continue;
		}
		ck_assert_msg(errno_name(number), "%d %s", number, name);
		ck_assert_int_eq(errno_number(name, strlen(name)), number);
		ck_assert_str_eq(errno_text(number), strerrordesc_np(number));
		compared++;
	}
	ck_assert_uint_gt(compared, 130);
}
END_TEST

START_TEST(invalid_errors_are_rejected)
{
	ck_assert_ptr_null(errno_name(0));
	ck_assert_ptr_null(errno_name(-2));
	ck_assert_ptr_null(errno_name(41));
	ck_assert_ptr_null(errno_name(4095));
	ck_assert_ptr_null(errno_text(1 << 30));
	ck_assert_int_eq(errno_number("ENOENTX", 7), -1);
	ck_assert_int_eq(errno_number("ENOENTX", 6), ENOENT);
	ck_assert_int_eq(errno_number("ENOEN", 5), -1);
	ck_assert_int_eq(errno_number("", 0), -1);
	ck_assert_int_eq(errno_number("EWOULDBLOCK", 11), EAGAIN);
	ck_assert(errno_is_restart(512) && errno_is_restart(516));
	ck_assert(!errno_is_restart(515) && !errno_is_restart(EINTR));
}
END_TEST

START_TEST(all_names_can_be_listed)
{
	size_t count = 0;

	while (errno_name_at(count)) {
		const char *name = errno_name_at(count++);
		ck_assert_int_gt(errno_number(name, strlen(name)), 0);
	}
	ck_assert_uint_gt(count, 140);
}
END_TEST

Suite *suite_errno(void);
Suite *suite_errno(void)
{
	Suite *suite = suite_create("errno");
	TCase *tests = tcase_create("errno");

	tcase_add_test(tests, errors_have_names_and_texts);
	tcase_add_test(tests, every_error_of_the_c_library_is_known);
	tcase_add_test(tests, invalid_errors_are_rejected);
	tcase_add_test(tests, all_names_can_be_listed);
	suite_add_tcase(suite, tests);
	return suite;
}
