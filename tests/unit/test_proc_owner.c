#include "engine/process/proc_owner.h"

#include "engine/helper/reader.h"
#include "engine/process/proc_probe.h"
#include "engine/source/perf/perf_owners.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

START_TEST(a_status_has_the_user_and_the_pid_in_its_namespace)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct proc_owner owner = { .uid = 99, .ns_pid = 99 };

		ck_assert_msg(proc_owner_parse_status(&owner, statuses[i].text) ==
				      statuses[i].known,
			      "%s", statuses[i].name);
		if (!statuses[i].known)
			continue;
		ck_assert_msg(owner.uid == statuses[i].uid && owner.ns_pid == statuses[i].ns_pid,
			      "%s: %u, %u", statuses[i].name, owner.uid, owner.ns_pid);
	}
}
END_TEST

/* The first record of a task can be an exit. A call that changes the user causes another lookup. */
START_TEST(an_owner_is_looked_up_at_the_first_record)
{
	static const struct {
		const char *name;
		enum record_kind kind;
		uint32_t nr;
		bool reported;
	} records[] = {
		{ "the first exit", RECORD_EXIT, SYS_read, true },
		{ "an enter", RECORD_ENTER, SYS_setuid, false },
		{ "the exit of a change", RECORD_EXIT, SYS_setuid, false },
		{ "the enter after it", RECORD_ENTER, SYS_read, true },
		{ "its exit", RECORD_EXIT, SYS_read, false },
	};
	static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
		[READER_TASKS] = proc_probe_handle,
	};
	/* Read in this process, or by a reader. */
	struct reader *reader = _i ? reader_new_here(handlers) : NULL;
	struct perf_owners owners = { .wanted = true, .reader = reader };
	struct task_table tasks;
	struct record owner;

	ck_assert_int_eq(task_table_init(&tasks), 0);
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct record record = { .kind = records[i].kind,
					 .time_ns = 1000 + i,
					 .pid = (uint32_t)getpid(),
					 .tid = (uint32_t)gettid() };

		if (record.kind == RECORD_EXIT)
			record.exit.nr = records[i].nr;
		else
			record.enter.nr = records[i].nr;
		ck_assert_msg(perf_owners_before(&owners, &tasks, &record, &owner) ==
				      records[i].reported,
			      "%s", records[i].name);
		if (records[i].reported)
			ck_assert(owner.owner.uid == geteuid() &&
				  !strcmp(owner.owner.comm, program_invocation_short_name));
	}
	perf_owners_release(&owners);
	task_table_release(&tasks);
	reader_free(reader);
}
END_TEST

Suite *suite_proc_owner(void);
Suite *suite_proc_owner(void)
{
	Suite *suite = suite_create("proc_owner");
	TCase *tests = tcase_create("proc_owner");

	tcase_add_test(tests, a_status_has_the_user_and_the_pid_in_its_namespace);
	tcase_add_loop_test(tests, an_owner_is_looked_up_at_the_first_record, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
