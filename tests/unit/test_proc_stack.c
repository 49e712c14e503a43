#include "engine/helper/reader.h"
#include "engine/process/proc_stack.h"

#include "engine/process/proc_stat.h"
#include "engine/source/perf/proc_synthesize.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <asm/perf_regs.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void few_names(struct kernel_names *names)
{
	memset(names, 0, sizeof(*names));
	kernel_names_add_line(names, "ffffffff81000100 T do_futex\n");
	kernel_names_add_line(names, "ffffffff81000200 t futex_wait\n");
	kernel_names_add_line(names, "ffffffffa0000300 t in_module\t[ext4]\n");
	/* A second function of the same name, data, a hidden address, and no name at all. */
	kernel_names_add_line(names, "ffffffff81000900 t futex_wait\n");
	kernel_names_add_line(names, "ffffffff81000400 D data\n");
	kernel_names_add_line(names, "0000000000000000 T hidden\n");
	kernel_names_add_line(names, "ffffffff81000500\n");
	kernel_names_add_line(names, "");
}

START_TEST(functions_are_found_by_name)
{
	struct kernel_names names;
	char line[64];

	few_names(&names);
	ck_assert_uint_eq(names.count, 3);
	ck_assert_uint_eq(kernel_names_find(&names, "do_futex", 8), 0xffffffff81000100);
	ck_assert_uint_eq(kernel_names_find(&names, "futex_wait+1", 10), 0xffffffff81000200);
	ck_assert_uint_eq(kernel_names_find(&names, "in_module", 9), 0xffffffffa0000300);
	ck_assert_uint_eq(kernel_names_find(&names, "data", 4), 0);
	ck_assert_uint_eq(kernel_names_find(&names, "do_fute", 7), 0);
	for (int i = 0; i < 10000; i++) {
		snprintf(line, sizeof(line), "%x T f%d\n", i + 1, i);
		kernel_names_add_line(&names, line);
	}
	ck_assert_uint_eq(kernel_names_find(&names, "f9999", 5), 10000);
	ck_assert_uint_eq(kernel_names_find(&names, "do_futex", 8), 0xffffffff81000100);
	kernel_names_release(&names);
	ck_assert_uint_eq(kernel_names_find(&names, "do_futex", 8), 0);
}
END_TEST

START_TEST(names_become_addresses)
{
	static const struct {
		const char *text;
		uint32_t count;
		uint64_t ips[3];
	} cases[] = {
		{ "[<0>] futex_wait+0x3c/0x70\n[<0>] do_futex+0x10/0x20\n",
		  2,
		  { 0xffffffff8100023c, 0xffffffff81000110 } },
		{ "[<0>] in_module+0x1/0x2 [ext4]\n", 1, { 0xffffffffa0000301 } },
		{ "[<0>] unheard_of+0x1/0x2\n[<0>] do_futex+0x1/0x2\n", 1, { 0xffffffff81000101 } },
		{ "[<0>] do_futex\n[<0>] do_futex+0x2/0x9\n", 1, { 0xffffffff81000102 } },
		{ "", 0, { 0 } },
		{ "[<0>] ", 0, { 0 } },
		{ "[<[<[<0>]", 0, { 0 } },
		{ "[<0>] do_futex+", 1, { 0xffffffff81000100 } },
	};
	struct kernel_names names;
	uint64_t ips[3];

	few_names(&names);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t count = proc_stack_parse(ips, 3, cases[i].text, &names);

		ck_assert_msg(count == cases[i].count, "%s: %u", cases[i].text, count);
		for (uint32_t j = 0; j < count; j++)
			ck_assert_uint_eq(ips[j], cases[i].ips[j]);
	}
	ck_assert_uint_eq(proc_stack_parse(ips, 1, cases[0].text, &names), 1);
	kernel_names_release(&names);
}
END_TEST

/* Wait until the child is in the call; return its record. */
static struct record wait_until_blocked(int task_dir_fd, pid_t pid)
{
	struct record record = { .kind = RECORD_INFLIGHT };
	char path[48], text[256];

	snprintf(path, sizeof(path), "%d/syscall", pid);
	for (int i = 0; i < 1000; i++) {
		if (proc_read_at(task_dir_fd, path, text, sizeof(text)) > 0 &&
		    proc_synthesize_parse_call(&record, text) && record.inflight.args[0] == 0x77)
			return record;
		usleep(1000);
	}
	ck_abort_msg("the child never blocked");
	return record;
}

static bool know_registers(void *ctx, uint32_t tid, uint64_t regs[PROC_STACK_REGS], uint64_t *mask)
{
	const struct record *record = ctx;

	(void)tid;
	regs[PERF_REG_X86_BP] = 0xb;
	regs[PERF_REG_X86_SP] = record->inflight.sp;
	regs[PERF_REG_X86_IP] = record->inflight.pc;
	*mask = 1 << PERF_REG_X86_BP | 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP;
	return true;
}

/* Reply of a reader about a task, from which make() builds a stack. */
struct probed {
	struct reader *reader;
	struct proc_probe_task task;
	const char *kernel_half;
	const unsigned char *memory;
};

static bool probe(struct probed *probed, pid_t pid, size_t bytes)
{
	const struct reader_request request = {
		.what = READER_TASKS,
		.flags = PROC_PROBE_ONE | PROC_PROBE_STACKS,
		.pid = (uint32_t)pid,
		.tid = (uint32_t)pid,
		.length = bytes,
	};
	const struct proc_probe_task *task;
	struct reader_result answer;
	const char *cgroup;
	size_t at = 0;

	ck_assert_int_eq(reader_ask(probed->reader, &request, NULL, NULL, &answer), 0);
	task = proc_probe_next(&answer, &at, &cgroup, &probed->kernel_half, &probed->memory);
	if (task)
		probed->task = *task;
	ck_assert_ptr_null(proc_probe_next(&answer, &at, &cgroup, &probed->kernel_half,
					   &(const unsigned char *){ NULL }));
	return task;
}

static struct proc_stack *make(const struct probed *probed, const struct proc_stack_wants *wants)
{
	return proc_stack_make(&probed->task, probed->kernel_half, probed->memory, wants);
}

START_TEST(a_blocked_child_has_a_stack)
{
	static reader_handle_fn *const handlers[READER_WHAT_COUNT] = {
		[READER_TASKS] = proc_probe_handle,
	};
	struct kernel_names names = { .count = 0 };
	struct proc_stack_wants wants = { .names = &names, .stack_bytes = 1024 };
	struct probed probed = { .reader = reader_new_here(handlers) };
	struct proc_stack *stack;
	struct record record;
	char path[48];
	pid_t pid;
	int fd;

	if (geteuid())
		test_skip("a_blocked_child_has_a_stack: needs root");
	pid = fork();
	while (!pid)
		syscall(SYS_ppoll, 0x77, 0, NULL, NULL, 0);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	record = wait_until_blocked(fd, pid);
	kernel_names_read(&names);
	if (!names.count)
		test_skip("a_blocked_child_has_a_stack: kernel addresses are hidden");
	ck_assert(probe(&probed, pid, 1024));
	stack = make(&probed, &wants);
	ck_assert_ptr_nonnull(stack);
	/* The stack has the kernel frames, then the user frame that needs no unwinding. */
	ck_assert_uint_gt(stack->stack.count, 4);
	ck_assert_uint_eq(stack->stack.ips[0], PERF_CONTEXT_KERNEL);
	ck_assert_uint_gt(stack->stack.ips[1], UINT64_MAX / 2);
	ck_assert_uint_eq(stack->stack.ips[stack->stack.count - 2], PERF_CONTEXT_USER);
	ck_assert_uint_eq(stack->stack.ips[stack->stack.count - 1], record.inflight.pc);
	ck_assert_uint_eq(stack->stack.user_regs[0], record.inflight.sp);
	ck_assert_uint_eq(stack->stack.user_regs[1], record.inflight.pc);
	ck_assert_uint_eq(stack->stack.user_stack_bytes, 1024);
	free(stack);
	/* Request more bytes than the stack has. */
	ck_assert(probe(&probed, pid, READER_BYTES_MAX / 2));
	ck_assert_uint_gt(probed.task.memory_bytes, 1024);
	ck_assert_uint_lt(probed.task.memory_bytes, READER_BYTES_MAX / 2);
	/* know_registers() has more registers, but only for this stack pointer and pc. */
	ck_assert(probe(&probed, pid, 1024));
	wants.regs = know_registers;
	wants.regs_ctx = &record;
	stack = make(&probed, &wants);
	ck_assert_uint_eq(stack->stack.user_regs_mask,
			  1 << PERF_REG_X86_BP | 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP);
	ck_assert_uint_eq(stack->stack.user_regs[0], 0xb);
	ck_assert_uint_eq(stack->stack.user_regs[1], record.inflight.sp);
	ck_assert_uint_eq(stack->stack.user_regs[2], record.inflight.pc);
	free(stack);
	probed.task.call.sp += 8;
	stack = make(&probed, &wants);
	ck_assert_uint_eq(stack->stack.user_regs_mask, 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP);
	ck_assert_uint_eq(stack->stack.user_regs[0], record.inflight.sp + 8);
	free(stack);
	wants.regs = NULL;
	/* The stack pointer does not point to memory. */
	probed.task.memory_bytes = 0;
	stack = make(&probed, &wants);
	ck_assert_uint_eq(stack->stack.user_stack_bytes, 0);
	ck_assert_ptr_null(stack->stack.user_regs);
	free(stack);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert(!probe(&probed, pid, 1024));
	close(fd);
	kernel_names_release(&names);
	reader_free(probed.reader);
}
END_TEST

Suite *suite_proc_stack(void);
Suite *suite_proc_stack(void)
{
	Suite *suite = suite_create("proc_stack");
	TCase *tc = tcase_create("proc_stack");

	tcase_add_test(tc, functions_are_found_by_name);
	tcase_add_test(tc, names_become_addresses);
	tcase_add_test(tc, a_blocked_child_has_a_stack);
	suite_add_tcase(suite, tc);
	return suite;
}
