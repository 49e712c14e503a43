#include "tui/comparison_text.h"

#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct made {
	uint32_t pid;
	const char *name;
	uint64_t calls, p50_ns, p99_ns, errors;
	uint32_t errno_number;
};

static struct engine_row *make_rows(const struct made *made, size_t count)
{
	struct engine_row *rows = calloc(count + 1, sizeof(*rows));

	for (size_t i = 0; i < count; i++) {
		rows[i] = (struct engine_row){
			.pid = made[i].pid, .nr = (uint32_t)i, .calls = made[i].calls,
			.total_ns = made[i].calls * made[i].p50_ns, .p50_ns = made[i].p50_ns,
			.p99_ns = made[i].p99_ns, .errors = made[i].errors,
		};
		snprintf(rows[i].name, sizeof(rows[i].name), "%s", made[i].name);
		if (made[i].errors) {
			rows[i].errnos[0] = (struct errno_count){ .number = made[i].errno_number,
								  .count = made[i].errors };
			rows[i].errno_count = 1;
		}
		rows[i].histogram[3] = made[i].calls;
	}
	return rows;
}

static void make_side(struct comparison_side *side, const char *file, const struct made *made,
		      size_t count, const char *comm)
{
	*side = (struct comparison_side){ .file = strdup(file), .seconds = 2 };
	side->totals = make_rows(made, count);
	side->rows = make_rows(made, count);
	side->total_count = side->row_count = count;
	side->processes = calloc(2, sizeof(*side->processes));
	for (uint32_t pid = 0; pid < 2; pid++) {
		side->processes[pid].pid = 2 - pid;
		snprintf(side->processes[pid].name, sizeof(side->processes[pid].name), "%s",
			 pid ? comm : "other");
	}
	side->process_count = 2;
	for (size_t i = 0; i < count; i++)
		side->calls += made[i].calls;
}

static const struct comparison_row *find(const struct comparison *comparison, const char *comm,
					 const char *name)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (!row->comm == !comm && (!comm || !strcmp(row->comm, comm)) &&
		    !strcmp(row->name, name))
			return row;
	}
	ck_abort_msg("no row of %s", name);
}

static const struct made before[] = {
	{ 1, "futex", 1000, 5000, 20000, 0, 0 },
	{ 1, "read", 100000, 800, 900, 100, 4 },
	{ 1, "openat", 400, 3000, 5000, 0, 0 },
	{ 1, "poll", 100, 3000, 5000, 0, 0 },
	{ 1, "few", 5, 1000, 1000, 0, 0 },
	{ 2, "gone", 50, 1000, 1000, 0, 0 },
};

static const struct made after[] = {
	{ 1, "few", 15, 900000, 900000, 0, 0 },
	{ 1, "new", 50, 1000, 1000, 0, 0 },
	{ 1, "openat", 400, 3000, 5000, 12, 2 },
	{ 1, "poll", 300, 1000, 1000, 0, 0 },
	{ 1, "read", 100000, 1500, 1700, 100, 4 },
	{ 1, "futex", 1000, 15000, 21000, 0, 0 },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void make(struct comparison *comparison)
{
	memset(comparison, 0, sizeof(*comparison));
	make_side(&comparison->sides[COMPARISON_A], "a", before, COUNT(before), "web");
	make_side(&comparison->sides[COMPARISON_B], "b", after, COUNT(after), "web");
	comparison_match(comparison);
}

START_TEST(what_changed)
{
	struct comparison comparison;

	make(&comparison);
	ck_assert_uint_eq(comparison.count, 14);
	ck_assert_uint_eq(find(&comparison, NULL, "futex")->changes, CHANGE_SLOWER);
	ck_assert_uint_eq(find(&comparison, "web", "futex")->changes, CHANGE_SLOWER);
	/* Less than a microsecond is no change, however many times it is. */
	ck_assert_uint_eq(find(&comparison, "web", "read")->changes, 0);
	ck_assert_uint_eq(find(&comparison, "web", "openat")->changes, CHANGE_FAILS);
	ck_assert_uint_eq(find(&comparison, "web", "openat")->errnos[0].number, 2);
	ck_assert_uint_eq(find(&comparison, "web", "poll")->changes, CHANGE_FASTER | CHANGE_MORE);
	ck_assert_uint_eq(find(&comparison, "web", "few")->changes, 0); /* too few to tell */
	ck_assert_uint_eq(find(&comparison, "web", "new")->changes, CHANGE_NEW);
	ck_assert_uint_eq(find(&comparison, "other", "gone")->changes, CHANGE_GONE);
	/* Those of all processes first, by what they changed. */
	ck_assert_str_eq(comparison.rows[0].name, "read");
	for (size_t i = 1; i < comparison.count; i++)
		ck_assert(!comparison.rows[i].comm || comparison.rows[i - 1].comm ||
			  comparison.rows[i].impact <= comparison.rows[0].impact);
	comparison_release(&comparison);
}
END_TEST

/* A job that took twice as long made half of the calls of each kind in a second. */
START_TEST(a_slower_job_makes_no_fewer_calls)
{
	struct comparison comparison;

	memset(&comparison, 0, sizeof(comparison));
	make_side(&comparison.sides[COMPARISON_A], "a", before, COUNT(before), "web");
	make_side(&comparison.sides[COMPARISON_B], "b", before, COUNT(before), "web");
	comparison.sides[COMPARISON_B].seconds = 4;
	comparison.sides[COMPARISON_B].rows[3].calls *= 2;
	comparison_match(&comparison);
	ck_assert_double_eq(comparison_rate_ratio(&comparison), 0.5);
	ck_assert_uint_eq(find(&comparison, "web", "futex")->changes, 0);
	ck_assert_uint_eq(find(&comparison, "web", "poll")->changes, 0);
	comparison_release(&comparison);
}
END_TEST

START_TEST(text)
{
	struct comparison_form form = { .ascii = true };
	struct comparison comparison;
	struct str out = STR_INIT;

	make(&comparison);
	comparison_add_text(&out, &comparison, &form);
	ck_assert_msg(strstr(out.data,
		"A is a: 102k calls in 2.000 s\nB is b: 102k calls in 2.000 s\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data,
		"  futex                2.50ms   7.50ms      500      500   5.00us   15.0us"
		"   20.0us   21.0us     @             @          slower 3.0x\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data,
		"  gone                 25.0us        -       25        -   1.00us        -"
		"   1.00us        -     @                        gone\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data, "newly failing ENOENT 12\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data, "\nweb\n\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data, "faster 5.0x, more calls 3.0x\n"), "%s", out.data);
	str_clear(&out);
	form.width = 100;
	comparison_add_text(&out, &comparison, &form);
	ck_assert_ptr_null(strchr(out.data, '@'));
	str_clear(&out);
	comparison_add_json(&out, &comparison);
	ck_assert_ptr_nonnull(strstr(out.data, "\"changes\":[\"newly failing\"],"
					       "\"new_errnos\":{\"ENOENT\":12}}\n"));
	ck_assert_ptr_nonnull(strstr(out.data, "\"b\":null,\"changes\":[\"gone\"]"));
	ck_assert_ptr_nonnull(strstr(out.data, "{\"type\":\"comparison\",\"a\":{\"file\":\"a\","));
	str_release(&out);
	comparison_release(&comparison);
}
END_TEST

Suite *suite_comparison(void);
Suite *suite_comparison(void)
{
	Suite *suite = suite_create("comparison");
	TCase *tcase = tcase_create("comparison");

	tcase_add_test(tcase, what_changed);
	tcase_add_test(tcase, a_slower_job_makes_no_fewer_calls);
	tcase_add_test(tcase, text);
	suite_add_tcase(suite, tcase);
	return suite;
}
