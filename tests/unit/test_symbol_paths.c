#include "engine/stack/symbol_paths.h"

#include "tests/unit/runner.h"
#include "tests/unit/symbol_fixture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char source[] = "int main(void) { return 0; }\n";
static const uint8_t id[20] = { 0xab, 0xcd, 1, 2, 3 };
#define ID_FLAG "-Wl,--build-id=0xabcd010203000000000000000000000000000000"
#define OTHER_FLAG "-Wl,--build-id=0xabcd010204000000000000000000000000000000"
#define ID_PATH ".build-id/ab/cd010203000000000000000000000000000000"

/* Return the note of a frame in a recorded file with that build-id; NULL: the frame has a name. */
static const char *note_of(struct fixture *fixture, const char *path, const uint8_t *build_id,
			   const struct symbol_paths_options *places)
{
	struct record record = { .kind = RECORD_MAP, .pid = (uint32_t)getpid() };
	struct fixture other = *fixture;
	struct frame frames[4];
	const char *note;

	other.spaces = spaces_new();
	other.stacks = stacks_new(1 << 20);
	ck_assert_int_eq(symbols_new(&other.symbols, other.spaces, NULL), 0);
	symbols_set_recorded(other.symbols);
	symbols_set_paths(other.symbols, places);
	ck_assert_int_eq(symbols_start(other.symbols, NULL), 0);
	record.map.start = FIXTURE_BASE;
	record.map.bytes = 1 << 20;
	record.map.inode = 1;
	record.map.prot = PROT_READ | PROT_EXEC;
	record.map.path = path;
	record.map.build_id = build_id;
	record.map.build_id_bytes = build_id ? sizeof(id) : 0;
	spaces_feed(other.spaces, &record);
	ck_assert_uint_gt(fixture_ask(&other, FIXTURE_BASE, 0x1130, frames, 4), 0);
	/* The note is a constant, which outlives the objects freed here. */
	note = frames[0].symbol ? NULL : frames[0].note;
	symbols_free(other.symbols);
	stacks_free(other.stacks);
	spaces_free(other.spaces);
	return note;
}

START_TEST(a_file_is_used_if_its_build_id_matches)
{
	struct symbol_paths_options places = { .buildid_dir = "/nonexistent" };
	char here[160], root[160], cache[160], gone[160];
	struct fixture fixture;

	fixture_open(&fixture, NULL);
	snprintf(here, sizeof(here), "%s/program", fixture.directory);
	snprintf(gone, sizeof(gone), "%s/gone", fixture.directory);
	snprintf(root, sizeof(root), "%s/root", fixture.directory);
	snprintf(cache, sizeof(cache), "%s/cache", fixture.directory);
	fixture_compile(&fixture, "program.c", source, "-O1 -g " ID_FLAG);
	ck_assert(fixture_run(&fixture,
			      "mkdir -p cache/" ID_PATH " root%s && "
			      "cp program cache/" ID_PATH "/elf && cp program root%s/gone",
			      fixture.directory, fixture.directory));
	ck_assert_ptr_null(note_of(&fixture, here, id, &places));
	/* Device and inode differ: without a build-id, the file is rejected. */
	ck_assert_str_eq(note_of(&fixture, here, NULL, &places),
			 "another file has taken its place");
	fixture_compile(&fixture, "program.c", source, "-O1 -g " OTHER_FLAG);
	ck_assert_str_eq(note_of(&fixture, here, id, &places),
			 "the file here has another build-id");
	ck_assert_str_eq(note_of(&fixture, gone, id, &places), "cannot be found");
	places.buildid_dir = cache;
	ck_assert_ptr_null(note_of(&fixture, here, id, &places));
	ck_assert_ptr_null(note_of(&fixture, gone, id, &places));
	places.buildid_dir = "/nonexistent";
	places.symfs = root;
	ck_assert_ptr_null(note_of(&fixture, gone, id, &places));
	/* Below --symfs, a file is used without a build-id, too. */
	ck_assert_ptr_null(note_of(&fixture, gone, NULL, &places));
	ck_assert_str_eq(note_of(&fixture, here, id, &places), "cannot be found");
	ck_assert(fixture_run(&fixture, "cp program root%s/gone", fixture.directory));
	ck_assert_str_eq(note_of(&fixture, gone, id, &places),
			 "the file here has another build-id");
	/* Links are resolved inside --symfs, and do not lead out of it. */
	ck_assert(fixture_run(&fixture,
			      "rm root%s/gone && cp cache/" ID_PATH "/elf root/real && "
			      "ln -s /real root%s/gone",
			      fixture.directory, fixture.directory));
	ck_assert_ptr_null(note_of(&fixture, gone, id, &places));
	ck_assert(fixture_run(&fixture, "ln -sf %s/cache/" ID_PATH "/elf root%s/gone",
			      fixture.directory, fixture.directory));
	ck_assert_str_eq(note_of(&fixture, gone, id, &places), "cannot be found");
	fixture_close(&fixture);
}
END_TEST

START_TEST(debug_files_are_searched_below_each_directory)
{
	const struct symbol_paths_options options = { .debug_dirs = "/nonexistent::/dev/null/x" };
	struct symbol_paths *places = symbol_paths_new(&options);
	struct wire_file file = { .build_id_bytes = sizeof(id), .debuglink = "../passwd" };
	unsigned int choice = 0;
	int fd;

	memcpy(file.build_id, id, sizeof(id));
	while ((fd = symbol_paths_debug_file(places, 0, "/etc/x/program", &file, choice)) !=
	       -ENODATA) {
		ck_assert_msg(fd < 0, "choice %u: a link leads out", choice);
		choice++;
	}
	ck_assert_uint_eq(choice, 2 + 2 + 3);
	ck_assert_int_lt(symbol_paths_debug_file_by_id(places, id, sizeof(id)), 0);
	ck_assert_int_lt(symbol_paths_debug_file_by_id(places, id, 1), 0);
	symbol_paths_free(places);
}
END_TEST

Suite *suite_symbol_paths(void);
Suite *suite_symbol_paths(void)
{
	Suite *suite = suite_create("symbol_paths");
	TCase *tcase = tcase_create("symbol_paths");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_file_is_used_if_its_build_id_matches);
	tcase_add_test(tcase, debug_files_are_searched_below_each_directory);
	suite_add_tcase(suite, tcase);
	return suite;
}
