#include "engine/stack/worker/unwind_code.h"

#include <check.h>
#include <string.h>

#define BYTES(text) (const unsigned char *)(text), sizeof(text) - 1

struct call_case {
	const char *name;
	const unsigned char *code;
	size_t bytes;
	bool is_call;
	int64_t distance;
};

static const struct call_case calls[] = {
	{ "call rel32", BYTES("\x90\x90\xe8\x10\x00\x00\x00"), true, 0x10 },
	{ "call rel32 backwards", BYTES("\x90\x90\xe8\xf0\xff\xff\xff"), true, -0x10 },
	{ "call rel32, no more", BYTES("\xe8\x10\x00\x00\x00"), true, 0x10 },
	{ "call *%rax", BYTES("\x90\x90\x90\x90\x90\xff\xd0"), true, 0 },
	{ "call *%r12", BYTES("\x90\x90\x90\x90\x41\xff\xd4"), true, 0 },
	{ "call *(%rax)", BYTES("\x90\x90\x90\x90\x90\xff\x10"), true, 0 },
	{ "call *8(%rax)", BYTES("\x90\x90\x90\x90\xff\x50\x08"), true, 0 },
	{ "call *0x100(%rax)", BYTES("\x90\xff\x90\x00\x01\x00\x00"), true, 0 },
	{ "call *0x100(%rip)", BYTES("\x90\xff\x15\x00\x01\x00\x00"), true, 0 },
	{ "call *(%rax,%rbx,8)", BYTES("\x90\x90\x90\x90\xff\x14\xd8"), true, 0 },
	{ "call *8(%rsp)", BYTES("\x90\x90\x90\xff\x54\x24\x08"), true, 0 },
	{ "call *0x10(,%rax,8)", BYTES("\xff\x14\xc5\x10\x00\x00\x00"), true, 0 },
	{ "jmp *%rax", BYTES("\x90\x90\x90\x90\x90\xff\xe0"), false, 0 },
	{ "push (%rax)", BYTES("\x90\x90\x90\x90\x90\xff\x30"), false, 0 },
	{ "jmp rel32", BYTES("\x90\x90\xe9\x10\x00\x00\x00"), false, 0 },
	{ "nothing", BYTES("\x90\x90\x90\x90\x90\x90\x90"), false, 0 },
	{ "one byte", BYTES("\xff"), false, 0 },
	{ "no byte", BYTES(""), false, 0 },
};

START_TEST(calls_are_recognized_at_their_end)
{
	const struct call_case *c = &calls[_i];
	int64_t distance;

	ck_assert_msg(code_ends_in_call(c->code, c->bytes, &distance) == c->is_call, "%s", c->name);
	ck_assert_msg(distance == c->distance, "%s: %ld", c->name, (long)distance);
}
END_TEST

struct frame_case {
	const char *name;
	const unsigned char *code;
	size_t bytes;
	bool has_frame, complete;
	uint64_t frame_bytes;
};

static const struct frame_case frames[] = {
	{ "sub imm8", BYTES("\x55\x48\x89\xe5\x48\x83\xec\x10\x90"), true, true, 16 },
	{ "sub imm32", BYTES("\x55\x48\x89\xe5\x48\x81\xec\xd0\x07\x00\x00"), true, true, 2000 },
	{ "endbr64", BYTES("\xf3\x0f\x1e\xfa\x55\x48\x89\xe5\x48\x83\xec\x20"), true, true, 32 },
	{ "the other mov", BYTES("\x55\x48\x8b\xec\x48\x83\xec\x20"), true, true, 32 },
	{ "pushes", BYTES("\x55\x48\x89\xe5\x41\x57\x41\x56\x53\x48\x83\xec\x18"), true, true, 48 },
	{ "no variables", BYTES("\x55\x48\x89\xe5\x53\x90\x90"), true, false, 8 },
	{ "cut short", BYTES("\x55\x48\x89\xe5\x48\x83"), true, false, 0 },
	{ "a negative size", BYTES("\x55\x48\x89\xe5\x48\x83\xec\x80"), true, false, 0 },
	{ "without", BYTES("\x48\x83\xec\x18\x90"), false, false, 0 },
	{ "only saved", BYTES("\x55\x53\x48\x83\xec\x18"), false, false, 0 },
	{ "no byte", BYTES(""), false, false, 0 },
};

START_TEST(frame_sizes_are_read_from_the_prologue)
{
	const struct frame_case *c = &frames[_i];
	uint64_t frame_bytes;
	bool complete;

	ck_assert_msg(code_frame_bytes(c->code, c->bytes, &frame_bytes, &complete) == c->has_frame,
		      "%s", c->name);
	ck_assert_msg(complete == c->complete, "%s", c->name);
	ck_assert_msg(frame_bytes == c->frame_bytes, "%s: %lu", c->name,
		      (unsigned long)frame_bytes);
}
END_TEST

START_TEST(signal_trampolines_are_recognized)
{
	ck_assert(code_is_sigreturn(BYTES("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05\x90")));
	ck_assert(!code_is_sigreturn(BYTES("\x48\xc7\xc0\x0f\x00\x00\x00\x0f")));
	ck_assert(!code_is_sigreturn(BYTES("\x48\xc7\xc0\x10\x00\x00\x00\x0f\x05")));
}
END_TEST

Suite *suite_unwind_code(void);
Suite *suite_unwind_code(void)
{
	Suite *suite = suite_create("unwind_code");
	TCase *tc = tcase_create("unwind_code");

	tcase_add_loop_test(tc, calls_are_recognized_at_their_end, 0,
			    sizeof(calls) / sizeof(calls[0]));
	tcase_add_loop_test(tc, frame_sizes_are_read_from_the_prologue, 0,
			    sizeof(frames) / sizeof(frames[0]));
	tcase_add_test(tc, signal_trampolines_are_recognized);
	suite_add_tcase(suite, tc);
	return suite;
}
