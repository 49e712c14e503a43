/*
 * For random filters and calls, the pushdown to BPF programs and to events passes every call that
 * the filter matches.
 */
#include "engine/base/cgroup_path.h"
#include "engine/filter/filter_names.h"
#include "engine/source/bpf/bpf_predicates.h"
#include "engine/source/perf/perf_filter.h"
#include "tests/unit/random_filter.h"
#include "tests/unit/runner.h"
#include "tests/unit/tracepoint_filter.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 20000
#define CALLS 30
#define THREADS 10 /* per process; its tids are PID * THREADS and up */

static struct syscalls *syscalls;
static struct filter_names names;

static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
}

static void teardown(void)
{
	syscalls_free(syscalls);
}

static struct filter *random_parsed(unsigned *seed, unsigned round, struct str *text)
{
	struct filter *filter = NULL;
	struct filter_error error = { .column = 0 };

	str_clear(text);
	random_filter(text, seed, 1 + round % 5);
	ck_assert_msg(!filter_parse(&filter, text->data, &names, &error), "%s: %s", text->data,
		      error.err.text);
	return filter;
}

static bool holds(const uint32_t *ids, size_t count, uint32_t id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* -- BPF programs --------------------------------------------------------------------- */

/* Evaluate a bank and its maps as the programs of engine/source/bpf/ do. */
static bool programs_pass(const struct bpf_bank *bank, const struct kernel_filter *half,
			  const struct call *call)
{
	const char *cgroup = random_cgroup(NULL, call);
	bool in_uids = !bank->by_uid, in_cgroups = !half->cgroup_count, failed;
	uint32_t uid;

	if (bank->nothing ||
	    (call->nr < BPF_SYSCALLS && !(bank->syscalls[call->nr / 64] >> call->nr % 64 & 1)))
		return false;
	if (bank->not_task && holds(half->not_pids, half->not_pid_count, call->pid))
		return false;
	if (bank->by_task && !holds(half->pids, half->pid_count, call->pid) &&
	    !holds(half->tids, half->tid_count, call->tid))
		return false;
	random_uid(NULL, call, &uid);
	for (uint32_t i = 0; i < bank->uid_count; i++)
		in_uids = in_uids || (uid >= bank->uids[i].lo && uid <= bank->uids[i].hi);
	for (size_t i = 0; i < half->cgroup_count; i++)
		in_cgroups = in_cgroups || cgroup_path_in(cgroup, half->cgroups[i]);
	if (!in_uids || !in_cgroups)
		return false;
	/* Duration and result are tested only for calls with an enter and an exit. */
	if (call->state != CALL_DONE)
		return true;
	failed = call->ret < 0 && call->ret >= -4095;
	return (uint64_t)call->dur_ns >= bank->min_ns && (!bank->failed || failed);
}

START_TEST(bpf_pushdown_passes_every_match)
{
	struct filter_reader reader = random_reader();
	unsigned seed = 17, reported = 0, dropped = 0, matched = 0;
	struct str text = STR_INIT;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct filter *filter = random_parsed(&seed, round, &text);
		struct kernel_filter half;
		struct bpf_bank bank;

		filter_kernel_half(filter, &half);
		memset(&bank, 0, sizeof(bank));
		bpf_predicates_fill_bank(&bank, &half);
		for (unsigned i = 0; i < CALLS; i++) {
			struct call call = random_call(&seed);
			bool whole = filter_match(filter, &call, &reader);
			bool comes = programs_pass(&bank, &half, &call);

			if (whole && !comes)
				ck_abort_msg("%s: pid %u tid %u nr %u is dropped", text.data,
					     call.pid, call.tid, call.nr);
			reported += comes;
			dropped += !comes;
			matched += whole;
		}
		kernel_filter_release(&half);
		filter_free(filter);
	}
	ck_assert_uint_gt(matched, 50000);
	ck_assert_uint_gt(dropped, 50000);
	ck_assert_uint_gt(reported, matched);
	str_release(&text);
}
END_TEST

/* -- Events ------------------------------------------------------------------------------ */

/* List the threads of excluded processes, as the source does from /proc. */
static size_t threads_of(const struct kernel_filter *half, uint32_t tids[], size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < half->not_pid_count; i++)
		for (uint32_t k = 0; k < THREADS && count < max; k++)
			tids[count++] = half->not_pids[i] * THREADS + k;
	return count;
}

static bool event_filter_passes(const char *text, const struct kernel_filter *half,
				const struct call *call)
{
	const struct tracepoint_field fields[] = { { "id", call->nr },
						   { "common_pid", call->tid } };

	/* Only included tasks have events: calls of other tasks are dropped. */
	if (half->nothing || ((half->pid_count || half->tid_count) &&
			      !holds(half->pids, half->pid_count, call->pid) &&
			      !holds(half->tids, half->tid_count, call->tid)))
		return false;
	return tracepoint_filter_passes(text, fields, 2);
}

START_TEST(event_pushdown_passes_every_match)
{
	struct filter_reader reader = random_reader();
	unsigned seed = 19, dropped = 0, matched = 0, strings = 0;
	struct str text = STR_INIT, string = STR_INIT;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct filter *filter = random_parsed(&seed, round, &text);
		uint32_t tids[1024];
		struct kernel_filter half;

		filter_kernel_half(filter, &half);
		perf_filter_format(&string, &half, tids, threads_of(&half, tids, 1024));
		strings += string.len > 0;
		for (unsigned i = 0; i < CALLS; i++) {
			struct call call = random_call(&seed);
			bool whole, comes;

			call.tid = call.pid * THREADS + call.tid;
			whole = filter_match(filter, &call, &reader);
			comes = event_filter_passes(string.data, &half, &call);
			if (whole && !comes)
				ck_abort_msg("%s: pid %u tid %u nr %u is dropped: %s", text.data,
					     call.pid, call.tid, call.nr, string.data);
			dropped += !comes;
			matched += whole;
		}
		kernel_filter_release(&half);
		filter_free(filter);
	}
	ck_assert_uint_gt(matched, 50000);
	ck_assert_uint_gt(dropped, 50000);
	ck_assert_uint_gt(strings, ROUNDS / 5);
	str_release(&text);
	str_release(&string);
}
END_TEST

/* Filters on system calls that a user types fit into a page, so their strings are exact. */
START_TEST(syscall_strings_are_exact)
{
	unsigned seed = 23, exact = 0;
	struct str string = STR_INIT;

	for (unsigned round = 0; round < 3000; round++) {
		struct kernel_filter half = { .by_syscall = true };
		unsigned count = 1 + (unsigned)rand_r(&seed) % 60;

		for (unsigned i = 0; i < count; i++)
			kernel_filter_allow(&half, (uint32_t)rand_r(&seed) % 460);
		perf_filter_format(&string, &half, NULL, 0);
		for (uint32_t nr = 0; nr < 470; nr++) {
			const struct tracepoint_field id = { "id", nr };
			bool comes = tracepoint_filter_passes(string.data, &id, 1);

			if (comes != kernel_filter_allows(&half, nr))
				ck_abort_msg("%u in %s", nr, string.data);
			exact++;
		}
	}
	ck_assert_uint_gt(exact, 1000000);
	str_release(&string);
}
END_TEST

/* Filter strings beyond a page are made coarser, not cut, so that every allowed call passes. */
START_TEST(strings_beyond_a_page_are_coarser)
{
	struct str string = STR_INIT;
	unsigned seed = 29;

	for (unsigned round = 0; round < 300; round++) {
		struct kernel_filter half = { .by_syscall = true };
		uint32_t tids[800];

		for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
			if (rand_r(&seed) % 2)
				kernel_filter_allow(&half, nr);
		for (uint32_t i = 0; i < 800; i++)
			tids[i] = 100000 + i;
		perf_filter_format(&string, &half, tids, round % 2 ? 800 : 0);
		ck_assert_uint_lt(string.len, PERF_FILTER_BYTES);
		for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr += 7) {
			const struct tracepoint_field fields[] = { { "id", nr },
								   { "common_pid", 1 } };
			bool comes = tracepoint_filter_passes(string.data, fields, 2);

			if (kernel_filter_allows(&half, nr) && !comes)
				ck_abort_msg("%u in %s", nr, string.data);
		}
	}
	str_release(&string);
}
END_TEST

Suite *suite_filter_pushdown(void);
Suite *suite_filter_pushdown(void)
{
	Suite *suite = suite_create("filter_pushdown");
	TCase *tests = tcase_create("filter_pushed");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, bpf_pushdown_passes_every_match);
	tcase_add_test(tests, event_pushdown_passes_every_match);
	tcase_add_test(tests, syscall_strings_are_exact);
	tcase_add_test(tests, strings_beyond_a_page_are_coarser);
	suite_add_tcase(suite, tests);
	return suite;
}
