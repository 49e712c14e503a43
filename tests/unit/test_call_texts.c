/* Cached call texts with made-up bytes, and their roles on the screen. */
#include "tui/calls/call_texts.h"

#include "tests/unit/chunks.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/calls/call_cells.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

static struct recorded_shell on;
static struct session *session;
static struct call_cells cells;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	session = &on.shell.session;
	call_cells_init(&cells);
}

static void teardown(void)
{
	call_cells_release(&cells);
	recorded_shell_close(&on);
}

static struct call open_call(uint64_t enter_ns)
{
	return (struct call){ .state = CALL_DONE,
			      .nr = SYS_openat,
			      .tid = 7,
			      .pid = 7,
			      .ret = 3,
			      .enter_ns = enter_ns,
			      .args = { (uint32_t)AT_FDCWD, 0x7000 } };
}

static void add(const struct call *call, const char *path, enum bytes_origin origin)
{
	struct chunks chunks = { .len = 0 };

	chunks_add(&chunks, 0x7000, path, (uint32_t)strlen(path) + 1, 0, origin);
	call_texts_add(&cells.texts, session, call, chunks_bytes(&chunks), chunks.len);
}

static void cell_is(const struct call *call, const char *text, const char *late)
{
	struct table_cell cell = { .text = STR_INIT };

	call_cells_cell(&cells, session, call, CALL_COLUMN_CALL, &cell);
	ck_assert_str_eq(cell.text.data, text);
	ck_assert_uint_eq(cell.span_count, late ? 1 : 0);
	if (late) {
		const struct table_span *span = &cell.spans[0];

		ck_assert_int_eq(span->role, ROLE_LATE);
		ck_assert_uint_eq(span->to - span->from, strlen(late));
		ck_assert(!strncmp(cell.text.data + span->from, late, strlen(late)));
	}
	str_release(&cell.text);
}

START_TEST(a_row_keeps_the_text_that_was_made_with_its_bytes)
{
	struct call call = open_call(5);

	cell_is(&call, "openat(AT_FDCWD, 0x7000, O_RDONLY)", NULL);
	call.enter_ns = 6;
	add(&call, "/etc/hostname", BYTES_KERNEL);
	cell_is(&call, "openat(AT_FDCWD, \"/etc/hostname\", O_RDONLY)", NULL);
}
END_TEST

/* More bytes arrive with late reads; fewer remain when the history evicts them. */
START_TEST(text_is_remade_with_more_bytes_but_not_with_fewer)
{
	struct call call = open_call(5);
	const struct call *calls[] = { &call };

	cell_is(&call, "openat(AT_FDCWD, 0x7000, O_RDONLY)", NULL);
	/* The text is checked, as its version is outdated; the engine has no bytes of this call. */
	cells.texts.version = 7;
	add(&call, "/etc/hostname", BYTES_LATE);
	cell_is(&call, "openat(AT_FDCWD, ~\"/etc/hostname\", O_RDONLY)", "~\"/etc/hostname\"");
	call_cells_prepare(&cells, session, calls, 1);
	cell_is(&call, "openat(AT_FDCWD, ~\"/etc/hostname\", O_RDONLY)", "~\"/etc/hostname\"");
	ck_assert_uint_eq(cells.texts.count, 1);
}
END_TEST

/* Bytes that the kernel copied by the end of the call are not a late read. */
START_TEST(bytes_copied_by_the_kernel_have_no_late_mark)
{
	struct call call = open_call(5);
	struct chunks chunks = { .len = 0 };

	chunks_add(&chunks, 0x7000, "/tmp", 5, CAPTURE_LATER, BYTES_LATE);
	call_texts_add(&cells.texts, session, &call, chunks_bytes(&chunks), chunks.len);
	cell_is(&call, "openat(AT_FDCWD, \"/tmp\", O_RDONLY)", NULL);
}
END_TEST

START_TEST(only_late_reads_have_another_role)
{
	struct call call = open_call(5);

	add(&call, "/etc/hostname", BYTES_LATE);
	cell_is(&call, "openat(AT_FDCWD, ~\"/etc/hostname\", O_RDONLY)", "~\"/etc/hostname\"");
}
END_TEST

/* A call gets a new text when it has returned or when more of its bytes were copied. */
START_TEST(text_of_a_returned_call_is_remade)
{
	struct call call = open_call(5);

	call.state = CALL_IN_FLIGHT;
	add(&call, "/before", BYTES_KERNEL);
	cell_is(&call, "openat(AT_FDCWD, \"/before\", O_RDONLY)", NULL);
	call.state = CALL_DONE;
	cell_is(&call, "openat(AT_FDCWD, 0x7000, O_RDONLY)", NULL);
	call.state = CALL_IN_FLIGHT;
	cell_is(&call, "openat(AT_FDCWD, \"/before\", O_RDONLY)", NULL);
	call.bytes_at = 1;
	cell_is(&call, "openat(AT_FDCWD, 0x7000, O_RDONLY)", NULL);
}
END_TEST

START_TEST(number_of_cached_texts_is_bounded)
{
	for (uint64_t i = 0; i < 5 * CALL_TEXTS_MAX; i++) {
		struct call call = open_call(i);

		add(&call, "/tmp", BYTES_KERNEL);
		ck_assert_uint_le(cells.texts.count, CALL_TEXTS_MAX);
		ck_assert_uint_eq(cells.texts.by_call.count, cells.texts.count);
	}
	for (uint64_t i = 4 * CALL_TEXTS_MAX; i < 5 * CALL_TEXTS_MAX; i++) {
		struct call call = open_call(i);

		cell_is(&call, "openat(AT_FDCWD, \"/tmp\", O_RDONLY)", NULL);
	}
}
END_TEST

START_TEST(size_of_cached_texts_is_bounded)
{
	char path[3000];

	memset(path, '\001', sizeof(path) - 1); /* four columns each */
	path[sizeof(path) - 1] = '\0';
	for (uint64_t i = 0; i < 2 * CALL_TEXTS_MAX; i++) {
		struct call call = open_call(i);

		add(&call, path, BYTES_KERNEL);
		ck_assert_uint_le(cells.texts.bytes, 5u << 20);
	}
	ck_assert_uint_lt(cells.texts.count, CALL_TEXTS_MAX);
	ck_assert_uint_gt(cells.texts.count, 100);
}
END_TEST

START_TEST(cached_text_is_not_remade)
{
	struct call old = open_call(5), other = open_call(6);
	const struct call *calls[] = { &old, &other, &old };

	add(&old, "/etc/hostname", BYTES_KERNEL);
	call_cells_prepare(&cells, session, calls, 2);
	ck_assert_uint_eq(cells.texts.count, 2);
	call_cells_prepare(&cells, session, calls, 3);
	ck_assert_uint_eq(cells.texts.count, 2);
	cell_is(&old, "openat(AT_FDCWD, \"/etc/hostname\", O_RDONLY)", NULL);
}
END_TEST

Suite *suite_call_texts(void);

Suite *suite_call_texts(void)
{
	Suite *suite = suite_create("call_texts");
	TCase *tcase = tcase_create("call_texts");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_row_keeps_the_text_that_was_made_with_its_bytes);
	tcase_add_test(tcase, text_is_remade_with_more_bytes_but_not_with_fewer);
	tcase_add_test(tcase, bytes_copied_by_the_kernel_have_no_late_mark);
	tcase_add_test(tcase, only_late_reads_have_another_role);
	tcase_add_test(tcase, text_of_a_returned_call_is_remade);
	tcase_add_test(tcase, number_of_cached_texts_is_bounded);
	tcase_add_test(tcase, size_of_cached_texts_is_bounded);
	tcase_add_test(tcase, cached_text_is_not_remade);
	suite_add_tcase(suite, tcase);
	return suite;
}
