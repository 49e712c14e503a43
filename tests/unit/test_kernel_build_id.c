#include "engine/process/kernel_build_id.h"

#include "tests/unit/runner.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Make a note of another type with an odd length, followed by the build-id. */
static size_t make_notes(char notes[128])
{
	static const uint32_t heads[2][3] = { { 6, 5, 1 }, { 4, 20, NT_GNU_BUILD_ID } };
	size_t len = 0;

	memset(notes, 0, 128);
	memcpy(notes, heads[0], sizeof(heads[0]));
	memcpy(notes + 12, "Linux", 6);
	len = 12 + 8 + 8;
	memcpy(notes + len, heads[1], sizeof(heads[1]));
	memcpy(notes + len + 12, "GNU", 4);
	for (int i = 0; i < 20; i++)
		notes[len + 16 + (size_t)i] = (char)(i + 1);
	return len + 36;
}

START_TEST(build_id_is_found_among_notes)
{
	uint8_t id[20], other[20];
	char notes[128];
	size_t len = make_notes(notes);

	for (int i = 0; i < 20; i++)
		id[i] = other[i] = (uint8_t)(i + 1);
	other[19]++;
	ck_assert(kernel_id_in_notes(notes, len, id, 20));
	ck_assert(!kernel_id_in_notes(notes, len, other, 20));
	ck_assert(!kernel_id_in_notes(notes, len, id, 19));
	ck_assert(!kernel_id_in_notes(notes, len, id, 0));
	for (size_t cut = 0; cut < len; cut++) {
		char *copy = malloc(cut ? cut : 1);

		memcpy(copy, notes, cut);
		ck_assert(!kernel_id_in_notes(copy, cut, id, 20));
		free(copy);
	}
	memset(notes, 0xff, sizeof(notes));
	ck_assert(!kernel_id_in_notes(notes, sizeof(notes), id, 20));
}
END_TEST

Suite *suite_kernel_build_id(void);
Suite *suite_kernel_build_id(void)
{
	Suite *suite = suite_create("kernel_build_id");
	TCase *tests = tcase_create("kernel_id");

	tcase_add_test(tests, build_id_is_found_among_notes);
	suite_add_tcase(suite, tests);
	return suite;
}
