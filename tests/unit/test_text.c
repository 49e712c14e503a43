#include "engine/export/text.h"

#include "tests/unit/runner.h"

#include <string.h>
#include <sys/syscall.h>

struct line_case {
	const char *name;
	struct call call;
	const char *line;
};

/* clang-format off */
static const struct line_case line_cases[] = {
	{ "done",
	  { .state = CALL_DONE, .enter_ns = 12346678999, .dur_ns = 412499, .tid = 4242,
	    .nr = SYS_close, .args = { 3 } },
	  "12.345678 (  0.412 ms) nginx/4242 close(3) = 0\n" },
	{ "failed",
	  { .state = CALL_DONE, .enter_ns = 1001000000, .dur_ns = 500, .tid = 7, .ret = -9,
	    .nr = SYS_close, .args = { 99 } },
	  " 1.000000 (  0.001 ms) nginx/7 close(99) = -1 EBADF (Bad file descriptor)\n" },
	{ "hours later",
	  { .state = CALL_DONE, .enter_ns = 7200000001000000, .dur_ns = 12345678901234, .tid = 7,
	    .nr = SYS_close, .args = { 3 } },
	  "7200000.000000 (12345678.901 ms) nginx/7 close(3) = 0\n" },
	{ "before the start",
	  { .state = CALL_DONE, .enter_ns = 10, .dur_ns = 0, .tid = 7, .nr = SYS_close,
	    .args = { 3 } },
	  " 0.000000 (  0.000 ms) nginx/7 close(3) = 0\n" },
	{ "in flight",
	  { .state = CALL_IN_FLIGHT, .enter_ns = 1001000000, .dur_ns = 3200000000, .tid = 7,
	    .nr = SYS_close, .args = { 3 } },
	  " 1.000000 (3200.000 ms) nginx/7 close(3) = ? <in flight>\n" },
	{ "orphan",
	  { .state = CALL_ORPHAN, .enter_ns = 1001000000, .dur_ns = -1, .tid = 7, .ret = 0,
	    .nr = SYS_close },
	  " 1.000000 (      ? ms) nginx/7 close(?) = 0\n" },
	{ "ended",
	  { .state = CALL_ENDED, .enter_ns = 1001000000, .dur_ns = -1, .tid = 7,
	    .nr = SYS_exit_group },
	  " 1.000000 (      ? ms) nginx/7 exit_group(0) = ?\n" },
	{ "lost exit",
	  { .state = CALL_LOST_EXIT, .enter_ns = 1001000000, .dur_ns = -1, .tid = 7,
	    .nr = SYS_close, .args = { 3 } },
	  " 1.000000 (      ? ms) nginx/7 close(3) = ? <exit lost>\n" },
	{ "gap",
	  { .state = CALL_GAP, .enter_ns = 1001000000, .cpu = 1, .args = { 512 } },
	  " 1.000000 -- 512 records lost on CPU 1 --\n" },
	{ "gap of one",
	  { .state = CALL_GAP, .enter_ns = 1001000000, .cpu = 0, .args = { 1 } },
	  " 1.000000 -- 1 record lost on CPU 0 --\n" },
	{ "gap of other records",
	  { .state = CALL_GAP, .enter_ns = 1001000000, .cpu = 1, .args = { 7, LOSS_OTHER } },
	  " 1.000000 -- 7 records lost on CPU 1, none of them calls --\n" },
	{ "gap of counted ones",
	  { .state = CALL_GAP, .enter_ns = 1001000000, .cpu = 1, .args = { 7, LOSS_OF_STREAM } },
	  " 1.000000 -- 7 calls on CPU 1 counted in the summary only --\n" },
	{ "pause",
	  { .state = CALL_GAP, .enter_ns = 1001000000 },
	  " 1.000000 -- tracing was off until here --\n" },
};
/* clang-format on */

START_TEST(each_state_has_its_line)
{
	const struct line_case *c = &line_cases[_i];
	struct syscalls *syscalls = syscalls_load(NULL);
	const struct text_options options = { .syscalls = syscalls, .started_ns = 1000000 };
	struct str out = STR_INIT;

	text_add_call(&out, &options, &c->call, "nginx");
	ck_assert_msg(!strcmp(out.data, c->line), "%s: %s", c->name, out.data);
	str_release(&out);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(argument_names_are_shown)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	const struct text_options options = { .syscalls = syscalls, .call.arg_names = true };
	const struct call call = { .state = CALL_DONE, .tid = 1, .nr = SYS_close, .args = { 5 } };
	struct str out = STR_INIT;

	text_add_call(&out, &options, &call, "x");
	ck_assert_ptr_nonnull(strstr(out.data, "close(fd=5)"));
	str_release(&out);
	syscalls_free(syscalls);
}
END_TEST

/* clang-format off */
START_TEST(stacks_are_written_frame_by_frame)
{
	const struct frame frames[] = {
		{ .ip = 0xffff1000, .kind = FRAME_KERNEL, .symbol = "schedule", .offset = 0x1a,
		  .dso = "[kernel]" },
		{ .ip = 0x4010, .kind = FRAME_USER, .symbol = "main", .offset = 0,
		  .dso = "/bin/x", .file = "x.c", .line = 12 },
		{ .ip = 0x4020, .kind = FRAME_USER, .dso = "" },
	};
	struct str out = STR_INIT;

	/* clang-format on */
	text_add_stack(&out, frames, 3);
	ck_assert_str_eq(out.data, " > schedule+0x1a ([kernel])\n"
				   " > main+0 (/bin/x) x.c:12\n"
				   " > 0x4020\n");
	str_release(&out);
}
END_TEST

Suite *suite_text(void);
Suite *suite_text(void)
{
	Suite *suite = suite_create("text");
	TCase *tc = tcase_create("text");

	tcase_add_loop_test(tc, each_state_has_its_line, 0,
			    sizeof(line_cases) / sizeof(line_cases[0]));
	tcase_add_test(tc, argument_names_are_shown);
	tcase_add_test(tc, stacks_are_written_frame_by_frame);
	suite_add_tcase(suite, tc);
	return suite;
}
