/*
 * Stacks through code whose CFI is wrong on purpose: each word of the stack returns into that code.
 * Only frames of that code are lost: a reply comes, and later stacks of the process are complete.
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

/* The known registers, in the order of the kernel: %rbp, %rsp and %rip. */
#define KNOWN (1ULL << PERF_REG_X86_BP | 1ULL << PERF_REG_X86_SP | 1ULL << PERF_REG_X86_IP)

static const struct {
	const char *name;
	const char *described; /* .cfi_* at the start of the function */
	uint16_t frames; /* maximum */
	uint32_t flag; /* flag of the reply; 0: any */
	enum {
		NORMAL,
		ENDS_WORKER, /* libunwind reads beyond its own table */
		NO_INDEX, /* ld cannot make an .eh_frame_hdr, and prints a warning */
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
	{ "an expression that picks a missing element", ".cfi_escape 0x0f, 3, 0x77, 0, 0x15",
	  FRAMES_MOST, STACK_USER_STOPPED, NORMAL },
	{ "an expression longer than the file", ".cfi_escape 0x0f, 0xff, 0xff, 0xff, 0x7f", 1,
	  STACK_USER_STOPPED, NO_INDEX },
	{ "states remembered without end", ".rept 60000\n.cfi_remember_state\n.endr", FRAMES_MOST,
	  0, NORMAL },
	{ "a state restored but never remembered", ".cfi_escape 0x0b", 1, STACK_USER_STOPPED,
	  NORMAL },
	/* The linker drops the description, so that only the frame pointer remains. */
	{ "an instruction that does not exist", ".cfi_escape 0x3f", FRAMES_MOST, 0, NO_INDEX },
};

static void build(struct unwind_bed *bed, int number)
{
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

/* Unwind a stack whose words are all `code`, which is also the pc. */
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

START_TEST(wrong_cfi_costs_only_its_own_frames)
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
	/* A caller is looked up one byte before its return address: offset 3 is inside. */
	for (int again = 0; again < 2; again++) {
		ask_about(&bed, (uintptr_t)lying + 3);
		ck_assert_msg(bed.count >= 1 && bed.count <= cases[_i].frames, "%s: %u frames",
			      cases[_i].name, bed.count);
		ck_assert_msg(!cases[_i].flag || bed.flags & cases[_i].flag, "%s: flags %x",
			      cases[_i].name, bed.flags);
	}
	/* The worker was neither killed nor replaced for a timeout. */
	ck_assert_msg(cases[_i].kind == ENDS_WORKER || unwinder_worker_pid(bed.unwinder) == worker,
		      "%s: the worker ended", cases[_i].name);
	/* A stack through another function of the process. */
	ask_about(&bed, (uintptr_t)compare + 1);
	ck_assert_msg(bed.count > 1, "%s: %u frames afterwards", cases[_i].name, bed.count);
	unwind_bed_close(&bed);
}
END_TEST

Suite *suite_unwind_hostile(void);

Suite *suite_unwind_hostile(void)
{
	Suite *suite = suite_create("unwind_hostile");
	TCase *tcase = tcase_create("unwind_hostile");

	tcase_set_timeout(tcase, 20);
	tcase_add_loop_test(tcase, wrong_cfi_costs_only_its_own_frames, 0,
			    (int)(sizeof(cases) / sizeof(cases[0])));
	suite_add_tcase(suite, tcase);
	return suite;
}
