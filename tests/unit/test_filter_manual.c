/* The tables of man/stxtop-filter.7 equal those of the program. */
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <string.h>

#define MANUAL "man/stxtop-filter.7"

static struct str manual;

static void setup(void)
{
	FILE *file = fopen(MANUAL, "r");
	char bytes[4096];
	size_t count;

	ck_assert_ptr_nonnull(file);
	str_init(&manual);
	while ((count = fread(bytes, 1, sizeof(bytes), file)))
		str_addn(&manual, bytes, count);
	fclose(file);
}

static void teardown(void)
{
	str_release(&manual);
}

static void expect(const struct str *part, const char *of)
{
	ck_assert_msg(strstr(manual.data, part->data),
		      "the %s of " MANUAL " are not those of the "
		      "program:\n%s",
		      of, part->data);
}

static const char *kernel_of(enum filter_kernel in_kernel)
{
	switch (in_kernel) {
	case FILTER_BY_EVENTS:
		return ", kernel";
	case FILTER_BY_PROGRAMS:
		return ", kernel with BPF";
	case FILTER_BY_NOTHING:
		break;
	}
	return "";
}

START_TEST(manual_has_every_field)
{
	struct str part = STR_INIT;

	str_add(&part, ".Bl -tag -width descendantxx -compact\n");
	for (size_t i = 0; i < filter_field_count; i++) {
		const struct filter_field *field = &filter_fields[i];

		if (!strcmp(field->name, "args.NAME"))
			str_add(&part, ".It Ic args. Ns Ar NAME\n");
		else
			str_addf(&part, ".It Ic %s\n", field->name);
		str_addf(&part, "%s\n.Pq %s%s\n", field->help, filter_type_name(field->type),
			 kernel_of(field->in_kernel));
	}
	str_add(&part, ".El\n");
	expect(&part, "fields");
	str_release(&part);
}
END_TEST

START_TEST(manual_has_every_type)
{
	struct str part = STR_INIT;

	str_add(&part, ".Bl -tag -width \"system callxx\" -compact\n");
	for (int type = 0; type < FILTER_TYPE_COUNT; type++) {
		const char *at = filter_type_operators((enum filter_type)type);

		str_addf(&part, ".It %s\n%s;\n.Li", filter_type_name((enum filter_type)type),
			 filter_type_values((enum filter_type)type));
		if (type == FILTER_BOOL) {
			str_cut(&part, part.len - 3);
			str_add(&part, "the field by itself\n");
			continue;
		}
		while (*at) {
			size_t len = strcspn(at, " ");

			str_addc(&part, ' ');
			str_addn(&part, at, len);
			at += len + (at[len] == ' ');
		}
		str_addc(&part, '\n');
	}
	str_add(&part, ".El\n");
	expect(&part, "types");
	str_release(&part);
}
END_TEST

/* Every example parses. */
START_TEST(manual_examples_are_filters)
{
	static const char begin[] = ".Bd -literal -offset indent\n";
	struct syscalls *syscalls = syscalls_load(NULL);
	struct filter_names names;
	const char *block = manual.data;
	unsigned examples = 0;

	filter_names_init(&names, syscalls);
	while ((block = strstr(block, begin))) {
		const char *line = block += strlen(begin);

		for (; strncmp(line, ".Ed", 3); line = strchr(line, '\n') + 1) {
			struct filter *filter = NULL;
			struct filter_error error;
			struct str text = STR_INIT;

			str_addn(&text, line, strcspn(line, "\n"));
			ck_assert_msg(!filter_parse(&filter, text.data, &names, &error), "%s: %s",
				      text.data, error.err.text);
			ck_assert(!filter_is_all(filter));
			filter_free(filter);
			str_release(&text);
			examples++;
		}
	}
	ck_assert_uint_gt(examples, 15);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_filter_manual(void);
Suite *suite_filter_manual(void)
{
	Suite *suite = suite_create("filter_manual");
	TCase *tests = tcase_create("filter_manual");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, manual_has_every_field);
	tcase_add_test(tests, manual_has_every_type);
	tcase_add_test(tests, manual_examples_are_filters);
	suite_add_tcase(suite, tests);
	return suite;
}
