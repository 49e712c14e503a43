#include "tui/shell/shell_settings_menu.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"
#include "tui/shell/shell_settings.h"

#include <stdlib.h>
#include <string.h>

#define RECORDING "tests/replay/contention.data"

static struct recorded_shell on;
static struct settings settings;
static char dir[TEMPORARY_PATH_MAX];

static void set_up(void)
{
	temporary_folder(dir, "shell-settings");
	setenv("XDG_CONFIG_HOME", dir, 1);
	settings_init(&settings);
	settings_read(&settings);
	recorded_shell_open(&on, RECORDING);
	shell_settings_take(&on.shell, &settings);
}

static void tear_down(void)
{
	struct str command = STR_INIT;

	recorded_shell_close(&on);
	settings_release(&settings);
	str_addf(&command, "rm -rf '%s'", dir);
	ck_assert_int_eq(system(command.data), 0);
	str_release(&command);
}

static const char *chosen(const char *name)
{
	const struct settings_item *item = settings_list_find(&settings.chosen, name);

	return item ? item->value : "(nothing)";
}

START_TEST(left_and_right_cycle_through_the_values)
{
	recorded_shell_press(&on, "o");
	ck_assert_int_ge(recorded_shell_row(&on, "Setup"), 0);
	for (int i = 0; i < 4; i++)
		recorded_shell_press(&on, "Down");
	ck_assert_int_ge(recorded_shell_row(&on, "yes"), 0);
	recorded_shell_press(&on, "Down"); /* refresh interval */
	recorded_shell_press(&on, "Right");
	ck_assert_str_eq(chosen("refresh"), "250ms");
	ck_assert_uint_eq(on.shell.session.refresh_ns, 250000000);
	recorded_shell_press(&on, "Left");
	ck_assert_ptr_null(chosen("refresh"));
	recorded_shell_press(&on, "Left");
	ck_assert_str_eq(chosen("refresh"), "50ms");
	recorded_shell_press(&on, "Left");
	ck_assert_str_eq(chosen("refresh"), "5s");
	recorded_shell_press(&on, "Space");
	ck_assert_str_eq(chosen("refresh"), "50ms");
	recorded_shell_press(&on, "Esc");
	ck_assert_int_lt(recorded_shell_row(&on, "Setup"), 0);
}
END_TEST

START_TEST(the_theme_under_the_cursor_is_previewed)
{
	recorded_shell_press(&on, "o");
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "colours for a light background"), 0);
	on.shell.request = REQUEST_NONE;
	recorded_shell_press(&on, "End");
	recorded_shell_press(&on, "Up");
	ck_assert_str_eq(shell_settings_menu_theme(&on.shell), "mono");
	ck_assert_int_eq(on.shell.request, REQUEST_APPLY_SETTINGS);
	ck_assert_str_eq(chosen("theme"), "(nothing)");
	on.shell.theme = theme_find("mono");
	recorded_shell_press(&on, "y");
	ck_assert_int_eq(on.shell.request, REQUEST_COPY);
	ck_assert_ptr_nonnull(
		strstr(on.shell.copy.data, "\nerror = default bold / default bold / bold\n"));
	/* Esc restores the previous theme. */
	on.shell.request = REQUEST_NONE;
	recorded_shell_press(&on, "Esc");
	ck_assert_str_eq(shell_settings_menu_theme(&on.shell), "auto");
	ck_assert_int_eq(on.shell.request, REQUEST_APPLY_SETTINGS);
	recorded_shell_press(&on, "o");
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "Enter");
	recorded_shell_press(&on, "End");
	recorded_shell_press(&on, "Enter");
	ck_assert_str_eq(chosen("theme"), "high-contrast");
	ck_assert_str_eq(shell_settings_menu_theme(&on.shell), "high-contrast");
	/* Back in the list. */
	ck_assert_int_ge(recorded_shell_row(&on, "Setup"), 0);
}
END_TEST

START_TEST(a_keymap_applies_immediately)
{
	struct err err;

	ck_assert(!shell_settings_choose(&on.shell, SETTING_KEYMAP, "emacs", &err));
	ck_assert_str_eq(chosen("keymap"), "emacs");
	ck_assert_ptr_ne(on.shell.bindings, on.bindings);
	ck_assert_int_lt(shell_settings_choose(&on.shell, SETTING_KEYMAP, "/nowhere/keys", &err),
			 0);
	ck_assert_str_eq(chosen("keymap"), "emacs");
	ck_assert(!shell_settings_choose(&on.shell, SETTING_KEYMAP, "default", &err));
	ck_assert_ptr_null(chosen("keymap"));
}
END_TEST

/* Initial values are not written, nor values that were changed back. */
START_TEST(only_changes_are_collected)
{
	recorded_shell_press(&on, "3");
	recorded_shell_press(&on, ">");
	recorded_shell_press(&on, "<");
	shell_settings_collect(&on.shell);
	ck_assert_uint_eq(settings.chosen.count, 0);
	recorded_shell_press(&on, "}");
	recorded_shell_press(&on, "I");
	shell_settings_collect(&on.shell);
	ck_assert_str_eq(chosen("sort.syscalls.syscalls"), "total up");
	ck_assert(!strchr(chosen("panes.syscalls"), '('));
	ck_assert_uint_eq(settings.chosen.count, 2);
}
END_TEST

static const struct {
	const char *text;
	bool taken;
} shares[] = {
	{ "10 20 30 40 50 60 70", true },
	{ "1 2", false },
	{ "0 1 1 1 1 1 1", false },
	{ "a", false },
	{ "1 1 1 1 1 1 1000000", false },
	{ "-1 1 1 1 1 1 1", false },
	{ "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", false },
};

START_TEST(invalid_shares_are_ignored)
{
	int before[2 * LAYOUT_MAX_NODES], after[2 * LAYOUT_MAX_NODES];
	const struct view *overview = &on.shell.views[SHELL_OVERVIEW];

	settings_list_put(&settings.file, "panes.overview", shares[_i].text);
	settings_list_put(&settings.file, "panes.nowhere", shares[_i].text);
	ck_assert_int_eq(view_weights(overview, before), 0);
	shell_settings_release(&on.shell.settings);
	shell_settings_take(&on.shell, &settings);
	ck_assert_int_eq(view_weights(overview, after) > 0, shares[_i].taken);
	recorded_shell_settle(&on);
}
END_TEST

Suite *suite_shell_settings_menu(void);

Suite *suite_shell_settings_menu(void)
{
	Suite *suite = suite_create("shell_settings_menu");
	TCase *tcase = tcase_create("shell_settings_menu");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_add_test(tcase, left_and_right_cycle_through_the_values);
	tcase_add_test(tcase, the_theme_under_the_cursor_is_previewed);
	tcase_add_test(tcase, a_keymap_applies_immediately);
	tcase_add_test(tcase, only_changes_are_collected);
	tcase_add_loop_test(tcase, invalid_shares_are_ignored, 0,
			    sizeof(shares) / sizeof(shares[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
