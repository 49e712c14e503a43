#include "engine/recorder/recording_file.h"

#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMPORARY_PATH_MAX];

static void setup(void)
{
	temporary_folder(folder, "recording");
	ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void expect(const char *path, const char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char found[64] = "";

	ck_assert_msg(fd >= 0, "%s does not exist", path);
	ck_assert_int_ge(read(fd, found, sizeof(found) - 1), 0);
	ck_assert_str_eq(found, text);
	close(fd);
}

START_TEST(a_new_file_is_private_to_its_owner)
{
	struct stat st;
	struct err err;
	int fd;

	umask(0);
	fd = recording_file_open("new", false, &err);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	close(fd);
}
END_TEST

START_TEST(an_existing_file_is_kept)
{
	struct err err;
	int fd;

	put("data", "first");
	fd = recording_file_open("data", false, &err);
	ck_assert_int_ge(fd, 0);
	close(fd);
	expect("data.old", "first");
	expect("data", "");
	put("data", "second");
	ck_assert_int_eq(recording_file_open("data", true, &err), -EEXIST);
	ck_assert_ptr_nonnull(strstr(err.text, "choose another name"));
	expect("data", "second");
	expect("data.old", "first");
}
END_TEST

START_TEST(other_types_of_files_are_refused)
{
	static const struct {
		const char *path, *says;
	} cases[] = {
		{ "folder", "it is a directory" },      { "fifo", "it is a FIFO" },
		{ "/dev/full", "not a regular file" },  { "link", "dangling symlink" },
		{ "folder/none/file", "No such file" },
	};
	struct err err;

	ck_assert_int_eq(mkdir("folder", 0700) | mkfifo("fifo", 0600) | symlink("nowhere", "link"),
			 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_int_lt(recording_file_open(cases[i].path, false, &err), 0);
		ck_assert_msg(strstr(err.text, cases[i].says), "%s: %s", cases[i].path, err.text);
	}
}
END_TEST

START_TEST(control_characters_in_names_are_escaped)
{
	struct err err;

	ck_assert_int_lt(recording_file_open("no\033[2J/file", false, &err), 0);
	ck_assert_ptr_null(strchr(err.text, '\033'));
}
END_TEST

START_TEST(files_are_put_aside_under_different_names)
{
	char *names[3];

	for (size_t i = 0; i < 3; i++) {
		char text[2] = { (char)('a' + i), '\0' };

		put("data", text);
		names[i] = recording_file_put_aside("data");
		ck_assert_ptr_nonnull(names[i]);
	}
	expect(names[0], "a");
	expect(names[1], "b");
	expect(names[2], "c");
	for (size_t i = 0; i < 3; i++)
		free(names[i]);
	ck_assert_ptr_null(recording_file_put_aside("data"));
}
END_TEST

START_TEST(two_names_of_one_file_are_the_same)
{
	put("a", "a");
	put("b", "a");
	ck_assert_int_eq(link("a", "c") | symlink("a", "d"), 0);
	ck_assert(recording_file_is_same("a", "./a"));
	ck_assert(recording_file_is_same("a", "c"));
	ck_assert(recording_file_is_same("d", "a"));
	ck_assert(!recording_file_is_same("a", "b"));
	ck_assert(!recording_file_is_same("a", "none"));
	ck_assert(!recording_file_is_same("none", "none"));
}
END_TEST

Suite *suite_recording_file(void);

Suite *suite_recording_file(void)
{
	Suite *suite = suite_create("recording_file");
	TCase *tcase = tcase_create("recording_file");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_new_file_is_private_to_its_owner);
	tcase_add_test(tcase, an_existing_file_is_kept);
	tcase_add_test(tcase, other_types_of_files_are_refused);
	tcase_add_test(tcase, control_characters_in_names_are_escaped);
	tcase_add_test(tcase, files_are_put_aside_under_different_names);
	tcase_add_test(tcase, two_names_of_one_file_are_the_same);
	suite_add_tcase(suite, tcase);
	return suite;
}
