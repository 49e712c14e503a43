#include "tui/report/export_file.h"

#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEMPORARY_PATH_MAX];
static char path[sizeof(folder) + 8], link_path[sizeof(folder) + 8];
static struct export_file file;
static struct err err;

static void setup(void)
{
	temporary_folder(folder, "file");
	snprintf(path, sizeof(path), "%s/file", folder);
	snprintf(link_path, sizeof(link_path), "%s/link", folder);
}

static size_t count(bool removes)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t found = 0;

	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		found++;
		if (removes)
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
	return found;
}

static void teardown(void)
{
	count(true);
	rmdir(folder);
}

static void put(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void expect(const char *text)
{
	char bytes[64] = "";
	int fd = open(path, O_RDONLY);

	ck_assert_int_ge(read(fd, bytes, sizeof(bytes) - 1), 0);
	close(fd);
	ck_assert_str_eq(bytes, text);
}

START_TEST(file_appears_when_complete)
{
	struct stat st;

	ck_assert_int_eq(export_file_open(&file, path, false, &err), 0);
	ck_assert_int_eq(export_file_write(&file, "new", 3, &err), 0);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_uint_eq(count(false), 1);
	ck_assert_int_eq(export_file_close(&file, &err), 0);
	expect("new");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_uint_eq(count(false), 1);
}
END_TEST

START_TEST(dropped_export_leaves_no_file)
{
	put("old");
	ck_assert_int_eq(export_file_open(&file, path, true, &err), 0);
	ck_assert_int_eq(export_file_write(&file, "new", 3, &err), 0);
	export_file_drop(&file);
	expect("old");
	ck_assert_uint_eq(count(false), 1);
}
END_TEST

START_TEST(existing_file_is_replaced_only_on_request)
{
	put("old");
	ck_assert_int_eq(export_file_open(&file, path, false, &err), -EEXIST);
	expect("old");
	ck_assert_int_eq(export_file_open(&file, path, true, &err), 0);
	ck_assert_int_eq(export_file_write(&file, "new", 3, &err), 0);
	ck_assert_int_eq(export_file_close(&file, &err), 0);
	expect("new");
}
END_TEST

/* Another program can create the file between open and close. */
START_TEST(file_created_meanwhile_stays)
{
	ck_assert_int_eq(export_file_open(&file, path, false, &err), 0);
	ck_assert_int_eq(export_file_write(&file, "new", 3, &err), 0);
	put("other");
	ck_assert_int_eq(export_file_close(&file, &err), -EEXIST);
	expect("other");
	ck_assert_uint_eq(count(false), 1);
}
END_TEST

START_TEST(link_stays_a_link)
{
	struct stat st;

	put("old");
	ck_assert_int_eq(symlink(path, link_path), 0);
	ck_assert_int_eq(export_file_open(&file, link_path, false, &err), -EEXIST);
	ck_assert_int_eq(export_file_open(&file, link_path, true, &err), 0);
	ck_assert_int_eq(export_file_write(&file, "new", 3, &err), 0);
	ck_assert_int_eq(export_file_close(&file, &err), 0);
	expect("new");
	ck_assert_int_eq(lstat(link_path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
}
END_TEST

START_TEST(impossible_path_is_reported)
{
	ck_assert_int_eq(export_file_open(&file, folder, false, &err), -EISDIR);
	ck_assert_int_eq(export_file_open(&file, "/dev/null", true, &err), -EINVAL);
	ck_assert_int_eq(export_file_open(&file, "/nowhere/at/all", false, &err), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "no such directory"));
	ck_assert_int_lt(export_file_open(&file, "/proc/self/new", false, &err), 0);
	ck_assert_uint_eq(count(false), 0);
	ck_assert_int_eq(symlink("/nowhere/at/all", link_path), 0);
	ck_assert_int_eq(export_file_open(&file, link_path, true, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "dangling symlink"));
}
END_TEST

Suite *suite_export_file(void);
Suite *suite_export_file(void)
{
	Suite *suite = suite_create("export_file");
	TCase *tests = tcase_create("export_file");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, file_appears_when_complete);
	tcase_add_test(tests, dropped_export_leaves_no_file);
	tcase_add_test(tests, existing_file_is_replaced_only_on_request);
	tcase_add_test(tests, file_created_meanwhile_stays);
	tcase_add_test(tests, link_stays_a_link);
	tcase_add_test(tests, impossible_path_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
