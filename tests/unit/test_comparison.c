#include "tui/report/comparison_text.h"

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
			.pid = made[i].pid,
			.nr = (uint32_t)i,
			.calls = made[i].calls,
			.total_ns = made[i].calls * made[i].p50_ns,
			.p50_ns = made[i].p50_ns,
			.p99_ns = made[i].p99_ns,
			.errors = made[i].errors,
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
	{ 1, "futex", 1000, 5000, 20000, 0, 0 }, { 1, "read", 100000, 800, 900, 100, 4 },
	{ 1, "openat", 400, 3000, 5000, 0, 0 },  { 1, "poll", 100, 3000, 5000, 0, 0 },
	{ 1, "few", 5, 1000, 1000, 0, 0 },       { 2, "gone", 50, 1000, 1000, 0, 0 },
};

static const struct made after[] = {
	{ 1, "few", 15, 900000, 900000, 0, 0 },    { 1, "new", 50, 1000, 1000, 0, 0 },
	{ 1, "openat", 400, 3000, 5000, 12, 2 },   { 1, "poll", 300, 1000, 1000, 0, 0 },
	{ 1, "read", 100000, 1500, 1700, 100, 4 }, { 1, "futex", 1000, 15000, 21000, 0, 0 },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void make(struct comparison *comparison)
{
	memset(comparison, 0, sizeof(*comparison));
	make_side(&comparison->sides[COMPARISON_A], "a", before, COUNT(before), "web");
	make_side(&comparison->sides[COMPARISON_B], "b", after, COUNT(after), "web");
	comparison_match(comparison);
}

START_TEST(changes_are_classified)
{
	struct comparison comparison;

	make(&comparison);
	ck_assert_uint_eq(comparison.count, 14);
	ck_assert_uint_eq(find(&comparison, NULL, "futex")->changes, CHANGE_SLOWER);
	ck_assert_uint_eq(find(&comparison, "web", "futex")->changes, CHANGE_SLOWER);
	/* A difference below 1 us is not a change, at any ratio. */
	ck_assert_uint_eq(find(&comparison, "web", "read")->changes, 0);
	ck_assert_uint_eq(find(&comparison, "web", "openat")->changes, CHANGE_FAILS);
	ck_assert_uint_eq(find(&comparison, "web", "openat")->errnos[0].number, 2);
	ck_assert_uint_eq(find(&comparison, "web", "poll")->changes, CHANGE_FASTER | CHANGE_MORE);
	ck_assert_uint_eq(find(&comparison, "web", "few")->changes, 0); /* too few calls */
	ck_assert_uint_eq(find(&comparison, "web", "new")->changes, CHANGE_NEW);
	ck_assert_uint_eq(find(&comparison, "other", "gone")->changes, CHANGE_GONE);
	/* Rows of all processes come first. In both groups, changed rows come first, by rank. */
	for (size_t i = 1; i < comparison.count; i++) {
		const struct comparison_row *row = &comparison.rows[i], *last = row - 1;

		ck_assert(row->comm || !last->comm);
		ck_assert(row->changes || row->rank == 0);
		if (!row->comm == !last->comm)
			ck_assert(last->changes ? last->rank >= row->rank : !row->changes);
	}
	ck_assert_ptr_null(comparison.rows[0].comm);
	ck_assert(comparison.rows[0].changes);
	comparison_release(&comparison);
}
END_TEST

/* Calls that nearly ceased are few on one side only, so they count as changed. */
START_TEST(calls_that_ceased_are_listed)
{
	static const struct made was[] = {
		{ 1, "fdatasync", 460, 2000000, 9000000, 0, 0 },
		{ 1, "read", 100000, 800, 900, 0, 0 },
		{ 1, "poll", 1000, 800, 900, 0, 0 },
		{ 1, "write", 1000, 800, 900, 0, 0 },
		{ 1, "few", 30, 800, 900, 0, 0 },
	};
	static const struct made is[] = {
		{ 1, "fdatasync", 8, 2000000, 9000000, 0, 0 },
		{ 1, "read", 400, 800, 900, 0, 0 },
		{ 1, "poll", 1010, 800, 900, 0, 0 },
		{ 1, "write", 990, 800, 900, 0, 0 },
		{ 1, "few", 12, 800, 900, 0, 0 },
	};
	struct comparison comparison;

	/* `read`, the most frequent call, nearly ceases. Still, `poll` counts as unchanged. */
	memset(&comparison, 0, sizeof(comparison));
	make_side(&comparison.sides[COMPARISON_A], "a", was, COUNT(was), "web");
	make_side(&comparison.sides[COMPARISON_B], "b", is, COUNT(is), "web");
	comparison_match(&comparison);
	ck_assert_uint_eq(find(&comparison, NULL, "fdatasync")->changes, CHANGE_FEWER);
	ck_assert_uint_eq(find(&comparison, NULL, "read")->changes, CHANGE_FEWER);
	ck_assert_uint_eq(find(&comparison, NULL, "poll")->changes, 0);
	ck_assert_uint_eq(find(&comparison, NULL, "few")->changes, 0); /* can be chance */
	ck_assert_str_eq(comparison.rows[0].name, "fdatasync");
	ck_assert_str_eq(comparison.rows[1].name, "read");
	comparison_release(&comparison);
	/* With the sides swapped, these calls count as more frequent. `poll` stays unchanged. */
	memset(&comparison, 0, sizeof(comparison));
	make_side(&comparison.sides[COMPARISON_A], "a", is, COUNT(is), "web");
	make_side(&comparison.sides[COMPARISON_B], "b", was, COUNT(was), "web");
	comparison_match(&comparison);
	ck_assert_uint_eq(find(&comparison, NULL, "fdatasync")->changes, CHANGE_MORE);
	ck_assert_uint_eq(find(&comparison, NULL, "read")->changes, CHANGE_MORE);
	ck_assert_uint_eq(find(&comparison, NULL, "poll")->changes, 0);
	comparison_release(&comparison);
}
END_TEST

/* A job that takes twice as long makes half as many calls of each kind per second. */
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

struct outcome {
	const char *name;
	struct engine_row a, b;
	double a_seconds; /* duration of side A; side B takes 1 s */
	unsigned int changes;
};

#define TIMES(count, p50, p99, average, deviation) \
	.calls = count, .p50_ns = p50, .p99_ns = p99, .total_ns = (uint64_t)(count) * (average), \
	.deviation_ns = deviation

/* clang-format off */
START_TEST(chance_is_not_a_change)
{
	static const struct outcome cases[] = {
		{ "one slow call of few",
		  { TIMES(30, 5000, 9000, 5000, 1000), .histogram = { 0, 30 } },
		  { TIMES(30, 5000, 900000, 35000, 160000), .histogram = { 0, 29, 0, 1 } },
		  1, 0 },
		{ "ten of a thousand",
		  { TIMES(5000, 5000, 9000, 5000, 1000), .histogram = { 0, 5000 } },
		  { TIMES(5000, 5000, 900000, 14000, 90000), .histogram = { 0, 4940, 0, 60 } },
		  1, CHANGE_SLOWER },
		{ "median of few calls that vary as much",
		  { TIMES(20, 50000, 900000, 200000, 300000), .histogram = { 0, 8, 0, 7, 5 } },
		  { TIMES(20, 90000, 900000, 250000, 310000), .histogram = { 0, 7, 0, 7, 6 } },
		  1, 0 },
		{ "most calls, though one outlier hides it in the average",
		  { TIMES(100, 5000, 90000000, 905000, 9000000),
		    .histogram = { 0, 99, 0, 0, 0, 0, 0, 1 } },
		  { TIMES(100, 50000, 90000000, 950000, 9000000),
		    .histogram = { 0, 0, 0, 99, 0, 0, 0, 1 } },
		  1, CHANGE_SLOWER },
		{ "some more calls of few", { TIMES(20, 5000, 5000, 5000, 0) },
		  { TIMES(32, 5000, 5000, 5000, 0) }, 1, 0 },
		{ "as many more of many", { TIMES(2000, 5000, 5000, 5000, 0) },
		  { TIMES(3200, 5000, 5000, 5000, 0) }, 1, CHANGE_MORE },
		{ "one failure of a thousand", { TIMES(1000, 5000, 5000, 5000, 0) },
		  { TIMES(1000, 5000, 5000, 5000, 0), .errors = 1, .errno_count = 1,
		    .errnos = { { .number = 4, .count = 1 } } }, 1, 0 },
		{ "all of few calls fail", { TIMES(2, 5000, 5000, 5000, 0) },
		  { TIMES(1, 5000, 5000, 5000, 0), .errors = 1, .errno_count = 1,
		    .errnos = { { .number = 2, .count = 1 } } }, 1, CHANGE_FAILS },
		{ "A was too short for it", { .calls = 0 }, { TIMES(3, 5000, 5000, 5000, 0) },
		  0.01, 0 },
		{ "A was long enough", { .calls = 0 }, { TIMES(3, 5000, 5000, 5000, 0) },
		  10, CHANGE_NEW },
	};

	/* clang-format on */
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct comparison comparison = { 0 };

		for (int side = 0; side < COMPARISON_SIDES; side++) {
			struct engine_row *rows = calloc(2, sizeof(*rows));

			/* The second row keeps the total call rates equal. */
			rows[0] = side ? cases[i].b : cases[i].a;
			strcpy(rows[0].name, "read");
			rows[1] = (struct engine_row){ TIMES(1000000, 1000, 1000, 1000, 0) };
			strcpy(rows[1].name, "close");
			comparison.sides[side] = (struct comparison_side){
				.file = strdup("f"),
				.calls = 1000000,
				.totals = rows,
				.seconds = side ? 1 : cases[i].a_seconds,
				.total_count = 2,
			};
		}
		comparison_match(&comparison);
		ck_assert_msg(find(&comparison, NULL, "read")->changes == cases[i].changes,
			      "%s: %x", cases[i].name, find(&comparison, NULL, "read")->changes);
		comparison_release(&comparison);
	}
}
END_TEST

START_TEST(text_has_both_sides)
{
	struct comparison_form form = { .ascii = true };
	struct comparison comparison;
	struct str out = STR_INIT;

	make(&comparison);
	comparison_add_text(&out, &comparison, &form);
	ck_assert_msg(
		strstr(out.data, "A is a: 102k calls in 2.000 s\nB is b: 102k calls in 2.000 s\n"),
		"%s", out.data);
	ck_assert_msg(
		strstr(out.data,
		       "  futex                2.50ms   7.50ms      500      500   5.00us   15.0us"
		       "   20.0us   21.0us     @             @          slower 3.0x\n"),
		"%s", out.data);
	ck_assert_msg(
		strstr(out.data,
		       "  gone                 25.0us        -       25        -   1.00us        -"
		       "   1.00us        -     @                        gone\n"),
		"%s", out.data);
	ck_assert_msg(strstr(out.data, "newly failing ENOENT 12\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data, "\nweb\n\n"), "%s", out.data);
	ck_assert_msg(strstr(out.data, "faster 5.0x, more calls 3.0x\n"), "%s", out.data);
	str_clear(&out);
	str_release(&out);
	comparison_release(&comparison);
}
END_TEST

static size_t longest_line(const char *from)
{
	size_t longest = 0;

	for (const char *end; (end = strchr(from, '\n')); from = end + 1)
		if ((size_t)(end - from) > longest)
			longest = (size_t)(end - from);
	return longest;
}

START_TEST(narrow_tables_drop_columns)
{
	static const struct {
		int width;
		bool bars, time, calls;
	} cases[] = {
		{ 0, true, true, true },    { 138, true, true, true },   { 120, true, true, false },
		{ 80, true, false, false }, { 60, false, false, false },
	};
	struct comparison comparison;

	make(&comparison);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct comparison_form form = { .ascii = true, .width = cases[i].width };
		struct str out = STR_INIT;
		const char *table;

		comparison_add_text(&out, &comparison, &form);
		table = strstr(out.data, "\n  syscall");
		ck_assert_ptr_nonnull(table);
		ck_assert_msg(!strchr(table, '@') == !cases[i].bars, "%d: %s", cases[i].width,
			      table);
		ck_assert_msg(!strstr(table, "time/s") == !cases[i].time, "%d: %s", cases[i].width,
			      table);
		ck_assert_msg(!strstr(table, "call/s") == !cases[i].calls, "%d: %s", cases[i].width,
			      table);
		ck_assert_msg(!cases[i].width || longest_line(table) <= (size_t)cases[i].width,
			      "%d: %s", cases[i].width, table);
		str_release(&out);
	}
	comparison_release(&comparison);
}
END_TEST

START_TEST(json_has_both_sides_and_changes)
{
	struct comparison comparison;
	struct str out = STR_INIT;

	make(&comparison);
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

	tcase_add_test(tcase, changes_are_classified);
	tcase_add_test(tcase, calls_that_ceased_are_listed);
	tcase_add_test(tcase, a_slower_job_makes_no_fewer_calls);
	tcase_add_test(tcase, chance_is_not_a_change);
	tcase_add_test(tcase, text_has_both_sides);
	tcase_add_test(tcase, narrow_tables_drop_columns);
	tcase_add_test(tcase, json_has_both_sides_and_changes);
	suite_add_tcase(suite, tcase);
	return suite;
}
