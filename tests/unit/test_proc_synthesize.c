#include "engine/source/perf/proc_synthesize.h"

#include "engine/process/proc_stat.h"
#include "tests/unit/runner.h"

#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

START_TEST(call_lines_are_parsed)
{
	static const struct {
		const char *name, *text;
		bool is_call;
		uint32_t nr;
		uint64_t last_arg, sp;
	} cases[] = {
		{ "futex", "202 0x7f10 0x189 0x0 0x0 0x0 0xffffffff 0x7ffc10 0x7f20\n", true, 202,
		  0xffffffff, 0x7ffc10 },
		{ "read", "0 0x3 0x1 0x2 0x0 0x0 0x5 0x6 0x7\n", true, 0, 5, 6 },
		{ "on a cpu", "running\n", false, 0, 0, 0 },
		{ "a page fault", "-1 0x7ffc10 0x7f20\n", false, 0, 0, 0 },
		{ "cut short", "202 0x7f10 0x189 0x0", false, 0, 0, 0 },
		{ "empty", "", false, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record record = { .time_ns = 5 };

		ck_assert_msg(proc_synthesize_parse_call(&record, cases[i].text) ==
				      cases[i].is_call,
			      "%s", cases[i].name);
		if (!cases[i].is_call)
			continue;
		ck_assert_int_eq(record.kind, RECORD_INFLIGHT);
		ck_assert_uint_eq(record.inflight.nr, cases[i].nr);
		ck_assert_uint_eq(record.inflight.args[5], cases[i].last_arg);
		ck_assert_uint_eq(record.inflight.sp, cases[i].sp);
	}
}
END_TEST

START_TEST(stat_lines_with_hostile_names_are_parsed)
{
	static const struct {
		const char *text, *comm; /* comm NULL: refused */
		uint32_t parent, flags;
		uint64_t cpu_ticks;
	} cases[] = {
		{ "42 (cat) S 7 42 42 0 -1 64 1 2 3 4 50 6 7 8 20 0 1 0", "cat", 7, 64, 56 },
		{ "42 (cat) S 7 42 42 0 -1 4194304 1 2", "cat", 7, 4194304, 0 },
		{ "42 () S 7 42 42 0 -1 64 1 2", "", 7, 64, 0 },
		{ "42 (a) S 1 1 1) R 7 42 42 0 -1 64 1", "a) S 1 1 1", 7, 64, 0 },
		{ "42 (\n((\x1b) S 7 42 42 0 -1 64 1", "\n((\x1b", 7, 64, 0 },
		{ "42 (kworker/u16:2-events_unbound) I 2 0 0 0 -1 69238880 0",
		  "kworker/u16:2-events_unbound", 2, 69238880, 0 },
		{ "42 (cut) S 7 42", NULL, 0, 0, 0 },
		{ "42 (open S 7 42 42 0 -1 64", NULL, 0, 0, 0 },
		{ "42 )wrong( S 7 42 42 0 -1 64", NULL, 0, 0, 0 },
		{ "42 (x)", NULL, 0, 0, 0 },
		{ "", NULL, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct proc_stat stat;
		bool ok = proc_stat_parse(&stat, cases[i].text, strlen(cases[i].text));

		ck_assert_msg(ok == (cases[i].comm != NULL), "%s", cases[i].text);
		if (!ok)
			continue;
		ck_assert_str_eq(stat.comm, cases[i].comm);
		ck_assert_uint_eq(stat.parent_pid, cases[i].parent);
		ck_assert_uint_eq(stat.flags, cases[i].flags);
		ck_assert_uint_eq(stat.cpu_ticks, cases[i].cpu_ticks);
	}
}
END_TEST

static int pipe_fds[2];

static void *wait_in_read(void *arg)
{
	uint32_t *tid = arg;
	char byte;

	prctl(PR_SET_NAME, "seed) \x1b[1m");
	__atomic_store_n(tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	return (void *)(intptr_t)read(pipe_fds[0], &byte, 1);
}

/* Read /proc until the thread is in its read(2), at most 100 times. */
static bool find_reader(struct proc_synthesize *seed, const struct kernel_filter *filter,
			uint32_t tid, bool *named, bool *owned)
{
	struct task_list pids = TASK_LIST_INIT, tids = TASK_LIST_INIT;
	uint64_t last_ns = 0;
	struct record *record;
	bool found = false;

	task_list_add(&pids, (uint32_t)getpid());
	for (int round = 0; round < 100 && !found; round++) {
		proc_synthesize_begin(seed, &pids, &tids);
		while (proc_synthesize_reading(seed))
			proc_synthesize_step(seed, filter, 1);
		for (; (record = proc_synthesize_peek(seed)); proc_synthesize_pop(seed)) {
			ck_assert_uint_ge(record->time_ns, last_ns);
			last_ns = record->time_ns;
			ck_assert_uint_eq(record->pid, (uint32_t)getpid());
			if (record->tid != tid)
				continue;
			if (record->kind == RECORD_TASK)
				*named = !strcmp(record->task.comm, "seed) \x1b[1m");
			if (record->kind == RECORD_OWNER) {
				ck_assert_uint_eq(record->owner.uid, geteuid());
				*owned = record->owner.cgroup && *record->owner.cgroup == '/';
			}
			if (record->kind == RECORD_INFLIGHT && record->inflight.nr == SYS_read) {
				ck_assert_uint_eq(record->inflight.args[0], (uint64_t)pipe_fds[0]);
				ck_assert_uint_eq(record->inflight.args[2], 1);
				found = true;
			}
		}
		if (!found && filter->by_syscall)
			break;
		if (!found)
			usleep(5000);
	}
	task_list_release(&pids);
	task_list_release(&tids);
	return found;
}

START_TEST(a_call_in_flight_is_found)
{
	struct task_table tasks;
	struct proc_synthesize seed;
	struct kernel_filter all, none;
	uint32_t tid = 0;
	pthread_t thread;
	bool named = false, owned = false;

	kernel_filter_init(&all);
	kernel_filter_init(&none);
	none.by_syscall = true;
	ck_assert(!pipe(pipe_fds));
	ck_assert(!task_table_init(&tasks));
	proc_synthesize_init(&seed, &tasks, NULL);
	ck_assert(!pthread_create(&thread, NULL, wait_in_read, &tid));
	while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
		sched_yield();
	ck_assert(find_reader(&seed, &all, tid, &named, &owned));
	ck_assert(named && owned);
	ck_assert_uint_eq(task_table_pid(&tasks, tid), (uint32_t)getpid());
	ck_assert(!find_reader(&seed, &none, tid, &named, &owned));
	/* Tasks of this program are not reported. */
	task_table_mark(&tasks, (uint32_t)getpid(), TASK_OWN);
	named = false;
	none.by_syscall = true;
	ck_assert(!find_reader(&seed, &none, tid, &named, &owned));
	ck_assert(!named);
	ck_assert_int_eq(write(pipe_fds[1], "x", 1), 1);
	pthread_join(thread, NULL);
	proc_synthesize_release(&seed);
	task_table_release(&tasks);
}
END_TEST

static bool turn(void *ctx)
{
	return *(bool *)ctx;
}

START_TEST(reading_waits_while_held_back)
{
	struct task_list none = TASK_LIST_INIT;
	struct kernel_filter all;
	struct task_table tasks;
	struct proc_synthesize seed;
	bool busy = true;

	kernel_filter_init(&all);
	ck_assert_int_eq(task_table_init(&tasks), 0);
	proc_synthesize_init(&seed, &tasks, NULL);
	seed.hold_back = turn;
	seed.hold_back_ctx = &busy;
	proc_synthesize_begin(&seed, &none, &none);
	proc_synthesize_also(&seed, (uint32_t)getpid());
	for (int i = 0; i < 3; i++)
		proc_synthesize_step(&seed, &all, UINT64_MAX / 2);
	ck_assert(proc_synthesize_reading(&seed));
	ck_assert_ptr_null(proc_synthesize_peek(&seed));
	busy = false;
	proc_synthesize_step(&seed, &all, UINT64_MAX / 2);
	ck_assert(!proc_synthesize_reading(&seed));
	ck_assert_ptr_nonnull(proc_synthesize_peek(&seed));
	proc_synthesize_release(&seed);
	task_table_release(&tasks);
}
END_TEST

Suite *suite_proc_synthesize(void);
Suite *suite_proc_synthesize(void)
{
	Suite *suite = suite_create("proc_synthesize");
	TCase *tc = tcase_create("proc_synthesize");

	tcase_add_test(tc, call_lines_are_parsed);
	tcase_add_test(tc, stat_lines_with_hostile_names_are_parsed);
	tcase_add_test(tc, a_call_in_flight_is_found);
	tcase_add_test(tc, reading_waits_while_held_back);
	suite_add_tcase(suite, tc);
	return suite;
}
