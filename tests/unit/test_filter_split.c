#include "engine/base/cgroup_path.h"
#include "tests/unit/filter_fixture.h"
#include "tests/unit/random_filter.h"
#include "tests/unit/runner.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct filter_fixture fixture;

static void setup(void)
{
	filter_fixture_init(&fixture);
}

static void teardown(void)
{
	filter_fixture_release(&fixture);
}

static struct filter *parse(const char *text)
{
	return filter_fixture_parse(&fixture, text);
}

static bool holds(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* Test the task owner as BPF programs do, which always know it. */
static bool kernel_takes_owner(const struct kernel_filter *kernel, const struct call *call)
{
	const char *cgroup = random_cgroup(NULL, call);
	bool in_uids = !kernel->by_uid, in_cgroups = !kernel->cgroup_count;
	uint32_t uid;

	random_uid(NULL, call, &uid);
	for (size_t i = 0; i < kernel->uid_count; i++)
		in_uids = in_uids || (uid >= kernel->uids[i].lo && uid <= kernel->uids[i].hi);
	for (size_t i = 0; i < kernel->cgroup_count; i++)
		in_cgroups = in_cgroups || cgroup_path_in(cgroup, kernel->cgroups[i]);
	return in_uids && in_cgroups;
}

/* Apply the pushdown as the kernel does, by the contract of kernel_filter.h. */
static bool kernel_takes(const struct kernel_filter *kernel, const struct call *call)
{
	bool any = !kernel->pid_count && !kernel->tid_count;

	/* Result and duration are tested only for calls with an enter and an exit. */
	if (call->state == CALL_DONE &&
	    ((kernel->failed && !call_failed(call)) ||
	     (call->dur_ns >= 0 && (uint64_t)call->dur_ns < kernel->min_dur_ns)))
		return false;
	return !kernel->nothing && kernel_takes_owner(kernel, call) &&
	       kernel_filter_allows(kernel, call->nr) &&
	       (any || holds(kernel->pids, kernel->pid_count, call->pid) ||
		holds(kernel->tids, kernel->tid_count, call->tid)) &&
	       !holds(kernel->not_pids, kernel->not_pid_count, call->pid);
}

START_TEST(pushdown_passes_every_match)
{
	struct filter_reader reader = random_reader();
	unsigned seed = 11, matched = 0, dropped = 0, nothing = 0, of_result = 0;

	for (unsigned round = 0; round < 20000; round++) {
		struct str text = STR_INIT;
		struct kernel_filter kernel;
		struct filter *filter;

		random_filter(&text, &seed, 1 + round % 5);
		filter = parse(text.data);
		filter_kernel_half(filter, &kernel);
		nothing += kernel.nothing;
		for (unsigned i = 0; i < 30; i++) {
			struct call call = random_call(&seed);
			bool kernel_says = kernel_takes(&kernel, &call);
			bool filter_says = filter_match(filter, &call, &reader);
			/* Numbers beyond SYSCALL_NR_MAX pass, by the contract. */
			bool counted = kernel.totals_exact && call.state == CALL_DONE &&
				       call.dur_ns >= 0 && call.nr < SYSCALL_NR_MAX;
			ck_assert_msg(!counted || filter_says == kernel_says,
				      "%s: pid %u tid %u nr %u is counted in error", text.data,
				      call.pid, call.tid, call.nr);
			of_result += counted && (kernel.min_dur_ns || kernel.failed);
			ck_assert_msg(!filter_says || kernel_says,
				      "%s: pid %u tid %u nr %u is dropped by the kernel", text.data,
				      call.pid, call.tid, call.nr);
			matched += filter_says;
			dropped += !kernel_says;
		}
		kernel_filter_release(&kernel);
		filter_free(filter);
		str_release(&text);
	}
	/* A pushdown that passes everything is correct, but useless. */
	ck_assert_uint_gt(matched, 100000);
	ck_assert_uint_gt(dropped, 50000);
	ck_assert_uint_gt(nothing, 100);
	ck_assert_uint_gt(of_result, 1000);
}
END_TEST

/* If the kernel can do all tests of a filter, the pushdown passes only matches. */
START_TEST(exact_pushdown_passes_only_matches)
{
	static const char *const exact[] = {
		"pid == 1",
		"pid != 1 && syscall == read",
		"pid not in {1, 2} && pid in {1..4}",
		"tid in {1, 2} && syscall != read",
		"3",
		"1 || 2",
		"pid == 1 || tid == 2",
		"(syscall == read || syscall == close) && pid == 2",
		"(pid == 1 || pid == 2) && (pid == 2 || pid == 3)",
		"not (pid == 1 || syscall == read)",
		"syscall == read && syscall == close",
		"pid == 1 && pid == 2",
		"syscall in {}",
		"!(syscall in {})",
		"%desc && !%file",
		"uid == 1",
		"uid != 1",
		"uid in {1, 3..4} && uid != 3 && pid == 2",
		"uid == 0 || uid > 2",
		"!(uid >= 2 || pid == 1)",
		"uid < 1 && uid > 1",
		"uid in {}",
	};
	struct filter_reader reader = random_reader();
	unsigned seed = 13;

	for (size_t i = 0; i < COUNT(exact); i++) {
		struct filter *filter = parse(exact[i]);
		struct kernel_filter kernel;

		filter_kernel_half(filter, &kernel);
		for (unsigned n = 0; n < 3000; n++) {
			struct call call = random_call(&seed);
			/* Numbers beyond SYSCALL_NR_MAX pass, by the contract. */
			if (call.nr >= SYSCALL_NR_MAX && !kernel.nothing)
				continue;
			ck_assert_msg(kernel_takes(&kernel, &call) ==
					      filter_match(filter, &call, &reader),
				      "%s: pid %u tid %u nr %u", exact[i], call.pid, call.tid,
				      call.nr);
		}
		kernel_filter_release(&kernel);
		filter_free(filter);
	}
}
END_TEST

struct explanation {
	const char *text, *explained;
};

static const struct explanation by_programs[] = {
	{ "syscall == futex && dur > 10ms",
	  "in kernel: syscall == futex && dur >= 10.0ms / here: dur > 10ms" },
	{ "failed && pid == 4", "in kernel: pid == 4 && failed / here: failed" },
	{ "errno == EAGAIN", "in kernel: failed / here: errno == EAGAIN" },
	{ "uid == 33", "in kernel: uid == 33" },
	{ "uid != 33", "in kernel: uid != 33" },
	{ "uid >= 1000 && uid != 65534", "in kernel: uid in {1000..65533, 65535..4294967295}" },
	{ "uid >= 1000", "in kernel: uid >= 1000" },
	{ "uid <= 1000", "in kernel: uid <= 1000" },
	{ "uid == root || dur < 5ms", "here: uid == root || dur < 5ms" },
	{ "uid in {1, 2} && read && ret > 0",
	  "in kernel: syscall == read && uid in {1..2} / here: ret > 0" },
	{ "cgroup == '/a' && uid == 0",
	  "in kernel: uid == 0 && cgroup == \"/a\" / here: cgroup == \"/a\"" },
	{ "cgroup in {'/a', b}",
	  "in kernel: cgroup in {\"/a\", \"b\"} / here: cgroup in {\"/a\", \"b\"}" },
	{ "cgroup != '/a'", "here: cgroup != \"/a\"" },
	{ "uid == 1 && uid == 2", "in kernel: nothing" },
};

static const struct explanation by_nothing[] = {
	{ "", "everything" },
	{ "pid == 4 && futex", "here: pid == 4 && syscall == futex" },
	{ "uid == 4", "here: uid == 4" },
};

static const struct explanation by_events[] = {
	{ "uid == 33 && read", "in kernel: syscall == read / here: uid == 33" },
	{ "cgroup == '/a'", "here: cgroup == \"/a\"" },
	{ "errno == EAGAIN", "here: errno == EAGAIN" },
	{ "", "everything" },
	{ "syscall == futex && dur > 10ms", "in kernel: syscall == futex / here: dur > 10ms" },
	{ "dur > 10ms && pid == 4 && futex",
	  "in kernel: syscall == futex && pid == 4 / here: dur > 10ms" },
	{ "failed", "here: failed" },
	{ "event == sched:sched_switch", "in kernel: nothing" },
	{ "read || event ~ exec", "in kernel: syscall == read" },
	{ "!(event ~ exec)", "everything" },
	{ "pid in {3, 1..2}", "in kernel: pid in {1, 2, 3}" },
	{ "42", "in kernel: (pid == 42 || tid == 42)" },
	{ "!42", "in kernel: pid != 42 / here: !42" },
	{ "pid == 1 && tid == 5", "in kernel: tid == 5 / here: pid == 1" },
	{ "syscall != read", "in kernel: syscall != read" },
	{ "syscall not in {read, write}", "in kernel: syscall not in {read, write}" },
	{ "read && dur > 1ms || write",
	  "in kernel: syscall in {read, write} / here: syscall == read && dur > 1ms || "
	  "syscall == write" },
	{ "(failed || in_flight) && read",
	  "in kernel: syscall == read / here: (failed || in_flight)" },
	{ "read && write", "in kernel: nothing" },
	{ "pid == 1 && read || pid == 2 && write",
	  "in kernel: syscall in {read, write} && pid in {1, 2} / here: pid == 1 && "
	  "syscall == read || pid == 2 && syscall == write" },
	{ "pid < 3", "in kernel: pid in {0, 1, 2}" },
	{ "pid > 3", "here: pid > 3" },
	{ "pid in {1..10}", "in kernel: pid in {1, 2, 3, 4, 5, 6, 7, 8 and 2 more}" },
};

static void check_explained(const struct explanation *explanations, size_t count,
			    enum filter_kernel by)
{
	for (size_t i = 0; i < count; i++) {
		struct filter *filter = parse(explanations[i].text);
		struct str out = STR_INIT;

		filter_explain(filter, by, &out);
		ck_assert_msg(!strcmp(out.data, explanations[i].explained), "%s: %s",
			      explanations[i].text, out.data);
		str_release(&out);
		filter_free(filter);
	}
}

START_TEST(pushdown_is_explained)
{
	check_explained(by_events, COUNT(by_events), FILTER_BY_EVENTS);
	check_explained(by_programs, COUNT(by_programs), FILTER_BY_PROGRAMS);
	check_explained(by_nothing, COUNT(by_nothing), FILTER_BY_NOTHING);
}
END_TEST

START_TEST(long_ranges_are_not_pushed_down)
{
	struct filter *filter = parse("pid in {1..4000000000}");
	struct kernel_filter kernel;

	filter_kernel_half(filter, &kernel);
	ck_assert(!kernel.pid_count && !kernel.nothing);
	kernel_filter_release(&kernel);
	filter_free(filter);
	/* Nothing matches beyond the largest pid. */
	filter = parse("pid in {5000000000..6000000000}");
	filter_kernel_half(filter, &kernel);
	ck_assert(kernel.nothing);
	kernel_filter_release(&kernel);
	filter_free(filter);
	filter_kernel_half(NULL, &kernel);
	ck_assert(!kernel.by_syscall && !kernel.nothing);
	kernel_filter_release(&kernel);
}
END_TEST

START_TEST(durations_and_failures_are_pushed_down)
{
	static const struct {
		const char *text;
		uint64_t min_dur_ns;
		bool failed;
	} cases[] = {
		{ "dur >= 5ms", 5000000, false },
		{ "dur > 5ms", 5000001, false },
		{ "dur < 5ms", 0, false },
		{ "!(dur < 5ms)", 5000000, false },
		{ "!(dur >= 5ms)", 0, false },
		{ "dur == 5ms", 5000000, false },
		{ "dur != 5ms", 0, false },
		{ "dur >= 5ms && dur >= 3ms && read", 5000000, false },
		{ "dur >= 5ms || dur >= 3ms", 3000000, false },
		{ "dur >= 5ms || read", 0, false },
		{ "failed", 0, true },
		{ "!failed", 0, false },
		{ "failed && dur >= 1ms", 1000000, true },
		{ "failed || dur >= 1ms", 0, false },
		{ "errno == EAGAIN", 0, true },
		{ "errno != EAGAIN", 0, false },
		{ "errno == EAGAIN || failed", 0, true },
		{ "in_flight && dur >= 1ms", 1000000, false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filter *filter = parse(cases[i].text);
		struct kernel_filter kernel;

		filter_kernel_half(filter, &kernel);
		ck_assert_msg(kernel.min_dur_ns == cases[i].min_dur_ns, "%s: %lu ns", cases[i].text,
			      (unsigned long)kernel.min_dur_ns);
		ck_assert_msg(kernel.failed == cases[i].failed, "%s", cases[i].text);
		kernel_filter_release(&kernel);
		filter_free(filter);
	}
}
END_TEST

Suite *suite_filter_split(void);
Suite *suite_filter_split(void)
{
	Suite *suite = suite_create("filter_split");
	TCase *tests = tcase_create("filter_split");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, pushdown_passes_every_match);
	tcase_add_test(tests, exact_pushdown_passes_only_matches);
	tcase_add_test(tests, pushdown_is_explained);
	tcase_add_test(tests, long_ranges_are_not_pushed_down);
	tcase_add_test(tests, durations_and_failures_are_pushed_down);
	suite_add_tcase(suite, tests);
	return suite;
}
