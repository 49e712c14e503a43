/* The BPF code that copies call arguments, on memory of this process. */
#include "engine/decode/call_text.h"
#include "engine/source/bpf/bpf_ring.h"
#include "tests/unit/copier.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define U(pointer) ((uint64_t)(uintptr_t)(pointer))

static const struct syscalls *syscalls;

/* Targets of vectors and arrays, whose pointers are not const. */
static char word_abcdefgh[] = "abcdefgh", word_one[] = "one", word_two[] = "two",
	    word_again[] = "again", word_arg[] = "arg", word_other[] = "other",
	    word_first[] = "first";

/* Return the text of a call with these arguments; `changed` runs before its exit. */
static const char *text_of(uint32_t nr, const uint64_t args[6], int64_t ret, void (*changed)(void),
			   struct str *out)
{
	struct call call = { .state = CALL_DONE, .nr = (uint16_t)nr, .ret = ret };
	struct captured_bytes captured;
	struct call_bytes bytes = { captured_bytes_read, &captured };
	struct call_text_options options = { .bytes = &bytes };

	memcpy(call.args, args, sizeof(call.args));
	copier_enter(nr, args);
	if (changed)
		changed();
	copier_exit(ret);
	captured = copier_captured();
	str_clear(out);
	call_text(out, syscalls, &call, &options);
	return out->data;
}

#define TEXT(nr, ret, changed, ...) \
	text_of(nr, (const uint64_t[6]){ __VA_ARGS__ }, ret, changed, &text)

static void check_bounds(void)
{
	const struct bpf_record *emit = copier_reported();

	ck_assert_uint_le(emit->bytes, BPF_RECORD_BYTES_MAX);
	ck_assert_uint_eq(emit->bytes % 8, 0);
	ck_assert_uint_ge(emit->bytes, sizeof(*emit));
}

/* Return a page that is followed by an unmapped page. */
static char *page_before_nothing(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(munmap(pages + 4096, 4096), 0);
	return pages;
}

START_TEST(vectors_with_absurd_counts_are_bounded)
{
	static const uint64_t counts[] = { 1025, 1u << 30, INT32_MAX, UINT32_MAX, UINT64_MAX };
	struct iovec vectors[40];
	struct str text = STR_INIT;

	need_own_memory("vectors_with_absurd_counts_are_bounded");
	for (size_t i = 0; i < 40; i++)
		vectors[i] = (struct iovec){ word_abcdefgh, 4 };
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		TEXT(SYS_writev, -EINVAL, NULL, 1, U(vectors), counts[i]);
		check_bounds();
		ck_assert_ptr_nonnull(strstr(text.data, "[{iov_base=\"abcd\", iov_len=4}, "));
		ck_assert_ptr_nonnull(strstr(text.data, "iov_len=4}, ...], "));
		TEXT(SYS_readv, -EINVAL, NULL, 1, U(vectors), counts[i]);
		check_bounds();
		TEXT(SYS_process_vm_readv, -EINVAL, NULL, 1, U(vectors), counts[i], U(vectors),
		     counts[i]);
		check_bounds();
	}
	/* Impossible lengths: a buffer is copied only if all bytes that are shown are mapped. */
	for (size_t i = 0; i < 40; i++)
		vectors[i] = (struct iovec){ page_before_nothing() + 4090, SIZE_MAX };
	TEXT(SYS_writev, -EINVAL, NULL, 1, U(vectors), 40);
	check_bounds();
	ck_assert_ptr_null(strstr(text.data, "\"\\0\\0"));
	str_release(&text);
}
END_TEST

START_TEST(messages_with_absurd_lengths_are_bounded)
{
	char name[200] = "\1\0/tmp/socket", control[8192] = "";
	struct iovec vectors[2] = { { word_one, 3 }, { word_two, SIZE_MAX } };
	struct mmsghdr many[40];
	struct str text = STR_INIT;

	need_own_memory("messages_with_absurd_lengths_are_bounded");
	for (size_t i = 0; i < 40; i++)
		many[i] = (struct mmsghdr){ .msg_hdr = { name, UINT32_MAX, vectors, SIZE_MAX,
							 control, SIZE_MAX, 0 },
					    .msg_len = UINT32_MAX };
	TEXT(SYS_sendmsg, -EINVAL, NULL, 1, U(many), 0);
	check_bounds();
	ck_assert_ptr_nonnull(strstr(text.data, "iov_base=\"one\", iov_len=3"));
	TEXT(SYS_recvmsg, 3, NULL, 1, U(many), 0);
	check_bounds();
	ck_assert_ptr_nonnull(strstr(text.data, "iov_base=\"one\", iov_len=3"));
	TEXT(SYS_sendmmsg, 40, NULL, 1, U(many), UINT32_MAX, 0);
	check_bounds();
	TEXT(SYS_recvmmsg, 40, NULL, 1, U(many), UINT32_MAX, 0, 0);
	check_bounds();
	str_release(&text);
}
END_TEST

START_TEST(unterminated_arguments_are_cut_at_the_usual_count)
{
	char **arguments = (char **)page_before_nothing(), *few[40];
	struct str text = STR_INIT;
	const char *at;
	unsigned count = 0;

	need_own_memory("unterminated_arguments_are_cut_at_the_usual_count");
	for (size_t i = 0; i < 512; i++)
		arguments[i] = word_again;
	TEXT(SYS_execve, -E2BIG, NULL, U("/bin/x"), U(arguments), U(arguments));
	check_bounds();
	for (at = text.data; (at = strstr(at, "\"again\"")); at++)
		count++;
	ck_assert_uint_eq(count, CAPTURE_ITEMS);
	ck_assert_ptr_nonnull(strstr(text.data, "\"again\", ...], 0x"));
	ck_assert_ptr_nonnull(strstr(text.data, " /* 512 vars, unterminated */"));

	/* The list is copied up to the end of mapped memory. */
	TEXT(SYS_execve, -EFAULT, NULL, U("/bin/x"), U(arguments + 510), 0);
	ck_assert_ptr_nonnull(strstr(text.data, "[\"again\", \"again\", ...], NULL"));
	for (size_t i = 0; i < 33; i++)
		few[i] = word_arg;
	few[32] = NULL;
	TEXT(SYS_execve, -ENOENT, NULL, U("/bin/x"), U(few), U(few + 32));
	ck_assert_ptr_nonnull(strstr(text.data, "\"arg\", \"arg\"], 0x"));
	ck_assert_ptr_nonnull(strstr(text.data, " /* 0 vars */"));
	few[32] = word_arg;
	few[33] = NULL;
	TEXT(SYS_execve, -ENOENT, NULL, U("/bin/x"), U(few), U(few + 32));
	ck_assert_ptr_nonnull(strstr(text.data, "\"arg\", ...], 0x"));
	ck_assert_ptr_nonnull(strstr(text.data, " /* 1 var */"));
	few[0] = (char *)1;
	TEXT(SYS_execve, -ENOENT, NULL, U("/bin/x"), U(few), 8);
	ck_assert_ptr_nonnull(strstr(text.data, "[0x1, \"arg\""));
	str_release(&text);
}
END_TEST

START_TEST(paths_are_complete_up_to_the_longest)
{
	static const size_t lengths[] = { 1, 254, 255, 256, 257, 1000, 4000, 4094, 4095 };
	char path[4200], expected[9000];
	struct str text = STR_INIT;

	need_own_memory("paths_are_complete_up_to_the_longest");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		memset(path, 'p', lengths[i]);
		path[lengths[i]] = '\0';
		snprintf(expected, sizeof(expected), "rename(\"%s\", \"%s\")", path, path);
		TEXT(SYS_rename, -ENOENT, NULL, U(path), U(path));
		ck_assert_msg(!strcmp(text.data, expected), "of %zu bytes", lengths[i]);
		check_bounds();
	}
	memset(path, 'p', sizeof(path));
	TEXT(SYS_rename, -ENAMETOOLONG, NULL, U(path), 0);
	ck_assert_ptr_nonnull(strstr(text.data, "ppp\"..., NULL)"));
	str_release(&text);
}
END_TEST

START_TEST(partly_mapped_arguments_are_pointers)
{
	char *page = page_before_nothing();
	struct str text = STR_INIT;
	char expected[64];

	need_own_memory("partly_mapped_arguments_are_pointers");
	memset(page, 'x', 4096);
	/* An unterminated string is shown as a pointer. */
	snprintf(expected, sizeof(expected), "unlink(%p)", (void *)(page + 4090));
	ck_assert_str_eq(TEXT(SYS_unlink, -EFAULT, NULL, U(page + 4090)), expected);
	page[4095] = '\0';
	ck_assert_str_eq(TEXT(SYS_unlink, -ENOENT, NULL, U(page + 4090)), "unlink(\"xxxxx\")");
	ck_assert_str_eq(TEXT(SYS_unlink, -EFAULT, NULL, 8), "unlink(0x8)");
	ck_assert_str_eq(TEXT(SYS_unlink, -EFAULT, NULL, UINT64_MAX), "unlink(0xffffffffffffffff)");
	/* A partly mapped struct or buffer is shown as a pointer. */
	snprintf(expected, sizeof(expected), "nanosleep(%p, NULL)", (void *)(page + 4088));
	ck_assert_str_eq(TEXT(SYS_nanosleep, -EFAULT, NULL, U(page + 4088), 0), expected);
	snprintf(expected, sizeof(expected), "write(1, %p, 20)", (void *)(page + 4080));
	ck_assert_str_eq(TEXT(SYS_write, -EFAULT, NULL, 1, U(page + 4080), 20), expected);
	ck_assert_str_eq(TEXT(SYS_write, 5, NULL, 1, U(page + 4090), 5), "write(1, \"xxxxx\", 5)");
	str_release(&text);
}
END_TEST

static char shared_path[512];

static void change_path(void)
{
	memset(shared_path, 'B', strlen(shared_path));
}

/* The path is never a mix: it is that of the enter, or a later one with BYTES_LATE. */
START_TEST(changing_path_is_that_of_the_enter_or_late)
{
	static const size_t lengths[] = { 20, 300 };
	struct str text = STR_INIT;

	need_own_memory("changing_path_is_that_of_the_enter_or_late");
	for (size_t i = 0; i < 4; i++) {
		size_t len = lengths[i % 2];
		const struct capture_chunk *chunk;

		copier_defer(i >= 2);
		memset(shared_path, 'A', len);
		shared_path[len] = '\0';
		TEXT(SYS_unlink, 0, change_path, U(shared_path));
		ck_assert_uint_eq(strspn(text.data + strlen("unlink(\""), i < 2 ? "A" : "B"), len);
		chunk = copier_captured().chunks;
		ck_assert_uint_eq(chunk->origin, i < 2 ? BYTES_KERNEL : BYTES_LATE);
		ck_assert_uint_eq(chunk->flags, i < 2 ? 0 : CAPTURE_LATER);
	}
	/* The thread leaves its CPU during the call: the path copied at that time is final. */
	copier_defer(true);
	memset(shared_path, 'A', 20);
	copier_enter(SYS_unlink, (const uint64_t[6]){ U(shared_path) });
	ck_assert_ptr_null(copier_reported());
	copier_switch();
	ck_assert_uint_eq(copier_reported()->captured, BPF_CAPTURED_ALL);
	change_path();
	copier_exit(0);
	ck_assert_uint_eq(copier_reported()->captured, BPF_CAPTURED_NONE);
	ck_assert_int_eq(
		memcmp((const char *)copier_captured().chunks + sizeof(struct capture_chunk),
		       "AAAA", 4),
		0);
	copier_defer(false);
	str_release(&text);
}
END_TEST

static struct iovec shared_vector[1];

static void point_elsewhere(void)
{
	shared_vector[0].iov_base = word_other;
}

START_TEST(changing_vector_is_not_mixed)
{
	struct str text = STR_INIT;
	char expected[128];

	need_own_memory("changing_vector_is_not_mixed");
	shared_vector[0] = (struct iovec){ word_first, 5 };
	/* The call filled word_first, but at its exit the vector points to another buffer. */
	snprintf(expected, sizeof(expected), "readv(0, [{iov_base=%p, iov_len=5}], 1)",
		 shared_vector[0].iov_base);
	ck_assert_str_eq(TEXT(SYS_readv, 5, point_elsewhere, 0, U(shared_vector), 1), expected);
	str_release(&text);
}
END_TEST

/* Memory that the call overwrote with results is not shown as its input. */
START_TEST(results_are_not_shown_as_inputs)
{
	uint64_t set = 1, time[2] = { 3, 4 };
	struct str text = STR_INIT;
	char expected[160];

	need_own_memory("results_are_not_shown_as_inputs");
	copier_defer(true);
	snprintf(expected, sizeof(expected), "select(5, %p, NULL, NULL, %p)", (void *)&set,
		 (void *)time);
	ck_assert_str_eq(TEXT(SYS_select, 1, NULL, 5, U(&set), 0, 0, U(time)), expected);
	copier_defer(false);
	TEXT(SYS_select, 1, NULL, 5, U(&set), 0, 0, U(time));
	ck_assert_str_eq(text.data, "select(5, [0], NULL, NULL, {tv_sec=3, tv_usec=4})");
	str_release(&text);
}
END_TEST

static char *gone_page;

static void bring_in(void)
{
	ck_assert_int_eq(mprotect(gone_page, 4096, PROT_READ), 0);
}

/* For example, the call can be the first access to a page of the program file. */
START_TEST(page_that_is_mapped_late_is_copied_late)
{
	struct str text = STR_INIT;
	const struct capture_chunk *chunk;

	need_own_memory("page_that_is_mapped_late_is_copied_late");
	gone_page = page_before_nothing();
	strcpy(gone_page, "/etc/hosts");
	ck_assert_int_eq(mprotect(gone_page, 4096, PROT_NONE), 0);
	TEXT(SYS_rename, 0, bring_in, U(gone_page), U("/here"));
	ck_assert_str_eq(text.data, "rename(\"/etc/hosts\", \"/here\")");
	chunk = copier_captured().chunks;
	ck_assert(chunk->arg == 1 && chunk->origin == BYTES_KERNEL);
	chunk = (const void *)((const char *)chunk + CAPTURE_CHUNK_BYTES(chunk->len));
	ck_assert(chunk->arg == 0 && chunk->origin == BYTES_LATE);
	/* After an execve(), the address belongs to another program. */
	ck_assert_int_eq(mprotect(gone_page, 4096, PROT_NONE), 0);
	TEXT(SYS_execve, 0, bring_in, U(gone_page), 0, 0);
	ck_assert_ptr_nonnull(strstr(text.data, "execve(0x"));
	str_release(&text);
}
END_TEST

/* A record and its chunks are contiguous at every ring position. */
START_TEST(chunks_wrap_with_their_records)
{
	char path[3000];
	struct bpf_cpu cpu = { .ring = 1 };
	struct bpf_ring ring;

	need_own_memory("chunks_wrap_with_their_records");
	memset(path, 'w', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	for (uint64_t back = 8; back < 7000; back += 8) {
		const struct bpf_record *emit;
		const struct capture_chunk *chunk;
		uint64_t position = 3 * COPIER_RING_BYTES - back;

		copier_at(position);
		copier_enter(SYS_rename, (const uint64_t[6]){ U(path), U(path) });
		emit = copier_reported();
		ck_assert_ptr_nonnull(emit);
		cpu.consumed = position;
		cpu.reserved = position + emit->bytes;
		bpf_ring_init(&ring, &cpu, (const char *)emit - position % COPIER_RING_BYTES,
			      COPIER_RING_BYTES, COPIER_KEY);
		bpf_ring_refresh(&ring);
		ck_assert_ptr_eq(bpf_ring_peek(&ring), emit);
		ck_assert_uint_eq(emit->bytes, sizeof(*emit) + 2 * CAPTURE_CHUNK_BYTES(3000));
		chunk = (const void *)(emit + 1);
		ck_assert(chunk->len == 3000 && !memcmp(chunk + 1, path, 3000));
		copier_exit(0);
	}
}
END_TEST

/* Bytes that do not fit into the record are left out; the other bytes are unchanged. */
START_TEST(record_size_is_bounded)
{
	static char huge[8192];
	struct iovec vectors[32];
	struct mmsghdr many[32];
	struct captured_bytes captured;
	struct str text = STR_INIT;

	need_own_memory("record_size_is_bounded");
	memset(huge, 'h', sizeof(huge));
	copier_end();
	syscalls = copier_start(4095);
	for (size_t i = 0; i < 32; i++) {
		vectors[i] = (struct iovec){ huge, sizeof(huge) };
		many[i] = (struct mmsghdr){ .msg_hdr = { .msg_iov = vectors, .msg_iovlen = 32 } };
	}
	TEXT(SYS_sendmmsg, 32, NULL, 1, U(many), 32, 0);
	check_bounds();
	captured = copier_captured();
	ck_assert_uint_gt(captured.len, 8192);
	ck_assert_uint_le(captured.len, 2 * BPF_RECORD_BYTES_MAX);
	ck_assert_ptr_nonnull(strstr(text.data, "hhhhhh\"..., iov_len=8192"));
	str_release(&text);
}
END_TEST

/* The number of copied buffers is bounded for any number of pointers. */
START_TEST(number_of_copies_is_bounded)
{
	struct iovec vectors[32];
	struct mmsghdr many[32];
	struct captured_bytes captured;

	need_own_memory("number_of_copies_is_bounded");
	for (size_t i = 0; i < 32; i++) {
		vectors[i] = (struct iovec){ word_one, 3 };
		many[i] = (struct mmsghdr){ .msg_hdr = { .msg_iov = vectors, .msg_iovlen = 32 } };
	}
	copier_enter(SYS_sendmmsg, (const uint64_t[6]){ 1, U(many), 32, 0 });
	captured = copier_captured();
	/* Copied: all messages, and some of their vectors and buffers. */
	ck_assert_uint_lt(captured.len,
			  32 * sizeof(struct mmsghdr) +
				  160 * (sizeof(struct capture_chunk) + 32 * sizeof(struct iovec)));
	ck_assert_uint_gt(captured.len, 100 * CAPTURE_CHUNK_BYTES(3));
	ck_assert_uint_lt(captured.len, 400 * CAPTURE_CHUNK_BYTES(3));
	copier_exit(-EFAULT);
}
END_TEST

/* Entries are counted up to the end of the copied bytes. */
START_TEST(truncated_list_says_so)
{
	static char entries[20000];
	struct str text = STR_INIT;
	uint16_t length = 40;

	need_own_memory("truncated_list_says_so");
	for (size_t at = 0; at + length <= sizeof(entries); at += length)
		memcpy(entries + at + 16, &length, sizeof(length));
	TEXT(SYS_getdents64, 200 * 40, NULL, 3, U(entries), 32768);
	ck_assert_ptr_nonnull(strstr(text.data, " /* 200 entries */, 32768)"));
	TEXT(SYS_getdents64, 500 * 40, NULL, 3, U(entries), 32768);
	check_bounds();
	ck_assert_ptr_nonnull(strstr(text.data, " entries or more */, 32768)"));
	str_release(&text);
}
END_TEST

static void begin(void)
{
	syscalls = copier_start(0);
}

static void end(void)
{
	copier_end();
}

Suite *suite_copy_args(void);
Suite *suite_copy_args(void)
{
	Suite *suite = suite_create("copy_args");
	TCase *tests = tcase_create("copying");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, vectors_with_absurd_counts_are_bounded);
	tcase_add_test(tests, messages_with_absurd_lengths_are_bounded);
	tcase_add_test(tests, unterminated_arguments_are_cut_at_the_usual_count);
	tcase_add_test(tests, paths_are_complete_up_to_the_longest);
	tcase_add_test(tests, partly_mapped_arguments_are_pointers);
	tcase_add_test(tests, changing_path_is_that_of_the_enter_or_late);
	tcase_add_test(tests, changing_vector_is_not_mixed);
	tcase_add_test(tests, results_are_not_shown_as_inputs);
	tcase_add_test(tests, page_that_is_mapped_late_is_copied_late);
	tcase_add_test(tests, chunks_wrap_with_their_records);
	tcase_add_test(tests, record_size_is_bounded);
	tcase_add_test(tests, number_of_copies_is_bounded);
	tcase_add_test(tests, truncated_list_says_so);
	suite_add_tcase(suite, tests);
	return suite;
}
