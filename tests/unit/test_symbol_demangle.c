#include "engine/stack/worker/symbol_demangle.h"

#include "engine/base/clock.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

START_TEST(names_are_demangled_as_in_the_source)
{
	static const struct {
		const char *mangled, *plain;
	} cases[] = {
		{ "main", "main" },
		{ "_start", "_start" },
		{ "_Z3fooi", "foo(int)" },
		{ "_ZN4shop4sellIiEET_S1_", "int shop::sell<int>(int)" },
		{ "_ZN4shop4sellIiEET_S1_@plt", "int shop::sell<int>(int)@plt" },
		{ "_ZSt4cout@@GLIBCXX_3.4", "std::cout" },
		{ "memcpy@@GLIBC_2.14", "memcpy" },
		{ "puts@plt", "puts@plt" },
		{ "@odd", "@odd" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_Z", "_Z" },
		{ "_R", "_R" },
		{ "_ZN4shop", "_ZN4shop" },
		{ "_RNvNtCs1234_7mycrate3foo3ba", "_RNvNtCs1234_7mycrate3foo3ba" },
	};
	char out[256];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(!strcmp(symbol_demangle(cases[i].mangled, out, sizeof(out)),
				      cases[i].plain),
			      "%s: %s", cases[i].mangled, out);
}
END_TEST

/* Each type contains an earlier one twice: 2^30 copies of the first, and more. */
static void make_doubling(char *name, size_t bytes)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t len = (size_t)snprintf(name, bytes, "_Z1fIJ1aIiiE");

	for (unsigned int i = 0; i < 60; i++) {
		char seq[8];

		if (i < 36)
			snprintf(seq, sizeof(seq), "S%c_", digits[i]);
		else
			snprintf(seq, sizeof(seq), "S1%c_", digits[i - 36]);
		len += (size_t)snprintf(name + len, bytes - len, "S_I%s%sE", seq, seq);
	}
	snprintf(name + len, bytes - len, "EEvv");
}

START_TEST(names_that_expand_endlessly_are_truncated)
{
	char name[2048], out[1024];
	uint64_t start = clock_now_ns();

	make_doubling(name, sizeof(name));
	symbol_demangle(name, out, sizeof(out));
	ck_assert_uint_eq(strlen(out), sizeof(out) - 1);
	ck_assert_msg(!strncmp(out, "void f<a<int, int>, f<", 22), "%s", out);
	/* Enough time for any machine, but not for 2^30 steps. */
	ck_assert_uint_lt(clock_now_ns() - start, 2 * NS_PER_S);
}
END_TEST

START_TEST(deep_and_long_names_are_survived)
{
	static const char *const parts[] = { "P", "N", "I", "X", "L", "J", "S_", "T_", "Dp", "1a" };
	static char name[65536];
	char out[1024];

	for (size_t part = 0; part < sizeof(parts) / sizeof(parts[0]); part++) {
		for (size_t count = 10; count < 30000; count *= 5) {
			size_t len = (size_t)snprintf(name, sizeof(name), "_Z1f");

			for (size_t i = 0; i < count; i++)
				len += (size_t)snprintf(name + len, sizeof(name) - len, "%s",
							parts[part]);
			symbol_demangle(name, out, sizeof(out));
			ck_assert_uint_lt(strlen(out), sizeof(out));
			name[1] = 'R';
			symbol_demangle(name, out, sizeof(out));
			ck_assert_uint_lt(strlen(out), sizeof(out));
		}
	}
}
END_TEST

Suite *suite_symbol_demangle(void);
Suite *suite_symbol_demangle(void)
{
	Suite *suite = suite_create("symbol_demangle");
	TCase *tests = tcase_create("symbol_demangle");

	tcase_add_test(tests, names_are_demangled_as_in_the_source);
	tcase_add_test(tests, names_that_expand_endlessly_are_truncated);
	tcase_add_test(tests, deep_and_long_names_are_survived);
	suite_add_tcase(suite, tests);
	return suite;
}
