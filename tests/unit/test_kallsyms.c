#include "engine/process/kallsyms.h"

#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000000 T startup\n"
			   "ffffffff81000100 T __pfx_do_read\n"
			   "ffffffff81000110 t __do_read\n"
			   "ffffffff81000110 T do_read\n"
			   "ffffffff81000200 D some_data\n"
			   "ffffffff81000280 T __x64_sys_pause\n"
			   "ffffffff81000280 T __ia32_sys_pause\n"
			   "ffffffff81000300 W weak_one\n"
			   "ffffffffc0002000 t mod_b\t[other]\n"
			   "ffffffffc0001000 t mod_a\t[some_mod]\n"
			   "ffffffffc0003000 t e\033vil\\\t[e\007v]\n"
			   "garbage\n"
			   "ffffffff8100 T cut_off_at_the_end";

static int parse(struct kallsyms **kallsyms, const char *from, struct err *err)
{
	return kallsyms_parse(kallsyms, strdup(from), strlen(from), err);
}

START_TEST(addresses_are_named)
{
	static const struct {
		uint64_t address;
		const char *symbol, *module;
		uint64_t offset;
	} cases[] = {
		{ 0xffffffff80ffffff, NULL, NULL, 0 },
		{ 0xffffffff81000000, "startup", "[kernel]", 0 },
		{ 0xffffffff8100010f, "startup", "[kernel]", 0x10f },
		{ 0xffffffff81000110, "do_read", "[kernel]", 0 },
		{ 0xffffffff8100027f, "do_read", "[kernel]", 0x16f },
		{ 0xffffffff81000280, "__x64_sys_pause", "[kernel]", 0 },
		{ 0xffffffff81000300, "weak_one", "[kernel]", 0 },
		{ 0xffffffff81200301, NULL, NULL, 0 }, /* too far from the symbol */
		{ 0xffffffffc0001004, "mod_a", "[some_mod]", 4 },
		{ 0xffffffffc0002004, "mod_b", "[other]", 4 },
		{ 0xffffffffc0003000, "e?vil?", "[e?v]", 0 },
		{ 0, NULL, NULL, 0 },
		{ UINT64_MAX, NULL, NULL, 0 },
	};
	struct kallsyms *kallsyms;
	struct err err = { "" };

	ck_assert_int_eq(parse(&kallsyms, text, &err), 0);
	ck_assert_uint_eq(kallsyms_count(kallsyms), 7);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *symbol = NULL, *module = NULL;
		uint64_t start;

		if (!kallsyms_find(kallsyms, cases[i].address, &symbol, &start, &module)) {
			ck_assert_msg(!cases[i].symbol, "%" PRIx64 ": not found", cases[i].address);
			continue;
		}
		ck_assert_msg(cases[i].symbol && !strcmp(symbol, cases[i].symbol),
			      "%" PRIx64 ": %s", cases[i].address, symbol);
		ck_assert_str_eq(module, cases[i].module);
		ck_assert_uint_eq(cases[i].address - start, cases[i].offset);
	}
	kallsyms_free(kallsyms);
}
END_TEST

START_TEST(hidden_addresses_are_explained)
{
	struct kallsyms *kallsyms = NULL;
	struct err err = { "" };

	ck_assert_int_eq(parse(&kallsyms, "0000000000000000 T _text\n0000000000000000 t x\n", &err),
			 -EACCES);
	ck_assert_msg(strstr(err.text, "no kernel symbols: kernel.kptr_restrict is "), "%s",
		      err.text);
	ck_assert_int_eq(parse(&kallsyms, "", &err), -ENODATA);
	ck_assert_int_eq(parse(&kallsyms, "ffffffff81000000 D data\n", &err), -ENODATA);
	ck_assert_ptr_null(kallsyms);
}
END_TEST

START_TEST(this_kernel_is_named)
{
	const char *symbol, *module;
	struct kallsyms *kallsyms;
	struct err err = { "" };
	uint64_t start, address;
	unsigned int checked = 0;
	char line[512], name[256], type;
	FILE *file;

	if (kallsyms_read(&kallsyms, &err))
		test_skip("this_kernel_is_named: %s", err.text);
	ck_assert_uint_gt(kallsyms_count(kallsyms), 10000);
	file = fopen("/proc/kallsyms", "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type, name) != 3 ||
		    (strcmp(name, "do_syscall_64") && strcmp(name, "schedule") &&
		     strcmp(name, "do_exit")))
			continue;
		ck_assert(kallsyms_find(kallsyms, address + 3, &symbol, &start, &module));
		ck_assert_str_eq(symbol, name);
		ck_assert_uint_eq(start, address);
		ck_assert_str_eq(module, "[kernel]");
		checked++;
	}
	fclose(file);
	ck_assert_uint_ge(checked, 2);
	kallsyms_free(kallsyms);
}
END_TEST

Suite *suite_kallsyms(void);
Suite *suite_kallsyms(void)
{
	Suite *suite = suite_create("kallsyms");
	TCase *tests = tcase_create("kallsyms");

	tcase_add_test(tests, addresses_are_named);
	tcase_add_test(tests, hidden_addresses_are_explained);
	tcase_add_test(tests, this_kernel_is_named);
	suite_add_tcase(suite, tests);
	return suite;
}
