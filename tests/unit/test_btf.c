#include "engine/decode/btf.h"

#include "engine/base/str.h"
#include "engine/decode/call_text.h"
#include "engine/decode/kernel_structs.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"
#include "tests/unit/temporary.h"

#include <asm/ldt.h>
#include <linux/time_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char names[][BTF_NAME_BYTES] = {
	"iovec",  "__kernel_itimerspec", "user_desc", "no_such_struct", "new_utsname",
	"msghdr", "task_struct",         "socket",
};
enum { IOVEC, ITIMERSPEC, USER_DESC, NO_SUCH, UTSNAME, MSGHDR, TASK, SOCKET, NAMES };

static struct btf_layouts *layouts;

static void set_up(void)
{
	layouts = btf_layouts_read(NULL, names, NAMES);
}

static void tear_down(void)
{
	btf_layouts_free(layouts);
	layouts = NULL;
}

static void need_layouts(void)
{
	if (!layouts)
		test_skip("btf: this build or this kernel has no BTF");
}

static void check(unsigned index, const void *bytes, const char *expected)
{
	struct str out = STR_INIT;
	struct printer p = { .out = &out, .string_bytes = STRING_BYTES, .text_left = TEXT_BYTES };
	const struct layout *layout = btf_layout_at(layouts, index);

	ck_assert_ptr_nonnull(layout);
	element_struct(&p, bytes, layout);
	ck_assert_str_eq(out.data, expected);
	str_release(&out);
}

START_TEST(structs_have_the_kernels_names_and_places)
{
	const struct iovec vector = { (void *)0x7f0000001000, 42 };
	const struct __kernel_itimerspec timer = { { 1, 2 }, { -3, 4 } };

	need_layouts();
	check(IOVEC, &vector, "{iov_base=0x7f0000001000, iov_len=42}");
	check(ITIMERSPEC, &timer,
	      "{it_interval={tv_sec=1, tv_nsec=2}, it_value={tv_sec=-3, tv_nsec=4}}");
	ck_assert_ptr_null(btf_layout_at(layouts, NO_SUCH));
	ck_assert_ptr_null(btf_layout_at(layouts, 1000));
}
END_TEST

START_TEST(bits_of_a_word_are_members)
{
	const struct user_desc desc = { .entry_number = ~0u,
					.base_addr = 16,
					.limit = 5,
					.seg_32bit = 1,
					.contents = 2,
					.limit_in_pages = 1,
					.useable = 1 };

	need_layouts();
	check(USER_DESC, &desc,
	      "{entry_number=4294967295, base_addr=16, limit=5, seg_32bit=1, contents=2, "
	      "read_exec_only=0, limit_in_pages=1, seg_not_present=0, useable=1, lm=0}");
}
END_TEST

START_TEST(untrusted_text_is_quoted)
{
	char name[6 * 65] = "Linux\033\"";

	need_layouts();
	memset(name + 65, 'x', 65);
	check(UTSNAME, name,
	      "{sysname=\"Linux\\33\\\"\", nodename=\""
	      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"..., "
	      "release=\"\", version=\"\", machine=\"\", domainname=\"\"}");
}
END_TEST

/* The struct of the cases is internal to the kernel; structs of calls can have enums, too. */
START_TEST(enum_values_have_names)
{
	static const struct {
		uint32_t value;
		const char *text;
	} cases[] = {
		{ 0, "{state=SS_FREE, " },
		{ 3, "{state=SS_CONNECTED, " },
		{ 77, "{state=0x4d" },
		{ UINT32_MAX, "{state=0xffffffff" },
	};
	uint8_t bytes[BTF_STRUCT_BYTES] = { 0 };
	const struct layout *layout;

	need_layouts();
	layout = btf_layout_at(layouts, SOCKET);
	if (!layout)
		test_skip("enum_values_have_names: this kernel has no sockets");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str out = STR_INIT;
		struct printer p = { .out = &out,
				     .string_bytes = STRING_BYTES,
				     .text_left = TEXT_BYTES };

		memcpy(bytes, &cases[i].value, sizeof(cases[i].value));
		element_struct(&p, bytes, layout);
		ck_assert_msg(!strncmp(out.data, cases[i].text, strlen(cases[i].text)), "%s",
			      out.data);
		str_release(&out);
	}
}
END_TEST

/* The kernel also has an internal struct msghdr of another size. */
START_TEST(structs_are_those_that_programs_pass)
{
	need_layouts();
	ck_assert_uint_eq(btf_layout_at(layouts, MSGHDR)->bytes, 56);
}
END_TEST

START_TEST(structs_of_any_size_are_bounded)
{
	const struct layout *task;
	static const uint8_t bytes[BTF_STRUCT_BYTES];
	struct str out = STR_INIT;
	struct printer p = { .out = &out, .string_bytes = STRING_BYTES, .text_left = TEXT_BYTES };

	need_layouts();
	task = btf_layout_at(layouts, TASK);
	ck_assert_ptr_nonnull(task);
	ck_assert(task->bytes <= BTF_STRUCT_BYTES && task->more);
	for (uint32_t i = 0; i < task->count; i++)
		ck_assert_uint_le(task->fields[i].offset + task->fields[i].bytes, task->bytes);
	element_struct(&p, bytes, task);
	ck_assert_uint_lt(out.len, 20000);
	str_release(&out);
}
END_TEST

START_TEST(file_without_btf_is_rejected)
{
	char path[TEMPORARY_PATH_MAX];
	int fd = temporary_file(path, "btf");

	ck_assert_ptr_null(btf_layouts_read(path, names, NAMES));
	ck_assert_int_eq(write(fd, "\237\353\1\0\30\0\0\0\0\0\0\0\377\377\377\177", 16), 16);
	ck_assert_ptr_null(btf_layouts_read(path, names, NAMES));
	ck_assert_ptr_null(btf_layouts_read("/nonexistent", names, NAMES));
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(types_of_arguments_name_structs)
{
	struct kernel_structs *structs = kernel_structs_new();

	ck_assert_uint_eq(kernel_structs_add(structs, "struct iovec *"), 1);
	ck_assert_uint_eq(kernel_structs_add(structs, "const struct no_such_struct *"), 2);
	ck_assert_uint_eq(kernel_structs_add(structs, "const struct iovec *"), 1);
	ck_assert_uint_eq(kernel_structs_add(structs, "struct iovec * *"), 0);
	ck_assert_uint_eq(kernel_structs_add(structs, "struct *"), 0);
	ck_assert_uint_eq(kernel_structs_add(structs, "void *"), 0);
	ck_assert_ptr_null(kernel_structs_layout(structs, 2, true));
	ck_assert_ptr_null(kernel_structs_layout(structs, 3, true));
	ck_assert_ptr_null(kernel_structs_layout(structs, 0, true));
	if (layouts)
		ck_assert_ptr_nonnull(kernel_structs_layout(structs, 1, true));
	kernel_structs_free(structs);
	/* Without waiting, the layout is read in the background. */
	structs = kernel_structs_new();
	ck_assert_uint_eq(kernel_structs_add(structs, "struct iovec *"), 1);
	while (layouts && !kernel_structs_layout(structs, 1, false))
		;
	kernel_structs_free(structs);
	/* Free it at once: the background thread can still be reading. */
	structs = kernel_structs_new();
	kernel_structs_add(structs, "struct iovec *");
	kernel_structs_layout(structs, 1, false);
	kernel_structs_free(structs);
}
END_TEST

struct given {
	uint64_t words[8];
};

static void read_given(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		       struct bytes_answer *answer)
{
	const struct given *given = ctx;

	(void)call;
	answer->origin = BYTES_KERNEL;
	answer->len = ask->len < sizeof(*given) ? ask->len : sizeof(*given);
	memcpy(to, given, answer->len);
}

START_TEST(arguments_without_a_form_are_shown_by_the_kernels_layout)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct given given = { { 0x500000004, 6, 7, 8, 9, 10, 11, 12 } };
	struct call_bytes bytes = { read_given, &given };
	struct call_text_options options = { .bytes = &bytes, .wait = true };
	struct call call = { .state = CALL_DONE,
			     .nr = 469 /* file_setattr */,
			     .args = { 3, 0, 0x1000, 16, 0 } };
	struct str out = STR_INIT;

	call_text(&out, syscalls, &call, &options);
	if (layouts && !strstr(out.data, "0x1000")) { /* since Linux 6.17 */
		/* The struct is cut to the size that the caller passes. */
		ck_assert_ptr_nonnull(strstr(out.data, "fa_xflags=0x500000004"));
		ck_assert_ptr_nonnull(strstr(out.data, "fa_extsize=6"));
		ck_assert_ptr_nonnull(strstr(out.data, "...}, 16"));
	}
	/* A failed call shows structs that it reads, not structs that it should have filled in. */
	call.ret = -22;
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert(!layouts || strstr(out.data, "0x1000") || strstr(out.data, "fa_extsize=6"));
	call.nr = 468; /* file_getattr */
	str_clear(&out);
	call_text(&out, syscalls, &call, &options);
	ck_assert_ptr_nonnull(strstr(out.data, "0x1000"));
	str_release(&out);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_btf(void);
Suite *suite_btf(void)
{
	Suite *suite = suite_create("btf");
	TCase *tests = tcase_create("btf");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, structs_have_the_kernels_names_and_places);
	tcase_add_test(tests, bits_of_a_word_are_members);
	tcase_add_test(tests, untrusted_text_is_quoted);
	tcase_add_test(tests, enum_values_have_names);
	tcase_add_test(tests, structs_are_those_that_programs_pass);
	tcase_add_test(tests, structs_of_any_size_are_bounded);
	tcase_add_test(tests, file_without_btf_is_rejected);
	tcase_add_test(tests, types_of_arguments_name_structs);
	tcase_add_test(tests, arguments_without_a_form_are_shown_by_the_kernels_layout);
	suite_add_tcase(suite, tests);
	return suite;
}
