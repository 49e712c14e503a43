/*
 * Stacks that lead through code whose description of its frames is wrong on purpose: each
 * word of the stack returns into that code. What it costs is its own frames: the answer comes,
 * and afterwards other stacks of the same process are as whole as before.
 */
#include "tests/unit/unwind_bed.h"

#include <asm/perf_regs.h>
#include <check.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_BYTES 32768u
#define SP 0x7ffc12340000ULL
#define FRAMES_MOST WIRE_UNWIND_FRAMES_MAX

/* The registers that are known: %rbp, %rsp and %rip, in the kernel's order. */
#define KNOWN (1ULL << PERF_REG_X86_BP | 1ULL << PERF_REG_X86_SP | 1ULL << PERF_REG_X86_IP)

static const struct {
	const char *name;
	const char *described; /* .cfi_* that the function begins with */
	uint16_t frames; /* at most */
	uint32_t flag; /* that must be set */
	enum {
		NORMAL,
		ENDS_WORKER, /* libunwind looks it up beyond a table of its own */
		NO_INDEX, /* ld cannot make an .eh_frame_hdr of it, and would say so */
	} kind;
} cases[] = {
	{ "a stack without end", "", FRAMES_MOST, STACK_USER_CUT, NORMAL },
	{ "its own caller", ".cfi_def_cfa_offset 0", 1, STACK_USER_STOPPED, NORMAL },
	{ "a caller further down", ".cfi_def_cfa_offset -64", 1, STACK_USER_STOPPED, NORMAL },
	{ "a caller far away", ".cfi_def_cfa_offset 0x7fffffff", 1, STACK_USER_STOPPED, NORMAL },
	{ "a register that does not exist", ".cfi_escape 0x0c, 0xff, 0x7f, 8", 1,
	  STACK_USER_STOPPED, NORMAL },
	{ "an address from a register that does not exist", ".cfi_escape 0x09, 0x10, 0xff, 0x7f", 2,
	  STACK_USER_FILE_FAILED, ENDS_WORKER },
	{ "an expression without end", ".cfi_escape 0x0f, 3, 0x2f, 0xfd, 0xff", 1,
	  STACK_USER_STOPPED, NORMAL },
	{ "an expression that fills its stack",
	  ".cfi_escape 0x0f, 5, 0x77, 0, 0x12, 0x2f, 0xfc, "
	  "0xff",
	  1, STACK_USER_STOPPED, NORMAL },
	{ "an expression on an empty stack", ".cfi_escape 0x0f, 1, 0x22", 1, STACK_USER_STOPPED,
	  NORMAL },
	{ "an expression that divides by zero", ".cfi_escape 0x0f, 3, 0x31, 0x30, 0x1b",
	  FRAMES_MOST, STACK_USER_STOPPED, NORMAL },
	{ "an expression that reads anywhere",
	  ".cfi_escape 0x0f, 10, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x06", 1, STACK_USER_STOPPED,
	  NORMAL },
	{ "an expression that asks for what is not there", ".cfi_escape 0x0f, 3, 0x77, 0, 0x15",
	  FRAMES_MOST, STACK_USER_STOPPED, NORMAL },
	{ "an expression longer than the file", ".cfi_escape 0x0f, 0xff, 0xff, 0xff, 0x7f", 1,
	  STACK_USER_STOPPED, NO_INDEX },
	{ "states put away without end", ".rept 60000\n.cfi_remember_state\n.endr", FRAMES_MOST, 0,
	  NORMAL },
	{ "a state taken that nobody put away", ".cfi_escape 0x0b", 1, STACK_USER_STOPPED, NORMAL },
	/* The linker drops the description: what is left is the frame pointer. */
	{ "an instruction that does not exist", ".cfi_escape 0x3f", FRAMES_MOST, 0, NO_INDEX },
};

static void build(struct unwind_bed *bed, int number)
{
	/* An offset of 2 and more is inside: callers are looked up one byte before. */
	static const char *const flags[] = {
		[NORMAL] = "-shared -fPIC",
		[ENDS_WORKER] = "-shared -fPIC",
		[NO_INDEX] = "-shared -fPIC 2>said",
	};
	char source[1024];

	snprintf(source, sizeof(source),
		 "__asm__(\".globl lying\\n.type lying, @function\\nlying:\\n.cfi_startproc\\n\"\n"
		 "R\"(%s)\" \"\\nnop\\nnop\\nnop\\nnop\\nret\\n.cfi_endproc\\n\"\n"
		 "\".size lying, .-lying\");\n",
		 cases[number].described);
	fixture_compile(&bed->fixture, "lying.c", source, flags[cases[number].kind]);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* A stack of nothing but addresses in `code`; the first is where it waits. */
static void ask_about(struct unwind_bed *bed, uint64_t code)
{
	static uint64_t words[STACK_BYTES / sizeof(uint64_t)];
	const uint64_t regs[] = { SP + 64, SP, code };
	struct record_stack stack = {
		.user_regs = regs,
		.user_regs_mask = KNOWN,
		.user_stack = (const unsigned char *)words,
		.user_stack_bytes = sizeof(words),
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = code;
	unwind_bed_ask(bed, &stack);
}

START_TEST(a_lie_costs_its_own_frames)
{
	struct unwind_bed bed;
	void *library;
	char *lying;
	pid_t worker;

	unwind_bed_open(&bed, NULL);
	build(&bed, _i);
	library = dlopen(bed.fixture.path, RTLD_NOW);
	ck_assert_msg(library, "%s: %s", cases[_i].name, dlerror());
	lying = dlsym(library, "lying");
	ck_assert_ptr_nonnull(lying);
	worker = unwinder_worker_pid(bed.unwinder);
	for (int again = 0; again < 2; again++) {
		ask_about(&bed, (uintptr_t)lying + 3);
		ck_assert_msg(bed.count >= 1 && bed.count <= cases[_i].frames, "%s: %u frames",
			      cases[_i].name, bed.count);
		ck_assert_msg(!cases[_i].flag || bed.flags & cases[_i].flag, "%s: flags %x",
			      cases[_i].name, bed.flags);
	}
	/* Neither killed by it nor stopped because it took too long. */
	ck_assert_msg(cases[_i].kind == ENDS_WORKER || unwinder_worker_pid(bed.unwinder) == worker,
		      "%s: the worker ended", cases[_i].name);
	/* One true frame, then a word that is no code. */
	ask_about(&bed, (uintptr_t)compare + 1);
	ck_assert_msg(bed.count > 1, "%s: then %u frames", cases[_i].name, bed.count);
	unwind_bed_close(&bed);
}
END_TEST

Suite *suite_unwind_hostile(void);

Suite *suite_unwind_hostile(void)
{
	Suite *suite = suite_create("unwind_hostile");
	TCase *tcase = tcase_create("unwind_hostile");

	tcase_set_timeout(tcase, 20);
	tcase_add_loop_test(tcase, a_lie_costs_its_own_frames, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	suite_add_tcase(suite, tcase);
	return suite;
}
