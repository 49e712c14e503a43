/*
 * Stacks of this process. A function is called through code of all kinds. It samples its registers
 * and its stack as the kernel does, and has them unwound.
 */
#include "tests/unit/unwind_bed.h"

#include <asm/perf_regs.h>
#include <check.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_BYTES 8192u
#define COPIES 300 /* more spaces than a worker stores */
#define WORKER_BYTES_MAX ((size_t)512 << 20)

struct capture {
	uint64_t regs[PERF_REG_X86_64_MAX];
	uint64_t mask;
	unsigned char stack[STACK_BYTES];
};

/* -- Sampling and unwinding ----------------------------------------------------- */

extern void *__libc_stack_end; /* in glibc: address of argc */

static struct capture taken;
static bool cut_short; /* fewer stack bytes than any frame needs */

/* Sample the registers and the stack of this thread. */
__attribute__((noinline, no_sanitize("address"))) static void take_sample(void)
{
	static const struct {
		int perf, here;
	} pairs[] = {
		{ PERF_REG_X86_AX, REG_RAX },  { PERF_REG_X86_BX, REG_RBX },
		{ PERF_REG_X86_CX, REG_RCX },  { PERF_REG_X86_DX, REG_RDX },
		{ PERF_REG_X86_SI, REG_RSI },  { PERF_REG_X86_DI, REG_RDI },
		{ PERF_REG_X86_BP, REG_RBP },  { PERF_REG_X86_SP, REG_RSP },
		{ PERF_REG_X86_IP, REG_RIP },  { PERF_REG_X86_R8, REG_R8 },
		{ PERF_REG_X86_R9, REG_R9 },   { PERF_REG_X86_R10, REG_R10 },
		{ PERF_REG_X86_R11, REG_R11 }, { PERF_REG_X86_R12, REG_R12 },
		{ PERF_REG_X86_R13, REG_R13 }, { PERF_REG_X86_R14, REG_R14 },
		{ PERF_REG_X86_R15, REG_R15 },
	};
	const size_t count = sizeof(pairs) / sizeof(pairs[0]);
	ucontext_t context;
	size_t at = 0;

	getcontext(&context);
	taken.mask = 0;
	for (size_t i = 0; i < count; i++)
		taken.mask |= 1ULL << pairs[i].perf;
	for (int perf = 0; perf < PERF_REG_X86_64_MAX; perf++)
		for (size_t i = 0; i < count; i++)
			if (pairs[i].perf == perf)
				taken.regs[at++] =
					(uint64_t)context.uc_mcontext.gregs[pairs[i].here];
	/* The kernel bypasses AddressSanitizer, too. */
	const volatile unsigned char *sp =
		(const unsigned char *)context.uc_mcontext.gregs[REG_RSP];
	/* Stop 64 bytes after argc: with a small environment, the stack mapping ends soon. */
	size_t there = (uintptr_t)__libc_stack_end + 64 - (uintptr_t)sp;
	size_t wanted = cut_short ? 16 : sizeof(taken.stack);

	memset(taken.stack, 0, sizeof(taken.stack));
	for (size_t i = 0; i < wanted && i < there; i++)
		taken.stack[i] = sp[i];
}

/* Return the sample as the kernel reports it. */
static struct record_stack reported(void)
{
	return (struct record_stack){
		.user_regs = taken.regs,
		.user_regs_mask = taken.mask,
		.user_stack = taken.stack,
		.user_stack_bytes = cut_short ? 16 : sizeof(taken.stack),
	};
}

static void prepare(struct unwind_bed *bed, struct unwinder_sample *sample)
{
	struct record_stack stack = reported();

	unwind_bed_prepare(bed, &stack, sample);
}

/* Have the worker unwind the sample. */
static void ask(struct unwind_bed *bed)
{
	struct record_stack stack = reported();

	unwind_bed_ask(bed, &stack);
}

static uint64_t into_outer; /* return address of the outermost function of a case */

#define NOTE_CALLER() (into_outer = (uintptr_t)__builtin_return_address(0))

/* Return the index of the frame at into_outer; -1: the stack does not reach this frame. */
static int outer_frame(const struct unwind_bed *bed)
{
	for (int i = 0; i < bed->count; i++)
		if (bed->ips[i] == into_outer)
			return i;
	return -1;
}

/* -- Cases ---------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	take_sample();
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static int sort_two(void)
{
	int numbers[] = { 2, 1 };

	NOTE_CALLER();
	qsort(numbers, 2, sizeof(numbers[0]), compare);
	return numbers[0];
}

START_TEST(frames_of_libc_are_unwound)
{
	struct unwinder_sample sample;
	struct unwound unwound;
	struct unwind_bed bed;

	unwind_bed_open(&bed, NULL);
	/* The first reply comes while mappings are still unknown. */
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(sort_two(), 1);
		prepare(&bed, &sample);
		if (i == 2)
			break;
		ask(&bed);
		/* Frames: take_sample, compare, one or more of qsort(), then sort_two. */
		ck_assert_int_ge(outer_frame(&bed), 4);
	}
	ck_assert(unwinder_find(bed.unwinder, &sample, &unwound));
	ck_assert_uint_eq(unwound.count, bed.count);
	ck_assert_mem_eq(unwound.ips, bed.ips, bed.count * sizeof(bed.ips[0]));
	ck_assert_uint_eq(unwound.flags, bed.flags);
	unwind_bed_close(&bed);
}
END_TEST

START_TEST(another_return_address_is_another_stack)
{
	struct unwinder_sample sample;
	struct unwound unwound;
	struct unwind_bed bed;
	uint64_t word;
	unwind_bed_open(&bed, NULL);
	sort_two();
	ask(&bed);
	ask(&bed);
	prepare(&bed, &sample);
	ck_assert(unwinder_find(bed.unwinder, &sample, &unwound));
	for (size_t at = 0; at < sizeof(taken.stack); at += 8) {
		memcpy(&word, taken.stack + at, 8);
		if (word != into_outer)
			continue;
		word += 1;
		memcpy(taken.stack + at, &word, 8);
	}
	prepare(&bed, &sample);
	ck_assert(!unwinder_find(bed.unwinder, &sample, &unwound));
	unwind_bed_close(&bed);
}
END_TEST

START_TEST(a_truncated_stack_is_marked)
{
	struct unwind_bed bed;

	unwind_bed_open(&bed, NULL);
	cut_short = true;
	sort_two();
	ask(&bed);
	ck_assert(bed.flags & STACK_USER_STOPPED);
	ck_assert_uint_ge(bed.count, 1);
	unwind_bed_close(&bed);
}
END_TEST

static volatile int taken_by;

static void on_signal(int number)
{
	take_sample();
	taken_by = number;
}

__attribute__((noinline)) static int raise_one(void)
{
	NOTE_CALLER();
	return raise(SIGUSR1) + 1;
}

START_TEST(frames_below_a_signal_handler_are_found)
{
	struct unwind_bed bed;

	unwind_bed_open(&bed, NULL);
	signal(SIGUSR1, on_signal);
	ck_assert_int_eq(raise_one(), 1);
	ask(&bed);
	ck_assert_int_eq(taken_by, SIGUSR1);
	/* Frames: take_sample, on_signal, trampoline, one or more of raise(), then raise_one. */
	ck_assert_int_ge(outer_frame(&bed), 5);
	unwind_bed_close(&bed);
}
END_TEST

/* The compiler generates the pushes and pops; the call is not a tail call. */
static const char through[] =
	"int through(int (*function)(void), int n) {"
	" volatile int room[32]; room[n] = n; int got = function(); return room[n] + got; }";

static int take_from_library(void)
{
	take_sample();
	return 1;
}

__attribute__((noinline)) static int call_library(int (*function)(int (*)(void), int))
{
	NOTE_CALLER();
	return function(take_from_library, 3) + 1;
}

static const struct {
	const char *name, *flags;
	bool is_lost; /* without any unwind information */
} libraries[] = {
	{ "as built by default", "-O2", false },
	{ "without the index", "-O2 -Wl,--no-eh-frame-hdr", false },
	{ "with .debug_frame only", "-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables",
	  false },
	{ "stripped", "-O2 -s", false },
	{ "without any description",
	  "-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables", true },
};

START_TEST(code_of_all_kinds_is_unwound)
{
	int (*function)(int (*)(void), int);
	char flags[256];
	struct unwind_bed bed;
	void *library;

	unwind_bed_open(&bed, NULL);
	snprintf(flags, sizeof(flags), "-shared -fPIC %s", libraries[_i].flags);
	fixture_compile(&bed.fixture, "through.c", through, flags);
	library = dlopen(bed.fixture.path, RTLD_NOW);
	ck_assert_msg(library, "%s: %s", libraries[_i].name, dlerror());
	*(void **)&function = dlsym(library, "through");
	ck_assert_ptr_nonnull(function);
	ck_assert_int_gt(call_library(function), 0);
	ask(&bed);
	/* Frames: take_sample, take_from_library, through, call_library. */
	if (libraries[_i].is_lost)
		ck_assert_msg(bed.count >= 3, "%s", libraries[_i].name);
	else
		ck_assert_msg(outer_frame(&bed) == 4, "%s: at %d of %u", libraries[_i].name,
			      outer_frame(&bed), bed.count);
	unwind_bed_close(&bed);
}
END_TEST

/* Fork a copy of this process, which waits until the pipe is closed. */
static pid_t fork_copy(int wait_fd, int close_fd)
{
	pid_t pid = fork();
	char byte;

	ck_assert_int_ge(pid, 0);
	if (pid)
		return pid;
	close(close_fd);
	while (read(wait_fd, &byte, 1) < 0)
		continue;
	_exit(0);
}

static size_t resident_bytes(pid_t pid)
{
	unsigned long whole, resident = 0;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%lu %lu", &whole, &resident) != 2)
		resident = 0;
	fclose(file);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* More processes than a worker stores: it is replaced, which frees its memory. */
START_TEST(many_processes_cost_bounded_memory)
{
	pid_t copies[COPIES], worker;
	struct unwind_bed bed;
	int fds[2];

	unwind_bed_open(&bed, NULL);
	ck_assert_int_eq(pipe(fds), 0);
	sort_two();
	for (int i = 0; i < COPIES; i++)
		copies[i] = fork_copy(fds[0], fds[1]);
	ask(&bed);
	worker = unwinder_worker_pid(bed.unwinder);
	for (int i = 0; i < COPIES; i++) {
		bed.pid = (uint32_t)copies[i];
		ask(&bed);
		ck_assert_msg(outer_frame(&bed) >= 4, "copy %d: %d of %u", i, outer_frame(&bed),
			      bed.count);
	}
	ck_assert_int_ne(unwinder_worker_pid(bed.unwinder), worker);
	ck_assert_uint_lt(resident_bytes(unwinder_worker_pid(bed.unwinder)), WORKER_BYTES_MAX);
	close(fds[1]);
	for (int i = 0; i < COPIES; i++)
		waitpid(copies[i], NULL, 0);
	unwind_bed_close(&bed);
}
END_TEST

static void serve_nothing(int socket_fd)
{
	char byte;

	/* Report a successful sandbox, and die at the first request. */
	struct wire_reply hello = { .kind = WIRE_HELLO };

	if (write(socket_fd, &hello, sizeof(hello)) == sizeof(hello) &&
	    read(socket_fd, &byte, 1) == 1)
		abort();
}

START_TEST(a_worker_that_dies_costs_only_its_replies)
{
	struct unwind_bed bed;

	unwind_bed_open(&bed, serve_nothing);
	sort_two();
	ask(&bed);
	ck_assert_uint_eq(bed.count, 0);
	ck_assert(bed.flags & STACK_USER_STOPPED);
	unwind_bed_close(&bed);
}
END_TEST

START_TEST(samples_without_registers_are_rejected)
{
	static const uint64_t cs32 = 0x23;
	struct record_stack stack = {
		.user_regs = &cs32,
		.user_regs_mask = 1ULL << PERF_REG_X86_CS,
		.user_stack = &cs32,
		.user_stack_bytes = 8,
	};
	struct unwinder_sample sample;
	struct unwind_bed bed;

	unwind_bed_open(&bed, NULL);
	ck_assert(!unwinder_prepare(bed.unwinder, 1, &stack, &sample));
	stack.user_regs_mask = 1ULL << PERF_REG_X86_SP;
	ck_assert(!unwinder_prepare(bed.unwinder, 1, &stack, &sample));
	stack.user_regs = NULL;
	ck_assert(!unwinder_prepare(bed.unwinder, 1, &stack, &sample));
	unwind_bed_close(&bed);
}
END_TEST

Suite *suite_unwinder(void);

Suite *suite_unwinder(void)
{
	Suite *suite = suite_create("unwinder");
	TCase *tcase = tcase_create("unwinder");

	tcase_set_timeout(tcase, 20);
	tcase_add_test(tcase, frames_of_libc_are_unwound);
	tcase_add_test(tcase, another_return_address_is_another_stack);
	tcase_add_test(tcase, a_truncated_stack_is_marked);
	tcase_add_test(tcase, frames_below_a_signal_handler_are_found);
	tcase_add_loop_test(tcase, code_of_all_kinds_is_unwound, 0,
			    (int)(sizeof(libraries) / sizeof(libraries[0])));
	tcase_add_test(tcase, many_processes_cost_bounded_memory);
	tcase_add_test(tcase, a_worker_that_dies_costs_only_its_replies);
	tcase_add_test(tcase, samples_without_registers_are_rejected);
	suite_add_tcase(suite, tcase);
	return suite;
}
