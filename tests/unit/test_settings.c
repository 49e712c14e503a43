#include "tui/config/settings.h"

#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"
#include "tui/config/config_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char dir[TEMPORARY_PATH_MAX];
static struct settings settings;
static struct str path;
static struct err err;

static void set_up(void)
{
	temporary_folder(dir, "settings");
	setenv("XDG_CONFIG_HOME", dir, 1);
	str_init(&path);
	settings_init(&settings);
	ck_assert(!config_file_path(SETTINGS_FILE, &path, &err));
	err.text[0] = '\0';
}

static void tear_down(void)
{
	struct str command = STR_INIT;

	str_addf(&command, "chmod -R u+w '%s'; rm -rf '%s'", dir, dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
	str_release(&path);
	settings_release(&settings);
}

static void write_bytes(const char *bytes, size_t len)
{
	struct str parent = STR_INIT;
	FILE *file;

	str_addf(&parent, "%s/stxtop", dir);
	mkdir(parent.data, 0700);
	str_release(&parent);
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
	char bytes[8192];
	FILE *file = fopen(path.data, "r");
	size_t len;

	ck_assert_ptr_nonnull(file);
	len = fread(bytes, 1, sizeof(bytes) - 1, file);
	bytes[len] = '\0';
	fclose(file);
	ck_assert_str_eq(bytes, wanted);
}

static void choose(enum setting setting, const char *value)
{
	ck_assert_msg(!settings_choose(&settings, setting, value, &err), "%s", err.text);
}

static void save(void)
{
	ck_assert_msg(!settings_save(&settings, &err), "%s", err.text);
}

/* ---- the table ---- */

START_TEST(defaults_and_offers_are_values)
{
	for (int i = 0; i < SETTING_COUNT; i++) {
		const char *offer;
		bool offered = !setting_offer(i, 0);

		ck_assert_str_ne(setting_help(i), "");
		ck_assert(!setting_check(i, setting_default(i), &err));
		for (int j = 0; (offer = setting_offer(i, j)); j++) {
			ck_assert_msg(!setting_check(i, offer, &err), "%s: %s", setting_name(i),
				      err.text);
			offered |= !strcmp(offer, setting_default(i));
		}
		ck_assert_msg(offered, "%s: its default is not offered", setting_name(i));
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(setting_name(i), setting_name(j));
	}
}
END_TEST

static const struct {
	enum setting setting;
	const char *value;
	bool right;
} checks[] = {
	{ SETTING_ASCII, "yes", true },
	{ SETTING_ASCII, "no", true },
	{ SETTING_ASCII, "on", false },
	{ SETTING_ASCII, "", false },
	{ SETTING_VIEW, "futexes", true },
	{ SETTING_VIEW, "futex", false },
	{ SETTING_REFRESH, "250ms", true },
	{ SETTING_REFRESH, "0.5s", true },
	{ SETTING_REFRESH, "250", false },
	{ SETTING_REFRESH, "1ms", false },
	{ SETTING_REFRESH, "2h", false },
	{ SETTING_STRING_SIZE, "4095", true },
	{ SETTING_STRING_SIZE, "0", false },
	{ SETTING_STRING_SIZE, "4096", false },
	{ SETTING_HISTORY, "1G", true },
	{ SETTING_HISTORY, "1", false },
	{ SETTING_THEME, "/home/me/a theme", true },
	{ SETTING_THEME, "a\nb = c", false },
	{ SETTING_THEME, "a # b", false },
	{ SETTING_THEME, " a", false },
	{ SETTING_THEME, "a\033[2J", false },
};

START_TEST(values_are_checked)
{
	int rc = setting_check(checks[_i].setting, checks[_i].value, &err);

	ck_assert_msg(rc == (checks[_i].right ? 0 : -EINVAL), "%s = %s",
		      setting_name(checks[_i].setting), checks[_i].value);
}
END_TEST

/* ---- reading and writing ---- */

START_TEST(without_choices_no_file_is_written)
{
	settings_read(&settings);
	ck_assert_str_eq(settings.problem.text, "");
	ck_assert_str_eq(settings_value(&settings, SETTING_THEME), "auto");
	save();
	ck_assert(access(path.data, F_OK));
	/* Default values are not written either. */
	choose(SETTING_THEME, "auto");
	settings_put(&settings, "columns.a.b", NULL);
	save();
	ck_assert(access(path.data, F_OK));
}
END_TEST

START_TEST(chosen_values_are_read_back)
{
	struct stat st;

	settings_read(&settings);
	choose(SETTING_THEME, "light");
	choose(SETTING_REFRESH, "1s");
	choose(SETTING_ASCII, "no");
	settings_put(&settings, "sort.files.files", "calls down");
	save();
	ck_assert(!stat(path.data, &st));
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	settings_release(&settings);
	settings_init(&settings);
	settings_read(&settings);
	ck_assert_str_eq(settings.problem.text, "");
	ck_assert_str_eq(settings_value(&settings, SETTING_THEME), "light");
	ck_assert_str_eq(settings_value(&settings, SETTING_REFRESH), "1s");
	ck_assert_str_eq(settings_list_find(&settings.file, "sort.files.files")->value,
			 "calls down");
	ck_assert_uint_eq(settings.file.count, 3);
}
END_TEST

START_TEST(lines_of_the_user_stay)
{
	write_text("# at work\n\n  theme=dark # as the walls\n"
		   "from-the-future = 3 of 4\nascii = yes\nmouse = no");
	settings_read(&settings);
	ck_assert_str_eq(settings.problem.text, "");
	ck_assert_str_eq(settings_value(&settings, SETTING_MOUSE), "no");
	choose(SETTING_THEME, "high-contrast");
	choose(SETTING_ASCII, "no"); /* the default: its line is removed */
	choose(SETTING_VIEW, "calls");
	save();
	assert_file("# at work\n\n  theme=high-contrast # as the walls\n"
		    "from-the-future = 3 of 4\nmouse = no\nview = calls\n");
}
END_TEST

START_TEST(changes_of_another_process_stay)
{
	write_text("theme = dark\n");
	settings_read(&settings);
	choose(SETTING_THEME, "light");
	write_text("# new\nmouse = no\ntheme = mono\n");
	save();
	assert_file("# new\nmouse = no\ntheme = light\n");
}
END_TEST

START_TEST(an_unchanged_file_is_not_written)
{
	struct stat before, after;

	write_text("theme = light\n");
	settings_read(&settings);
	choose(SETTING_THEME, "dark");
	choose(SETTING_THEME, "light");
	ck_assert(!stat(path.data, &before));
	save();
	ck_assert(!stat(path.data, &after));
	ck_assert(before.st_ino == after.st_ino);
}
END_TEST

/* ---- mistakes ---- */

static const struct {
	const char *text, *problem;
} broken[] = {
	{ "theme light\n", ":1: missing =" },
	{ "\ntheme =\n", ":2: missing value after =" },
	{ "= light\n", ":1: missing name" },
	{ "the me = light\n", ":1: a name has letters, digits and -_. only" },
	{ "theme = light\ntheme = dark\n", ":2: duplicate name" },
	{ "ascii = maybe\n", ":1: ascii: expected yes or no, not 'maybe'" },
	{ "view = nowhere\n", ":1: view: unknown view 'nowhere'" },
	{ "refresh = 0s\n", ":1: refresh: expected 20ms to 60s" },
	{ "theme = \033[2J\n", ":1: bytes that are not text" },
	{ "mouse = no\nx\n# \xff\n", ":2: missing =" },
};

START_TEST(a_broken_file_is_reported_and_left_alone)
{
	struct str text = STR_INIT;

	str_addf(&text, "%sstring-size = 64\n", broken[_i].text);
	write_text(text.data);
	settings_read(&settings);
	ck_assert_msg(strstr(settings.problem.text, broken[_i].problem), "%s",
		      settings.problem.text);
	ck_assert(!strncmp(settings.problem.text, path.data, path.len));
	/* The remaining lines apply. */
	ck_assert_str_eq(settings_value(&settings, SETTING_STRING_SIZE), "64");
	ck_assert(!setting_check(SETTING_ASCII, settings_value(&settings, SETTING_ASCII), &err));
	choose(SETTING_THEME, "mono");
	ck_assert_int_eq(settings_save(&settings, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, broken[_i].problem) && strstr(err.text, "not saved"), "%s",
		      err.text);
	assert_file(text.data);
	str_release(&text);
}
END_TEST

START_TEST(a_file_that_broke_meanwhile_is_left_alone)
{
	write_text("mouse = no\n");
	settings_read(&settings);
	choose(SETTING_THEME, "mono");
	write_text("now I am\n");
	ck_assert_int_eq(settings_save(&settings, &err), -EINVAL);
	assert_file("now I am\n");
}
END_TEST

START_TEST(a_file_that_is_not_text_is_reported)
{
	struct str large = STR_INIT;

	write_bytes("theme\0= dark\n", 13);
	settings_read(&settings);
	ck_assert(settings.broken && strstr(settings.problem.text, "NUL"));
	str_repeat(&large, '#', SETTINGS_BYTES + 1);
	write_text(large.data);
	settings_read(&settings);
	ck_assert(settings.broken && strstr(settings.problem.text, "larger than 128 KiB"));
	str_release(&large);
	unlink(path.data);
	ck_assert(!mkfifo(path.data, 0600));
	settings_read(&settings);
	ck_assert(settings.broken && strstr(settings.problem.text, "not a regular file"));
	choose(SETTING_THEME, "mono");
	ck_assert_int_lt(settings_save(&settings, &err), 0);
}
END_TEST

START_TEST(misspelt_settings_are_reported)
{
	write_text("later.version = 1\ntheem = light\n");
	settings_read(&settings);
	ck_assert_msg(strstr(settings.problem.text, ":2: unknown setting theem (nearest: theme)"),
		      "%s", settings.problem.text);
	/* An unknown setting can be one of a later version, so it is only reported. */
	ck_assert(!settings.broken);
	choose(SETTING_THEME, "mono");
	save();
	assert_file("later.version = 1\ntheem = light\ntheme = mono\n");
}
END_TEST

/* ---- the command line ---- */

START_TEST(the_command_line_wins_and_is_not_saved)
{
	struct options options = { .theme = "mono", .ascii = true };

	write_text("theme = light\nmouse = no\nstring-size = 64\n");
	settings_read(&settings);
	options.engine.string_bytes = 100;
	settings_meet_options(&settings, &options);
	ck_assert_str_eq(options.theme, "mono");
	ck_assert_ptr_null(options.keymap);
	ck_assert(options.ascii);
	ck_assert(options.no_mouse);
	ck_assert_uint_eq(options.engine.string_bytes, 100);
	ck_assert_uint_eq(options.engine.history_bytes, 64 << 20);
	ck_assert_int_eq(options.view, options_find_view("overview"));
	ck_assert(settings_is_given(&settings, SETTING_THEME));
	ck_assert(!settings_is_given(&settings, SETTING_MOUSE));
	save();
	assert_file("theme = light\nmouse = no\nstring-size = 64\n");
	/* The command line wins until another value is chosen. */
	choose(SETTING_THEME, "dark");
	ck_assert_str_eq(settings_value(&settings, SETTING_THEME), "dark");
	save();
	assert_file("theme = dark\nmouse = no\nstring-size = 64\n");
}
END_TEST

/* ---- where it is ---- */

START_TEST(without_a_home_only_saving_fails)
{
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	settings_read(&settings);
	ck_assert_str_eq(settings.problem.text, "");
	save();
	choose(SETTING_THEME, "mono");
	ck_assert_int_eq(settings_save(&settings, &err), -ENOENT);
	ck_assert_str_ne(err.text, "");
}
END_TEST

/* With sudo -E, root has the home of another user. */
START_TEST(files_of_another_user_are_not_written)
{
	struct stat st;

	if (geteuid() != 0)
		return;
	settings_read(&settings);
	choose(SETTING_THEME, "mono");
	ck_assert(!chown(dir, 12345, 12345));
	ck_assert_int_eq(settings_save(&settings, &err), -EPERM);
	ck_assert_msg(strstr(err.text, "belongs to user 12345"), "%s", err.text);
	ck_assert(access(path.data, F_OK));
	/* The directory was not created either. */
	*strrchr(path.data, '/') = '\0';
	ck_assert(stat(path.data, &st));
	path.data[strlen(path.data)] = '/';

	ck_assert(!chown(dir, 0, 0));
	write_text("mouse = no\n");
	ck_assert(!chown(path.data, 12345, 12345));
	ck_assert_int_eq(settings_save(&settings, &err), -EPERM);
	assert_file("mouse = no\n");
}
END_TEST

START_TEST(links_to_own_files_are_followed)
{
	struct str real = STR_INIT;
	struct stat st;

	write_text("mouse = no\n");
	str_addf(&real, "%s/dotfile", dir);
	ck_assert(!rename(path.data, real.data));
	ck_assert(!symlink(real.data, path.data));
	settings_read(&settings);
	choose(SETTING_THEME, "mono");
	save();
	ck_assert(!lstat(path.data, &st) && S_ISLNK(st.st_mode));
	assert_file("mouse = no\ntheme = mono\n");
	/* The target of a dangling link is not created. */
	ck_assert(!unlink(real.data));
	ck_assert_int_lt(settings_save(&settings, &err), 0);
	ck_assert(!lstat(path.data, &st) && S_ISLNK(st.st_mode));
	ck_assert(access(real.data, F_OK));
	str_release(&real);
}
END_TEST

/* Saving leaves no temporary file. */
START_TEST(no_temporary_file_is_left)
{
	struct str command = STR_INIT;

	write_text("mouse = no\n");
	settings_read(&settings);
	choose(SETTING_THEME, "mono");
	save();
	str_addf(&command, "test \"$(ls -A '%s/stxtop')\" = settings", dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
}
END_TEST

Suite *suite_settings(void);

Suite *suite_settings(void)
{
	Suite *suite = suite_create("settings");
	TCase *tcase = tcase_create("settings");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, defaults_and_offers_are_values);
	tcase_add_loop_test(tcase, values_are_checked, 0, COUNT(checks));
	tcase_add_test(tcase, without_choices_no_file_is_written);
	tcase_add_test(tcase, chosen_values_are_read_back);
	tcase_add_test(tcase, lines_of_the_user_stay);
	tcase_add_test(tcase, changes_of_another_process_stay);
	tcase_add_test(tcase, an_unchanged_file_is_not_written);
	tcase_add_loop_test(tcase, a_broken_file_is_reported_and_left_alone, 0, COUNT(broken));
	tcase_add_test(tcase, a_file_that_broke_meanwhile_is_left_alone);
	tcase_add_test(tcase, a_file_that_is_not_text_is_reported);
	tcase_add_test(tcase, misspelt_settings_are_reported);
	tcase_add_test(tcase, the_command_line_wins_and_is_not_saved);
	tcase_add_test(tcase, without_a_home_only_saving_fails);
	tcase_add_test(tcase, files_of_another_user_are_not_written);
	tcase_add_test(tcase, links_to_own_files_are_followed);
	tcase_add_test(tcase, no_temporary_file_is_left);
	suite_add_tcase(suite, tcase);
	return suite;
}
