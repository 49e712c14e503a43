#include "engine/decode/captured_bytes.h"

#include "engine/decode/call_text.h"
#include "engine/decode/shapes.h"
#include "tests/unit/chunks.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static struct bytes_answer ask(const struct chunks *blob, uint64_t address, uint32_t len,
			       enum bytes_when when, void *to)
{
	struct captured_bytes captured = { blob->words, blob->len };
	struct bytes_ask want = { address, len, 0, (uint8_t)when, false, 0 };
	struct bytes_answer answer;

	captured_bytes_read(&captured, NULL, &want, to, &answer);
	return answer;
}

START_TEST(bytes_are_found_by_address_and_moment)
{
	struct chunks blob = { .len = 0 };
	struct bytes_answer answer;
	char to[64];

	chunks_add(&blob, 0x1000, "before", 6, 0, BYTES_KERNEL);
	chunks_add(&blob, 0x1000, "after!", 6, CAPTURE_AT_EXIT, BYTES_STACK);
	chunks_add(&blob, 0x1006, "-more", 5, CAPTURE_CUT, BYTES_LATE);
	answer = ask(&blob, 0x1000, 6, BYTES_AT_ENTER, to);
	ck_assert(answer.len == 6 && !memcmp(to, "before", 6) && answer.origin == BYTES_KERNEL);
	answer = ask(&blob, 0x1002, 2, BYTES_AT_EXIT, to);
	ck_assert(answer.len == 2 && !memcmp(to, "te", 2) && answer.origin == BYTES_STACK);
	/* A read across two chunks has the less certain of their origins. */
	answer = ask(&blob, 0x1004, 20, BYTES_AT_ENTER, to);
	ck_assert(answer.len == 7 && !memcmp(to, "re-more", 7) && answer.cut);
	ck_assert_int_eq(answer.origin, BYTES_LATE);
	answer = ask(&blob, 0x1004, 20, BYTES_AT_EXIT, to);
	ck_assert(answer.len == 2 && !answer.cut);
	ck_assert_uint_eq(ask(&blob, 0xfff, 1, BYTES_AT_ENTER, to).len, 0);
	ck_assert_uint_eq(ask(&blob, UINT64_MAX, 9, BYTES_AT_ENTER, to).len, 0);
}
END_TEST

START_TEST(impossible_lengths_are_rejected)
{
	struct chunks blob = { .len = 0 };
	struct capture_chunk *chunk = (struct capture_chunk *)blob.words;
	char to[8];

	chunks_add(&blob, 0x1000, "12345678", 8, 0, BYTES_KERNEL);
	chunk->len = 9;
	ck_assert_uint_eq(ask(&blob, 0x1000, 8, BYTES_AT_ENTER, to).len, 0);
	chunk->len = UINT32_MAX;
	ck_assert_uint_eq(ask(&blob, 0x1000, 8, BYTES_AT_ENTER, to).len, 0);
	chunk->len = 8;
	blob.len -= 1;
	ck_assert_uint_eq(ask(&blob, 0x1000, 8, BYTES_AT_ENTER, to).len, 0);
	blob.len = sizeof(*chunk) - 1;
	ck_assert_uint_eq(ask(&blob, 0x1000, 8, BYTES_AT_ENTER, to).len, 0);
	blob.len = 0;
	ck_assert_uint_eq(ask(&blob, 0x1000, 8, BYTES_AT_ENTER, to).len, 0);
}
END_TEST

/* The decoder shows captured bytes, or the pointer if no bytes were captured. */
START_TEST(a_call_is_shown_with_its_bytes)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct chunks blob = { .len = 0 };
	struct captured_bytes captured;
	struct call_bytes bytes = { captured_bytes_read, &captured };
	struct call_text_options options = { .bytes = &bytes };
	struct call call = { .state = CALL_DONE,
			     .nr = SYS_openat,
			     .args = { (uint32_t)AT_FDCWD, 0x5000, O_RDONLY },
			     .ret = 3 };
	struct str out = STR_INIT;

	chunks_add(&blob, 0x5000, "/etc/\033\"x", 9, 0, BYTES_KERNEL);
	chunks_add(&blob, 0x6000, "hello world", 11, CAPTURE_AT_EXIT, BYTES_KERNEL);
	captured = (struct captured_bytes){ blob.words, blob.len };
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "openat(AT_FDCWD, \"/etc/\\33\\\"x\", O_RDONLY)");
	ck_assert_int_eq(call_text_arg(&out, syscalls, &call, 1, &options), BYTES_KERNEL);
	ck_assert_int_eq(call_text_arg(&out, syscalls, &call, 2, &options), BYTES_REGISTER);

	/* A signal frame, at the stack pointer that the handler had on its return. */
	chunks_add(&blob, 0x8000 + SIGNAL_FRAME_MASK, "\2\100\0\0\0\0\0\0", 8, 0, BYTES_KERNEL);
	captured = (struct captured_bytes){ blob.words, blob.len };
	call = (struct call){ .state = CALL_DONE, .nr = SYS_rt_sigreturn, .args = { 0x8000 } };
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "rt_sigreturn({mask=[INT TERM]})");
	call.args[0] = 0x9000;
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_msg(!strncmp(out.data, "rt_sigreturn({mask=0x9", 22), "%s", out.data);

	call = (struct call){
		.state = CALL_DONE, .nr = SYS_read, .args = { 0, 0x6000, 99 }, .ret = 11
	};
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "read(0, \"hello world\", 99)");
	options.string_bytes = 4;
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "read(0, \"hell\"..., 99)");
	options.hex_strings = true;
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "read(0, \"\\x68\\x65\\x6c\\x6c\"..., 99)");
	/* string_bytes also limits array elements. */
	call = (struct call){
		.state = CALL_DONE, .nr = SYS_getgroups, .args = { 2, 0x6000 }, .ret = 2
	};
	str_clear(&out);
	options.string_bytes = 1;
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "getgroups(2, [1819043176, ...])");
	call = (struct call){ .state = CALL_DONE, .nr = SYS_read, .args = { 0, 0x6000, 99 } };
	/* The call failed: it filled in nothing. */
	call.ret = -4;
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_str_eq(out.data, "read(0, 0x6000, 99)");
	str_release(&out);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_captured_bytes(void);
Suite *suite_captured_bytes(void)
{
	Suite *suite = suite_create("captured_bytes");
	TCase *tests = tcase_create("captured_bytes");

	tcase_add_test(tests, bytes_are_found_by_address_and_moment);
	tcase_add_test(tests, impossible_lengths_are_rejected);
	tcase_add_test(tests, a_call_is_shown_with_its_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
