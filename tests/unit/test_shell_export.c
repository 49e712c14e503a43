/* Export of every view of a recording in each of its formats, and errors. */
#include "tui/shell/shell_export.h"
#include "tui/view/tree_pane.h"

#include "tests/unit/recorded_shell.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct recorded_shell on;
static char folder[TEMPORARY_PATH_MAX];

static void setup(void)
{
	temporary_folder(folder, "export");
	recorded_shell_open(&on, "tests/replay/contention.data");
	recorded_shell_settle(&on);
}

static void teardown(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	recorded_shell_close(&on);
	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(folder);
}

static size_t count_files(void)
{
	DIR *dir = opendir(folder);
	size_t count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void path_of(const char *name, struct str *out)
{
	str_clear(out);
	str_addf(out, "%s/%s", folder, name);
}

static void read_file(const char *name, struct str *out)
{
	struct str path = STR_INIT;
	char bytes[4096];
	size_t got;
	FILE *file;

	path_of(name, &path);
	file = fopen(path.data, "r");
	ck_assert_msg(file != NULL, "%s", path.data);
	str_clear(out);
	while ((got = fread(bytes, 1, sizeof(bytes), file)))
		str_addn(out, bytes, got);
	fclose(file);
	str_release(&path);
}

/* Choose a format in the menu of F7; false: the view does not have it. */
static bool choose(enum export_format format)
{
	recorded_shell_press(&on, "F7");
	ck_assert_int_eq(on.shell.menus.kind, MENU_EXPORT);
	menu_select(&on.shell.menus.menu, (int)format);
	if (menu_selected(&on.shell.menus.menu) != (int)format) {
		recorded_shell_press(&on, "Esc");
		return false;
	}
	recorded_shell_press(&on, "Enter");
	return true;
}

static void name_it(const char *name)
{
	struct str path = STR_INIT;

	path_of(name, &path);
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_type(&on, path.data);
	recorded_shell_press(&on, "Enter");
	str_release(&path);
}

static bool export(enum export_format format, const char *name)
{
	if (!choose(format))
		return false;
	name_it(name);
	return true;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

/* ---- contents ---- */

START_TEST(every_view_is_written_in_every_format)
{
	static const char *const keys[] = { "1", "3", "4", "6", "7", "8", "9", "M" };
	struct str text = STR_INIT, name = STR_INIT;
	size_t files = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		recorded_shell_press(&on, keys[i]);
		for (int format = 0; format < EXPORT_FORMAT_COUNT; format++) {
			str_clear(&name);
			str_addf(&name, "%s-%d", keys[i], format);
			if (!export((enum export_format)format, name.data))
				continue;
			files++;
			read_file(name.data, &text);
			ck_assert_msg(text.len > 20, "%s", name.data);
			ck_assert_msg(text.data[text.len - 1] == '\n', "%s", name.data);
		}
	}
	ck_assert_uint_eq(count_files(), files);
	ck_assert_uint_gt(files, 30);
	str_release(&text);
	str_release(&name);
}
END_TEST

/* Text, JSON and CSV have one row for each call, not only for visible calls. */
START_TEST(all_calls_are_written)
{
	struct str text = STR_INIT;
	uint64_t first, end;
	size_t calls;

	engine_calls_range(on.engine, &first, &end);
	calls = (size_t)(end - first) + on.shell.session.in_flight_count;
	ck_assert_uint_gt(calls, 200);
	recorded_shell_press(&on, "4");
	ck_assert(export(EXPORT_TEXT, "text"));
	read_file("text", &text);
	ck_assert_uint_eq(count_lines(text.data), calls + 1);
	ck_assert_ptr_nonnull(strstr(text.data, "COMM/TID"));
	ck_assert(export(EXPORT_JSON, "json"));
	read_file("json", &text);
	ck_assert_uint_eq(count_lines(text.data), calls);
	ck_assert(export(EXPORT_CSV, "csv"));
	read_file("csv", &text);
	ck_assert_uint_eq(count_lines(text.data), calls + 1);
	str_release(&text);
}
END_TEST

START_TEST(the_filter_of_the_view_applies)
{
	struct str text = STR_INIT;
	size_t all, futexes;

	recorded_shell_press(&on, "4");
	ck_assert(export(EXPORT_JSON, "all"));
	read_file("all", &text);
	all = count_lines(text.data);
	recorded_shell_press(&on, "\\");
	recorded_shell_type(&on, "futex");
	recorded_shell_press(&on, "Enter");
	ck_assert(export(EXPORT_JSON, "some"));
	read_file("some", &text);
	futexes = count_lines(text.data);
	ck_assert(futexes > 10 && futexes < all);
	ck_assert_ptr_null(strstr(text.data, "\"name\":\"mmap\""));
	str_release(&text);
}
END_TEST

START_TEST(folded_stacks_add_up_to_the_blocked_time)
{
	unsigned long long sum = 0, blocked = 0;
	struct str text = STR_INIT;
	struct call *calls = calloc(10000, sizeof(*calls));
	uint64_t *seqs = calloc(10000, sizeof(*seqs));
	size_t count = recorded_calls(on.engine, calls, seqs, 10000);

	for (size_t i = 0; i < count; i++)
		blocked += calls[i].blocked_ns;
	for (size_t i = 0; i < on.shell.session.in_flight_count; i++)
		blocked += on.shell.session.in_flight[i].blocked_ns;
	recorded_shell_press(&on, "8");
	ck_assert(export(EXPORT_FOLDED, "folded"));
	read_file("folded", &text);
	for (char *line = text.data; *line; line = strchr(line, '\n') + 1) {
		char *last = strchr(line, '\n');

		while (last[-1] != ' ')
			last--;
		sum += strtoull(last, NULL, 10);
	}
	ck_assert_uint_gt(sum, 0);
	ck_assert_uint_eq(sum, blocked);
	str_release(&text);
	free(calls);
	free(seqs);
}
END_TEST

/* Wait until the tree has all symbols. */
static void wait_for_names(void)
{
	const struct tree_pane *pane = view_focused(on.shell.shown)->self;

	do {
		engine_symbols_settle(on.engine, 1000);
		recorded_shell_settle(&on);
	} while (pane->symbols_version != engine_symbols_version(on.engine) ||
		 engine_symbols_pending(on.engine));
}

/* Text has only the unfolded rows; JSON has all nodes. */
START_TEST(a_tree_as_text_has_its_unfolded_rows)
{
	struct str text = STR_INIT;
	size_t folded, unfolded, nodes;

	recorded_shell_press(&on, "8");
	wait_for_names();
	recorded_shell_press(&on, "C");
	ck_assert(export(EXPORT_TEXT, "folded"));
	read_file("folded", &text);
	folded = count_lines(text.data);
	recorded_shell_press(&on, "E");
	ck_assert(export(EXPORT_TEXT, "unfolded"));
	read_file("unfolded", &text);
	unfolded = count_lines(text.data);
	recorded_shell_press(&on, "C");
	ck_assert(export(EXPORT_JSON, "nodes"));
	read_file("nodes", &text);
	nodes = count_lines(text.data);
	ck_assert(folded < unfolded);
	ck_assert_uint_eq(nodes + 1, unfolded);
	ck_assert_ptr_nonnull(strstr(text.data, "{\"type\":\"frame\",\"depth\":0,"));
	str_release(&text);
}
END_TEST

START_TEST(the_screen_is_written_as_before_the_menu)
{
	struct str text = STR_INIT;

	ck_assert(export(EXPORT_SCREEN, "screen"));
	read_file("screen", &text);
	ck_assert_uint_eq(count_lines(text.data), 40);
	ck_assert_ptr_null(strstr(text.data, "Write to"));
	ck_assert_ptr_nonnull(strstr(text.data, "F7"));
	ck_assert_ptr_null(strchr(text.data, '\033'));
	ck_assert(export(EXPORT_SCREEN_ANSI, "ansi"));
	read_file("ansi", &text);
	ck_assert_uint_eq(count_lines(text.data), 40);
	ck_assert_ptr_nonnull(strstr(text.data, "\033[0"));
	str_release(&text);
}
END_TEST

START_TEST(a_page_is_written_as_text)
{
	struct str text = STR_INIT;

	recorded_shell_press(&on, "F1");
	recorded_shell_press(&on, "F7");
	ck_assert_int_eq(on.shell.menus.kind, MENU_EXPORT);
	ck_assert_int_eq(menu_selected(&on.shell.menus.menu), EXPORT_TEXT);
	recorded_shell_press(&on, "Enter");
	name_it("help");
	read_file("help", &text);
	ck_assert_ptr_nonnull(strstr(text.data, "to a file"));
	str_release(&text);
}
END_TEST

/* ---- errors ---- */

START_TEST(a_file_is_replaced_only_on_confirmation)
{
	struct str text = STR_INIT, path = STR_INIT;
	struct stat st;

	ck_assert(export(EXPORT_SCREEN, "once"));
	path_of("once", &path);
	ck_assert_int_eq(stat(path.data, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(truncate(path.data, 1), 0);
	ck_assert(export(EXPORT_SCREEN, "once"));
	ck_assert_int_eq(on.shell.menus.kind, MENU_REPLACE);
	recorded_shell_press(&on, "Enter"); /* no */
	ck_assert(on.shell.entry.open);
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), path.data);
	read_file("once", &text);
	ck_assert_uint_eq(text.len, 1);
	recorded_shell_press(&on, "Enter");
	recorded_shell_press(&on, "Down");
	recorded_shell_press(&on, "Enter"); /* yes */
	read_file("once", &text);
	ck_assert_uint_gt(text.len, 100);
	ck_assert_uint_eq(count_files(), 1);
	str_release(&text);
	str_release(&path);
}
END_TEST

struct refusal_case {
	const char *name, *sentence;
};

static const struct refusal_case refusals[] = {
	{ "", "is a directory; add a file name" },
	{ "no/such", "no such directory" },
	{ "fifo", "is not a regular file" },
};

START_TEST(write_errors_are_shown_at_the_prompt)
{
	const struct refusal_case *c = &refusals[_i];
	struct str path = STR_INIT;

	path_of("fifo", &path);
	ck_assert_int_eq(mkfifo(path.data, 0600), 0);
	ck_assert(export(EXPORT_SCREEN, c->name));
	ck_assert_msg(recorded_shell_row(&on, c->sentence) >= 0, "%s", c->name);
	ck_assert(on.shell.entry.open);
	/* The prompt stays open for another name. */
	name_it("other");
	ck_assert(!on.shell.entry.open);
	ck_assert_uint_eq(count_files(), 2);
	str_release(&path);
}
END_TEST

START_TEST(an_empty_name_is_refused)
{
	ck_assert(choose(EXPORT_TEXT));
	recorded_shell_press(&on, "Ctrl-U");
	recorded_shell_press(&on, "Enter");
	ck_assert_int_ge(recorded_shell_row(&on, "expected a file name"), 0);
	recorded_shell_press(&on, "Esc");
	ck_assert(!on.shell.entry.open);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(file_names_are_completed)
{
	struct str path = STR_INIT;

	ck_assert(export(EXPORT_SCREEN, "completed"));
	ck_assert(choose(EXPORT_SCREEN));
	recorded_shell_press(&on, "Ctrl-U");
	path_of("com", &path);
	recorded_shell_type(&on, path.data);
	recorded_shell_press(&on, "Tab");
	path_of("completed", &path);
	ck_assert_str_eq(prompt_text(&on.shell.entry.prompt), path.data);
	str_release(&path);
}
END_TEST

Suite *suite_shell_export(void);
Suite *suite_shell_export(void)
{
	Suite *suite = suite_create("shell_export");
	TCase *tests = tcase_create("shell_export");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, every_view_is_written_in_every_format);
	tcase_add_test(tests, all_calls_are_written);
	tcase_add_test(tests, the_filter_of_the_view_applies);
	tcase_add_test(tests, folded_stacks_add_up_to_the_blocked_time);
	tcase_add_test(tests, a_tree_as_text_has_its_unfolded_rows);
	tcase_add_test(tests, the_screen_is_written_as_before_the_menu);
	tcase_add_test(tests, a_page_is_written_as_text);
	tcase_add_test(tests, a_file_is_replaced_only_on_confirmation);
	tcase_add_loop_test(tests, write_errors_are_shown_at_the_prompt, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tests, an_empty_name_is_refused);
	tcase_add_test(tests, file_names_are_completed);
	suite_add_tcase(suite, tests);
	return suite;
}
