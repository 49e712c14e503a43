#include "engine/decode/numbers.h"

#include "engine/decode/call_text.h"
#include "engine/decode/form.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <stdio.h>
#include <string.h>

static const struct call_numbers *const machines[] = { &x86_64_numbers, &aarch64_numbers };

START_TEST(every_number_has_a_form)
{
	for (size_t i = 0; i < 2; i++) {
		const struct call_numbers *numbers = machines[i];

		for (size_t nr = 0; nr < numbers->count; nr++)
			ck_assert_msg(!numbers->names[nr] || call_form_find(numbers->names[nr]),
				      "%s: %s", numbers->machine, numbers->names[nr]);
	}
}
END_TEST

START_TEST(every_form_has_a_number)
{
	const struct call_family *family;
	size_t forms = 0;

	for (size_t f = 0; (family = call_family_at(f)); f++) {
		for (size_t i = 0; i < family->count; i++, forms++) {
			const char *name = family->forms[i].name;
			bool found = false;

			ck_assert_msg(call_form_find(name) == &family->forms[i],
				      "%s is defined twice", name);
			for (size_t nr = 0; nr < x86_64_numbers.count && !found; nr++)
				found = x86_64_numbers.names[nr] &&
					!strcmp(x86_64_numbers.names[nr], name);
			ck_assert_msg(found, "%s has no number", name);
		}
	}
	ck_assert_uint_ge(forms, 380);
}
END_TEST

/* Return the aarch64 name of a call that asm-generic/unistd.h names differently. */
static const char *arm_name(const char *name)
{
	if (!strncmp(name, "3264_", 5))
		name += 5;
	return strcmp(name, "fstatat") ? name : "newfstatat";
}

START_TEST(numbers_of_aarch64_are_those_of_the_generic_header)
{
	FILE *file = fopen("/usr/include/asm-generic/unistd.h", "re");
	unsigned compared = 0;
	char line[256];

	if (!file)
		test_skip("numbers_of_aarch64_are_those_of_the_generic_header: "
			  "asm-generic/unistd.h is not installed");
	while (fgets(line, sizeof(line), file)) {
		char word[128];
		const char *name, *ours;
		unsigned nr;

		if (sscanf(line, "#define __NR_%127s %u", word, &nr) != 2 &&
		    sscanf(line, "#define __NR3264_%127s %u", word, &nr) != 2)
			continue;
		name = arm_name(word);
		/* Skip bounds, calls of other machines, and numbers reserved for architectures. */
		if (!strcmp(name, "syscalls") || !strcmp(name, "sync_file_range2") ||
		    !strncmp(name, "arch_specific", 13) || (nr > 400 && nr < 424))
			continue;
		ours = nr < aarch64_numbers.count ? aarch64_numbers.names[nr] : NULL;
		ck_assert_msg(ours && !strcmp(ours, name), "%u is %s, not %s", nr, name,
			      ours ? ours : "nothing");
		compared++;
	}
	fclose(file);
	ck_assert_uint_gt(compared, 280);
}
END_TEST

/* Names and arguments are shown for a machine other than this one, too. */
START_TEST(calls_of_each_machine_are_shown_by_its_numbers)
{
	static const uint32_t openat[] = { 257, 56 }, sigreturn[] = { 15, 139 };

	for (size_t i = 0; i < 2; i++) {
		struct syscalls *syscalls = syscalls_load_of(machines[i], NULL);
		struct call call = { .nr = (uint16_t)openat[i],
				     .state = CALL_DONE,
				     .ret = 3,
				     .args = { 7, 0x5000, 0x80000 } };
		struct str text = STR_INIT;

		ck_assert_int_eq(syscalls_number(syscalls, "openat", 6), openat[i]);
		ck_assert_int_eq(syscalls_number(syscalls, "rt_sigreturn", 12), sigreturn[i]);
		ck_assert_int_eq(syscalls_number(syscalls, "open", 4), i ? -1 : 2);
		call_text(&text, syscalls, &call, NULL);
		ck_assert_str_eq(text.data, "openat(7, 0x5000, O_RDONLY|O_CLOEXEC)");
		str_release(&text);
		syscalls_free(syscalls);
	}
}
END_TEST

Suite *suite_numbers(void);
Suite *suite_numbers(void)
{
	Suite *suite = suite_create("numbers");
	TCase *tests = tcase_create("numbers");

	tcase_add_test(tests, every_number_has_a_form);
	tcase_add_test(tests, every_form_has_a_number);
	tcase_add_test(tests, calls_of_each_machine_are_shown_by_its_numbers);
	tcase_add_test(tests, numbers_of_aarch64_are_those_of_the_generic_header);
	suite_add_tcase(suite, tests);
	return suite;
}
