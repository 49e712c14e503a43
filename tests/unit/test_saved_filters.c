#include "tui/config/saved_filters.h"

#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"
#include "tui/config/config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[TEMPORARY_PATH_MAX];
static struct str path;
static struct saved_filters saved;
static struct err err;

static void setup(void)
{
	temporary_folder(dir, "saved-filters");
	setenv("XDG_CONFIG_HOME", dir, 1);
	str_init(&path);
	saved_filters_init(&saved);
	ck_assert(!config_file_path(SAVED_FILTERS_FILE, &path, &err));
}

static void teardown(void)
{
	struct str command = STR_INIT;

	str_addf(&command, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
	str_release(&path);
	saved_filters_release(&saved);
}

static void write_bytes(const char *bytes, size_t len)
{
	struct str make = STR_INIT;
	FILE *file;

	str_addf(&make, "%s/stxtop", dir);
	mkdir(make.data, 0700);
	str_release(&make);
	file = fopen(path.data, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	fclose(file);
}

static void write_text(const char *text)
{
	write_bytes(text, strlen(text));
}

static void assert_file(const char *wanted)
{
	struct str text = STR_INIT;

	ck_assert(!config_file_read(path.data, SAVED_FILTERS_BYTES, &text, &err));
	ck_assert_str_eq(text.data, wanted);
	str_release(&text);
}

START_TEST(a_missing_file_has_no_filters_and_is_created)
{
	struct stat st;

	ck_assert(!saved_filters_read(&saved, path.data, &err));
	ck_assert_uint_eq(saved.count, 0);
	ck_assert_msg(!saved_filters_put(path.data, "locks", "futex && dur > 10ms", &err), "%s",
		      err.text);
	assert_file("locks = futex && dur > 10ms\n");
	ck_assert(!stat(path.data, &st));
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert(!saved_filters_read(&saved, path.data, &err));
	ck_assert_uint_eq(saved.count, 1);
	ck_assert_str_eq(saved.items[0].name, "locks");
	ck_assert_str_eq(saved.items[0].text, "futex && dur > 10ms");
}
END_TEST

START_TEST(lines_of_the_user_stay)
{
	write_text("# mine\n\nslow = dur > 1s\n  odd\tname\n");
	ck_assert_int_eq(saved_filters_read(&saved, path.data, &err), -EINVAL);
	write_text("# mine\n\n  slow  =  dur > 1s  \n#x = y\nbad one = errno == EIO");
	ck_assert(!saved_filters_put(path.data, "slow", "dur > 2s", &err));
	assert_file("# mine\n\nslow = dur > 2s\n#x = y\nbad one = errno == EIO\n");
	ck_assert(!saved_filters_put(path.data, "é.new", "a == \"b=c\"", &err));
	ck_assert(!saved_filters_remove(path.data, "bad one", &err));
	assert_file("# mine\n\nslow = dur > 2s\n#x = y\né.new = a == \"b=c\"\n");
	ck_assert(!saved_filters_read(&saved, path.data, &err));
	ck_assert_str_eq(saved.items[1].text, "a == \"b=c\"");
	ck_assert_int_eq(saved_filters_remove(path.data, "bad one", &err), -ENOENT);
}
END_TEST

static const struct {
	const char *name, *text;
	unsigned line;
	size_t good;
} broken[] = {
	{ "no equals", "a = b\nfutex\nc = d\n", 2, 2 },
	{ "no name", "= b\n", 1, 0 },
	{ "no expression", "a =  \n", 1, 0 },
	{ "twice", "a = b\n\n# x\na = c\n", 4, 1 },
	{ "escape in the name", "\033[2Ja = b\n", 1, 0 },
	{ "escape in the text", "a = \033]52;c;AAAA\007\n", 1, 0 },
	{ "C1 in the text",
	  "a = \302\233"
	  "2J\n",
	  1, 0 },
	{ "no UTF-8", "a = b\nb = \377\376\n", 2, 1 },
	{ "overlong UTF-8", "a = \300\257\n", 1, 0 },
	{ "carriage return", "a = b\r\n", 1, 0 },
	{ "slash in the name", "../a = b\n", 1, 0 },
	{ "long name", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = b\n",
	  1, 0 },
};

START_TEST(a_broken_file_is_reported_with_its_line_and_never_written)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		char place[32];

		write_text(broken[i].text);
		snprintf(place, sizeof(place), "filters:%u: ", broken[i].line);
		ck_assert_msg(saved_filters_read(&saved, path.data, &err) == -EINVAL, "%s",
			      broken[i].name);
		ck_assert_msg(strstr(err.text, place), "%s: %s", broken[i].name, err.text);
		ck_assert_msg(saved.count == broken[i].good, "%s: %zu", broken[i].name,
			      saved.count);
		ck_assert_int_eq(saved_filters_put(path.data, "new", "futex", &err), -EINVAL);
		ck_assert_int_eq(saved_filters_remove(path.data, "a", &err), -EINVAL);
		assert_file(broken[i].text);
	}
}
END_TEST

START_TEST(invalid_files_are_refused_and_kept)
{
	struct str big = STR_INIT;

	write_bytes("a = b\0c\n", 8);
	ck_assert_int_eq(saved_filters_put(path.data, "n", "futex", &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "NUL"));
	str_repeat(&big, '#', SAVED_FILTERS_BYTES + 1);
	write_bytes(big.data, big.len);
	ck_assert_int_eq(saved_filters_read(&saved, path.data, &err), -EFBIG);
	ck_assert_int_eq(saved_filters_put(path.data, "n", "futex", &err), -EFBIG);
	str_release(&big);
	/* The line is too long, but the file is within its bounds. */
	str_add(&big, "a = ");
	str_repeat(&big, 'x', SAVED_FILTER_BYTES + 1);
	write_bytes(big.data, big.len);
	ck_assert_int_eq(saved_filters_read(&saved, path.data, &err), -EINVAL);
	str_release(&big);
	for (int i = 0; i <= SAVED_FILTERS_MAX; i++)
		str_addf(&big, "n%d = futex\n", i);
	write_bytes(big.data, big.len);
	ck_assert_int_eq(saved_filters_read(&saved, path.data, &err), -EINVAL);
	ck_assert_uint_eq(saved.count, SAVED_FILTERS_MAX);
	str_release(&big);
	unlink(path.data);
	ck_assert(!mkfifo(path.data, 0600)); /* must not block */
	ck_assert_int_eq(saved_filters_read(&saved, path.data, &err), -EINVAL);
	ck_assert_int_eq(saved_filters_put(path.data, "n", "futex", &err), -EINVAL);
	unlink(path.data);
	ck_assert(!mkdir(path.data, 0700));
	ck_assert_int_lt(saved_filters_put(path.data, "n", "futex", &err), 0);
}
END_TEST

START_TEST(unreadable_names_and_expressions_are_refused)
{
	static const char *const names[] = { "", " a", "a ", "a=b", "#a", "a/b", "a\nb", "\033a" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_int_lt(saved_filters_put(path.data, names[i], "futex", &err), 0);
		ck_assert_msg(access(path.data, F_OK), "%s", names[i]);
	}
	ck_assert_int_lt(saved_filters_put(path.data, "a", "", &err), 0);
	ck_assert_int_lt(saved_filters_put(path.data, "a", "b\nc = d", &err), 0);
	ck_assert(access(path.data, F_OK));
	ck_assert(!saved_filters_check_name("what hangs-on.locks_2", &err));
	ck_assert_int_lt(saved_filters_check_name("a;b", &err), 0);
}
END_TEST

/* In a directory without write permission, the file stays. */
START_TEST(a_failed_write_changes_nothing)
{
	struct str gone = STR_INIT;

	write_text("a = b\n");
	str_addf(&gone, "%s/stxtop", dir);
	if (geteuid() == 0) {
		/* Root can write everywhere, except below a file. */
		str_add(&gone, "/filters/filters");
		ck_assert_int_lt(saved_filters_put(gone.data, "n", "futex", &err), 0);
	} else {
		chmod(gone.data, 0500);
		ck_assert_int_lt(saved_filters_put(path.data, "n", "futex", &err), 0);
		chmod(gone.data, 0700);
	}
	ck_assert(err.text[0]);
	assert_file("a = b\n");
	str_release(&gone);
}
END_TEST

START_TEST(links_and_modes_stay)
{
	struct str real = STR_INIT;
	struct stat st;

	write_text("a = b\n");
	str_addf(&real, "%s/dotfiles", dir);
	ck_assert(!rename(path.data, real.data));
	chmod(real.data, 0640);
	ck_assert(!symlink(real.data, path.data));
	ck_assert(!saved_filters_put(path.data, "c", "d", &err));
	ck_assert(!lstat(path.data, &st));
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert(!stat(real.data, &st));
	ck_assert_uint_eq(st.st_mode & 0777, 0640);
	assert_file("a = b\nc = d\n");
	str_release(&real);
}
END_TEST

START_TEST(without_a_home_there_is_no_file)
{
	struct str nowhere = STR_INIT;

	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", "/home/me", 1);
	ck_assert(!config_file_path("filters", &nowhere, &err));
	ck_assert_str_eq(nowhere.data, "/home/me/.config/stxtop/filters");
	str_clear(&nowhere);
	/* The XDG specification: relative paths are ignored. */
	setenv("XDG_CONFIG_HOME", "here", 1);
	unsetenv("HOME");
	ck_assert_int_eq(config_file_path("filters", &nowhere, &err), -ENOENT);
	ck_assert_str_eq(nowhere.data, "");
	str_release(&nowhere);
	setenv("XDG_CONFIG_HOME", dir, 1);
}
END_TEST

Suite *suite_saved_filters(void);
Suite *suite_saved_filters(void)
{
	Suite *suite = suite_create("saved_filters");
	TCase *tests = tcase_create("saved_filters");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_missing_file_has_no_filters_and_is_created);
	tcase_add_test(tests, lines_of_the_user_stay);
	tcase_add_test(tests, a_broken_file_is_reported_with_its_line_and_never_written);
	tcase_add_test(tests, invalid_files_are_refused_and_kept);
	tcase_add_test(tests, unreadable_names_and_expressions_are_refused);
	tcase_add_test(tests, a_failed_write_changes_nothing);
	tcase_add_test(tests, links_and_modes_stay);
	tcase_add_test(tests, without_a_home_there_is_no_file);
	suite_add_tcase(suite, tests);
	return suite;
}
