/* filter_fixture - the syscalls and names that tests of filters parse with. */
#ifndef UNIT_FILTER_FIXTURE_H
#define UNIT_FILTER_FIXTURE_H

#include "engine/filter/filter_names.h"

struct filter_fixture {
	struct syscalls *syscalls;
	struct filter_names names;
};

void filter_fixture_init(struct filter_fixture *fixture);
void filter_fixture_release(struct filter_fixture *fixture);
/* Parse a filter; fail the test on a syntax error. */
struct filter *filter_fixture_parse(const struct filter_fixture *fixture, const char *text);

#endif
