/* Late reads of calls of this program, whose memory is readable. */
#include "engine/late/late_thread.h"

#include "engine/base/clock.h"
#include "engine/decode/captured_bytes.h"
#include "engine/record/capture_chunks.h"
#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct late_memory here;
static const char constant[] = "/in/a/constant";

static struct call access_to(const void *path)
{
	return (struct call){ .enter_ns = clock_now_ns(),
			      .dur_ns = 1000,
			      .pid = (uint32_t)getpid(),
			      .tid = (uint32_t)getpid(),
			      .nr = SYS_faccessat,
			      .state = CALL_DONE,
			      .ret = -2,
			      .args = { (uint64_t)-100, (uintptr_t)path } };
}

/* Return the origin of the text at `address`; BYTES_NONE: not in the chunks. */
static enum bytes_origin origin_of(const struct str *chunks, const void *address, const char *text)
{
	struct capture_chunk chunk;
	const uint8_t *bytes;

	if (!capture_chunks_find(chunks->data, chunks->len, (uintptr_t)address, false, &chunk,
				 &bytes))
		return BYTES_NONE;
	ck_assert_uint_eq(chunk.len, strlen(text) + 1);
	ck_assert_mem_eq(bytes, text, chunk.len);
	return chunk.origin;
}

START_TEST(memory_is_late_and_constants_are_of_the_image)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct late_bytes *late = late_bytes_new(syscalls, NULL, NULL, 0);
	char on_stack[] = "/on/the/stack";
	struct str chunks = STR_INIT;
	struct call call = access_to(constant);

	need_own_memory("memory_is_late_and_constants_are_of_the_image");
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_int_eq(origin_of(&chunks, constant, constant), BYTES_IMAGE);
	/* The call was entered at time 0, before the last change of the file. */
	call.enter_ns = 0;
	str_clear(&chunks);
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_int_ge(origin_of(&chunks, constant, constant), BYTES_LATE);
	call = access_to(on_stack);
	str_clear(&chunks);
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_int_eq(origin_of(&chunks, on_stack, on_stack), BYTES_LATE);
	str_release(&chunks);
	late_bytes_free(late);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(known_or_unreadable_bytes_are_not_read)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct late_bytes *late = late_bytes_new(syscalls, NULL, NULL, 0);
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct str chunks = STR_INIT, known = STR_INIT;
	struct call call = access_to(constant);

	need_own_memory("known_or_unreadable_bytes_are_not_read");
	late_bytes_read(late, &call, &here, NULL, 0, &known);
	late_bytes_read(late, &call, &here, known.data, known.len, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	call = access_to((void *)8);
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	/* A text without an end in mapped memory. */
	ck_assert_ptr_ne(pages, MAP_FAILED);
	memset(pages, 'x', 8192);
	mprotect(pages + 4096, 4096, PROT_NONE);
	call = access_to(pages + 4000);
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	/* A text that ends with the mapped memory; then a process that does not exist. */
	pages[4095] = '\0';
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_uint_gt(chunks.len, 0);
	str_clear(&chunks);
	call.pid = 0x7ffffffe;
	late_bytes_read(late, &call, &here, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	munmap(pages, 8192);
	str_release(&chunks);
	str_release(&known);
	late_bytes_free(late);
	syscalls_free(syscalls);
}
END_TEST

START_TEST(thread_reads_requested_calls)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct late_thread *thread;
	struct str chunks = STR_INIT;
	struct call first = access_to(constant), other = access_to(constant);
	uint64_t version;
	struct err err;

	need_own_memory("thread_reads_requested_calls");
	ck_assert_int_eq(late_thread_new(&thread, late_bytes_new(syscalls, NULL, NULL, 0), &err),
			 0);
	version = late_thread_version(thread);
	ck_assert(!late_thread_get(thread, &first, &chunks));
	late_thread_ask(thread, &first, &here, NULL, 0);
	late_thread_ask(thread, &first, &here, NULL, 0);
	ck_assert(late_thread_wait(thread, 10000));
	ck_assert(late_thread_get(thread, &first, &chunks));
	ck_assert_int_eq(origin_of(&chunks, constant, constant), BYTES_IMAGE);
	ck_assert_uint_ne(late_thread_version(thread), version);
	/* The same call in another state has its own result. */
	other = first;
	other.state = CALL_IN_FLIGHT;
	ck_assert(!late_thread_get(thread, &other, &chunks));
	/* The oldest results are evicted. */
	for (int i = 0; i < 20000; i++) {
		other.enter_ns++;
		late_thread_ask(thread, &other, &here, NULL, 0);
	}
	ck_assert(late_thread_wait(thread, 20000));
	/* Request `other` again: it was dropped if the oldest request was still being read. */
	late_thread_ask(thread, &other, &here, NULL, 0);
	ck_assert(late_thread_wait(thread, 20000));
	ck_assert(late_thread_get(thread, &other, &chunks));
	ck_assert(!late_thread_get(thread, &first, &chunks));
	str_release(&chunks);
	late_thread_free(thread);
	syscalls_free(syscalls);
}
END_TEST

/* Read as if this program had exited: only the constants in its file are known. */
START_TEST(constants_of_an_exited_process_are_in_its_files)
{
	struct syscalls *syscalls = syscalls_load(NULL);
	struct spaces *spaces = spaces_new();
	struct late_bytes *late = late_bytes_new(syscalls, spaces, NULL, 0);
	struct late_memory gone = { .gone = true };
	char on_stack[] = "/on/the/stack";
	static char changes[] = "/in/data";
	struct str chunks = STR_INIT;
	struct call call = access_to(constant);

	ck_assert(spaces_load_proc(spaces, (uint32_t)getpid(), 0));
	late_bytes_read(late, &call, &gone, NULL, 0, &chunks);
	ck_assert_int_eq(origin_of(&chunks, constant, constant), BYTES_IMAGE);
	str_clear(&chunks);
	call = access_to(on_stack);
	late_bytes_read(late, &call, &gone, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	call = access_to(changes);
	late_bytes_read(late, &call, &gone, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	/* The file is newer than this call. */
	call = access_to(constant);
	call.enter_ns = 0;
	late_bytes_read(late, &call, &gone, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	/* Generation 7 is another program, which has no mapping there. */
	call = access_to(constant);
	gone.generation = 7;
	late_bytes_read(late, &call, &gone, NULL, 0, &chunks);
	ck_assert_uint_eq(chunks.len, 0);
	str_release(&chunks);
	late_bytes_free(late);
	spaces_free(spaces);
	syscalls_free(syscalls);
}
END_TEST

Suite *suite_late_bytes(void);
Suite *suite_late_bytes(void)
{
	Suite *suite = suite_create("late_bytes");
	TCase *tc = tcase_create("late_bytes");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, constants_of_an_exited_process_are_in_its_files);
	tcase_add_test(tc, memory_is_late_and_constants_are_of_the_image);
	tcase_add_test(tc, known_or_unreadable_bytes_are_not_read);
	tcase_add_test(tc, thread_reads_requested_calls);
	suite_add_tcase(suite, tc);
	return suite;
}
