#include "engine/source/proc_owner.h"

#include "tests/unit/runner.h"

#define HEAD "Name:\tx\nTgid:\t4242\n"

static const struct {
	const char *name, *text;
	bool known;
	uint32_t uid, ns_pid;
} statuses[] = {
	{ "plain", HEAD "Uid:\t1\t2\t3\t4\nNStgid:\t4242\n", true, 2, 0 },
	{ "nested", HEAD "Uid:\t0\t0\t0\t0\nNStgid:\t4242\t7\nNSpid:\t4243\t8\n", true, 0, 7 },
	{ "nested twice", HEAD "Uid:\t0\t0\t0\t0\nNStgid:\t4242\t17\t1\n", true, 0, 1 },
	{ "an old kernel", HEAD "Uid:\t5\t5\t5\t5\n", true, 5, 0 },
	{ "cut", HEAD "Uid:\t5\t5\t5\t5\nNStgid:\t4242\t", true, 5, 0 },
	{ "words", HEAD "Uid:\t5\t5\t5\t5\nNStgid:\tx\ty\n", true, 5, 0 },
	{ "no user", HEAD "NStgid:\t4242\t7\n", false, 0, 0 },
	{ "empty", "", false, 0, 0 },
};

START_TEST(a_status_says_whose_it_is)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct proc_owner owner = { .uid = 99, .ns_pid = 99 };

		ck_assert_msg(proc_owner_parse_status(&owner, statuses[i].text) ==
			      statuses[i].known, "%s", statuses[i].name);
		if (!statuses[i].known)
			continue;
		ck_assert_msg(owner.uid == statuses[i].uid && owner.ns_pid == statuses[i].ns_pid,
			      "%s: %u, %u", statuses[i].name, owner.uid, owner.ns_pid);
	}
}
END_TEST

Suite *suite_proc_owner(void);
Suite *suite_proc_owner(void)
{
	Suite *suite = suite_create("proc_owner");
	TCase *tests = tcase_create("proc_owner");

	tcase_add_test(tests, a_status_says_whose_it_is);
	suite_add_tcase(suite, tests);
	return suite;
}
