/* Written sections are read back unchanged. */
#include "engine/recorder/perfdata_sections.h"

#include "engine/recording/perfdata_header.h"
#include "tests/unit/runner.h"

#include <stdlib.h>
#include <string.h>

/* The members own their texts, and so do not point to const. */
#define TEXT(text) ((char[]){ text })

static struct perfdata_machine machine = {
	.cpus = 3,
	.cpus_max = 4,
	.page_bytes = 4096,
	.wall_ns = 2000,
	.clock_ns = 1000,
	.header_page = TEXT("page"),
	.header_event = TEXT("event"),
	.printk = TEXT(""),
	.enter = { .system = TEXT("raw_syscalls"), .text = TEXT("enter"), .len = 5, .id = 1 },
	.exit = { .system = TEXT("raw_syscalls"), .text = TEXT("exit!!"), .len = 6, .id = 2 },
	.waking = { .system = TEXT("sched"), .text = TEXT("waking"), .len = 6, .id = 3 },
	.modules = TEXT(""),
};

/* Add a section to the header; takes the bytes. */
static void add(struct perfdata_header *header, enum perf_feature feature, struct str *bytes)
{
	size_t len = bytes->len;

	perfdata_header_add_feature(header, feature, str_steal(bytes), len);
}

START_TEST(the_machine_is_read_back)
{
	struct perfdata_header *header = perfdata_header_new();
	struct str bytes = STR_INIT;
	uint64_t clock_ns, wall_ns;
	char name[65];

	memset(name, 'n', 64);
	name[64] = '\0';
	perfdata_sections_text(&bytes, name);
	/* perf pads a text with its NUL to a multiple of 64 bytes. */
	ck_assert_uint_eq(bytes.len, 4 + 128);
	add(header, PERF_FEATURE_HOSTNAME, &bytes);
	perfdata_sections_text(&bytes, "");
	ck_assert_uint_eq(bytes.len, 4 + 64);
	add(header, PERF_FEATURE_RELEASE, &bytes);
	perfdata_sections_cpus(&bytes, &machine);
	add(header, PERF_FEATURE_CPUS, &bytes);
	perfdata_sections_clock(&bytes, &machine, true);
	add(header, PERF_FEATURE_CLOCK_DATA, &bytes);
	ck_assert_str_eq(perfdata_header_hostname(header), name);
	ck_assert_str_eq(perfdata_header_release(header), "");
	ck_assert_uint_eq(perfdata_header_cpus(header), 4);
	ck_assert(perfdata_header_clocks(header, &clock_ns, &wall_ns));
	ck_assert(clock_ns == 1000 && wall_ns == 2000);
	perfdata_header_free(header);
}
END_TEST

static void check_format(const struct perfdata_header *header, size_t index, const char *system,
			 const char *text)
{
	const struct perfdata_file_format *format = perfdata_header_format(header, index);

	ck_assert_str_eq(format->system, system);
	ck_assert_uint_eq(format->len, strlen(text));
	ck_assert(!memcmp(format->text, text, format->len));
}

/* Formats are grouped by system; each is written once. */
START_TEST(formats_are_written_once)
{
	const struct perfdata_machine_format others[] = {
		{ .system = TEXT("irq"), .text = TEXT("irq"), .len = 3, .id = 9 },
		{ .system = TEXT("sched"), .text = TEXT("again"), .len = 5, .id = 3 },
		{ .system = TEXT("sched"), .text = TEXT("switch"), .len = 6, .id = 8 },
	};
	struct perfdata_header *header = perfdata_header_new();
	struct str bytes = STR_INIT;

	perfdata_sections_tracing(&bytes, &machine, others, 3);
	add(header, PERF_FEATURE_TRACING_DATA, &bytes);
	ck_assert_uint_eq(perfdata_header_format_count(header), 5);
	check_format(header, 0, "raw_syscalls", "enter");
	check_format(header, 1, "raw_syscalls", "exit!!");
	check_format(header, 2, "sched", "waking");
	check_format(header, 3, "sched", "switch");
	check_format(header, 4, "irq", "irq");
	ck_assert_uint_eq(perfdata_header_long_bytes(header), sizeof(long));
	perfdata_header_free(header);
}
END_TEST

START_TEST(the_number_of_formats_is_bounded)
{
	static char many[] = "many";
	static struct perfdata_machine_format others[PERF_SECTION_FORMATS_MAX + 50];
	const size_t count = sizeof(others) / sizeof(others[0]);
	struct perfdata_header *header = perfdata_header_new();
	struct str bytes = STR_INIT;

	for (size_t i = 0; i < count; i++)
		others[i] = (struct perfdata_machine_format){
			.system = many, .text = many, .len = 4, .id = 100 + i
		};
	perfdata_sections_tracing(&bytes, &machine, others, count);
	add(header, PERF_FEATURE_TRACING_DATA, &bytes);
	ck_assert_uint_eq(perfdata_header_format_count(header), PERF_SECTION_FORMATS_MAX + 3);
	perfdata_header_free(header);
}
END_TEST

Suite *suite_perfdata_sections(void);

Suite *suite_perfdata_sections(void)
{
	Suite *suite = suite_create("perfdata_sections");
	TCase *cases = tcase_create("perfdata_sections");

	tcase_add_test(cases, the_machine_is_read_back);
	tcase_add_test(cases, formats_are_written_once);
	tcase_add_test(cases, the_number_of_formats_is_bounded);
	suite_add_tcase(suite, cases);
	return suite;
}
