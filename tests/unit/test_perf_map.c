#include "engine/stack/perf_map.h"

#include "tests/unit/runner.h"
#include "tests/unit/skip.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(addresses_are_named)
{
	static const char text[] = "2000 100 second\n"
				   "1000 80 first one\n"
				   "0x3000 0x10 prefixed\n"
				   "2000 40 second again\n"
				   "4000 0 nothing\n"
				   "5000 10\n"
				   "ffffffffffffffff 10 wraps\n"
				   "zzz 10 bad\n"
				   "6000 10 being written";
	static const struct {
		uint64_t address;
		const char *name;
		uint64_t start;
	} cases[] = {
		{ 0xfff, NULL, 0 },
		{ 0x1000, "first one", 0x1000 },
		{ 0x107f, "first one", 0x1000 },
		{ 0x1080, NULL, 0 },
		{ 0x2010, "second again", 0x2000 },
		{ 0x2040, NULL, 0 },
		{ 0x3008, "prefixed", 0x3000 },
		{ 0x4000, NULL, 0 },
		{ 0x5000, NULL, 0 },
		{ 0x6000, NULL, 0 },
		{ UINT64_MAX, NULL, 0 },
	};
	struct perf_map *map = perf_map_parse(strdup(text), strlen(text));

	ck_assert_uint_eq(perf_map_count(map), 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t start = 0;
		const char *name = perf_map_find(map, cases[i].address, &start);

		ck_assert_msg((name != NULL) == (cases[i].name != NULL), "case %zu", i);
		if (!name)
			continue;
		ck_assert_str_eq(name, cases[i].name);
		ck_assert_uint_eq(start, cases[i].start);
	}
	perf_map_free(map);
}
END_TEST

/* Each letter is one line of the map, in alphabetical order; its columns are its addresses. */
START_TEST(code_that_was_overwritten_has_no_name)
{
	static const struct {
		const char *lines[4];
		const char *expected; /* "." without a name */
	} cases[] = {
		{ { "aaaa    ", "  bbbb  " }, "..bbbb.." },
		{ { "  aaaa  ", "bbbb    " }, "bbbb...." },
		{ { "aaaaaaaa", "  bb    " }, "..bb...." },
		{ { "  aa    ", "bbbbbbbb" }, "bbbbbbbb" },
		{ { "aaaa    ", "  bbbb  ", "    cccc" }, "....cccc" },
		{ { "   aa   ", "bb      ", "     ccc" }, "bb.aaccc" },
		{ { "aaa     ", "     bbb", "ccccc   ", "     ddd" }, "cccccddd" },
		{ { "a       ", " b      ", "  c     ", "  dddddd" }, "abdddddd" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256] = "", found[9] = "";
		struct perf_map *map;

		for (size_t j = 0; j < 4 && cases[i].lines[j]; j++) {
			size_t start = strspn(cases[i].lines[j], " ");
			size_t bytes = strcspn(cases[i].lines[j] + start, " ");

			snprintf(text + strlen(text), sizeof(text) - strlen(text), "10%zx %zx %c\n",
				 start, bytes, (int)('a' + j));
		}
		map = perf_map_parse(strdup(text), strlen(text));
		for (uint64_t at = 0; at < 8; at++) {
			uint64_t start;
			const char *name = perf_map_find(map, 0x100 + at, &start);

			found[at] = name ? *name : '.';
		}
		ck_assert_str_eq(found, cases[i].expected);
		perf_map_free(map);
	}
}
END_TEST

START_TEST(a_map_of_another_user_is_refused)
{
	const char *note = NULL;
	struct perf_map *map;
	char path[64];
	int fd;

	if (geteuid() != 0)
		test_skip("a_map_of_another_user_is_refused: needs root");
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	map = perf_map_read((uint32_t)getpid(), &note);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(note, "generated code, no perf map");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	ck_assert_int_eq(write(fd, "1000 10 x\n", 10), 10);
	close(fd);
	map = perf_map_read((uint32_t)getpid(), &note);
	ck_assert_ptr_nonnull(map);
	perf_map_free(map);
	ck_assert_int_eq(chown(path, 65534, 65534), 0);
	map = perf_map_read((uint32_t)getpid(), &note);
	unlink(path);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(note, "generated code: its perf map belongs to another user");
	ck_assert_int_eq(symlink("/etc/passwd", path), 0);
	map = perf_map_read((uint32_t)getpid(), &note);
	unlink(path);
	ck_assert_ptr_null(map);
	ck_assert_int_eq(mkfifo(path, 0644), 0);
	map = perf_map_read((uint32_t)getpid(), &note); /* must not block */
	unlink(path);
	ck_assert_ptr_null(map);
}
END_TEST

/* A recording lacks the user of a process: accept maps of this user and of root. */
START_TEST(maps_of_recorded_processes_are_found_by_pid)
{
	const char *note = NULL;
	struct perf_map *map;
	uint64_t start;
	char path[64];
	int fd;

	if (geteuid() != 0)
		test_skip("maps_of_recorded_processes_are_found_by_pid: needs root");
	/* A pid above PID_MAX_LIMIT. */
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", 1U << 30);
	unlink(path);
	ck_assert_ptr_null(perf_map_read_recorded(1U << 30, &note));
	ck_assert_str_eq(note, "generated code, no perf map");
	ck_assert_ptr_null(perf_map_read(1U << 30, &note));
	ck_assert_str_eq(note, "generated code, and the process has exited");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	ck_assert_int_eq(write(fd, "1000 10 x\n", 10), 10);
	map = perf_map_read_recorded(1U << 30, &note);
	ck_assert_ptr_nonnull(map);
	ck_assert_str_eq(perf_map_find(map, 0x1008, &start), "x");
	perf_map_free(map);
	/* The process has exited, and its map is still there. */
	map = perf_map_read(1U << 30, &note);
	ck_assert_ptr_nonnull(map);
	perf_map_free(map);
	ck_assert_int_eq(ftruncate(fd, (off_t)PERF_MAP_BYTES_MAX + 1), 0);
	map = perf_map_read_recorded(1U << 30, &note);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(note, "generated code: its perf map is too large");
	ck_assert_int_eq(ftruncate(fd, 10), 0);
	ck_assert_int_eq(fchown(fd, 65534, 65534), 0);
	map = perf_map_read_recorded(1U << 30, &note);
	unlink(path);
	close(fd);
	ck_assert_ptr_null(map);
	ck_assert_str_eq(note, "generated code: its perf map belongs to another user");
}
END_TEST

Suite *suite_perf_map(void);
Suite *suite_perf_map(void)
{
	Suite *suite = suite_create("perf_map");
	TCase *tests = tcase_create("perf_map");

	tcase_add_test(tests, addresses_are_named);
	tcase_add_test(tests, code_that_was_overwritten_has_no_name);
	tcase_add_test(tests, a_map_of_another_user_is_refused);
	tcase_add_test(tests, maps_of_recorded_processes_are_found_by_pid);
	suite_add_tcase(suite, tests);
	return suite;
}
