#include "tests/unit/filter_fixture.h"

#include <check.h>

void filter_fixture_init(struct filter_fixture *fixture)
{
	fixture->syscalls = syscalls_load(NULL);
	filter_names_init(&fixture->names, fixture->syscalls);
}

void filter_fixture_release(struct filter_fixture *fixture)
{
	syscalls_free(fixture->syscalls);
}

struct filter *filter_fixture_parse(const struct filter_fixture *fixture, const char *text)
{
	struct filter *filter = NULL;
	struct filter_error error = { .column = 0 };
	int failed = filter_parse(&filter, text, &fixture->names, &error);

	ck_assert_msg(!failed, "%s: at %zu: %s", text, error.column, error.err.text);
	return filter;
}
