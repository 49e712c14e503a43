#include "engine/source/bpf/bpf_predicates.h"

#include "tests/unit/runner.h"

#include <string.h>

static bool wants(const struct bpf_bank *bank, uint32_t nr)
{
	return bank->syscalls[nr / 64] >> (nr % 64) & 1;
}

START_TEST(all_syscalls_match_without_a_filter)
{
	struct kernel_filter filter;
	struct bpf_bank bank;

	kernel_filter_init(&filter);
	memset(&bank, 0xff, sizeof(bank));
	bpf_predicates_fill_bank(&bank, &filter);
	for (uint32_t nr = 0; nr < BPF_SYSCALLS; nr++)
		ck_assert_msg(wants(&bank, nr), "%u", nr);
	ck_assert(!bank.by_task && !bank.not_task && !bank.nothing && !bank.failed);
	ck_assert_uint_eq(bank.min_ns, 0);
}
END_TEST

START_TEST(bank_has_the_syscalls_of_the_filter)
{
	static const uint32_t numbers[] = { 0, 1, 63, 64, 65, 202, 1023 };
	struct kernel_filter filter;
	struct bpf_bank bank;

	kernel_filter_init(&filter);
	filter.by_syscall = true;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		kernel_filter_allow(&filter, numbers[i]);
	bpf_predicates_fill_bank(&bank, &filter);
	for (uint32_t nr = 0; nr < BPF_SYSCALLS; nr++)
		ck_assert_msg(wants(&bank, nr) == kernel_filter_allows(&filter, nr), "%u", nr);
}
END_TEST

START_TEST(bank_has_tasks_results_and_nothing)
{
	uint32_t ids[] = { 1, 2 };
	struct kernel_filter filter;
	struct bpf_bank bank;

	kernel_filter_init(&filter);
	filter.pids = ids;
	filter.pid_count = 2;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(bank.by_task && !bank.not_task);
	kernel_filter_init(&filter);
	filter.tids = ids;
	filter.tid_count = 1;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(bank.by_task && !bank.not_task);
	kernel_filter_init(&filter);
	filter.not_pids = ids;
	filter.not_pid_count = 1;
	filter.min_dur_ns = 5000;
	filter.failed = true;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(!bank.by_task && bank.not_task && bank.failed);
	ck_assert_uint_eq(bank.min_ns, 5000);
	filter.nothing = true;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(bank.nothing);
}
END_TEST

START_TEST(users_are_ranges)
{
	struct id_range ranges[BPF_UIDS + 1] = { { 0, 0 }, { 1000, UINT32_MAX } };
	struct kernel_filter filter;
	struct bpf_bank bank;

	kernel_filter_init(&filter);
	filter.by_uid = filter.owners = true;
	filter.uids = ranges;
	filter.uid_count = 2;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(bank.by_uid && bank.owners && !bank.by_cgroup);
	ck_assert_uint_eq(bank.uid_count, 2);
	ck_assert_uint_eq(bank.uids[1].lo, 1000);
	ck_assert_uint_eq(bank.uids[1].hi, UINT32_MAX);
	/* More ranges than fit: all users match. */
	filter.uid_count = BPF_UIDS + 1;
	bpf_predicates_fill_bank(&bank, &filter);
	ck_assert(!bank.by_uid && bank.owners);
}
END_TEST

Suite *suite_bpf_predicates(void);
Suite *suite_bpf_predicates(void)
{
	Suite *suite = suite_create("bpf_predicates");
	TCase *tc = tcase_create("banks");

	tcase_add_test(tc, all_syscalls_match_without_a_filter);
	tcase_add_test(tc, bank_has_the_syscalls_of_the_filter);
	tcase_add_test(tc, bank_has_tasks_results_and_nothing);
	tcase_add_test(tc, users_are_ranges);
	suite_add_tcase(suite, tc);
	return suite;
}
