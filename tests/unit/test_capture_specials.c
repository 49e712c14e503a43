/* The capture rules copy every address that the decoder reads. */
#include "engine/decode/capture_specials.h"

#include "engine/decode/call_text.h"
#include "engine/decode/form.h"
#include "engine/decode/ioctl_args.h"
#include "tests/unit/copier.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/*
 * Memory to which the arguments point. Pointers alternate with small numbers, so that it is valid
 * as an iovec, a message, a list of strings or a struct with pointers.
 */
#define REGION_BYTES 16384
#define SMALL 5

static uint64_t *region;

/* Reads of readable memory that was not copied. */
struct misses {
	struct captured_bytes captured;
	const char *call;
	uint64_t selector;
	struct str text;
	unsigned count;
};

static void read_or_miss(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			 struct bytes_answer *answer)
{
	struct misses *misses = ctx;
	uint64_t at = ask->address - (uint64_t)(uintptr_t)region;
	char what[160];

	captured_bytes_read(&misses->captured, call, ask, to, answer);
	/* A partial struct is a miss. */
	if (answer->len == ask->len || (answer->len && (ask->text || answer->cut)) ||
	    ask->address < (uint64_t)(uintptr_t)region || at + ask->len > REGION_BYTES / 2)
		return;
	misses->count++;
	snprintf(what, sizeof(what), "%s() argument %u at its %s, %u of %u bytes", misses->call,
		 ask->arg, ask->when == BYTES_AT_EXIT ? "exit" : "enter", answer->len, ask->len);
	if (!strstr(misses->text.data ? misses->text.data : "", what))
		str_addf(&misses->text, "%s, as with %#llx\n", what,
			 (unsigned long long)misses->selector);
}

static void try_call(const struct syscalls *syscalls, struct misses *misses, uint32_t nr,
		     const uint64_t args[6], int64_t ret)
{
	struct call call = { .state = CALL_DONE, .nr = (uint16_t)nr, .ret = ret };
	struct call_bytes bytes = { read_or_miss, misses };
	struct call_text_options options = { .bytes = &bytes };
	struct str text = STR_INIT;

	memcpy(call.args, args, sizeof(call.args));
	copier_enter(nr, args);
	copier_exit(ret);
	misses->captured = copier_captured();
	misses->call = syscalls_info(syscalls, nr)->name;
	call_text(&text, syscalls, &call, &options);
	call_text_result(&text, syscalls, &call, &options);
	str_release(&text);
}

/* Set args[selector] to `value`; possible pointers point into the region, numbers are small. */
static void fill_args(const struct syscall_info *info, unsigned selector, uint64_t value,
		      uint64_t args[6])
{
	for (unsigned i = 0; i < SYSCALL_ARGS; i++) {
		const struct syscall_arg *arg = &info->args[i];
		bool pointer = arg->kind == ARG_POINTER || arg->kind == ARG_PATH ||
			       arg->kind == ARG_STRING || (arg->kind == ARG_HEX && arg->bytes == 8);

		args[i] = pointer && i < info->arg_count ? (uint64_t)(uintptr_t)(region + 64 * i)
							 : SMALL;
		if (strstr(arg->name, "size"))
			args[i] = strstr(arg->name, "sigsetsize") ? 8 : 128;
	}
	args[selector] = value;
}

static void try_selectors(const struct syscalls *syscalls, struct misses *misses, uint32_t nr)
{
	static const uint64_t more[] = {
		128,    129,    256,    257,        0x1003,     0x1004,     1031,
		1033,   1035,   1036,   1037,       1038,       0x4200,     0x4201,
		0x4202, 0x4203, 0x420a, 0x53564d41, 0x80000200, 0x80000400, 0xa1b2c3d4,
	};
	const struct syscall_info *info = syscalls_info(syscalls, nr);
	uint64_t args[6];

	for (unsigned selector = 0; selector < 3 && selector < info->arg_count; selector++) {
		for (uint64_t i = 0; i < 64 + sizeof(more) / sizeof(more[0]); i++) {
			misses->selector = i < 64 ? i : more[i - 64];
			fill_args(info, selector, misses->selector, args);
			/* The third argument can be a length, which the result must not exceed. */
			try_call(syscalls, misses, nr, args,
				 misses->selector < SMALL && selector == 2 ? (int64_t)i : SMALL);
		}
	}
	misses->selector = 0;
	fill_args(info, 0, SMALL, args);
	if (info->args[0].kind == ARG_POINTER || info->args[0].kind == ARG_PATH)
		args[0] = (uint64_t)(uintptr_t)region;
	try_call(syscalls, misses, nr, args, SMALL);
	try_call(syscalls, misses, nr, args, 0);
	try_call(syscalls, misses, nr, args, -4);
}

static void try_requests(const struct syscalls *syscalls, struct misses *misses)
{
	const struct ioctl_args *requests;

	for (size_t i = 0; (requests = ioctl_args_at(i)); i++) {
		for (size_t k = 0; k < requests->count; k++) {
			const uint64_t args[6] = { 1, requests->list[k].code,
						   (uint64_t)(uintptr_t)region };

			misses->selector = requests->list[k].code;
			try_call(syscalls, misses, SYS_ioctl, args, 0);
		}
	}
}

START_TEST(bytes_that_the_decoder_reads_are_copied)
{
	const struct syscalls *syscalls = copier_start(0);
	struct misses misses = { .text = STR_INIT };

	need_own_memory("bytes_that_the_decoder_reads_are_copied");
	region = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	ck_assert_ptr_ne(region, MAP_FAILED);
	for (size_t i = 0; i < REGION_BYTES / sizeof(*region); i++)
		region[i] = i % 2 ? SMALL : (uint64_t)(uintptr_t)(region + 512);
	for (uint32_t nr = 0; nr < syscalls_count(syscalls) && nr < CAPTURE_CALLS; nr++)
		if (syscalls_info(syscalls, nr)->form)
			try_selectors(syscalls, &misses, nr);
	try_requests(syscalls, &misses);
	ck_assert_msg(!misses.count, "%u reads were not copied:\n%s", misses.count,
		      misses.text.data);
	str_release(&misses.text);
	munmap(region, REGION_BYTES);
	copier_end();
}
END_TEST

Suite *suite_capture_specials(void);
Suite *suite_capture_specials(void)
{
	Suite *suite = suite_create("capture_specials");
	TCase *tests = tcase_create("capture_specials");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, bytes_that_the_decoder_reads_are_copied);
	suite_add_tcase(suite, tests);
	return suite;
}
