/* The description of a recording: as lines, as JSON, and from truncated sections. */
#include "engine/recording/perfdata_header.h"
#include "engine/recording/perfdata_header_info.h"
#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tui/report/recording_report.h"

#include <stdlib.h>
#include <string.h>

#define FILE_OF_PERF "tests/replay/contention.data"

static void assert_line(const char *text, const char *line)
{
	ck_assert_msg(strstr(text, line), "\"%s\" is not in:\n%s", line, text);
}

START_TEST(a_file_of_perf_is_described)
{
	struct recording_info about;
	struct str text = STR_INIT;
	struct err err;

	ck_assert_msg(!recording_info_read(&about, FILE_OF_PERF, 0, &err), "%s", err.text);
	recording_report_text(&about, FILE_OF_PERF, &text);
	assert_line(text.data, "host           web1\n");
	assert_line(text.data, "kernel         6.18.44\n");
	assert_line(text.data, "processors     2 of 2\n");
	assert_line(text.data, "memory         24G\n");
	assert_line(text.data, "recorded by    perf 6.1.187\n");
	assert_line(text.data, "first sample   1959.415305 s, recording clock\n");
	assert_line(text.data, "duration       408ms\n");
	assert_line(text.data, "sched:sched_switch: tracepoint 0x174, period 1, 2 ids; "
			       "IP|TID|TIME|CALLCHAIN|ID|CPU|PERIOD|RAW; disabled inherit "
			       "enable_on_exec sample_id_all exclude_guest use_clockid; "
			       "clock monotonic\n");
	assert_line(text.data, "-o contention.data contention 0.4\n");
	ck_assert_ptr_null(strstr(text.data, "compressed"));
	str_clear(&text);
	recording_report_json(&about, FILE_OF_PERF, &text);
	assert_line(text.data, "\"memory_kb\":24684084,");
	assert_line(text.data, "\"zstd_level\":null,");
	assert_line(text.data, "\"flight\":null,");
	assert_line(text.data, "\"sample\":[\"IP\",\"TID\",\"TIME\",");
	recording_info_release(&about);
	str_release(&text);
}
END_TEST

START_TEST(a_file_of_another_format_is_refused)
{
	struct recording_info about;
	struct err err;

	ck_assert_int_lt(recording_info_read(&about, "tests/replay/neutral.py", 0, &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "PERFILE2"));
}
END_TEST

/* ---- sections ---- */

static void add32(struct str *out, uint32_t value)
{
	str_addn(out, (const char *)&value, sizeof(value));
}

static void add_text(struct str *out, const char *text)
{
	add32(out, (uint32_t)strlen(text) + 3);
	str_addn(out, text, strlen(text) + 1);
	str_addn(out, "\0", 2);
}

START_TEST(the_command_is_quoted_for_a_shell)
{
	struct perfdata_header_info recorded = { .version = "" };
	struct str section = STR_INIT;

	add32(&section, 4);
	add_text(&section, "perf");
	add_text(&section, "a b");
	add_text(&section, "it's");
	add_text(&section, "");
	perfdata_header_info_add(&recorded, PERF_FEATURE_CMDLINE, section.data, section.len);
	ck_assert_str_eq(recorded.cmdline.data, "perf 'a b' 'it'\\''s' ''");
	/* A second section is ignored. */
	perfdata_header_info_add(&recorded, PERF_FEATURE_CMDLINE, section.data, section.len);
	ck_assert_str_eq(recorded.cmdline.data, "perf 'a b' 'it'\\''s' ''");
	perfdata_header_info_release(&recorded);
	str_release(&section);
}
END_TEST

START_TEST(sections_may_end_anywhere)
{
	struct str section = STR_INIT;

	add32(&section, 2);
	add32(&section, 8);
	for (int i = 0; i < 2; i++) {
		str_repeat(&section, 'a', 8);
		add32(&section, 1);
		add_text(&section, "sched:sched_switch");
		str_repeat(&section, 'i', 8);
	}
	for (size_t len = 0; len <= section.len; len++) {
		struct perfdata_header_info recorded = { .version = "" };
		/* A separate allocation: a sanitizer detects reads beyond the end. */
		char *bytes = malloc(len ? len : 1);

		memcpy(bytes, section.data, len);
		for (unsigned bit = 0; bit < PERF_FEATURE_COUNT; bit++)
			perfdata_header_info_add(&recorded, bit, bytes, len);
		if (len == section.len) {
			ck_assert_uint_eq(recorded.event_count, 2);
			ck_assert_str_eq(recorded.events[1], "sched:sched_switch");
		}
		free(bytes);
		perfdata_header_info_release(&recorded);
	}
	str_release(&section);
}
END_TEST

/* ---- the page ---- */

START_TEST(the_interface_shows_the_page)
{
	struct recorded_shell on;

	recorded_shell_open(&on, FILE_OF_PERF);
	recorded_shell_type(&on, ":about-recording");
	recorded_shell_press(&on, "Enter");
	recorded_shell_settle(&on);
	ck_assert_int_ge(recorded_shell_row(&on, "About the recording"), 0);
	ck_assert_int_ge(recorded_shell_row(&on, "6.18.44"), 0);
	recorded_shell_press(&on, "Esc");
	ck_assert_int_lt(recorded_shell_row(&on, "About the recording"), 0);
	recorded_shell_close(&on);
}
END_TEST

Suite *suite_recording_info(void);
Suite *suite_recording_info(void)
{
	Suite *suite = suite_create("recording_info");
	TCase *tcase = tcase_create("recording_info");

	tcase_add_test(tcase, a_file_of_perf_is_described);
	tcase_add_test(tcase, a_file_of_another_format_is_refused);
	tcase_add_test(tcase, the_command_is_quoted_for_a_shell);
	tcase_add_test(tcase, sections_may_end_anywhere);
	tcase_add_test(tcase, the_interface_shows_the_page);
	suite_add_tcase(suite, tcase);
	return suite;
}
