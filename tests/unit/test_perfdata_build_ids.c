#include "engine/recording/perfdata_build_ids.h"

#include "tests/unit/runner.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

/* Add an entry as perf writes it; misc bit 15: the entry has the length of the id. */
static size_t add(unsigned char *at, const char *path, uint16_t misc, uint8_t id_bytes,
		  uint8_t first)
{
	size_t bytes = 36 + (strlen(path) + 1 + 7) / 8 * 8;
	struct perf_event_header header = {
		.type = 67,
		.misc = misc,
		.size = (uint16_t)bytes,
	};

	memset(at, 0, bytes);
	memcpy(at, &header, sizeof(header));
	for (unsigned int i = 0; i < 20; i++)
		at[12 + i] = (uint8_t)(first + i);
	at[32] = id_bytes;
	strcpy((char *)at + 36, path);
	return bytes;
}

START_TEST(files_are_found_with_their_ids)
{
	unsigned char section[1024];
	struct perfdata_build_ids *ids;
	const uint8_t *id;
	uint32_t bytes;
	size_t len = 0;

	len += add(section + len, "/usr/bin/z", 1 << 15, 20, 100);
	len += add(section + len, PERFDATA_BUILD_IDS_KERNEL, 0, 0, 7);
	len += add(section + len, "/usr/bin/a", 1 << 15, 8, 50);
	len += add(section + len, "/impossible", 1 << 15, 21, 50);
	ids = perfdata_build_ids_new((const char *)section, len);
	id = perfdata_build_ids_find(ids, "/usr/bin/z", &bytes);
	ck_assert_ptr_nonnull(id);
	ck_assert_uint_eq(bytes, 20);
	ck_assert_uint_eq(id[0], 100);
	ck_assert_uint_eq(id[19], 119);
	id = perfdata_build_ids_find(ids, "/usr/bin/a", &bytes);
	ck_assert_ptr_nonnull(id);
	ck_assert_uint_eq(bytes, 8);
	/* Older entries have no length. */
	id = perfdata_build_ids_find(ids, PERFDATA_BUILD_IDS_KERNEL, &bytes);
	ck_assert_ptr_nonnull(id);
	ck_assert_uint_eq(bytes, 20);
	ck_assert_ptr_null(perfdata_build_ids_find(ids, "/impossible", &bytes));
	ck_assert_ptr_null(perfdata_build_ids_find(ids, "/usr/bin", &bytes));
	ck_assert_ptr_null(perfdata_build_ids_find(NULL, "/usr/bin/a", &bytes));
	perfdata_build_ids_free(ids);
}
END_TEST

START_TEST(a_section_may_end_anywhere)
{
	unsigned char section[256];
	size_t whole = add(section, "/usr/bin/a", 1 << 15, 20, 1);

	for (size_t len = 0; len <= whole; len++) {
		/* An exact allocation: a sanitizer detects reads beyond the end. */
		char *copy = malloc(len ? len : 1);
		struct perfdata_build_ids *ids;
		uint32_t bytes;

		memcpy(copy, section, len);
		ids = perfdata_build_ids_new(copy, len);
		ck_assert(!perfdata_build_ids_find(ids, "/usr/bin/a", &bytes) == (len < whole));
		perfdata_build_ids_free(ids);
		free(copy);
	}
	/* A size of 0 ends the section, and a path without an end is rejected. */
	memset(section, 0, sizeof(section));
	perfdata_build_ids_free(perfdata_build_ids_new((const char *)section, sizeof(section)));
	add(section, "/usr/bin/a", 1 << 15, 20, 1);
	memset(section + 36, 'x', sizeof(section) - 36);
	perfdata_build_ids_free(perfdata_build_ids_new((const char *)section, sizeof(section)));
}
END_TEST

Suite *suite_perfdata_build_ids(void);
Suite *suite_perfdata_build_ids(void)
{
	Suite *suite = suite_create("perfdata_build_ids");
	TCase *tests = tcase_create("perfdata_build_ids");

	tcase_add_test(tests, files_are_found_with_their_ids);
	tcase_add_test(tests, a_section_may_end_anywhere);
	suite_add_tcase(suite, tests);
	return suite;
}
