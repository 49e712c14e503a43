/* Details of made-up calls with argument bytes. */
#include "tui/calls/call_detail.h"

#include "tests/unit/chunks.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static struct recorded_shell on;
static struct chunks chunks;
static struct help help;
static struct str text;

static void setup(void)
{
	recorded_shell_open(&on, "tests/replay/contention.data");
	memset(&chunks, 0, sizeof(chunks));
	help_init(&help);
	str_init(&text);
}

static void teardown(void)
{
	str_release(&text);
	help_release(&help);
	recorded_shell_close(&on);
}

static void fill(const struct call *call, const char *note, int cols)
{
	struct call_detail detail = { .call = call,
				      .comm = "cat",
				      .note = note,
				      .cols = cols,
				      .bytes = chunks_bytes(&chunks) };

	help_clear(&help);
	str_clear(&text);
	call_detail_fill(&detail, &help, &on.shell.session);
	help_text(&help, &text);
}

static void has(const char *line)
{
	ck_assert_msg(strstr(text.data, line) != NULL, "%s is not in\n%s", line, text.data);
}

static void has_not(const char *line)
{
	ck_assert_msg(!strstr(text.data, line), "%s is in\n%s", line, text.data);
}

static enum role role_of(const char *part)
{
	for (size_t i = 0; i < help.count; i++)
		if (strstr(help.lines[i].text, part))
			return help.lines[i].role;
	ck_abort_msg("%s not found", part);
	return ROLE_TEXT;
}

START_TEST(a_path_is_text_and_bytes)
{
	struct call call = { .state = CALL_DONE,
			     .nr = SYS_openat,
			     .tid = 7,
			     .pid = 7,
			     .ret = 3,
			     .dur_ns = 2000,
			     .args = { (uint32_t)AT_FDCWD, 0x7000, O_RDONLY } };

	chunks_add(&chunks, 0x7000, "/etc/hostname", 14, 0, BYTES_KERNEL);
	fill(&call, NULL, 78);
	has("openat(dfd=AT_FDCWD, filename=\"/etc/hostname\", flags=O_RDONLY)\n");
	has("dfd\tAT_FDCWD   int, 0xffffff9c\n");
	has("filename\t\"/etc/hostname\"\n\tconst char *, 0x7000\n"
	    "\tmemory: 14 bytes, copied when the call was entered\n"
	    "  0000  2f 65 74 63 2f 68 6f 73  74 6e 61 6d 65 00        /etc/hostname.\n");
	has("mode\tunused in this call\n");
	has("on CPU\t2.00us\nblocked\t0ns\nrunnable\t0ns\n");
	fill(&call, "what it was", 60);
	has("state\treturned\n\twhat it was\n");
	has("  0000  2f 65 74 63 2f 68 6f 73  /etc/hos\n  0008  74 6e 61 6d 65 00        tname.\n");
}
END_TEST

START_TEST(truncated_buffer_shows_its_full_size)
{
	struct call call = { .state = CALL_DONE,
			     .nr = SYS_write,
			     .tid = 7,
			     .pid = 7,
			     .ret = 4096,
			     .args = { 1, 0x7000, 4096 } };

	chunks_add(&chunks, 0x7000, "0123456789012345678901234567890123", 32, CAPTURE_CUT,
		   BYTES_KERNEL);
	fill(&call, NULL, 78);
	has("buf\t\"01234567890123456789012345678901\"...\n");
	has("\tmemory: 32 of 4,096 bytes, copied when the call was entered\n");
	/* At the end of mapped memory, fewer bytes are copied, without CAPTURE_CUT. */
	chunks.len = 0;
	chunks_add(&chunks, 0x7000, "0123456789", 10, 0, BYTES_KERNEL);
	fill(&call, NULL, 78);
	has("buf\t\"0123456789\"...\n");
	has("\tmemory: 10 of 4,096 bytes, copied when the call was entered\n");
}
END_TEST

START_TEST(members_of_structs_have_lines)
{
	struct stat stat = { .st_mode = S_IFREG | 0644, .st_size = 1234 };
	struct call call = {
		.state = CALL_DONE, .nr = SYS_fstat, .tid = 7, .pid = 7, .args = { 3, 0x7000 }
	};

	chunks_add(&chunks, 0x7000, &stat, sizeof(stat), CAPTURE_AT_EXIT, BYTES_KERNEL);
	fill(&call, NULL, 78);
	has("statbuf\t{\n\t  st_mode=S_IFREG|0644,\n\t  st_size=1234,\n\t  ...\n\t}\n");
	has("memory: 144 bytes, copied when the call returned\n");
	/* A failed call filled in nothing, so its buffer is not read. */
	call.ret = -9;
	fill(&call, NULL, 78);
	has("result\t-1 EBADF (Bad file descriptor)\n");
	has("statbuf\t0x7000   ");
	has_not("bytes");
	ck_assert_int_eq(role_of("EBADF"), ROLE_ERROR);
}
END_TEST

START_TEST(late_reads_are_marked)
{
	struct call call = { .state = CALL_IN_FLIGHT,
			     .nr = SYS_chdir,
			     .tid = 7,
			     .pid = 7,
			     .dur_ns = -1,
			     .args = { 0x7000 } };

	chunks_add(&chunks, 0x7000, "/tmp", 5, 0, BYTES_LATE);
	fill(&call, NULL, 78);
	has("filename\t~\"/tmp\"\n");
	has("memory: 5 bytes, read later: may have changed since\n");
	ck_assert_int_eq(role_of("~\"/tmp\""), ROLE_STRONG); /* the text of the whole call */
	for (size_t i = 0; i < help.count; i++)
		if (help.lines[i].left && !strcmp(help.lines[i].left, "filename"))
			ck_assert_int_eq(help.lines[i].role, ROLE_LATE);
	ck_assert_int_eq(role_of("2f 74 6d 70 00"), ROLE_LATE);
}
END_TEST

START_TEST(unknown_arguments_are_marked)
{
	struct call call = {
		.state = CALL_DONE, .nr = SYS_chdir, .tid = 7, .pid = 7, .args = { 0x7000 }
	};

	fill(&call, NULL, 78);
	has("filename\t0x7000\n\tconst char *\n\tmemory: nothing known\n");
	call.state = CALL_ORPHAN;
	fill(&call, NULL, 78);
	has("unknown: no enter record\n");
	call = (struct call){ .state = CALL_DONE, .nr = SYS_getppid, .ret = 1 };
	fill(&call, NULL, 78);
	has("none\n");
}
END_TEST

START_TEST(hostile_bytes_are_escaped)
{
	struct call call = {
		.state = CALL_DONE, .nr = SYS_chdir, .tid = 7, .pid = 7, .args = { 0x7000 }
	};

	chunks_add(&chunks, 0x7000, "\033]0;x\007\n\xff", 9, 0, BYTES_KERNEL);
	fill(&call, NULL, 78);
	for (size_t i = 0; i < text.len; i++)
		ck_assert_msg(text.data[i] == '\n' || text.data[i] == '\t' ||
				      (text.data[i] >= ' ' && text.data[i] != 0x7f) ||
				      (text.data[i] & 0x80),
			      "%d at %zu", text.data[i], i);
	has("\"\\33]0;x\\7\\n\\377\"");
}
END_TEST

Suite *suite_call_detail(void);

Suite *suite_call_detail(void)
{
	Suite *suite = suite_create("call_detail");
	TCase *tcase = tcase_create("call_detail");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_path_is_text_and_bytes);
	tcase_add_test(tcase, truncated_buffer_shows_its_full_size);
	tcase_add_test(tcase, members_of_structs_have_lines);
	tcase_add_test(tcase, late_reads_are_marked);
	tcase_add_test(tcase, unknown_arguments_are_marked);
	tcase_add_test(tcase, hostile_bytes_are_escaped);
	suite_add_tcase(suite, tcase);
	return suite;
}
